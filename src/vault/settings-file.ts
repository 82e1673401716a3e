/**
 * Reads and writes the settings file: decodes it on every load, saves the last good copy on this device, and follows
 * outside changes (S9). A file that is damaged is copied, and stays as it is until the user chooses what replaces it.
 */
import type { DataAdapter, Plugin } from 'obsidian';
import { subscribeTo } from '../core/base/async';
import { byteLength } from '../core/base/cut';
import { isEqual, mergeChange } from '../core/base/equality';
import { folderAfterMove, pathAfterMove } from '../core/base/fold';
import type { Clock } from '../core/ports/device';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import {
  areSettings,
  describeDamage,
  maxSettingsBytes,
  parseSettings,
  type SettingsChoice,
  type SettingsDamage,
  type SettingsFlaw,
} from '../core/settings/damaged-settings';
import {
  type DecodedSettings,
  decodeSettings,
  defaultSettings,
  encodeSettings,
  hiddenKeys,
  knowsHidden,
  readKnownValues,
  type Settings,
  type SettingsProblem,
} from '../core/settings/settings';
import { words } from '../text';
import type { DeviceStore } from './device';
import { type SettingsConflict, SettingsCopies } from './settings-copies';

const lastGoodKey = 'settings-last-good';
/** Milliseconds after which a damaged file is read again before it is reported: a sync service may be writing it. */
const rereads = [150, 450, 900];
/** How often a change is stored again when another program writes at the same time. */
const maxTries = 4;

export interface SettingsPorts {
  /** Called for each problem found in the stored settings. */
  readonly report: (problem: SettingsProblem) => void;
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<void>;
}

type Stored =
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly flaw: SettingsFlaw; readonly detail: string }
  | 'missing';

/** @param isOwn whether it was changed here, and not by what was read or by a choice between files */
type SettingsListener = (settings: Settings, isOwn: boolean) => void;

type HiddenLists = Pick<Settings, (typeof hiddenKeys)[number]>;

interface LastGood {
  readonly known: Partial<Settings>;
  readonly decoded: DecodedSettings;
}

export class SettingsFile {
  private current: Settings = defaultSettings;
  private decoded: DecodedSettings = decodeSettings(null);
  /** What the user changed and the file does not have yet. */
  private unsaved: Partial<Settings> = {};
  /** What was last read or stored, as text; null before the first time. */
  private seen: string | null = null;
  private damaged: SettingsDamage | null = null;
  /** Another version of the file that waits for a choice, and how it is shown. */
  private conflict: { readonly found: SettingsConflict; readonly shown: SettingsDamage } | null = null;
  /** The same lists while nothing changes, since other lists mean other rules for every note of the vault. */
  private hiddenByBoth: { readonly current: Settings; readonly other: Settings; readonly lists: HiddenLists } | null =
    null;
  /** Size and time of the file when it was last read. */
  private mark = '';
  /** The last good copy as text; null until it is read or made. */
  private good: string | null = null;
  /** Whether the last write of this process failed, so that it may be what damaged the file. */
  private isWriteBroken = false;
  /** How the file names the agent folder, and how the vault of this device lists the same folder. */
  private spelling: { readonly inFile: string; readonly here: string } | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private readonly listeners = new Set<SettingsListener>();
  private readonly files: DataAdapter;
  private readonly copies: SettingsCopies;

  constructor(
    private readonly plugin: Pick<Plugin, 'app' | 'manifest' | 'loadData' | 'saveData'>,
    private readonly device: DeviceStore,
    private readonly ports: SettingsPorts,
  ) {
    const { vault } = plugin.app;
    this.files = vault.adapter;
    const folder = plugin.manifest.dir ?? `${vault.configDir}/plugins/${plugin.manifest.id}`;
    this.copies = new SettingsCopies(this.files, folder, () => ports.clock.now());
  }

  get settings(): Settings {
    return this.current;
  }

  /** Null while the settings are in order. */
  get damage(): SettingsDamage | null {
    return this.damaged ?? this.conflict?.shown ?? null;
  }

