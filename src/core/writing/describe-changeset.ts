/** Describes a changeset in figures and diffs: for the prompt while it waits, and for the model after the review. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { words } from '../../text';
import { readProperties } from '../markdown/properties';
import type { Yaml } from '../ports/vault';
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
import { countLines, type Hunk, type WordPart, wordsOf } from './diff-text';
import { shorten } from './nearest-lines';

/** Edits after which a diff is left out. */
const mostEdits = 2_000;

export interface ChangesetFigures {
  readonly notes: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** One line for each change. */
  readonly log: readonly string[];
  readonly reverseDiffs: readonly { readonly path: string; readonly diff: string }[];
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
  };
}

function logOf(change: FileChange): string[] {
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

/** The diff that takes an edit back; undefined when the two texts differ in too much. */
function reverseDiff(change: FileChange): string | undefined {
  const path = pathOf(change);
  return createTwoFilesPatch(path, path, textAfter(change), textBefore(change), undefined, undefined, {
    context: 2,
    maxEditLength: mostEdits,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

export interface HunkView extends Hunk {
  /** Null when it is too long to compare word by word: then the lines are shown as removed and added. */
  readonly words: readonly WordPart[] | null;
}

export function viewHunks(change: FileChange): HunkView[] {
  return hunksOfChange(change).map((hunk) => ({ ...hunk, words: wordsOf(hunk.removed, hunk.added) }));
}

export interface PropertyChange {
  readonly key: string;
  /** Undefined where there was none. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Properties that differ; null when they cannot be read on one side. */
export function propertyChanges(change: FileChange, yaml: Yaml): PropertyChange[] | null {
  const [before, after] = [readProperties(textBefore(change), yaml), readProperties(textAfter(change), yaml)];
  if (before === null || after === null) return null;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, before: before[key], after: after[key] }));
}

/** What the model is told of changes that the user did not take. */
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
