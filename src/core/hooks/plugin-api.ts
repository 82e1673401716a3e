/** PluginApi: what Docent offers to other plugins, with a version that rises when something they use changes. */
import type { Hook } from './hook';
import type { Hooks } from './hooks';

export interface PluginApi {
  readonly version: 1;
  readonly hooks: {
    /** Returns the release; a plugin hands it to its own `register`, so that the hook goes when the plugin does. */
    register(hook: Hook): () => void;
  };
}

export function pluginApi(hooks: Pick<Hooks, 'register'>): PluginApi {
  return Object.freeze({ version: 1, hooks: Object.freeze({ register: (hook: Hook) => hooks.register(hook) }) });
}