  /** What is hidden; while another version of the file waits for a choice, also what that one hides. */
  get hidden(): HiddenLists {
    const { current, conflict } = this;
    const other = conflict?.found.decoded.settings;
    if (other === undefined) return { keptFolders: current.keptFolders, keptTags: current.keptTags };
    const joined = (key: keyof HiddenLists): string[] => [...new Set([...current[key], ...other[key]])];
    if (this.hiddenByBoth?.current !== current || this.hiddenByBoth.other !== other) {
      this.hiddenByBoth = {
        current,
        other,
        lists: { keptFolders: joined('keptFolders'), keptTags: joined('keptTags') },
      };
    }
    return this.hiddenByBoth.lists;
  }

  subscribe(listener: SettingsListener): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Applies the stored settings. If the file cannot be read or parsed, the last good copy applies. */
  async load(): Promise<void> {
    await this.problems();
  }

  /**
   * Returns the problems in what is stored now. Obsidian reports an outside change only until somebody reads it, so
   * settings that are read here also take effect.
   */
  problems(): Promise<readonly SettingsProblem[]> {
    return this.queue(async () => {
      const wasDamaged = this.damaged !== null;
      const problems = await this.take(await this.read());
      if (wasDamaged && this.damaged === null && hasValues(this.unsaved)) await this.store();
      await this.lookForConflict();
      return this.conflict === null ? problems : [...problems, problemOf(this.conflict.shown)];
    });
  }

  /**
   * Changes some settings and notifies listeners, then stores them over what the file has by now. Settings that cannot
   * be stored still apply on this device.
   */
  change(part: Partial<Settings>): Promise<void> {
    this.unsaved = { ...this.unsaved, ...part };
    this.show({ ...this.current, ...part }, this.damaged, true);
    return this.queue(() => this.save());
  }

  /** Has the settings go on naming a file or folder that the user moved: what is hidden stays hidden. */
  moved(from: string, to: string): void {
    const part = settingsAfterMove(this.current, from, to);
    if (hasValues(part)) void this.change(part);
  }

  /** Names the agent folder as this device lists it; the file keeps its spelling, since another device may list that. */
  spell(agentFolder: string): void {
    this.spelling = { inFile: this.current.agentFolder, here: agentFolder };
    this.show(this.current);
  }

  /** Replaces settings that cannot be read, as the user chose; nothing is overwritten unless a copy of it exists. */
  choose(choice: SettingsChoice): Promise<Outcome<void>> {
    return this.queue(async () => {
      // The file may have been repaired since the question was asked.
      const stored = await this.readOnce();
      await this.take(stored);
      if (choice === 'keep' || choice === 'take-copy') return this.settleConflict(choice);
      const { damaged } = this;
      if (damaged !== null && choice === 'retry') return fail(stillDamaged(damaged));
      if (damaged !== null) {
        const isSaved = damaged.copy !== null || stored === 'missing' || (await this.copies.moveAway()) !== null;
        if (!isSaved) return fail(notCopied());
        this.decoded = this.chosen(choice, damaged);
        this.isWriteBroken = false;
        this.show({ ...this.decoded.settings, ...this.unsaved }, null);
      } else if (!hasValues(this.unsaved)) return succeed(undefined);
      const failure = await this.store();
      return failure === null ? succeed(undefined) : fail(notSaved(failure));
    });
  }

  /** Returns the settings in place of the damaged ones; by default nothing is hidden, which the question says. */
  private chosen(choice: SettingsChoice, { flaw }: SettingsDamage): DecodedSettings {
    if (flaw === 'hidden') return { ...this.decoded, refused: without(this.decoded.refused, hiddenKeys) };
    return choice === 'last-good' ? this.lastGood().decoded : decodeSettings(null);
  }

  private queue<T>(task: () => Promise<T>): Promise<T> {
    const next = this.last.then(task, task);
    this.last = next.catch(() => undefined);
    return next;
  }

  private async read(): Promise<Stored> {
    const stored = await this.readOnce();
    if (!isDamaged(stored) || this.damaged !== null || this.isWriteBroken) return stored;
    // Until it is certain, nothing is read that may be hidden.
    const damage = this.damageOf(stored.flaw, stored.detail, null);
    this.show(this.current, { ...damage, isClosed: damage.isClosed || this.seen === null });
    const again = await this.readAgain();
    if (!isDamaged(again)) this.show(this.current, null);
    return again;
  }

