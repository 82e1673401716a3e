/** Describes a changeset: line counts and diffs for the prompt while it waits, and rejections after the review. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { words } from '../../../text';
import { conflictCopiesIn } from '../../base/conflict-copy';
import { rememberOf } from '../../base/lazy';
import { linkPath } from '../../markdown/links';
import { readProperties } from '../../markdown/properties';
import type { FileEntry, NoteLink, Vault, Yaml } from '../../ports/vault';
import {
  type Changeset,
  type FileChange,
  hunksOfChange,
  pathOf,
  type Rejection,
  stepsOf,
  textAfter,
  textBefore,
} from './changeset';
import { countLines, type Hunk, shorten, type WordPart, wordsOf } from './diff';

/** Edits beyond which a diff is omitted. */
const maxEdits = 2_000;

export interface ChangesetFigures {
  readonly notes: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** One line per step of each change. */
  readonly log: readonly string[];
  readonly reverseDiffs: readonly { readonly path: string; readonly diff: string }[];
  /** The paths of the changed files: where they are in the vault, and where they would be new. */
  readonly files: readonly { readonly path: string; readonly isNew: boolean }[];
}

export function describeChangeset({ changes }: Changeset): ChangesetFigures {
  const hunks = changes.flatMap(hunksOfChange);
  return {
    notes: changes.length,
    addedLines: hunks.reduce((sum, { added }) => sum + linesIn(added), 0),
    removedLines: hunks.reduce((sum, { removed }) => sum + linesIn(removed), 0),
    log: changes.flatMap(logOf),
    reverseDiffs: changes.flatMap((change) => {
      const diff = stepsOf(change).includes('edit') ? reverseDiff(change) : undefined;
      return diff === undefined ? [] : [{ path: pathOf(change), diff }];
    }),
    files: changes.flatMap(({ from, to }) => [
      ...(from === null ? [] : [{ path: from, isNew: false }]),
      ...(to === null || to === from ? [] : [{ path: to, isNew: true }]),
    ]),
  };
}

/** Returns one line per step of a change. */
export function logOf(change: FileChange): string[] {
  const { from, to } = change;
  const hunks = hunksOfChange(change);
  const count = (text: (hunk: Hunk) => string): number => hunks.reduce((sum, hunk) => sum + linesIn(text(hunk)), 0);
  return stepsOf(change).map((step) => {
    switch (step) {
      case 'create':
        return words.writing.logCreated(
          to ?? '',
          count(({ added }) => added),
        );
      case 'edit':
        return words.writing.logEdited(
          from ?? '',
          count(({ added }) => added),
          count(({ removed }) => removed),
        );
      case 'move':
        return words.writing.logMoved(from ?? '', to ?? '');
      case 'delete':
        return words.writing.logDeleted(from ?? '');
    }
  });
}

/**
 * Returns the diff that reverses an edit; undefined if the texts differ in too many lines. Each request that is counted
 * asks for it again.
 */
const reverseDiff = rememberOf((change: FileChange): string | undefined => {
  const path = pathOf(change);
  return createTwoFilesPatch(path, path, textAfter(change), textBefore(change), undefined, undefined, {
    context: 2,
    maxEditLength: maxEdits,
    headerOptions: FILE_HEADERS_ONLY,
  });
});

export interface HunkView extends Hunk {
  /** Null if the hunk is too long to compare word by word; its lines are then shown as removed and added. */
  readonly words: readonly WordPart[] | null;
}

export function viewHunks(change: FileChange): HunkView[] {
  return hunksOfChange(change).map((hunk) => ({ ...hunk, words: wordsOf(hunk.removed, hunk.added) }));
}

export interface PropertyChange {
  readonly key: string;
  /** The value before; undefined if the property was missing. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the properties that differ; null if either side cannot be parsed. */
export function propertyChanges(change: FileChange, yaml: Yaml): PropertyChange[] | null {
  const [before, after] = [readProperties(textBefore(change), yaml), readProperties(textAfter(change), yaml)];
  if (before === null || after === null) return null;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, before: before[key], after: after[key] }));
}

