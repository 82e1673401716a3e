/** Files next to the settings file: copies of what was replaced, and what a sync service stored of another device. */
import type { DataAdapter } from 'obsidian';
import { isConflictCopyOf } from '../core/base/conflict-copy';
import { isEqual } from '../core/base/equality';
import { maxSettingsBytes, parseSettings } from '../core/settings/damaged-settings';
import { type DecodedSettings, decodeSettings, defaultSettings, type Settings } from '../core/settings/settings';

const settingsFileName = 'data.json';

/** Copies that are stored at a time; the oldest goes first. */
const maxCopies = 5;
/** Conflict copies that are read at a time; the next look goes on with further ones. */
const maxRead = 20;
/** `damaged` could not be read; `replaced` could, and the user chose another version. */
type CopyKind = 'damaged' | 'replaced';
const copyPatterns: Readonly<Record<CopyKind, RegExp>> = {
  damaged: /^data\.damaged-[\d-]+\.json$/,
  replaced: /^data\.replaced-[\d-]+\.json$/,
};

/** A conflict copy of the settings file that says something else. */
export interface SettingsConflict {
  readonly name: string;
  /** What it says; what it leaves open or cannot be read is as in the settings that it was compared with. */
  readonly decoded: DecodedSettings;
  /** The settings that differ. */
  readonly differing: readonly string[];
}

export class SettingsCopies {
  /** The name of the last conflict copy that had nothing to ask about. */
  private passed = '';

  constructor(
    private readonly files: DataAdapter,
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  place(name = settingsFileName): string {
    return `${this.folder}/${name}`;
  }

  /** Copies the file next to itself, unless a copy of the same bytes is there, and returns the name of the copy. */
  async copy(kind: CopyKind = 'damaged'): Promise<string | null> {
    try {
      const size = (await this.files.stat(this.place()))?.size ?? 0;
      const copies = await this.copies(kind);
      for (const copy of size > maxSettingsBytes ? [] : copies) {
        if (await this.isSame(copy, size)) return copy;
      }
      const name = this.freshName(kind);
      await this.files.copy(this.place(), this.place(name));
      const written = await this.files.stat(this.place(name));
      if (written?.size !== size) return null;
      for (const old of copies.slice(0, Math.max(0, copies.length + 1 - maxCopies))) {
        await this.files.remove(this.place(old));
      }
      return name;
    } catch {
      return null;
    }
  }

  /** Moves a file that cannot be read out of the way, which needs no right to read it. */
  async moveAway(): Promise<string | null> {
    return (await this.copy()) ?? (await this.rename(settingsFileName, 'damaged'));
  }

  /**
   * Returns a conflict copy that differs from these settings; null if none of those that were read does. A look begins
   * after the copies that the one before passed over, so that none of them hides another for good.
   */
  async findConflict(settings: Settings): Promise<SettingsConflict | null> {
    const found = (await this.names().catch(() => [])).filter((each) => isConflictCopyOf(each, settingsFileName));
    const isAhead = (name: string): boolean => name > this.passed;
    const ordered = [...found.filter(isAhead), ...found.filter((name) => !isAhead(name))];
    for (const name of ordered.slice(0, maxRead)) {
      const decoded = await this.decode(name, settings).catch(() => null);
      const keys = Object.keys(defaultSettings) as (keyof Settings)[];
      const differing = keys.filter((key) => decoded !== null && !isEqual(decoded.settings[key], settings[key]));
      if (decoded !== null && differing.length > 0) return { name, decoded, differing };
      this.passed = name;
    }
    return null;
  }

  /** Gives a conflict copy the name of a version that was replaced; returns null if it stays as it is. */
  retire(name: string): Promise<string | null> {
    return this.rename(name, 'replaced');
  }

  private async decode(name: string, settings: Settings): Promise<DecodedSettings | null> {
    if (((await this.files.stat(this.place(name)))?.size ?? 0) > maxSettingsBytes) return null;
    const parsed = parseSettings(await this.files.read(this.place(name)));
    return 'flaw' in parsed ? null : decodeSettings(parsed.values, settings);
  }

  private async rename(name: string, kind: CopyKind): Promise<string | null> {
    const fresh = this.freshName(kind);
    try {
      await this.files.rename(this.place(name), this.place(fresh));
      return fresh;
    } catch {
      return null;
    }
  }

  private freshName(kind: CopyKind): string {
    return `data.${kind}-${new Date(this.now()).toISOString().replace(/\D/g, '-').slice(0, -1)}.json`;
  }

  /** Sorted, so that copies are in the order in which they were made. */
  private async names(): Promise<readonly string[]> {
    const { files } = await this.files.list(this.folder);
    return files.map((path) => path.slice(path.lastIndexOf('/') + 1)).sort();
  }

  private async copies(kind: CopyKind): Promise<readonly string[]> {
    return (await this.names()).filter((name) => copyPatterns[kind].test(name));
  }

  private async isSame(copy: string, size: number): Promise<boolean> {
    if ((await this.files.stat(this.place(copy)))?.size !== size) return false;
    const [one, other] = [await this.files.read(this.place()), await this.files.read(this.place(copy))];
    return one === other;
  }
}
