/** The state of a log: what later entries can change, folded as the log grows. */
import type { ChatStart } from './chat-start';
import type {
  Addition,
  EntryHeader,
  FormChange,
  SentReference,
  PromptRebuilt,
  ReferenceSent,
  SessionEntry,
  Snapshot,
  SummaryBody,
} from './entry';
import { runningFold } from './running-fold';

/** What later entries can change, as far as a log goes. */
interface LogState {
  /** How many entries it was made of. */
  count: number;
  rebuilt: PromptRebuilt | null;
  /** The summaries that were not undone, in their latest words, by id; and all ids, oldest first, to the one in force. */
  readonly summaries: Map<string, Placed<SummaryEntry>>;
  readonly order: string[];
  /** What each summary replaces, by id; also of those that were undone, which others may continue. */
  readonly replaced: Map<string, Replaced>;
  /** The words that the user gave to summaries, by id. */
  readonly edits: Map<string, Snapshot>;
  began: Placed<ChatStart> | null;
  reference: Placed<ReferenceSent> | null;
  /** What turns have sent since the reference, oldest first. */
  changes: SentChanges[];
  turns: number;
  /** The id of the newest message. */
  exchange: string;
  readonly forms: Map<string, ContextForm>;
  spent: number;
  spentBySubagents: number;
}

interface Placed<Value> {
  readonly at: number;
  readonly value: Value;
}

/** What was sent with a message, by key. */
interface SentChanges {
  readonly exchange: string;
  readonly prints: Readonly<Record<string, string>>;
}

const stateOf = runningFold<SessionEntry, LogState>({
  start: () => ({
    count: 0,
    rebuilt: null,
    summaries: new Map(),
    order: [],
    replaced: new Map(),
    edits: new Map(),
    began: null,
    reference: null,
    changes: [],
    turns: 0,
    exchange: '',
    forms: new Map(),
    spent: 0,
    spentBySubagents: 0,
  }),
  copy: (state) => ({
    ...state,
    summaries: new Map(state.summaries),
    order: [...state.order],
    replaced: new Map(state.replaced),
    edits: new Map(state.edits),
    changes: [...state.changes],
    forms: new Map(state.forms),
  }),
  add(state, entry) {
    const at = state.count;
    state.count += 1;
    const cost = 'usage' in entry ? (entry.usage?.cost ?? 0) : 0;
    state.spent += cost;
    if (entry.kind === 'tool-result') state.spentBySubagents += cost;
    switch (entry.kind) {
      case 'prompt-rebuilt':
        state.rebuilt = entry;
        break;
      case 'chat-began':
        state.began = { at, value: entry.start };
        break;
      case 'user':
        state.turns += 1;
        state.exchange = entry.id;
        break;
      case 'reference-sent':
        Object.assign(state, { reference: { at, value: entry }, changes: [], turns: 0 });
        break;
      case 'turn-zone':
        if (entry.told !== undefined) state.changes.push({ exchange: state.exchange, prints: entry.told });
        break;
      case 'context-forms':
        for (const { target, form } of entry.forms) state.forms.set(target, form);
        break;
      default:
        addSummary(state, entry, at);
    }
    return state;
  },
});

function addSummary(state: LogState, entry: SessionEntry, at: number): void {
  if (entry.kind === 'summary') {
    const snapshot = state.edits.get(entry.id) ?? entry.snapshot;
    state.summaries.set(entry.id, { at, value: { ...entry, snapshot } });
    state.order.push(entry.id);
    state.replaced.set(entry.id, entry);
  } else if (entry.kind === 'summary-undone') {
    state.summaries.delete(entry.summary);
    while (state.order.length > 0 && !state.summaries.has(state.order.at(-1)!)) state.order.pop();
  } else if (entry.kind === 'summary-edited') {
    const { summary, snapshot } = entry;
    state.edits.set(summary, snapshot);
    const known = state.summaries.get(summary);
    if (known !== undefined) state.summaries.set(summary, { ...known, value: { ...known.value, snapshot } });
  }
}

function placedSummary({ summaries, order }: LogState): Placed<SummaryEntry> | undefined {
  return summaries.get(order.at(-1) ?? '');
}

/** Returns the newest rewrite of the system prompt and tools: it pins the tier and records their content (K3). */
export function lastRebuild(entries: readonly SessionEntry[]): PromptRebuilt | null {
  return stateOf(entries).rebuilt;
}

/** Returns US dollars, subagents included; usage that was reported without a price counts as zero. */
export function spentIn(entries: readonly SessionEntry[]): number {
  return stateOf(entries).spent;
}

/** Returns those of subagents alone, whose usage is that of the call that started them. */
export function spentBySubagentsIn(entries: readonly SessionEntry[]): number {
  return stateOf(entries).spentBySubagents;
}

/**
 * Whether a summary has replaced messages since the reference texts were sent, so that changes sent with those messages
 * may be missing.
 */
export function isSummarized(entries: readonly SessionEntry[]): boolean {
  const state = stateOf(entries);
  return (placedSummary(state)?.at ?? -1) > (state.reference?.at ?? -1);
}

/**
 * Returns the reference texts as last sent, with the changes that turns have sent since; null before the first request
 * of a chat. Changes that went with a message that is left out by now are not among them, so that they are sent again.
 */
