/** The clean part of a log: what was said and read before others' text came in, for a chat that goes on without it (6.9). */
import { renameIds } from '../goals/goal-event';
import { type Outcome, succeed } from '../ports/failure';
import type { EntryBody, SessionEntry } from './entry';
import { messageKinds } from './seen-entries';

export interface CleanPart {
  readonly entries: readonly SessionEntry[];
  /** The user's own words of the turn in which it came in; empty when it never did. */
  readonly request: string;
}

/** Later turns have seen the text, whatever they say; of them the user's choices alone are taken over. */
export function cleanPartOf(entries: readonly SessionEntry[]): CleanPart {
  const tainted = entries.findIndex(({ kind }) => kind === 'tainted');
  if (tainted === -1) return { entries: entries.filter(isTakenOver), request: '' };
  const kinds = entries.slice(0, tainted).map(({ kind }) => kind);
  const turn = kinds.lastIndexOf('user');
  const request = entries[turn];
  const later = entries.slice(Math.max(turn, 0)).filter(({ kind }) => kind === 'choices');
  return {
    entries: [...entries.slice(0, Math.max(turn, 0)).filter(isTakenOver), ...later],
    request: request?.kind === 'user' ? request.text : '',
  };
}

/** Reviews stay with the chat that made them, and what was sent of the vault is written anew. */
function isTakenOver({ kind }: SessionEntry): boolean {
  if (kind === 'changes-settled' || kind === 'changes-undone') return false;
  return (
    messageKinds.has(kind) || ['choices', 'title', 'goal', 'summary', 'summary-edited', 'summary-undone'].includes(kind)
  );
}

/** Writes entries into another log, where they get names of their own. */
export async function copyEntries(
  entries: readonly SessionEntry[],
  log: { append(body: EntryBody): Promise<Outcome<SessionEntry>> },
): Promise<Outcome<void>> {
  const names = new Map<string, string>();
  for (const entry of entries) {
    const stored = await log.append(renamed(entry, names));
    if (!stored.ok) return stored;
    names.set(entry.id, stored.value.id);
  }
  return succeed(undefined);
}

function renamed(entry: SessionEntry, names: ReadonlyMap<string, string>): EntryBody {
  const {
    id: _id,
    conversation: _conversation,
    writer: _writer,
    session: _session,
    lamport: _lamport,
    time: _time,
    ...body
  } = entry;
  const named = (id: string): string => names.get(id) ?? id;
  if (body.kind === 'summary') return { ...body, covers: body.covers.map(named) };
  if (body.kind === 'summary-edited' || body.kind === 'summary-undone')
    return { ...body, summary: named(body.summary) };
  if (body.kind !== 'goal') return body;
  const { event, answer } = body;
  return { ...body, event: renameIds(event, named), ...(answer === undefined ? {} : { answer: named(answer) }) };
}
