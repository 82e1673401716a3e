/**
 * UserWrites: what the user puts into a note from a chat. It passes the judge of content, and the journal, so that it
 * can be undone.
 */
import { words } from '../../text';
import { decodeText, lastLineOf, withoutUnwritable } from '../markdown/encoding';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import { applyApproved } from './apply/apply-changeset';
import { undoAll } from './apply/undo';
import { readForWrite, type WritingPorts } from './apply/write-steps';
import { approve, type Changeset, type FileChange } from './changeset/changeset';
import { type ActiveItem, newActiveContent, newHosts } from './guard/active-content';
import { tierOf } from './guard/policy';

export interface UserWrite {
  readonly path: string;
  /** Returns the text of the note afterwards, from its text now, which is null for a new note. */
  readonly remake: (text: string | null) => Outcome<string>;
  /** The source of the untrusted text in the chat; null for none. */
  readonly taint: string | null;
}

/** A write that waits for what the user says to its findings. */
export interface PreparedWrite {
  readonly changeset: Changeset;
  readonly path: string;
  /** What the note would run or load, and did not before. */
  readonly active: readonly ActiveItem[];
  /** Sites that a chat with untrusted text would link to, and the note did not. */
  readonly hosts: readonly string[];
  /** Whether the note gives the agent instructions. */
  readonly instructs: boolean;
}

export class UserWrites {
  constructor(private readonly ports: WritingPorts) {}

  /** Makes the text of a write over what is on disk now, typed text included; writes nothing. */
  prepare(write: UserWrite, isNew: boolean): Promise<Outcome<PreparedWrite>> {
    return this.ports.queue.run(async () => {
      const before = isNew ? succeed(null) : await this.read(write.path);
      if (!before.ok) return before;
      const remade = write.remake(before.value);
      if (!remade.ok) return remade;
      // An answer may hold what no note can: the note would be no text any more, and could not be undone.
      const text = withoutUnwritable(remade.value);
      const { path, taint } = write;
      const { digest, identifiers } = this.ports.staging;
      const base = before.value === null ? null : { hash: digest(before.value), text: before.value };
      const change: FileChange = {
        ...{ id: identifiers.next(), from: isNew ? null : path, to: path, base, text },
        ...{ calls: [], taint },
      };
      const changeset: Changeset = { id: identifiers.next(), changes: [change] };
      const old = before.value ?? '';
      return succeed({
        ...{ changeset, path, active: newActiveContent(path, old, text) },
        hosts: taint === null ? [] : newHosts(old, text),
        instructs: tierOf(change, changeset, this.ports.places()) === 'S',
      });
    });
  }

  /** Writes what was prepared, unless the note has changed since so that it no longer fits; returns what undoes it. */
  async write({ changeset }: PreparedWrite): Promise<Outcome<readonly string[]>> {
    const report = await applyApproved(this.ports, changeset, approve(changeset, this.ports.staging.digest));
    if (!report.ok) return report;
    const [failed] = report.value.failed;
    if (failed !== undefined) return fail(failed.failure);
    return succeed(report.value.applied.flatMap(({ operations }) => operations));
  }

  async undo(operations: readonly string[]): Promise<Outcome<void>> {
    const undone = await undoAll(this.ports, () => operations);
    if (!undone.ok) return undone;
    for (const { outcome } of undone.value) if (!outcome.ok) return outcome;
    return succeed(undefined);
  }

  private async read(path: string): Promise<Outcome<string>> {
    const writer = await this.ports.writer();
    if (!writer.ok) return writer;
    const bytes = await readForWrite(writer.value, { path, undoes: null });
    if (!bytes.ok) return bytes;
    const decoded = decodeText(path, bytes.value);
    return decoded.ok ? succeed(decoded.value.text) : decoded;
  }
}

/** Returns a text with an addition after its end, with an empty line between them. */
export function appended(text: string, addition: string): string {
  const lineEnd = lineEndOf(text);
  const added = addition.trim().replace(/\r?\n/g, lineEnd) + lineEnd;
  if (text.trim() === '') return added;
  const before = text.endsWith('\n') ? text : text + lineEnd;
  return before + (lastLineOf(before).trim() === '' ? '' : lineEnd) + added;
}

/**
 * Returns a text with an addition at a place in it.
 * @param seen the text in which the place is an offset, with plain newlines
 */
export function inserted(text: string, addition: string, seen: string, offset: number): Outcome<string> {
  if (!isSeen(text, seen)) return fail(changedSince());
  const at = offsetIn(text, offset);
  return succeed(text.slice(0, at) + addition.trim().replace(/\r?\n/g, lineEndOf(text)) + text.slice(at));
}

/**
 * Returns a text with another wording of a passage in it.
 * @param seen the text in which the passage is at an offset, with plain newlines
 */
export function replaced(
  text: string,
  { passage, wording, seen, offset }: Pick<PassageWrite, 'passage' | 'wording' | 'seen' | 'offset'>,
): Outcome<string> {
  const isThere = seen.slice(offset, offset + passage.length) === passage;
  if (!isThere || !isSeen(text, seen)) return fail(changedSince());
  const [start, end] = [offsetIn(text, offset), offsetIn(text, offset + passage.length)];
  return succeed(text.slice(0, start) + wording.replace(/\r?\n/g, lineEndOf(text)) + text.slice(end));
}

/** A passage of a note, as an editor shows it, and what comes in its place. */
export interface PassageWrite {
  readonly path: string;
  /** The whole text of the editor, with plain newlines, in which the passage is at an offset. */
  readonly seen: string;
  readonly offset: number;
  readonly passage: string;
  readonly wording: string;
  /** The source of the untrusted text that the wording may repeat; null for none. */
  readonly taint: string | null;
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** An editor shows a line end for a lone carriage return as well. */
function isSeen(text: string, seen: string): boolean {
  return text.replace(/\r\n?/g, '\n') === seen.replace(/\r\n?/g, '\n');
}

/** Returns an offset in a text, given the one in the same text with plain newlines. */
function offsetIn(text: string, offset: number): number {
  let at = 0;
  for (let left = offset; left > 0; left -= 1) at += text.startsWith('\r\n', at) ? 2 : 1;
  return at;
}

function changedSince(): Failure {
  return { kind: 'refused', words: words.chatNotes.changedSince, remedy: words.chatNotes.changedSinceRemedy };
}
