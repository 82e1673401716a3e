/**
 * Builds the one stack through which everything reads the vault: adapter, path guard, filter of hidden notes, filter of
 * instruction files that wait (design 2).
 */
import type { App, DataAdapter, Vault } from 'obsidian';
import { createWorkBudget, takeStepsWithin } from '../core/base/async';
import { isEqual } from '../core/base/equality';
import { readProperties } from '../core/markdown/properties';
import type { DiskVault } from '../core/ports/vault';
import {
  type HiddenRules,
  filterHidden,
  isHidden as isHiddenBy,
  isMarkedHidden,
  textIsMarkedHidden,
} from '../core/writing/guard/fence';
import { settingsFile } from '../core/writing/guard/instruction-places';
import { InstructionFiles, type InstructionPorts, type InstructionText } from '../core/writing/guard/instructions';
import { guardPaths } from '../core/writing/guard/path-guard';
import { withoutWaiting } from '../core/writing/guard/without-waiting';
import { pathsOf, type VaultChanges } from './changes';
import { timing } from './device';
import { ObsidianVault, yaml } from './obsidian-vault';

export interface VaultStack {
  readonly vault: DiskVault;
  /** The vault with the instruction files that wait, for what the user decides on. */
  readonly withWaiting: DiskVault;
  readonly instructions: InstructionFiles;
  /** Compares the instruction files that changed. */
  readonly refreshInstructions: () => Promise<void>;
  /** Returns the text of an instruction file, for the user alone; null if it cannot be read. */
  readonly readInstructions: (path: string) => Promise<string | null>;
  /** Lets in the texts that the user has seen. */
  readonly allowInstructions: (texts: readonly InstructionText[]) => Promise<void>;
  /**
   * Reads Obsidian's excluded files again and checks for a repository. Until the first call, Docent's own folders are
   * hidden, and what was excluded when this device last read it. While the excluded files cannot be read, those hold;
   * if none were ever read on this device, everything is hidden.
   */
  readonly refresh: () => Promise<void>;
  /** Whether everything is hidden because Obsidian's excluded files could not be read, as of the last refresh. */
  readonly isAppUnread: () => boolean;
  /** Lists the notes in slices, so that the first to ask for the list doesn't block the app. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
  /** Saves unsaved edits in open notes, and compares the instruction files that changed. */
  readonly flush: () => Promise<void>;
  /** Returns whether the vault's root is a git repository, as of the last refresh. */
  readonly isRepository: () => boolean;
  /** Returns Obsidian's own settings for files and links, as of the last refresh. */
  readonly preferences: () => AppPreferences;
  /** Returns whether the user hides a path from the agent, or has not let it in, as of the last refresh. */
  readonly isHidden: (path: string) => boolean;
  /** Returns whether a note with this text is hidden from the agent, wherever it is. */
  readonly isHiddenText: (text: string) => boolean;
}

/** The folders and tags that the settings hide from the agent. */
export interface HiddenBySettings {
  readonly keptFolders: readonly string[];
  readonly keptTags: readonly string[];
  /** Whether these lists could not be read, so that everything is hidden. */
  readonly isClosed?: boolean;
}

/** Which files direct the agent, and where this device stores what the user let in. */
type Instructed = Omit<InstructionPorts, 'saved'>;

const ownedByNone: HiddenBySettings = { keptFolders: [], keptTags: [] };
const directedByNone: Instructed = {
  device: { get: () => null, set: () => undefined },
  digest: (text) => text,
  places: () => noPlaces,
};
const noPlaces: readonly never[] = [];

/**
 * @param ownFolders folders of transcripts and copies, hidden from the agent
 * @param hidden read like `ownFolders` at each look at a note, so that a setting takes effect at once; the same list
 * objects mean the same rules
 * @param instructed which files direct the agent, and what the user let in of them; none do if absent
 */