/** Returns the text sent to the model about the changes that the user rejected. */
export function describeRejections(rejections: readonly Rejection[]): string {
  return rejections
    .map(({ change, hunks, move, reason }) => {
      const what =
        hunks === null
          ? words.writing.rejectedWhole(pathOf(change))
          : hunks.length === 0
            ? words.writing.rejectedMove(pathOf(change))
            : words.writing.rejectedParts(
                pathOf(change),
                hunks.map(({ newLine, added, removed }) => [newLine, shorten(added === '' ? removed : added)]),
              );
      const also = move && hunks !== null && hunks.length > 0 ? ` ${words.writing.rejectedMove(pathOf(change))}` : '';
      return `${what}${also}${reason.trim() === '' ? '' : ` ${words.writing.rejectedBecause(reason.trim())}`}`;
    })
    .join('\n');
}

function linesIn(text: string): number {
  return text === '' ? 0 : countLines(text) + (text.endsWith('\n') ? 0 : 1);
}

// Integrity: finds links, embeds, blocks, properties, and tasks that a changeset would break, before it is applied.

export type IntegrityProblem =
  | {
      readonly kind: 'broken-link' | 'broken-embed';
      readonly path: string;
      readonly target: string;
      readonly line: number;
    }
  /** A heading or block that another note links to and that the changeset removes. */
  | { readonly kind: 'lost-anchor'; readonly path: string; readonly target: string; readonly from: string }
  | { readonly kind: 'unreadable-properties'; readonly path: string }
  | { readonly kind: 'lost-task'; readonly path: string; readonly task: string }
  /** A canvas or a base that cannot be opened any more. */
  | { readonly kind: 'unreadable-file'; readonly path: string }
  /** A file whose path differs from a new one in upper and lower case alone. */
  | { readonly kind: 'case-twin'; readonly path: string; readonly twin: string }
  /** Another version of the file, which a sync service stored next to it. */
  | { readonly kind: 'conflict-copy'; readonly path: string; readonly copy: string };

/**
 * @param before the vault as it is
 * @param after the vault as it would be
 */
export function checkIntegrity(changeset: Changeset, before: Vault, after: Vault, yaml: Yaml): IntegrityProblem[] {
  const checked = new Set(changeset.changes.flatMap(({ to }) => to ?? []));
  const problems = changeset.changes.flatMap((change) => [
    ...textProblems(change, yaml),
    ...twinProblems(change, before),
    ...copyProblems(change, before),
    ...linkProblems(change, before, after),
  ]);
  for (const change of changeset.changes) {
    for (const source of change.from === null ? [] : before.backlinks(change.from)) {
      if (checked.has(source)) continue;
      for (const problem of linksBrokenIn(source, source, before, after)) problems.push(problem);
    }
  }
  return unique(problems);
}

function twinProblems(change: FileChange, vault: Vault): IntegrityProblem[] {
  const twin = caseTwinOf(change, vault);
  return change.to === null || twin === null ? [] : [{ kind: 'case-twin', path: change.to, twin }];
}

function copyProblems({ from, to }: FileChange, vault: Vault): IntegrityProblem[] {
  const copies = from === null ? [] : (copiesAmong(vault.files()).get(from) ?? []);
  return copies.map((copy) => ({ kind: 'conflict-copy', path: to ?? from ?? '', copy }));
}

const copiesOf = new WeakMap<readonly FileEntry[], ReadonlyMap<string, readonly string[]>>();

/** Scans the list of files once for all changes. */
function copiesAmong(files: readonly FileEntry[]): ReadonlyMap<string, readonly string[]> {
  const known = copiesOf.get(files) ?? conflictCopiesIn(files.map(({ path }) => path));
  copiesOf.set(files, known);
  return known;
}

/** Returns the file that is already there when a change would add one that differs in upper and lower case alone. */
export function caseTwinOf({ from, to }: FileChange, vault: Pick<Vault, 'file'>): string | null {
  const there = to === null || to === from ? undefined : vault.file(to);
  return there === undefined || there.path === to || there.path === from ? null : there.path;
}

