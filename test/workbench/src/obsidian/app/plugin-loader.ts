/** Evaluates a plugin's bundle the way the app does: CommonJS with a `require` that knows few names. */
import * as autocomplete from '@codemirror/autocomplete';
import * as commands from '@codemirror/commands';
import * as language from '@codemirror/language';
import * as search from '@codemirror/search';
import * as state from '@codemirror/state';
import * as view from '@codemirror/view';
import * as lezerCommon from '@lezer/common';
import * as lezerHighlight from '@lezer/highlight';
import type { PluginManifest } from 'obsidian';
import type { App } from './app';
import type { Plugin } from './plugin';

export type PluginClass = new (app: App, manifest: PluginManifest) => Plugin;

/** What main.js is a body of: the app gives it these three. */
export type PluginBody = (require: (name: string) => unknown, module: { exports: unknown }, exports: unknown) => void;

export interface PluginSource {
  manifest: PluginManifest;
  /** The text of main.js, the body that a page has made of it, or the class itself where a test has it at hand. */
  main: string | { body: PluginBody } | PluginClass;
  css?: string | null;
}

const PROVIDED: Record<string, unknown> = {
  '@codemirror/autocomplete': autocomplete,
  '@codemirror/commands': commands,
  '@codemirror/language': language,
  '@codemirror/search': search,
  '@codemirror/state': state,
  '@codemirror/view': view,
  '@lezer/common': lezerCommon,
  '@lezer/highlight': lezerHighlight,
};

/** Set by the module entry; importing it here would be a circle. */
export function provideModule(name: string, module: unknown): void {
  PROVIDED[name] = module;
}

export function getProvidedModules(): Record<string, unknown> {
  return PROVIDED;
}

function createRequire(app: App): (name: string) => unknown {
  return (name) => {
    const module = PROVIDED[name];
    if (module) return module;
    if (app.desktop) throw new Error(`The workbench runs in a browser and cannot provide the Node module '${name}'`);
    throw new Error(`Cannot find module '${name}'`);
  };
}

/** The app evaluates plugins from their text too; this is its one way in. */
function compile(main: string, id: string): PluginBody {
  return new Function('require', 'module', 'exports', `${main}\n//# sourceURL=plugin:${id}`) as PluginBody;
}

export function evaluatePlugin(app: App, { manifest, main }: PluginSource): PluginClass {
  if (typeof main === 'function') return main;
  const module = { exports: {} as Record<string, unknown> };
  const body = typeof main === 'string' ? compile(main, manifest.id) : main.body;
  body(createRequire(app), module, module.exports);
  const found = (module.exports['default'] ?? module.exports) as unknown;
  if (typeof found !== 'function') throw new Error(`The plugin "${manifest.id}" exports no class`);
  return found as PluginClass;
}
