/** Gives a Node process the globals of a browser page, by jsdom; the emulator and the plugin find what they expect. */
import { fillLayoutGaps, installDom } from 'obsidian-workbench/jest';

/** jsdom checks that these are its own. */
const replaced = new Set(['Event', 'EventTarget', 'CustomEvent', 'MessageEvent', 'AbortController', 'AbortSignal']);
const always = new Set(['window', 'self', 'document', 'navigator', 'parent', 'top', 'location', ...replaced]);

/** Where a page is already there, as in a test, it is used as it is. */
function installPage(): void {
  if (typeof document !== 'undefined') return installDom(window);
  const { JSDOM, VirtualConsole } = require('jsdom') as typeof import('jsdom');
  const { window: page } = new JSDOM('<!doctype html><html><head></head><body></body></html>', {
    url: 'http://localhost/',
    pretendToBeVisual: true,
    virtualConsole: new VirtualConsole(),
  });
  takeOver(page);
  fillLayoutGaps(page as unknown as Window & typeof globalThis);
  installDom(page as unknown as Window);
  takeOver(page);
}

function takeOver(page: object): void {
  const names = Object.getOwnPropertyNames(page);
  for (const name of names) {
    if (/^\d+$/.test(name) || (name in globalThis && !always.has(name))) continue;
    Object.defineProperty(globalThis, name, {
      value: (page as Record<string, unknown>)[name],
      configurable: true,
      writable: true,
    });
  }
  const known = globalThis as unknown as Record<string, unknown>;
  for (const name of ['TextEncoder', 'TextDecoder', 'crypto', 'structuredClone']) {
    if (name in page && (page as Record<string, unknown>)[name] !== undefined) continue;
    Object.defineProperty(page, name, { value: known[name], configurable: true, writable: true });
  }
}

installPage();