  /** Reads a damaged file several times, as a sync service may be writing it. */
  private async readAgain(): Promise<Stored> {
    let stored = await this.readOnce();
    for (const wait of rereads) {
      if (!isDamaged(stored)) return stored;
      await this.ports.pause(wait);
      stored = await this.readOnce();
    }
    return stored;
  }

  private async readOnce(): Promise<Stored> {
    try {
      const stat = await this.files.stat(this.copies.place());
      this.mark = markOf(stat);
      if (stat === null) return 'missing';
      if (stat.size > maxSettingsBytes) return { flaw: 'too-large', detail: '' };
      // Obsidian compares later changes with what it read last.
      const loaded: unknown = await this.plugin.loadData().catch(() => null);
      if (areSettings(loaded)) return { values: loaded };
      const parsed = parseSettings(await this.files.read(this.copies.place()));
      return 'flaw' in parsed ? { ...parsed, detail: '' } : parsed;
    } catch (thrown) {
      return { flaw: 'unreadable', detail: messageOf(thrown) };
    }
  }

  /** Applies what was read, together with what the user changed and could not be stored. */
  private async take(stored: Stored): Promise<readonly SettingsProblem[]> {
    const text = JSON.stringify(stored);
    const isNew = text !== this.seen;
    this.seen = text;
    // What this process failed to write says nothing about the settings that it holds.
    if (isDamaged(stored) && this.isWriteBroken) return [{ key: '', problem: 'not-saved' }];
    return isDamaged(stored) ? this.takeDamaged(stored, isNew) : this.takeValues(stored, isNew);
  }

  private async takeDamaged(
    { flaw, detail }: Exclude<Stored, 'missing' | { readonly values: unknown }>,
    isNew: boolean,
  ): Promise<readonly SettingsProblem[]> {
    const lastGood = this.lastGood();
    const copy = isNew ? await this.copies.copy() : (this.damaged?.copy ?? null);
    const damage = this.damageOf(flaw, detail, copy);
    const problem = problemOf(damage);
    if (isNew) {
      this.decoded = lastGood.decoded;
      this.show({ ...lastGood.decoded.settings, ...this.unsaved }, damage);
      this.ports.report(problem);
    }
    return [problem];
  }

  private async takeValues(
    stored: Exclude<Stored, { readonly flaw: unknown }>,
    isNew: boolean,
  ): Promise<readonly SettingsProblem[]> {
    const { known, decoded: good } = this.lastGood();
    const isMissing = stored === 'missing';
    // What is hidden stays unknown, whether or not the file that said so is still there.
    const unread = good.problems.filter(({ problem }) => problem === 'invalid-hidden');
    const decoded = isMissing ? { ...good, problems: unread } : decodeSettings(stored.values, known);
    const wasLost = isMissing && Object.keys(known).length > 0;
    const lost: readonly SettingsProblem[] = wasLost ? [{ key: '', problem: 'missing' }] : [];
    const problems = [...lost, ...decoded.problems];
    if (!isNew && this.damaged === null) return problems;
    if (!isMissing) this.mergeUnsaved(readKnownValues(stored.values));
    this.decoded = decoded;
    const isUnknown = problems.some(
      ({ key, problem }) => problem === 'invalid-hidden' && !Object.hasOwn(this.unsaved, key),
    );
    const damage = isUnknown ? this.damageOf('hidden', '', await this.copies.copy()) : null;
    this.isWriteBroken = false;
    this.show({ ...decoded.settings, ...this.unsaved }, damage);
    for (const problem of problems) this.ports.report(problem);
    if (!isMissing) this.keepLastGood();
    return problems;
  }

  /**
   * Stores what the user changed over what the file has by now, unless that is damaged. If another program writes at the
   * same time, its other settings are read first, and the user's change is stored again over them. Only a write within
   * the one of the disk itself goes unnoticed.
   */
  private async save(): Promise<void> {
    for (let tries = 1; hasValues(this.unsaved); tries += 1) {
      await this.take(await this.read());
      if (this.damaged !== null && this.damaged.flaw !== 'hidden') {
        this.ports.report({ key: words.settings.damaged.undecided, problem: 'not-saved' });
        return;
      }
      const isLast = tries >= maxTries;
      if (!isLast && (await this.isChangedSince(this.mark))) continue;
      const { unsaved: changed, decoded: before } = this;
      if ((await this.store()) !== null) return;
      if (JSON.stringify(await this.readOnce()) === this.seen) continue;
      this.unsaved = { ...changed, ...this.unsaved };
      this.decoded = { ...this.decoded, settings: before.settings };
      if (!isLast) continue;
      this.ports.report({ key: '', problem: 'written-over' });
      return;
    }
    await this.lookForConflict();
  }

