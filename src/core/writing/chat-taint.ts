/** ChatTaint: whose text, other than the user's, stands in a conversation; kept in its log, and never less than before. */
import { type Outcome, succeed } from '../ports/failure';
import type { EntryBody, SessionEntry } from '../session/entry';
import { foldTaint } from './taint';

export class ChatTaint {
  private marked: string | null;
  private isRecorded: boolean;

  constructor(
    entries: readonly SessionEntry[],
    private readonly store: (body: EntryBody) => Promise<Outcome<unknown>>,
    private readonly changed: () => void,
  ) {
    this.marked = foldTaint(entries);
    this.isRecorded = this.marked !== null;
  }

  /** In words that name it; null for nobody's. */
  get source(): string | null {
    return this.marked;
  }

  /** Holds from here on: what was marked once stays so. Null changes nothing. */
  mark(source: string | null): void {
    if (source === null || this.marked !== null) return;
    this.marked = source;
    this.changed();
  }

  /** To be called before the text is stored that was marked, so that a reload finds no text without its mark. */
  async record(): Promise<Outcome<unknown>> {
    if (this.marked === null || this.isRecorded) return succeed(undefined);
    const stored = await this.store({ kind: 'tainted', source: this.marked });
    this.isRecorded = stored.ok;
    return stored;
  }
}
