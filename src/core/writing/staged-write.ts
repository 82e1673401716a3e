/** Staged writes: the calls that ask for them, what they did, and how they are refused. */
import { words } from '../../text';
import type { Failure } from '../ports/failure';
import type { FileChange } from './changeset';
import { countLines, hunksOf } from './diff-text';

/** The tool call that asks for a write. */
export interface CallReference {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Of the turn that it is part of. */
  readonly signal?: AbortSignal;
}

/** What a write did, for the tool to tell. */
export interface StagedWrite {
  readonly path: string;
  readonly change: FileChange;
  /** The lines that this write made, as they now stand; empty for a move or a deletion. */
  readonly lines: string;
  /** One-based number of the first of them. */
  readonly startLine: number;
}

export function linesOfWrite(before: string | null, after: string): Pick<StagedWrite, 'lines' | 'startLine'> {
  const hunks = before === null ? [] : hunksOf(before, after);
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (first === undefined || last === undefined) return { lines: '', startLine: 1 };
  const end = last.newLine + Math.max(1, countLines(last.added));
  const lines = after.split('\n').slice(first.newLine - 1, end - 1);
  return { lines: lines.join('\n'), startLine: first.newLine };
}

export function isCanvas(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function refused(what: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: { kind: 'refused', words: what, remedy: words.writing.refusedRemedy } };
}