export function foldReference(entries: readonly SessionEntry[]): SentReference | null {
  const { reference, changes, turns, forms } = stateOf(entries);
  if (reference === null) return null;
  const seen = changes.filter(({ exchange }) => forms.get(targetOf.exchange(exchange)) !== 'dropped');
  return { ...reference.value, told: new Map(seen.flatMap(({ prints }) => Object.entries(prints))), turns };
}

export type SummaryEntry = EntryHeader & SummaryBody;

/** Returns the newest summary that was not undone, with the user's edits (design 8). */
export function summaryInForce(entries: readonly SessionEntry[]): SummaryEntry | null {
  return placedSummary(stateOf(entries))?.value ?? null;
}

type Replaced = Pick<SummaryBody, 'covers' | 'continues'>;

/** Ids of what the newest summary in force replaces, with those before it. */
export function coveredIn(entries: readonly SessionEntry[]): ReadonlySet<string> {
  const summary = summaryInForce(entries);
  if (summary === null) return new Set();
  const covered = knownCovered.get(summary) ?? coveredBy(entries, summary);
  knownCovered.set(summary, covered);
  return covered;
}

const knownCovered = new WeakMap<SummaryEntry, ReadonlySet<string>>();

/** Ids of what a summary of this log replaces, or would, with those that it continues. */
export function coveredBy(entries: readonly SessionEntry[], summary: Replaced): ReadonlySet<string> {
  const { replaced } = stateOf(entries);
  const chain = new Set<Replaced>();
  // In a log that another program wrote, summaries may continue one another.
  for (let at: Replaced | undefined = summary; at !== undefined && !chain.has(at);) {
    chain.add(at);
    at = at.continues === undefined ? undefined : replaced.get(at.continues);
  }
  return new Set([...chain].reverse().flatMap(({ covers }) => covers));
}

/** Returns what the first message says; null before it is sent, and after a summary, which lets it be written again. */
export function findChatStart(entries: readonly SessionEntry[]): ChatStart | null {
  const state = stateOf(entries);
  const { began } = state;
  return began === null || began.at < (placedSummary(state)?.at ?? -1) ? null : began.value;
}

/** How parts of a history are sent, as set by the user or by compaction; the newest entry wins. */
export type ContextForm = FormChange['form'];
export type ContextForms = ReadonlyMap<string, ContextForm>;

/** Ids of what can have a form: parts of the history, a section of the prompt, and a pinned note. */
export const targetOf = {
  result: (entry: string): string => `result:${entry}`,
  exchange: (userEntry: string): string => `exchange:${userEntry}`,
  round: (answerEntry: string): string => `round:${answerEntry}`,
  /** A note that was sent with a message. */
  note: (zoneEntry: string, path: string): string => `note:${zoneEntry}:${path}`,
  /** An image that was sent with a message. */
  image: (userEntry: string, digest: string): string => `image:${userEntry}:${digest}`,
  section: (id: string): string => `section:${id}`,
  /** A note pinned in the prompt. */
  pinnedNote: (path: string): string => `standing:${path}`,
} as const;

/** Returns the target with the id of its entry renamed, as in a copy of the log. */
export function renameTarget(target: string, named: (id: string) => string): string {
  if (isPinnedItem(target)) return target;
  return target.replace(/^([^:]*:)([^:]*)/, (_, kind: string, id: string) => kind + named(id));
}

/** Returns the path of a note that was sent with a message; null for any other target. */
export function noteOf(target: string): string | null {
  return /^note:[^:]*:(.+)$/s.exec(target)?.[1] ?? null;
}

/** Returns the forms that differ from whole; what is not named is sent whole. */
export function foldForms(entries: readonly SessionEntry[]): ContextForms {
  return stateOf(entries).forms;
}

/** Whether the target is part of the prompt and not of the history. */
export function isPinnedItem(target: string): boolean {
  return target.startsWith(targetOf.section('')) || target.startsWith(targetOf.pinnedNote(''));
}

/** How a section or a pinned note is sent, if the user chose a form. */
type ChosenForm = 'pinned' | 'outline';
export type ChosenForms = Readonly<Record<string, ChosenForm>>;

/** Returns the chosen forms by section id and by note path; what is sent as usual is not listed. */
export function foldChosenForms(entries: readonly SessionEntry[]): {
  readonly sections: ChosenForms;
  readonly notes: ChosenForms;
} {
  const sections: Record<string, ChosenForm> = {};
  const notes: Record<string, ChosenForm> = {};
  for (const [target, form] of foldForms(entries)) {
    if (form !== 'pinned' && form !== 'outline') continue;
    const name = target.slice(target.indexOf(':') + 1);
    if (target === targetOf.section(name)) sections[name] = form;
    if (target === targetOf.pinnedNote(name)) notes[name] = form;
  }
  return { sections, notes };
}

/**
 * Returns the context files of folders that a chat was sent. Reads only entries, so that no text can forge one (R199).
 * @param entries those that the model still sees: without what a compaction or a reset removed, so that files whose
 * text was removed are sent again (R193)
 */
export const contextFilesIn: (entries: readonly SessionEntry[]) => readonly Addition[] = runningFold<
  SessionEntry,
  Addition[]
>({
  start: () => [],
  add(files, entry) {
    if (entry.kind !== 'tool-result') return files;
    files.push(...(entry.additions ?? []).filter(({ kind }) => kind === 'context-file'));
    return files;
  },
});
