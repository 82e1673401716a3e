/** Reviews of every shape, put together from texts by the functions that the core uses. */
import { parse, stringify } from 'yaml';
import { acceptAll, type FileChange, stepsOf } from '../../../../src/core/writing/changeset/changeset';
import { propertyChanges, viewHunks } from '../../../../src/core/writing/changeset/describe-changeset';
import { badgesOf } from '../../../../src/core/writing/guard/policy';
import type { Review, ReviewedChange } from '../../../../src/core/writing/review/review';

const yaml = {
  parse: (text: string): unknown => parse(text) as unknown,
  stringify: (value: unknown): string => stringify(value, { lineWidth: 0 }),
};

let count = 0;

export type FakeChange = Pick<FileChange, 'from' | 'to'> & {
  readonly before?: string | null;
  readonly text?: string | null;
} & Partial<Omit<ReviewedChange, 'change'>> &
  Partial<Pick<FileChange, 'id' | 'taint'>>;

/** @param mentioned paths that the user named, for the badges */
export function changeOf(
  { from, to, before, text = null, id, taint = null, ...rest }: FakeChange,
  mentioned: readonly string[] | null = null,
): ReviewedChange {
  count += 1;
  const base = from === null ? null : { hash: 'hash', text: before === undefined ? '' : before };
  const change: FileChange = { id: id ?? `change${count}`, from, to, base, text, calls: [], taint };
  return {
    change,
    steps: stepsOf(change),
    hunks: viewHunks(change),
    properties: propertyChanges(change, yaml),
    badges: badgesOf(change, mentioned),
    problems: [],
    linkedFrom: [],
    namedIn: [],
    decision: acceptAll,
    state: 'waiting',
    failure: null,
    merged: false,
    altered: false,
    rewritten: [],
    missing: false,
    ...rest,
  };
}

export function reviewOf(changes: readonly ReviewedChange[], rest: Partial<Review> = {}): Review {
  const review = { id: 'set', state: 'waiting', linksFollowMoves: true, unasked: false, reason: '', ...rest } as const;
  return { ...review, changes };
}

export function editOf(before: string, text: string, rest: Partial<FakeChange> = {}): ReviewedChange {
  return changeOf({ from: 'Boats/Whimbrel.md', to: 'Boats/Whimbrel.md', before, text, ...rest });
}

export const createOf = (to: string, text: string, rest: Partial<FakeChange> = {}): ReviewedChange =>
  changeOf({ from: null, to, text, ...rest });

export const deleteOf = (from: string, before: string | null, rest: Partial<FakeChange> = {}): ReviewedChange =>
  changeOf({ from, to: null, before, ...rest });

export const moveOf = (from: string, to: string, rest: Partial<FakeChange> = {}): ReviewedChange =>
  changeOf({ from, to, before: 'Same text.\n', ...rest });
