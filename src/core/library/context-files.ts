/** Context files: notes such as AGENTS.md with what agents should know about the vault or a folder (R195-R199). */
import { foldPlace } from '../base/fold';
import { hasText } from '../base/list-edits';
import { cutToTokens } from '../markup/budget';
import type { Vault } from '../ports/vault';
import text from './starter-context-file.md';

/** Maximum tokens of one context file in a prompt. */
export const contextFileTokens = 16_000;

/** Returns the path of the note with the user's lasting preferences (R198). */
export function memoryPath(agentFolder: string): string {
  return `${agentFolder}/memory.md`;
}

/** Returns the context file directly in a folder: the first of the names that exists. The root is the empty folder. */
export function contextFileIn(
  vault: Pick<Vault, 'file'>,
  folder: string,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    if (name.trim() === '' || name.includes('/')) continue;
    const entry = vault.file(folder === '' ? name.trim() : `${folder}/${name.trim()}`);
    if (entry !== undefined) return entry.path;
  }
  return undefined;
}

/**
 * Returns the context files to send with the result of the first tool call that touches their folder: those of the
 * folders between the root and the touched path, outermost first. The root's own is in the system prompt (K14), unless
 * the user wants it to wait for the first touch as well (R200).
 * @param touchedPath a file or a folder
 * @param alreadyLoaded paths that this chat was given before, in any spelling of case or Unicode form
 * @param withRoot whether the root's own is sent this way
 */
export function nestedContextFiles(
  vault: Pick<Vault, 'file' | 'folders'>,
  touchedPath: string,
  names: readonly string[],
  alreadyLoaded: Iterable<string>,
  withRoot = false,
): string[] {
  const seen = new Set([...alreadyLoaded, touchedPath].map(foldPlace));
  const found: string[] = [];
  for (const folder of [...(withRoot ? [''] : []), ...foldersOf(vault, touchedPath)]) {
    const path = contextFileIn(vault, folder, names);
    if (path === undefined || seen.has(foldPlace(path))) continue;
    seen.add(foldPlace(path));
    found.push(path);
  }
  return found;
}

/** Returns the folders that contain a path, outermost first, without the root; a folder contains itself. */
function foldersOf(vault: Pick<Vault, 'folders'>, path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const isFolder = hasText(vault.folders(), parts.join('/'));
  const depth = isFolder ? parts.length : parts.length - 1;
  return Array.from({ length: Math.max(0, depth) }, (_, index) => parts.slice(0, index + 1).join('/'));
}

/** Returns the text with its delimiters, truncated by rule with a notice if it is very long (R196). */
export function wrapContext(name: string, text: string): string {
  return boundContext(name, cutContext(text, contextFileTokens));
}

/** Returns a text that is short enough already, with its delimiters. */
export function boundContext(name: string, body: string): string {
  return `--- Context from: ${name} ---\n${body}\n--- End of Context from: ${name} ---`;
}

/** Returns the trimmed text, truncated to a number of tokens with a notice. */
export function cutContext(text: string, tokens: number): string {
  const body = text.trim();
  const { text: shown, cut } = cutToTokens(body, tokens);
  const notice = cut
    ? `\n[Cut here: ${shown.length} of ${body.length} characters shown. The note itself is whole.]`
    : '';
  return `${shown.trimEnd()}${notice}`;
}

/** The context file for users to start from: conventions, commands, and ongoing tasks, to be filled in (R197). */
export const starterContextFile = { path: 'AGENTS.md', text } as const;
