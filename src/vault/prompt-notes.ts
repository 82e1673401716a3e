/** Changes the notes in which the user keeps prompts: each change was asked for by hand. */
import { type App, parseYaml, stringifyYaml, type TFile } from 'obsidian';
import { setProperty } from '../core/markdown/properties';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import { words } from '../text';
import { createFolder } from './create-folder';
import { createNote } from './create-note';

const yaml = { parse: (text: string): unknown => parseYaml(text), stringify: (value: unknown) => stringifyYaml(value) };

/** @param flush saves what was typed into open notes, so that nothing of it is lost */
export function promptNotesOf(app: App, flush: () => Promise<void>) {
  return {
    create: async (path: string, text: string): Promise<Outcome<void>> => {
      const folder = await createFolder(app.vault, path.slice(0, path.lastIndexOf('/')));
      if (!folder.ok) return folder;
      const made = await createNote(app.vault, path, text);
      if (!made.ok) return made;
      return made.value.created ? succeed(undefined) : fail(notChanged(path, words.commands.contextFileThere(path)));
    },
    setProperty: (path: string, key: string, value: string | boolean | undefined): Promise<Outcome<void>> =>
      change(app, path, async (file) => {
        await flush();
        let failure: Failure | null = null;
        await app.vault.process(file, (text) => {
          const changed = setProperty(path, text, key, value, yaml);
          if (changed.ok) return changed.value;
          failure = changed.failure;
          return text;
        });
        return failure;
      }),
    trash: (path: string): Promise<Outcome<void>> =>
      change(app, path, async (file) => {
        await app.fileManager.trashFile(file);
        return null;
      }),
  };
}

async function change(app: App, path: string, act: (file: TFile) => Promise<Failure | null>): Promise<Outcome<void>> {
  const file = app.vault.getFileByPath(path);
  if (file === null) {
    return fail({
      kind: 'not-found',
      words: words.failures.noteMissing(path),
      remedy: words.failures.noteMissingRemedy,
    });
  }
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
