/** Core plugins, as far as other plugins read them: whether they are on, and the options in their files. */
import type { App } from './app';
import { openSearch } from './search-view';

type Options = Record<string, unknown>;

/** What the app keeps of one core plugin. */
export interface CorePlugin {
  readonly id: string;
  enabled: boolean;
  readonly instance: { readonly id: string; options: Options; openGlobalSearch?(query: string): void };
}

/** The core plugins that the emulator knows, all of which are on in a new vault. */
const known = ['daily-notes', 'templates', 'bases', 'global-search'] as const;

export class InternalPlugins {
  readonly plugins: Record<string, CorePlugin> = Object.fromEntries(
    known.map((id): [string, CorePlugin] => [id, { id, enabled: true, instance: { id, options: {} } }]),
  );

  constructor(private readonly app: Pick<App, 'vault' | 'workspace'>) {
    const search = this.plugins['global-search'];
    if (search) search.instance.openGlobalSearch = (query) => void openSearch(app, query);
  }

  getPluginById(id: string): CorePlugin | null {
    return this.plugins[id] ?? null;
  }

  getEnabledPluginById(id: string): CorePlugin['instance'] | null {
    const plugin = this.getPluginById(id);
    return plugin?.enabled ? plugin.instance : null;
  }

  /** Reads which are on from `core-plugins.json`, and the options of each from the file of its name. */
  async load(): Promise<void> {
    const enabled = await this.read('core-plugins');
    await Promise.all(
      Object.values(this.plugins).map(async (plugin) => {
        const { id, instance } = plugin;
        const value = Array.isArray(enabled) ? enabled.includes(id) : (enabled as Options | null)?.[id];
        if (typeof value === 'boolean') plugin.enabled = value;
        const options = await this.read(id);
        if (typeof options === 'object' && options !== null) instance.options = options as Options;
      }),
    );
  }

  /** A file that is missing or broken counts as empty. */
  private async read(name: string): Promise<unknown> {
    const { adapter, configDir } = this.app.vault;
    try {
      const path = `${configDir}/${name}.json`;
      return (await adapter.exists(path)) ? (JSON.parse(await adapter.read(path)) as unknown) : null;
    } catch {
      return null;
    }
  }
}