function textProblems(change: FileChange, yaml: Yaml): IntegrityProblem[] {
  const path = change.to;
  if (path === null || change.text === null) return [];
  const problems: IntegrityProblem[] = [];
  const [before, after] = [textBefore(change), textAfter(change)];
  if (/\.md$/i.test(path) && readProperties(before, yaml) !== null && readProperties(after, yaml) === null) {
    problems.push({ kind: 'unreadable-properties', path });
  }
  if (isOpenable(path, before, yaml) && !isOpenable(path, after, yaml))
    problems.push({ kind: 'unreadable-file', path });
  // Lines that stay have the same tasks on both sides.
  const hunks = hunksOfChange(change);
  const left = countTasks(hunks.map(({ added }) => added).join('\n'));
  for (const [task, count] of countTasks(hunks.map(({ removed }) => removed).join('\n'))) {
    if (count > (left.get(task) ?? 0)) problems.push({ kind: 'lost-task', path, task });
  }
  return problems;
}

function linkProblems({ from, to }: FileChange, before: Vault, after: Vault): IntegrityProblem[] {
  return to === null ? [] : linksBrokenIn(from, to, before, after);
}

/** Returns the links of a note that resolve before and not after, and new ones that do not resolve. */
function linksBrokenIn(pathBefore: string | null, path: string, before: Vault, after: Vault): IntegrityProblem[] {
  const old = (pathBefore === null ? undefined : before.outline(pathBefore))?.links ?? [];
  const wasBroken = new Set(old.filter((link) => !leads(link, before)).map(({ target }) => target));
  return (after.outline(path)?.links ?? [])
    .filter((link) => !leads(link, after) && !wasBroken.has(link.target))
    .map((link): IntegrityProblem => {
      if (link.path !== undefined) return { kind: 'lost-anchor', path: link.path, target: link.target, from: path };
      const kind = link.embed ? 'broken-embed' : 'broken-link';
      return { kind, path, target: link.target, line: link.line + 1 };
    });
}

/** Whether the linked file exists and contains the heading or block that the link names. */
function leads({ target, path }: NoteLink, vault: Vault): boolean {
  if (path === undefined) return false;
  const part = target.slice(linkPath(target).length).replace(/^#/, '');
  const outline = part === '' ? undefined : vault.outline(path);
  if (outline === undefined) return true;
  if (part.startsWith('^')) {
    const id = part.slice(1).trim().toLowerCase();
    return outline.blocks.some((block) => block.id.toLowerCase() === id);
  }
  const heading = plain(part.slice(part.lastIndexOf('#') + 1));
  return outline.headings.some(({ text }) => plain(text) === heading) || part.includes('page=') || heading === '';
}

/** Normalizes a heading as Obsidian does when it resolves links to headings. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Counts tasks by their text without the checkbox state, so that completing one does not count as a loss. */
function countTasks(text: string): Map<string, number> {
  const tasks = new Map<string, number>();
  for (const [, task = ''] of text.matchAll(/^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+\[[^\]\n]\][ \t]+([^\r\n]+)$/gm)) {
    const words = task.replace(/[✅➕⏳🛫📅❌].*$/u, '').trim();
    tasks.set(words, (tasks.get(words) ?? 0) + 1);
  }
  return tasks;
}

/** Whether Obsidian can open a file with this text: a canvas is an object as JSON, and a base one as YAML. */
export function isOpenable(path: string, text: string, yaml: Yaml): boolean {
  const kind = /\.(canvas|base)$/i.exec(path)?.[1]?.toLowerCase();
  if (kind === undefined || text.trim() === '') return true;
  try {
    const value: unknown = kind === 'base' ? yaml.parse(text) : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether Obsidian can no longer read the properties or the file that was merged from texts in which it can. */
export function breaksMerge(path: string, sides: readonly string[], merged: string, yaml: Yaml): boolean {
  const isReadable = (text: string): boolean =>
    isOpenable(path, text, yaml) && (!/\.md$/i.test(path) || readProperties(text, yaml) !== null);
  return !isReadable(merged) && sides.every(isReadable);
}

function unique(problems: readonly IntegrityProblem[]): IntegrityProblem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = JSON.stringify(problem);
    return !seen.has(key) && seen.add(key);
  });
}