export function openStack(
  app: App,
  changes: VaultChanges,
  ownFolders: () => readonly string[],
  hidden: () => HiddenBySettings = () => ownedByNone,
  instructed: Instructed = directedByNone,
): VaultStack {
  const { device } = instructed;
  /** Null if they were never read on this device. */
  let excluded = readExcluded(device.get(excludedKey));
  let rules: HiddenRules = { excluded: excluded ?? [], ownFolders: ownFolders(), isAppUnread: false };
  const current = (): HiddenRules => {
    const { keptFolders, keptTags, isClosed = false } = hidden();
    const own = ownFolders();
    const isSame = rules.keptFolders === keptFolders && rules.keptTags === keptTags && rules.isClosed === isClosed;
    if (!isSame || rules.ownFolders !== own) rules = { ...rules, keptFolders, keptTags, isClosed, ownFolders: own };
    return rules;
  };
  let repository = false;
  let preferences: AppPreferences = { excluded: excluded ?? [], updatesLinks: false, deletesForGood: false };
  const bottom = new ObsidianVault(app, changes);
  const guarded = guardPaths(bottom, app.vault.configDir);
  const marksOf = (path: string) => bottom.marks(path);
  const ofText = (text: string) => readProperties(text, yaml) ?? {};
  const withWaiting = filterHidden(guarded, current, {
    ofNote: marksOf,
    find: (test) => bottom.findMarked(test),
    ofText,
  });
  const readInstructions = async (path: string): Promise<string | null> => {
    if (path === settingsFile) return instructed.inSettings?.() ?? null;
    const read = await withWaiting.read(path);
    return read.ok ? read.value.text : null;
  };
  const instructions = new InstructionFiles({
    ...instructed,
    saved: {
      files: () => withWaiting.files(),
      file: (path) => withWaiting.file(path),
      readSaved: (path) => (path === settingsFile ? readInstructions(path) : bottom.readSaved(path)),
      findPaths: (find) => bottom.findPaths(find),
    },
  });
  const refreshInstructions = (): Promise<void> => instructions.refresh();
  changes.followEdits((path, text) => instructions.typed(path, text));
  changes.followMoves((from, to) => instructions.moved(from, to));
  changes.subscribe((batch) => {
    instructions.heard(pathsOf(batch));
    void refreshInstructions();
  });
  const waits = (path: string): boolean => {
    const entry = withWaiting.file(path);
    return entry !== undefined && instructions.isOut(entry);
  };
  const vault = withoutWaiting(withWaiting, instructions);
  return {
    vault,
    prepare: async (signal) => {
      const budget = createWorkBudget(signal);
      for (const lists of [bottom, withWaiting, instructions.list, vault])
        await takeStepsWithin(lists.prepare(), budget);
    },
    ...{ withWaiting, instructions, readInstructions, refreshInstructions },
    allowInstructions: (texts) => {
      instructions.letIn(texts);
      return refreshInstructions();
    },
    isAppUnread: () => rules.isAppUnread === true,
    isRepository: () => repository,
    preferences: () => preferences,
    isHidden: (path) => isHiddenBy(path, current()) || isMarkedHidden(marksOf(path), current().keptTags) || waits(path),
    isHiddenText: (text) => textIsMarkedHidden(text, current().keptTags, ofText),
    refresh: async () => {
      const [read, found] = await Promise.all([
        readPatiently(app.vault, excluded === null ? rereads : []),
        hasRepository(app.vault.adapter),
      ]);
      repository = found;
      preferences = read ?? preferences;
      if (read !== null && !isEqual(excluded, read.excluded)) {
        excluded = read.excluded;
        device.set(excludedKey, JSON.stringify(excluded));
      }
      const next = { ...current(), excluded: preferences.excluded, isAppUnread: excluded === null };
      if (JSON.stringify(next) !== JSON.stringify(rules)) rules = next;
      await refreshInstructions();
    },
    flush: async () => {
      const saved = await bottom.flushEditors();
      if (saved.length > 0) changes.expect(saved);
      instructions.heard(saved);
      await refreshInstructions();
    },
  };
}

const excludedKey = 'excluded-files';
/** Milliseconds after which unread settings are read again: a sync service may be writing them. */
const rereads = [150, 450, 900];

function readExcluded(stored: string | null): readonly string[] | null {
  try {
    const read: unknown = JSON.parse(stored ?? 'null');
    return Array.isArray(read) ? read.filter((each): each is string => typeof each === 'string') : null;
  } catch {
    return null;
  }
}

/** @param waits milliseconds before each further try */
async function readPatiently(vault: Vault, waits: readonly number[]): Promise<AppPreferences | null> {
  let read = await readAppPreferences(vault);
  for (const wait of waits) {
    if (read !== null) break;
    await new Promise<void>((resolve) => void timing.after(wait, resolve));
    read = await readAppPreferences(vault);
  }
  return read;
}

/** Obsidian's own settings for files and links; no public API provides them. */
export interface AppPreferences {
  /** "Excluded files": path prefixes, or regular expressions between slashes. */
  readonly excluded: readonly string[];
  /** Whether Obsidian updates links to a moved file without asking the user. */
  readonly updatesLinks: boolean;
  /** Whether deleted files are deleted permanently. */
  readonly deletesForGood: boolean;
}

/**
 * Reads Obsidian's settings; defaults apply where the file is missing or a setting is absent. Returns null if the file
 * exists but cannot be read. Never throws.
 */
export async function readAppPreferences(vault: Pick<Vault, 'adapter' | 'configDir'>): Promise<AppPreferences | null> {
  const path = `${vault.configDir}/app.json`;
  try {
    const stored: unknown = (await vault.adapter.exists(path)) ? JSON.parse(await vault.adapter.read(path)) : {};
    const values = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
    const filters = values['userIgnoreFilters'];
    return {
      excluded: Array.isArray(filters) ? filters.filter((filter): filter is string => typeof filter === 'string') : [],
      updatesLinks: values['alwaysUpdateLinks'] === true,
      deletesForGood: values['trashOption'] === 'none',
    };
  } catch {
    return null;
  }
}

/**
 * Checks the disk for a git repository at the vault's root, because Obsidian's own index leaves out dot names. Returns
 * true for a folder, and for the file of a worktree or submodule. Returns false if the disk cannot be read. Never
 * throws.
 */
export async function hasRepository(adapter: Pick<DataAdapter, 'exists'>): Promise<boolean> {
  try {
    return await adapter.exists('.git');
  } catch {
    return false;
  }
}
