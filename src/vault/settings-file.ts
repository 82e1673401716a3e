/** Settings on disk: decoded on every load, the last good copy kept on this device, outside changes followed (S9). */
import type { Plugin } from 'obsidian';
import { messageOf } from '../core/failure';
import type { DeviceStorage } from '../core/ports';
import {
  type DecodedSettings,
  decodeSettings,
  defaultSettings,
  encodeSettings,
  type Settings,
  type SettingsProblem,
} from '../core/settings/settings';

const lastGoodKey = 'settings-last-good';

export class SettingsFile {
  private current: Settings = defaultSettings;
  private unknown: Readonly<Record<string, unknown>> = {};
  private readonly listeners = new Set<(settings: Settings) => void>();

  /** @param report told about each problem found in what was stored */
  constructor(
    private readonly plugin: Pick<Plugin, 'loadData' | 'saveData'>,
    private readonly device: DeviceStorage,
    private readonly report: (problem: SettingsProblem) => void,
  ) {}

  get settings(): Settings {
    return this.current;
  }

  subscribe(listener: (settings: Settings) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reads what is stored. A file that cannot be read or parsed leaves the last good copy in force. */
  async load(): Promise<void> {
    const lastGood = this.lastGood();
    let stored: unknown = null;
    try {
      stored = await this.plugin.loadData();
    } catch (thrown) {
      this.report({ key: messageOf(thrown), problem: 'not-an-object' });
    }
    const decoded = decodeSettings(stored, lastGood.settings);
    this.current = decoded.settings;
    const lost = stored === null || decoded.problems.some(({ problem }) => problem === 'not-an-object');
    this.unknown = lost ? lastGood.unknown : decoded.unknown;
    for (const problem of decoded.problems) this.report(problem);
    if (decoded.problems.length === 0) this.keepLastGood();
    for (const listener of this.listeners) listener(this.current);
  }

  /** Changes some settings, tells listeners, and stores them; what cannot be stored still holds on this device. */
  async change(part: Partial<Settings>): Promise<void> {
    this.current = { ...this.current, ...part };
    for (const listener of this.listeners) listener(this.current);
    this.keepLastGood();
    try {
      await this.plugin.saveData(encodeSettings(this.current, this.unknown));
    } catch (thrown) {
      this.report({ key: messageOf(thrown), problem: 'not-saved' });
    }
  }

  private lastGood(): DecodedSettings {
    const text = this.device.get(lastGoodKey);
    if (text === null) return decodeSettings(null);
    try {
      return decodeSettings(JSON.parse(text));
    } catch {
      return decodeSettings(null);
    }
  }

  private keepLastGood(): void {
    this.device.set(lastGoodKey, JSON.stringify(encodeSettings(this.current, this.unknown)));
  }
}
