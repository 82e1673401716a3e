/** Context files: notes such as AGENTS.md that hold what agents should know of the vault or of a folder (R195-R199). */
import { cutToTokens } from '../markup/budget';
import type { Vault } from '../ports/vault';
import text from './starter-context-file.md';

/** Tokens of one context file that a prompt holds. */
export const contextFileTokens = 16_000;

/** The note of the user's lasting wishes (R198). */
export function memoryPath(agentFolder: string): string {
  return `${agentFolder}/memory.md`;
}

/** The context file directly in a folder: of the names, the first that is there. The root is the empty folder. */
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
 * The context files that should arrive with the result of the first tool call that touches their folder: those of the
 * folders between the root and what was touched, outermost first. The root's own stands in the system prompt (K14),
 * unless the user wants that, too, to wait for the first touch (R200).
 * @param touchedPath a file or a folder
 * @param alreadyLoaded paths that this chat was given before, in any spelling of case or Unicode form
 * @param withRoot whether the root's own arrives this way
 */
export function nestedContextFiles(
  vault: Pick<Vault, 'file' | 'folders'>,
  touchedPath: string,
  names: readonly string[],
  alreadyLoaded: Iterable<string>,
  withRoot = false,
): string[] {
  const seen = new Set([...alreadyLoaded, touchedPath].map(identityOf));
  const found: string[] = [];
  for (const folder of [...(withRoot ? [''] : []), ...foldersOf(vault, touchedPath)]) {
    const path = contextFileIn(vault, folder, names);
    if (path === undefined || seen.has(identityOf(path))) continue;
    seen.add(identityOf(path));
    found.push(path);
  }
  return found;
}

/** The folders a path lies in, outermost first, without the root; a folder lies in itself. */
function foldersOf(vault: Pick<Vault, 'folders'>, path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '');
  const isFolder = vault.folders().includes(parts.join('/'));
  const depth = isFolder ? parts.length : parts.length - 1;
  return Array.from({ length: Math.max(0, depth) }, (_, index) => parts.slice(0, index + 1).join('/'));
}

/** One name for all spellings that one file answers to on some system. */
function identityOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** The text with its bounds, cut by rule when it is very long, saying so (R196). */
export function wrapContext(name: string, text: string): string {
  return boundContext(name, cutContext(text, contextFileTokens));
}

/** A text that is short enough already, with its bounds. */
export function boundContext(name: string, body: string): string {
  return `--- Context from: ${name} ---\n${body}\n--- End of Context from: ${name} ---`;
}

/** The text without blank ends, cut to so many tokens, saying so. */
export function cutContext(text: string, tokens: number): string {
  const body = text.trim();
  const { text: kept, cut } = cutToTokens(body, tokens);
  const notice = cut
    ? `\n[Cut here: ${kept.length} of ${body.length} characters shown. The note itself is whole.]`
    : '';
  return `${kept.trimEnd()}${notice}`;
}

/** The context file that a user starts from: conventions, commands and ongoing tasks, to be filled in (R197). */
export const starterContextFile = { path: 'AGENTS.md', text } as const;
