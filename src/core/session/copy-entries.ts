/** What another chat takes from a log: a fork at an answer, or a chat that continues without untrusted text. */
import type { Outcome } from '../ports/failure';
import { idsOfStaged, isOutcomeOf, type StagedEntryBody } from './change-entry';
import { type EntryBody, messageKinds, outcomeKinds, type SessionEntry } from './entry';
import { renameIds } from './goal-entry';
import { renameTarget } from './log-state';
import type { SessionLog } from './session-log';

/** The entries before untrusted text came in, for a chat that continues without it (6.9). */
export interface UntaintedEntries {
  readonly entries: readonly SessionEntry[];
  /** The user's own words of the turn in which the text came in; empty if it never did. */
  readonly request: string;
}

/**
 * Returns the entries up to the turn that tainted the chat. Later turns have seen the text, so only the user's choices,
 * and what the user left out of requests, are taken from them.
 */
export function entriesBeforeTaint(entries: readonly SessionEntry[]): UntaintedEntries {
  const isOurs = withoutTainted(entries);
  const tainted = entries.findIndex(({ kind }) => kind === 'tainted');
  if (tainted === -1) return { entries: entries.filter(isTakenOver).filter(isOurs), request: '' };
  const kinds = entries.slice(0, tainted).map(({ kind }) => kind);
  const turn = kinds.lastIndexOf('user');
  const request = entries[turn];
  const later = entries.slice(Math.max(turn, 0)).filter((entry) => entry.kind === 'choices' || isUserForm(entry));
  return {
    entries: [...entries.slice(0, Math.max(turn, 0)).filter(isTakenOver).filter(isOurs), ...later],
    request: request?.kind === 'user' ? request.text : '',
  };
}

/**
 * Returns the entries of a chat that continues from the answer to a message; without the message, from the end. What the
 * user has left out of requests since then stays left out, and what they made of its summaries holds.
 */
export function entriesUpTo(entries: readonly SessionEntry[], message: string): readonly SessionEntry[] {
  const from = entries.findIndex(({ id }) => id === message);
  const next = entries.findIndex(({ kind }, index) => index > from && kind === 'user');
  const end = from < 0 || next < 0 ? entries.length : next;
  const before = entries.slice(0, end);
  const known = new Set(before.flatMap((entry) => [entry.id, ...(isStaged(entry) ? idsOfStaged(entry) : [])]));
  const taken = [
    ...before.filter((entry) => isTakenOver(entry) || entry.kind === 'tainted'),
    ...entries.slice(end).filter((entry) => isUserForm(entry) || isAboutOne(entry, known)),
  ];
  return taken.some(({ kind }) => kind === 'tainted') ? taken : taken.filter(withoutTainted(entries));
}

/**
 * Returns a test that leaves out what became of changes that were made with untrusted text in view: it names their places
 * and quotes their lines.
 */
function withoutTainted(entries: readonly SessionEntry[]): (entry: SessionEntry) => boolean {
  const ids = entries.filter(isStaged).flatMap((entry) => {
    const changes = entry.changes.filter(({ taint }) => taint !== null);
    return changes.length === 0 ? [] : idsOfStaged({ ...entry, changes });
  });
  const tainted = new Set(ids);
  return (entry) => !isOutcome(entry) || !isOutcomeOf(entry, tainted);
}

/** Whether an entry says what the user has made of a summary, or of proposed changes, with one of these ids. */
function isAboutOne(entry: SessionEntry, known: ReadonlySet<string>): boolean {
  if (entry.kind === 'summary-edited' || entry.kind === 'summary-undone') return known.has(entry.summary);
  return isOutcome(entry) && entry.told !== '' && isOutcomeOf(entry, known);
}

function isStaged(entry: SessionEntry): entry is SessionEntry & StagedEntryBody {
  return entry.kind === 'changes-staged';
}

function isOutcome(
  entry: SessionEntry,
): entry is SessionEntry & { readonly kind: 'changes-settled' | 'changes-undone' } {
  return outcomeKinds.has(entry.kind);
}

function isUserForm(entry: SessionEntry): boolean {
  return entry.kind === 'context-forms' && entry.by === 'user';
}

/**
 * Reviews stay with the chat that made them, except for what the model is sent of them: an outcome that undoes nothing.
 * What was sent of the vault is written again.
 */
function isTakenOver(entry: SessionEntry): boolean {
  const { kind } = entry;
  if (isOutcome(entry)) return entry.told !== '';
  return messageKinds.has(kind) || takenOverKinds.has(kind);
}

const takenOverKinds: ReadonlySet<SessionEntry['kind']> = new Set([
  'choices',
  'title',
  'goal',
  'summary',
  'summary-edited',
  'summary-undone',
  'context-forms',
]);

/** Appends entries to another log, where they get new ids and cost nothing: they were paid for in their own chat. */
export function copyEntries(
  entries: readonly SessionEntry[],
  log: Pick<SessionLog, 'appendAll'>,
): Promise<Outcome<void>> {
  return log.appendAll(copiesOf(entries));
}

function* copiesOf(entries: readonly SessionEntry[]): Generator<EntryBody, void, string> {
  const names = new Map<string, string>();
  for (const entry of entries) names.set(entry.id, yield withoutCost(renamed(entry, names)));
}

function withoutCost(body: EntryBody): EntryBody {
  if (!('usage' in body) || body.usage === undefined)
    return body.kind === 'assistant' ? { ...body, copied: true } : body;
  const { cost: _cost, ...usage } = body.usage;
  return { ...body, usage: { ...usage, copied: true } };
}

function renamed(entry: SessionEntry, names: ReadonlyMap<string, string>): EntryBody {
  const {
    id: _id,
    conversation: _conversation,
    writer: _writer,
    session: _session,
    lamport: _lamport,
    time: _time,
    turn: _turn,
    branch: _branch,
    ...body
  } = entry;
  const named = (id: string): string => names.get(id) ?? id;
  if (body.kind === 'user') return { kind: body.kind, text: body.text, mentions: body.mentions };
  if (body.kind === 'summary') {
    const { covers, continues } = body;
    return { ...body, covers: covers.map(named), ...(continues === undefined ? {} : { continues: named(continues) }) };
  }
  if (body.kind === 'summary-edited' || body.kind === 'summary-undone')
    return { ...body, summary: named(body.summary) };
  if (body.kind === 'context-forms')
    return { ...body, forms: body.forms.map(({ target, form }) => ({ target: renameTarget(target, named), form })) };
  if (body.kind === 'changes-settled' || body.kind === 'changes-undone') {
    const { changeset, told } = body;
    return { kind: 'changes-undone', changeset, redo: false, pairs: [], failed: [], told };
  }
  if (body.kind !== 'goal') return body;
  const { event, answer } = body;
  return { ...body, event: renameIds(event, named), ...(answer === undefined ? {} : { answer: named(answer) }) };
}