  private async isChangedSince(mark: string): Promise<boolean> {
    const now = await this.files.stat(this.copies.place()).catch(() => undefined);
    return now !== undefined && markOf(now) !== mark;
  }

  /** Looks whether a sync service stored another version of the file next to it, and reports a new one. */
  private async lookForConflict(): Promise<void> {
    const found = this.damaged === null ? await this.copies.findConflict(this.asStored()) : null;
    const before = this.conflict;
    if (found === null) this.conflict = null;
    else {
      const detail = found.differing.join(', ');
      const shown: SettingsDamage = {
        ...{ flaw: 'conflict', detail, copy: found.name, choices: ['keep', 'take-copy'], isClosed: false },
      };
      this.conflict = { found, shown: isEqual(before?.shown, shown) ? (before?.shown ?? shown) : shown };
    }
    if (this.conflict?.shown === before?.shown) return;
    this.show(this.current);
    if (this.conflict !== null) this.ports.report(problemOf(this.conflict.shown));
  }

  /** Stores the version that the user chose; the other one stays next to it under another name. */
  private async settleConflict(choice: 'keep' | 'take-copy'): Promise<Outcome<void>> {
    const { damaged } = this;
    if (damaged !== null) return fail(stillDamaged(damaged));
    const shown = this.conflict?.shown;
    await this.lookForConflict();
    // What is there by now is another question.
    if (this.conflict === null || this.conflict.shown !== shown) return succeed(undefined);
    const { name, decoded } = this.conflict.found;
    if (choice === 'keep') {
      if ((await this.copies.retire(name)) === null) return fail(notCopied());
    } else {
      if ((await this.copies.copy('replaced')) === null) return fail(notCopied());
      // A list of what is hidden that the copy had, but that cannot be read, must not replace the one that can.
      const refused = without(decoded.refused, hiddenKeys);
      this.decoded = { ...decoded, refused, unknown: { ...this.decoded.unknown, ...decoded.unknown } };
      this.show({ ...decoded.settings, ...this.unsaved });
      const failure = await this.store();
      if (failure !== null) return fail(notSaved(failure));
      // A copy that stays says nothing else than the file from now on.
      if (hiddenKeys.some((key) => Object.hasOwn(decoded.refused, key))) await this.copies.retire(name);
      else await this.files.remove(this.copies.place(name)).catch(() => undefined);
    }
    await this.lookForConflict();
    return succeed(undefined);
  }

  /** Writes the file first, so that a device without space for the copy still has the settings. */
  private async store(): Promise<string | null> {
    const changed = this.unsaved;
    const refused = without(this.decoded.refused, Object.keys(changed));
    const settings = this.asStored();
    const stored = encodeSettings(settings, this.decoded.unknown, refused);
    // Written, it would be a file that is not read, and all that it says would be lost with what made it so large.
    if (byteLength(JSON.stringify(stored, null, 2)) > maxSettingsBytes) {
      this.ports.report({ key: '', problem: 'too-large' });
      return words.settings.damaged.flaws['too-large']('');
    }
    try {
      await this.plugin.saveData(stored);
    } catch (thrown) {
      this.isWriteBroken = true;
      this.keepLastGood();
      this.ports.report({ key: messageOf(thrown), problem: 'not-saved' });
      return messageOf(thrown);
    }
    this.isWriteBroken = false;
    this.seen = JSON.stringify({ values: stored });
    this.decoded = { ...this.decoded, settings, refused };
    // What was changed while the file was written is stored by its own turn.
    this.unsaved = Object.fromEntries(
      Object.entries(this.unsaved).filter(([key, value]) => changed[key as keyof Settings] !== value),
    );
    const isKnown = this.damaged?.flaw !== 'hidden' || knowsHidden(readKnownValues(stored));
    this.keepLastGood();
    if (isKnown && this.damaged !== null) this.show(this.current, null);
    return null;
  }

