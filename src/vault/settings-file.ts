/**
 * Reads and writes the settings file: decodes it on every load, saves the last good copy on this device, and follows
 * outside changes (S9).
 */
import type { Plugin } from 'obsidian';
import type { DeviceStorage } from '../core/ports/device';
import { messageOf } from '../core/ports/failure';
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
  /** The text that was last read or stored; null before the first time. */
  private seen: string | null = null;
  /** Increases with every read and change; of several under way, the newest wins. */
  private turn = 0;
  private readonly listeners = new Set<(settings: Settings) => void>();

  /** @param report called for each problem found in the stored settings */
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

  /** Applies the stored settings. If the file cannot be read or parsed, the last good copy applies. */
  async load(): Promise<void> {
    await this.read();
  }

  /**
   * Returns the problems in what is stored now. Obsidian reports an outside change only until somebody reads it, so
   * settings that are read here also take effect.
   */
  problems(): Promise<readonly SettingsProblem[]> {
    return this.read();
  }

  private async read(): Promise<readonly SettingsProblem[]> {
    const turn = (this.turn += 1);
    const unread: SettingsProblem[] = [];
    let stored: unknown = null;
    try {
      stored = await this.plugin.loadData();
    } catch (thrown) {
      unread.push({ key: messageOf(thrown), problem: 'not-an-object' });
    }
    const lastGood = this.lastGood();
    const decoded = decodeSettings(stored, lastGood.settings);
    const problems = [...unread, ...decoded.problems];
    const text = JSON.stringify([stored, unread]);
    if (turn === this.turn && text !== this.seen) {
      this.seen = text;
      this.current = decoded.settings;
      const lost = stored === null || decoded.problems.some(({ problem }) => problem === 'not-an-object');
      this.unknown = lost ? lastGood.unknown : decoded.unknown;
      for (const problem of problems) this.report(problem);
      if (decoded.problems.length === 0) this.keepLastGood();
      for (const listener of this.listeners) listener(this.current);
    }
    return problems;
  }

  /**
   * Changes some settings, notifies listeners, and stores them. Settings that cannot be stored still apply on this
   * device.
   */
  async change(part: Partial<Settings>): Promise<void> {
    this.turn += 1;
    this.current = { ...this.current, ...part };
    for (const listener of this.listeners) listener(this.current);
    this.keepLastGood();
    const stored = encodeSettings(this.current, this.unknown);
    try {
      await this.plugin.saveData(stored);
      this.seen = JSON.stringify([stored, []]);
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
