/** Creates and changes notes and folders at the user's request. */
import { type App, TFile, type Vault } from 'obsidian';
import { foldPlace } from '../core/base/fold';
import { compareText } from '../core/base/list-edits';
import { stateFileName } from '../core/library/agent-folder';
import { byteOrderMark, splitMark, withoutUnwritable } from '../core/markdown/encoding';
import { setProperty } from '../core/markdown/properties';
import type { TextFiles } from '../core/own-prompt/text-files';
import type { StateNotes } from '../core/ports/device';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import type { FileEntry, Vault as VaultPort } from '../core/ports/vault';
import { guardNewPath } from '../core/writing/guard/path-guard';
import { refuseWaiting } from '../core/writing/guard/without-waiting';
import { words } from '../text';
import { missingNote, outlineOf, yaml } from './obsidian-vault';
import { moveToTrash } from './trash';

/** Creates a folder and its parents. */
export async function createFolder(
  vault: Pick<Vault, 'configDir' | 'createFolder' | 'getFolderByPath'>,
  path: string,
): Promise<Outcome<void>> {
  const checked = guardNewPath(path, vault.configDir);
  if (!checked.ok) return checked;
  const parts = checked.value.split('/');
  try {
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if (vault.getFolderByPath(folder) === null) await vault.createFolder(folder);
    }
    return succeed(undefined);
  } catch (thrown) {
    return fail({
      kind: 'storage',
      words: words.diagnostics.folderNotCreated(path, messageOf(thrown)),
      remedy: words.diagnostics.folderNotCreatedRemedy,
    });
  }
}

/** Creates a file; what the disk cut off of it is taken away again, so that the next try finds the place free. */
async function createText(vault: Pick<Vault, 'adapter' | 'create'>, path: string, text: string): Promise<void> {
  const { adapter } = vault;
  const isFree = !(await adapter.exists(path));
  try {
    await vault.create(path, text);
  } catch (thrown) {
    const left = isFree ? await adapter.read(path).catch(() => null) : null;
    const isCut = left !== null && left !== text && text.startsWith(left);
    if (isCut) await adapter.remove(path).catch(() => undefined);
    throw thrown;
  }
}

/** Changes a file; if the disk cuts it off, it gets back the text before, for which there was room. */
async function changeText(vault: Vault, file: TFile, change: (text: string) => string): Promise<string> {
  let [before, after] = ['', ''];
  const isCut = (text: string): boolean => text !== before && text !== after && after.startsWith(text);
  try {
    return await vault.process(file, (text) => (after = change((before = text))));
  } catch (thrown) {
    const left = await vault.adapter.read(file.path).catch(() => null);
    if (left !== null && isCut(left)) {
      await vault.process(file, (text) => (isCut(text) ? before : text)).catch(() => undefined);
    }
    throw thrown;
  }
}

interface MadeNote {
  readonly path: string;
  /** False if the note already existed. */
  readonly created: boolean;
}

/** Creates a note in a folder that must exist; an existing note stays unchanged. */
export async function createNote(
  vault: Pick<Vault, 'adapter' | 'configDir' | 'create' | 'getFileByPath'>,
  path: string,
  text: string,
): Promise<Outcome<MadeNote>> {
  const checked = guardNewPath(path, vault.configDir);
  if (!checked.ok) return checked;
  if (vault.getFileByPath(checked.value) !== null) return succeed({ path, created: false });
  try {
    await createText(vault, checked.value, text);
    return succeed({ path, created: true });
  } catch (thrown) {
    return fail({
      kind: 'storage',
      words: words.commands.noteNotCreated(path, messageOf(thrown)),
      remedy: words.commands.noteNotCreatedRemedy,
    });
  }
}

/**
 * Called with each text that Docent writes at the user's request, and the text before it; empty if it continues none.
 * What was let in before stays let in.
 */
export type Edited = (path: string, before: string, text: string) => Promise<void>;

/** What the user lets direct the agent. */
export interface OwnInstructions {
  readonly edited: Edited;
  /** Whether a text waits, so that nothing may be made of it. */
  waits(path: string, text: string): boolean;
}

/**
 * Implements TextFiles with Obsidian's vault: notes that Docent writes at the user's request, with their parent
 * folders.
 */
export function createTextFiles(vault: Vault, own?: OwnInstructions): TextFiles {
  return {
    read: async (path) => {
      const checked = guardNewPath(path, vault.configDir);
      if (!checked.ok) return checked;
      try {
        const file = vault.getFileByPath(checked.value);
        const text = file === null ? null : await vault.read(file);
        return text !== null && own?.waits(path, text) === true ? refuseWaiting(path) : succeed(text);
      } catch {
        return fail({
          kind: 'unreadable',
          words: words.failures.noteUnreadable(path),
          remedy: words.failures.noteUnreadableRemedy,
        });
      }
    },
    write: async (path, text) => {
      const checked = guardNewPath(path, vault.configDir);
      if (!checked.ok) return checked;
      const end = checked.value.lastIndexOf('/');
      const folder = end === -1 ? succeed(undefined) : await createFolder(vault, checked.value.slice(0, end));
      if (!folder.ok) return folder;
      try {
        const file = vault.getFileByPath(checked.value);
        if (file === null) await createText(vault, checked.value, text);
        else await changeText(vault, file, () => text);
        await own?.edited(checked.value, '', text);
        return succeed(undefined);
      } catch (thrown) {
        return notWritten(path, thrown);
      }
    },
  };
}

