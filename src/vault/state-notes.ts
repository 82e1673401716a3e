/** StateNotes over the app's vault: each state is a new note in the agent folder, under a name that is free. */
import type { Vault } from 'obsidian';
import { stateFileName } from '../core/library/agent-folder';
import type { StateNotes } from '../core/ports/device';
import { type Outcome, succeed } from '../core/ports/failure';
import { textFilesOf } from './text-files';

/**
 * What is saved here was not reviewed, so that it may never become a context file, which gives the agent instructions.
 * @param contextFiles names of context files
 */
export function stateNotesOf(vault: Vault, folder: () => string, contextFiles: () => readonly string[]): StateNotes {
  const files = textFilesOf(vault);
  return {
    save: async (name, text): Promise<Outcome<string>> => {
      const plain = stateFileName(name);
      const taken = contextFiles().map(foldName);
      const base = taken.includes(foldName(`${plain}.md`)) ? `State ${plain}` : plain;
      for (let copy = 1; ; copy += 1) {
        const path = `${folder()}/${base}${copy === 1 ? '' : ` ${copy}`}.md`;
        const there = await files.read(path);
        if (!there.ok) return there;
        if (there.value !== null) continue;
        const written = await files.write(path, `${text.trimEnd()}\n`);
        return written.ok ? succeed(path) : written;
      }
    },
  };
}

/** One name for all spellings that one file answers to on some system. */
function foldName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
