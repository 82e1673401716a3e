/** The shapes of results that several checks share. */
import { words } from '../../text';
import { notesIn } from '../library/user-notes';
import { grouped } from '../markup/prose';
import type { Tokenizer } from '../ports/model';
import type { FileEntry } from '../ports/vault';
import type { CheckAction, CheckLevel, CheckPlace, CheckResult, NextRequest } from './check';

/** About a note, which can be opened from there. */
export function aboutNote(path: string, level: CheckLevel, text: string, inUse = false): CheckResult {
  return { level, words: text, path, inUse, actions: [openNote(path)] };
}

export function openNote(path: string): CheckAction {
  return { id: 'open-note', label: words.diagnostics.openNote, path };
}

export const openSettings: CheckAction = { id: 'open-settings', label: words.diagnostics.openSettings };

export function createFolder(path: string): CheckAction {
  return { id: 'create-folder', label: words.diagnostics.createFolder, path };
}

export function fine(text: string): CheckResult {
  return { level: 'ok', words: text };
}

/** Waits until these texts are counted as exactly as they can be; counting them again then takes no time. */
export async function settleCounts(texts: readonly string[], tokenizer: Tokenizer): Promise<void> {
  for (const text of texts) tokenizer.count(text);
  if (!tokenizer.exact) await tokenizer.settle?.();
}

/** Tokens as they are shown: grouped, estimates behind a tilde. */
export function showTokens(text: string, tokenizer: Tokenizer): string {
  return `${tokenizer.exact ? '' : '~'}${grouped(tokenizer.count(text))}`;
}

/** Paths of the prompts that the next request holds. */
export function promptsOf({ selectedPrompt, mentions }: NextRequest): string[] {
  const mentioned = mentions.filter(({ kind }) => kind === 'prompt').map(({ id }) => id);
  return [...new Set([...(selectedPrompt === null ? [] : [selectedPrompt]), ...mentioned])];
}

interface AgentFiles {
  readonly prefix: string;
  readonly files: readonly FileEntry[];
}

const agentFiles = new WeakMap<readonly FileEntry[], AgentFiles>();

/** The notes directly in a folder of the agent folder; a large vault is gone through once for all checks. */
export function agentNotes({ vault, agentFolder }: CheckPlace, folder: string): string[] {
  const all = vault.files();
  const prefix = `${agentFolder()}/`;
  const known = agentFiles.get(all);
  const files = known?.prefix === prefix ? known.files : all.filter(({ path }) => path.startsWith(prefix));
  agentFiles.set(all, { prefix, files });
  return notesIn(files, `${prefix}${folder}`);
}
