/** A writer over a disk in memory, as it is after each start of the app, and changesets made by hand for it. */
import { parse, stringify } from 'yaml';
import type { Outcome } from '../../src/core/ports/failure';
import type { FileEntry, Yaml } from '../../src/core/ports/vault';
import { type ApplyReport, applyChangeset } from '../../src/core/writing/apply/apply-changeset';
import { Journal } from '../../src/core/writing/apply/journal';
import { type UndoReport, undoOperation } from '../../src/core/writing/apply/undo';
import type { Writer } from '../../src/core/writing/apply/write-steps';
import { approve, type Changeset, type FileChange } from '../../src/core/writing/changeset/changeset';
import type { Operation } from '../../src/core/writing/changeset/journal-records';
import { createWriteGuard } from '../../src/core/writing/guard/path-guard';
import { type Disk, FaultAdapter, type FaultPlan, sha256, textAt } from './fault-adapter';
import { digest, fakeClock, type MovableClock } from './memory-ports';

export const yaml: Yaml = {
  parse: (text) => parse(text) as unknown,
  stringify: (value) => stringify(value, { lineWidth: 0 }),
};

let sessions = 0;

export interface WritingBench {
  readonly disk: Disk;
  readonly adapter: FaultAdapter;
  readonly writer: Writer;
  readonly clock: MovableClock;
  /** Waits that were asked for, in milliseconds. */
  readonly waits: number[];
}

/** Starts the app over a disk; a crash at start-up throws. */
export async function startOver(disk: Disk, plan: FaultPlan = {}, clock = fakeClock()): Promise<WritingBench> {
  const adapter = new FaultAdapter(disk, plan);
  sessions += 1;
  const session = sessions;
  let count = 0;
  const identifiers = { next: () => `s${session}n${(count += 1)}` };
  const journal = await Journal.open({ store: adapter.store, digest, hash: sha256, clock, identifiers });
  if (!journal.ok) throw new Error(journal.failure.words);
  const waits: number[] = [];
  const writer: Writer = {
    files: adapter.files,
    journal: journal.value,
    guard: createWriteGuard({ file: (path) => entryOf(disk, path) }, '.obsidian', null),
    digest,
    hash: sha256,
    yaml,
    pause: async (milliseconds) => void waits.push(milliseconds),
  };
  return { disk, adapter, writer, clock, waits };
}

export function entryOf({ notes }: Disk, path: string): FileEntry | undefined {
  const bytes = notes.get(path);
  return bytes && { path, kind: 'note', size: bytes.length, modified: 0 };
}

let changes = 0;

/** A change against what is on the disk now. */
export function changeOf(disk: Disk, change: Partial<FileChange> & Pick<FileChange, 'from' | 'to'>): FileChange {
  changes += 1;
  const text = change.from === null ? null : (textAt(disk, change.from) ?? '').replace(/^\ufeff/, '');
  const base = text === null ? null : { hash: digest(text), text };
  const calls = [{ id: `call${changes}`, tool: 'edit_note', arguments: '' }];
  return { id: `c${changes}`, base, text: null, calls, taint: null, ...change };
}

export function editOf(disk: Disk, path: string, text: string): FileChange {
  return changeOf(disk, { from: path, to: path, text });
}

export function createOf(path: string, text: string): FileChange {
  return changeOf({} as Disk, { from: null, to: path, text });
}

export function moveOf(disk: Disk, from: string, to: string, text: string | null = null): FileChange {
  return changeOf(disk, { from, to, text });
}

export function deleteOf(disk: Disk, path: string): FileChange {
  return changeOf(disk, { from: path, to: null });
}

let sets = 0;

export function changesetOf(...list: readonly FileChange[]): Changeset {
  sets += 1;
  return { id: `set${sets}`, changes: list };
}

export function apply(writer: Writer, changeset: Changeset): Promise<ApplyReport> {
  return applyChangeset(writer, changeset, approve(changeset, digest));
}

/** Takes back all that is left of a changeset, newest first; stops at nothing. */
export async function undoChangeset(
  writer: Writer,
  changeset: string,
): Promise<readonly { readonly operation: Operation; readonly outcome: Outcome<UndoReport> }[]> {
  const { journal } = writer;
  const due = journal
    .operations()
    .filter(({ id, call, state }) => call.changeset === changeset && state === 'committed' && !journal.isUndone(id))
    .filter(({ call }) => call.undoes === null)
    .reverse();
  const results: { operation: Operation; outcome: Outcome<UndoReport> }[] = [];
  for (const operation of due) results.push({ operation, outcome: await undoOperation(writer, operation.id) });
  return results;
}
