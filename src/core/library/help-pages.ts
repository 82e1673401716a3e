/** The user guide as a vault, which the subagent plugin-help reads with the usual tools. */
import { words } from '../../text';
import { guide } from '../../text/guide';
import { lazy } from '../base/lazy';
import { structureOf } from '../markdown/structure';
import { type Failure, fail, succeed } from '../ports/failure';
import type { FileEntry, NoteOutline, Vault } from '../ports/vault';

/** Returns a vault of the pages of the user guide alone: a search in it never finds the user's notes. */
export const helpVault = lazy((): Vault => openPages(guide));

function openPages(pages: Readonly<Record<string, string>>): Vault {
  const notes = Object.entries(pages)
    .map(([path, text]) => ({ path, text, size: text.length, modified: 0 }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const files = notes.map(({ path, size, modified }): FileEntry => ({ path, kind: 'note', size, modified }));
  const find = (path: string) => notes.find((note) => note.path === path || note.path === `${path}.md`);
  return {
    name: 'Docent help',
    isGuide: true,
    files: () => files,
    folders: () => [],
    file: (path) => files.find((file) => file.path === find(path)?.path),
    read: (path) => {
      const note = find(path);
      const { noteMissing, noteMissingRemedy } = words.failures;
      const missing: Failure = { kind: 'not-found', words: noteMissing(path), remedy: noteMissingRemedy };
      return Promise.resolve(note === undefined ? fail(missing) : succeed(note));
    },
    outline: (path) => outlineOf(path, find(path)?.text),
    tags: () => [],
    backlinks: () => [],
    resolveLink: (link) => find(link)?.path,
  };
}

function outlineOf(path: string, text: string | undefined): NoteOutline | undefined {
  if (text === undefined) return undefined;
  return { path, headings: structureOf(text).headings, tags: [], links: [], properties: {}, blocks: [] };
}