function notWritten(path: string, thrown: unknown): Outcome<never> {
  return fail({
    kind: 'storage',
    words: words.ownPrompt.notWritten(path, messageOf(thrown)),
    remedy: words.ownPrompt.notWrittenRemedy,
  });
}

/**
 * Changes the notes that hold the user's prompts; the user requests each change in the interface.
 * @param flush saves unsaved edits in open notes, so that none are lost
 */
export function createPromptNotes(app: App, flush: () => Promise<void>, edited: Edited) {
  return {
    create: async (path: string, text: string): Promise<Outcome<void>> => {
      const end = path.lastIndexOf('/');
      const folder = end === -1 ? succeed(undefined) : await createFolder(app.vault, path.slice(0, end));
      if (!folder.ok) return folder;
      const made = await createNote(app.vault, path, text);
      if (!made.ok) return made;
      if (!made.value.created) return fail(notChanged(path, words.commands.contextFileThere(path)));
      await edited(path, '', text);
      return succeed(undefined);
    },
    setProperty: (path: string, key: string, value: string | boolean | undefined): Promise<Outcome<void>> =>
      change(app, path, async (file) => {
        await flush();
        let failure: Failure | null = null;
        let before = '';
        const after = await changeText(app.vault, file, (text) => {
          const { text: plain, mark } = splitMark(text);
          before = plain;
          const changed = setProperty(path, plain, key, value, yaml);
          if (changed.ok) return (mark ? byteOrderMark : '') + changed.value;
          failure = changed.failure;
          return text;
        });
        if (failure === null) await edited(path, before, splitMark(after).text);
        return failure;
      }),
    trash: (path: string): Promise<Outcome<void>> =>
      change(app, path, async (file) => {
        await moveToTrash(app, file);
        return null;
      }),
  };
}

async function change(app: App, path: string, act: (file: TFile) => Promise<Failure | null>): Promise<Outcome<void>> {
  const file = app.vault.getFileByPath(path);
  if (file === null) return fail(missingNote(path));
  try {
    const failure = await act(file);
    return failure === null ? succeed(undefined) : fail(failure);
  } catch (thrown) {
    return fail(notChanged(path, messageOf(thrown)));
  }
}

function notChanged(path: string, detail: string): Failure {
  return {
    kind: 'storage',
    words: words.prompts.notChanged(path, detail),
    remedy: words.prompts.notChangedRemedy,
  };
}

/**
 * Implements StateNotes with Obsidian's vault: each state is a new note in the agent folder, under an unused name.
 * Saves states under names that no context file has: their text was not reviewed, and a context file gives the agent
 * instructions.
 * @param contextFiles names of context files
 */
export function createStateNotes(
  vault: Vault,
  folder: () => string,
  contextFiles: () => readonly string[],
): StateNotes {
  const save = async (name: string, text: string): Promise<Outcome<string>> => {
    const plain = stateFileName(name);
    const taken = contextFiles().map((each) => foldPlace(each.trim()));
    const base = taken.includes(foldPlace(`${plain}.md`)) ? `State ${plain}` : plain;
    const made = await createFolder(vault, folder());
    if (!made.ok) return made;
    for (let copy = 1; ; copy += 1) {
      const path = `${folder()}/${base}${copy === 1 ? '' : ` ${copy}`}.md`;
      const note = await createNote(vault, path, `${withoutUnwritable(text).trimEnd()}\n`);
      if (!note.ok) return note;
      if (note.value.created) return succeed(path);
    }
  };
  // One after the other, so that two of one name find different free names.
  let last: Promise<unknown> = Promise.resolve();
  return {
    save: (name, text) => {
      const saved = last.then(() => save(name, text));
      last = saved;
      return saved;
    },
  };
}

/**
 * Returns the notes directly in one folder without reading the rest of the vault, because it runs while Obsidian
 * starts.
 */
export function folderNotes(app: App, folder: () => string): Pick<VaultPort, 'files' | 'outline'> {
  return {
    files: () => {
      const children = app.vault.getFolderByPath(folder())?.children ?? [];
      return children
        .filter((child): child is TFile => child instanceof TFile && child.extension === 'md')
        .map(({ path, stat }): FileEntry => ({ path, kind: 'note', size: stat.size, modified: stat.mtime }))
        .sort((a, b) => compareText(a.path, b.path));
    },
    outline: (path) => {
      const file = app.vault.getFileByPath(path);
      const cache = file && app.metadataCache.getFileCache(file);
      return cache ? outlineOf(path, cache, () => undefined) : undefined;
    },
  };
}
