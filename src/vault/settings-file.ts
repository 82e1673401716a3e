/** Settings on disk: decoded on every load, the last good copy kept on this device, outside changes followed (S9). */
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
  /** What was read or stored last, as text; null before the first time. */
  private seen: string | null = null;
  /** Grows with every read and change: of several under way the newest holds. */
  private turn = 0;
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

  /** Follows what is stored. A file that cannot be read or parsed leaves the last good copy in force. */
  async load(): Promise<void> {
    await this.read();
  }

  /**
   * What is wrong with what is stored now. The app tells of a change from outside only while nobody has read it, so what
   * is read here is followed as well.
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

  /** Changes some settings, tells listeners, and stores them; what cannot be stored still holds on this device. */
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
