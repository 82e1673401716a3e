/** Community plugins: known, enabled, running, and enabled again. */
import type { PluginManifest } from 'obsidian';
import { Notice } from '../windows/notice';
import type { App } from './app';
import type { Plugin } from './plugin';
import { evaluatePlugin, type PluginSource } from './plugin-loader';

export class Plugins {
  readonly manifests: Record<string, PluginManifest> = {};
  readonly plugins: Record<string, Plugin> = {};
  readonly enabledPlugins = new Set<string>();
  private readonly sources = new Map<string, PluginSource>();
  private readonly styles = new Map<string, HTMLElement>();
  /** Why a plugin did not start, by id. */
  readonly failures: Record<string, unknown> = {};

  constructor(readonly app: App) {}

  private get listPath(): string {
    return `${this.app.vault.configDir}/community-plugins.json`;
  }

  add(source: PluginSource): void {
    const { id } = source.manifest;
    const manifest = { ...source.manifest, dir: `${this.app.vault.configDir}/plugins/${id}` };
    this.manifests[id] = manifest;
    this.sources.set(id, { ...source, manifest });
  }

  getPlugin(id: string): Plugin | null {
    return this.plugins[id] ?? null;
  }

  async readEnabled(): Promise<string[]> {
    const { adapter } = this.app.vault;
    try {
      if (!(await adapter.exists(this.listPath))) return [];
      const list: unknown = JSON.parse(await adapter.read(this.listPath));
      return Array.isArray(list) ? list.filter((id): id is string => typeof id === 'string') : [];
    } catch {
      return [];
    }
  }

  private async saveEnabled(): Promise<void> {
    const { adapter, configDir } = this.app.vault;
    if (!(await adapter.exists(configDir))) await adapter.mkdir(configDir);
    await adapter.write(this.listPath, JSON.stringify([...this.enabledPlugins], null, 2));
  }

  /** Loads for this run only; false when the plugin could not start. */
  async enablePlugin(id: string): Promise<boolean> {
    const source = this.sources.get(id);
    if (!source) return false;
    if (this.plugins[id]) return true;
    delete this.failures[id];
    try {
      const plugin = new (evaluatePlugin(this.app, source))(this.app, source.manifest);
      this.plugins[id] = plugin;
      if (source.css) this.addStyle(id, source.css);
      await plugin.load();
      return true;
    } catch (error) {
      console.error(`Plugin failure: ${id}`, error);
      this.failures[id] = error;
      new Notice(`Failed to load plugin ${id}`);
      await this.disablePlugin(id);
      return false;
    }
  }

  async disablePlugin(id: string): Promise<void> {
    const plugin = this.plugins[id];
    delete this.plugins[id];
    plugin?.unload();
    this.styles.get(id)?.remove();
    this.styles.delete(id);
    if (plugin) this.app.workspace.trigger('css-change');
  }

  async enablePluginAndSave(id: string): Promise<boolean> {
    this.enabledPlugins.add(id);
    await this.saveEnabled();
    const started = await this.enablePlugin(id);
    if (started) this.welcome(id);
    return started;
  }

  async disablePluginAndSave(id: string): Promise<void> {
    this.enabledPlugins.delete(id);
    await this.disablePlugin(id);
    await this.saveEnabled();
  }

  /** What the app calls once when a person switches a plugin on. */
  welcome(id: string): void {
    try {
      this.plugins[id]?.onUserEnable();
    } catch (error) {
      console.error(error);
    }
  }

  /** Starts what was enabled before, and with `everything` the rest too; answers with those new to this vault. */
  async start(everything: boolean): Promise<string[]> {
    const before = await this.readEnabled();
    for (const id of before) this.enabledPlugins.add(id);
    const fresh = everything ? [...this.sources.keys()].filter((id) => !this.enabledPlugins.has(id)) : [];
    for (const id of fresh) this.enabledPlugins.add(id);
    for (const id of [...this.enabledPlugins]) await this.enablePlugin(id);
    if (fresh.length > 0) await this.saveEnabled();
    return fresh;
  }

  /** Notifies a plugin that another program changed its data file. */
  onDataFileChanged(path: string): void {
    for (const plugin of Object.values(this.plugins)) {
      if (path === `${plugin.manifest.dir ?? ''}/data.json`) void plugin.checkDataFile();
    }
  }

  async unloadAll(): Promise<void> {
    for (const id of Object.keys(this.plugins)) await this.disablePlugin(id);
  }

  private addStyle(id: string, css: string): void {
    const style = this.app.document.head.createEl('style', { text: css, attr: { 'data-plugin': id } });
    this.styles.set(id, style);
    this.app.workspace.trigger('css-change');
  }
}
