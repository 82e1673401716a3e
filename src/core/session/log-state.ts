/** Folds over a log: the current state of what later entries can change. */
import type { ChatStart } from './chat-start';
import type {
  Addition,
  EntryHeader,
  FormChange,
  SentReference,
  PromptRebuilt,
  ReferenceSent,
  SessionEntry,
  SummaryBody,
} from './entry';

/** Returns the newest rewrite of the system prompt and tools: it pins the tier and records their content (K3). */
export function lastRebuild(entries: readonly SessionEntry[]): PromptRebuilt | null {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === 'prompt-rebuilt') return entry;
  }
  return null;
}

/**
 * Whether a summary has replaced messages since the reference texts were sent, so that changes sent with those messages
 * may be missing.
 */
export function isSummarized(entries: readonly SessionEntry[]): boolean {
  const summary = summaryInForce(entries);
  if (summary === null) return false;
  const at = entries.findIndex(({ id }) => id === summary.id);
  return entries.map(({ kind }) => kind).lastIndexOf('reference-sent') < at;
}

/**
 * Returns the reference texts as last sent, with the changes that turns have sent since; null before the first request
 * of a chat.
 */
export function foldReference(entries: readonly SessionEntry[]): SentReference | null {
  let sent: ReferenceSent | null = null;
  let changes = new Map<string, string>();
  let turns = 0;
  for (const entry of entries) {
    if (entry.kind === 'reference-sent') [sent, changes, turns] = [entry, new Map<string, string>(), 0];
    if (entry.kind === 'user') turns += 1;
    if (entry.kind !== 'turn-zone') continue;
    for (const [key, print] of Object.entries(entry.told ?? {})) changes.set(key, print);
  }
  return sent === null ? null : { ...sent, told: changes, turns };
}

export type SummaryEntry = EntryHeader & SummaryBody;

/** Returns the newest summary that was not undone, with the user's edits (design 8). */
export function summaryInForce(entries: readonly SessionEntry[]): SummaryEntry | null {
  const undone = new Set<string>();
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === 'summary-undone') undone.add(entry.summary);
    if (entry?.kind === 'summary' && !undone.has(entry.id)) return inLatestWords(entry, entries);
  }
  return null;
}

function inLatestWords(summary: SummaryEntry, entries: readonly SessionEntry[]): SummaryEntry {
  return entries.reduce<SummaryEntry>(
    (latest, entry) =>
      entry.kind === 'summary-edited' && entry.summary === summary.id
        ? { ...latest, snapshot: entry.snapshot }
        : latest,
    summary,
  );
}

/** Returns what the first message says; null before it is sent, and after a summary, which lets it be written again. */
export function findChatStart(entries: readonly SessionEntry[]): ChatStart | null {
  const summary = summaryInForce(entries);
  const last = entries.filter((entry) => entry.kind === 'chat-began' || entry.id === summary?.id).at(-1);
  return last?.kind === 'chat-began' ? last.start : null;
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

/** Returns the path of a note that was sent with a message; null for any other target. */
export function noteOf(target: string): string | null {
  return /^note:[^:]*:(.+)$/s.exec(target)?.[1] ?? null;
}

/** Returns the forms that differ from whole; what is not named is sent whole. */
export function foldForms(entries: readonly SessionEntry[]): ContextForms {
  const forms = new Map<string, ContextForm>();
  for (const entry of entries) {
    if (entry.kind !== 'context-forms') continue;
    for (const { target, form } of entry.forms) forms.set(target, form);
  }
  return forms;
}

/** Whether the target is part of the prompt and not of the history. */
export function isPinnedItem(target: string): boolean {
  return target.startsWith(targetOf.section('')) || target.startsWith(targetOf.pinnedNote(''));
}

/** How a section or a pinned note is sent, if the user chose a form. */
export type ChosenForm = 'pinned' | 'outline';
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
export function contextFilesIn(entries: readonly SessionEntry[]): Addition[] {
  return entries.flatMap((entry) =>
    entry.kind === 'tool-result' ? (entry.additions ?? []).filter(({ kind }) => kind === 'context-file') : [],
  );
}