  /** Keeps of what the user changed no more than that, where the file has other values than before. */
  private mergeUnsaved(read: Partial<Settings>): void {
    const { settings: before } = this.decoded;
    const keys = Object.keys(this.unsaved) as (keyof Settings)[];
    const merged = keys.map((key) => [key, mergeChange(before[key], this.unsaved[key], read[key])]);
    this.unsaved = Object.fromEntries(merged) as Partial<Settings>;
  }

  private show(settings: Settings, damage: SettingsDamage | null = this.damaged, isOwn = false): void {
    const { spelling } = this;
    this.current = settings.agentFolder === spelling?.inFile ? { ...settings, agentFolder: spelling.here } : settings;
    this.damaged = damage;
    for (const listener of this.listeners) listener(this.current, isOwn);
  }

  private asStored(): Settings {
    const { current, decoded, spelling } = this;
    const isSpelledHere = current.agentFolder === spelling?.here && decoded.settings.agentFolder === spelling.inFile;
    return isSpelledHere ? { ...current, agentFolder: spelling.inFile } : current;
  }

  private damageOf(flaw: SettingsDamage['flaw'], detail: string, copy: string | null): SettingsDamage {
    const isClosed = flaw === 'hidden' || !knowsHidden(this.lastGood().known);
    const choices: SettingsChoice[] = isClosed ? ['defaults', 'retry'] : ['last-good', 'defaults', 'retry'];
    return { flaw, detail, copy, isClosed, choices };
  }

  private lastGood(): LastGood {
    this.good ??= this.device.get(lastGoodKey);
    try {
      const stored: unknown = JSON.parse(this.good ?? 'null');
      return { known: readKnownValues(stored), decoded: decodeSettings(stored) };
    } catch {
      return { known: {}, decoded: decodeSettings(null) };
    }
  }

  /** A value that could not be read and has no known one is stored as it is, so that it never counts as known. */
  private keepLastGood(): void {
    const { known } = this.lastGood();
    const refused = without(this.decoded.refused, [...Object.keys(known), ...Object.keys(this.unsaved)]);
    this.good = JSON.stringify(encodeSettings(this.asStored(), this.decoded.unknown, refused));
    if (this.device.set(lastGoodKey, this.good)) return;
    // The older copy, which stays, may not hide what has been hidden since.
    if (hiddenKeys.some((key) => !isEqual(known[key], this.current[key]))) this.device.set(lastGoodKey, null);
  }
}

function markOf(stat: { readonly size: number; readonly mtime: number } | null): string {
  return `${stat?.size} ${stat?.mtime}`;
}

function problemOf(damage: SettingsDamage): SettingsProblem {
  return { key: describeDamage(damage), problem: 'damaged' };
}

function isDamaged(stored: Stored): stored is Exclude<Stored, 'missing' | { readonly values: unknown }> {
  return stored !== 'missing' && 'flaw' in stored;
}

/** Returns the settings that name a file or folder that was moved, or something in it, with its new place. */
function settingsAfterMove(settings: Settings, from: string, to: string): Partial<Settings> {
  const path = (named: string): string => pathAfterMove(named, from, to) ?? named;
  const folders = (named: readonly string[]): string[] => named.flatMap((folder) => folderAfterMove(folder, from, to));
  const { keptFolders, clippingFolders, contextNotes, systemPromptPath, promptExportPath } = settings;
  const after = Object.entries({
    keptFolders: folders(keptFolders),
    clippingFolders: folders(clippingFolders),
    contextNotes: contextNotes.map(path),
    systemPromptPath: path(systemPromptPath),
    promptExportPath: path(promptExportPath),
  } satisfies Partial<Settings>);
  return Object.fromEntries(after.filter(([key, value]) => !isEqual(value, settings[key as keyof Settings])));
}

function hasValues(part: Partial<Settings>): boolean {
  return Object.keys(part).length > 0;
}

function without(values: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}

function stillDamaged(damage: SettingsDamage): Failure {
  return { kind: 'storage', words: describeDamage(damage), remedy: '' };
}

function notCopied(): Failure {
  return {
    kind: 'storage',
    words: words.settings.damaged.nothingReplaced,
    remedy: words.settings.damaged.nothingReplacedRemedy,
  };
}

function notSaved(detail: string): Failure {
  return { kind: 'storage', words: words.settings.problems['not-saved'](detail), remedy: '' };
}
