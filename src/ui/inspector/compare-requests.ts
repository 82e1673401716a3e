/** Compares two requests line by line, in the order in which they are sent. */
import type { RequestPlan } from '../../core/ports/request-plan';
import { partsOfRequest, type RequestPart } from '../../core/request/print-plan';
import { hunksOf } from '../../core/writing/changeset/diff';

export interface RequestLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  readonly part: RequestPart | undefined;
  /** Whether lines that stayed the same are left out before it. */
  readonly afterGap: boolean;
}

export interface RequestChanges {
  readonly added: number;
  readonly removed: number;
  /** What differs, with a few lines around it. */
  readonly lines: readonly RequestLine[];
}

/** Lines that stayed the same, shown before and after what differs. */
const around = 2;

interface Lined {
  readonly text: string;
  readonly lines: readonly string[];
  readonly parts: readonly RequestPart[];
}

export function compareRequests(before: RequestPlan, after: RequestPlan): RequestChanges {
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines: RequestLine[] = [];
  let [added, removed, shown] = [0, 0, 0];
  const show = (kind: RequestLine['kind'], from: Lined, start: number, end: number, skipped = 0): void => {
    for (let at = start; at < end; at += 1) {
      const afterGap = skipped > 0 && at === start;
      lines.push({ kind, text: from.lines[at] ?? '', part: from.parts[at], afterGap });
    }
  };
  const hunks = hunksOf(old.text, now.text);
  for (const [index, hunk] of hunks.entries()) {
    const [gone, come] = [linesIn(hunk.removed), linesIn(hunk.added)];
    const [start, end] = [hunk.newLine - 1, hunk.newLine - 1 + come];
    const first = Math.max(shown, start - around);
    show('same', now, first, start, first - shown);
    show('removed', old, hunk.line - 1, hunk.line - 1 + gone);
    show('added', now, start, end);
    const next = hunks[index + 1];
    const last = Math.min(end + around, next === undefined ? now.lines.length : next.newLine - 1);
    show('same', now, end, last);
    shown = last;
    added += come;
    removed += gone;
  }
  return { added, removed, lines };
}

function linesOf(plan: RequestPlan): Lined {
  const lines: string[] = [];
  const parts: RequestPart[] = [];
  for (const part of partsOfRequest(plan)) {
    for (const line of part.text.split('\n')) {
      lines.push(line);
      parts.push(part);
    }
  }
  return { text: lines.map((line) => `${line}\n`).join(''), lines, parts };
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.split('\n').length - 1;
}
