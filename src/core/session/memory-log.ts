/** MemoryLog: the entries of a turn that is not kept, such as a sub-agent's, in the form in which folds read them. */
import type { EntryBody, SessionEntry } from './entry';

export class MemoryLog {
  private readonly kept: SessionEntry[] = [];

  constructor(readonly conversation: string) {}

  get entries(): readonly SessionEntry[] {
    return this.kept;
  }

  append(body: EntryBody): void {
    const lamport = this.kept.length + 1;
    const { conversation } = this;
    this.kept.push({ ...body, id: `${lamport}`, conversation, writer: '', session: '', lamport, time: 0 });
  }
}

/** The log as it would be with one more entry; only folds read it. */
export function withFurther(entries: readonly SessionEntry[], further: EntryBody | undefined): readonly SessionEntry[] {
  const last = entries.at(-1);
  if (further === undefined || last === undefined) return entries;
  const { id, conversation, writer, session, lamport, time } = last;
  return [...entries, { ...further, id, conversation, writer, session, lamport, time }];
}
