/** What a log says now: the newest of each thing that later entries can change. */
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

/** The last time that the head of a chat's requests was written anew: it pins the tier, and says what the head was (K3). */
export function lastRebuild(entries: readonly SessionEntry[]): PromptRebuilt | null {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === 'prompt-rebuilt') return entry;
  }
  return null;
}

// The reference texts of a chat as they were last sent, and what turns have told of them since.

/** Whether a summary has taken the place of messages since, so that what turns told may be gone. */
export function isSummarized(entries: readonly SessionEntry[]): boolean {
  const summary = summaryInForce(entries);
  if (summary === null) return false;
  const at = entries.findIndex(({ id }) => id === summary.id);
  return entries.map(({ kind }) => kind).lastIndexOf('reference-sent') < at;
}

/** Null before the first request of a chat. */
export function foldReference(entries: readonly SessionEntry[]): SentReference | null {
  let sent: ReferenceSent | null = null;
  let told = new Map<string, string>();
  let turns = 0;
  for (const entry of entries) {
    if (entry.kind === 'reference-sent') [sent, told, turns] = [entry, new Map<string, string>(), 0];
    if (entry.kind === 'user') turns += 1;
    if (entry.kind !== 'turn-zone') continue;
    for (const [key, print] of Object.entries(entry.told ?? {})) told.set(key, print);
  }
  return sent === null ? null : { ...sent, told, turns };
}

export type SummaryEntry = EntryHeader & SummaryBody;

/** The summary in force: the newest one that was not taken back, in the words that it has by now (design 8). */
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

/** Context forms: how parts of a history are sent, as the user or the fullness of the window has decided; the newest word counts. */
export type ContextForm = FormChange['form'];
export type ContextForms = ReadonlyMap<string, ContextForm>;

/** What has a form: parts of the history, a section of the prompt, and a note that always stands in it. */
export const targetOf = {
  result: (entry: string): string => `result:${entry}`,
  exchange: (userEntry: string): string => `exchange:${userEntry}`,
  round: (answerEntry: string): string => `round:${answerEntry}`,
  /** A note that was sent with a message. */
  note: (zoneEntry: string, path: string): string => `note:${zoneEntry}:${path}`,
  /** An image that was sent with a message. */
  image: (userEntry: string, digest: string): string => `image:${userEntry}:${digest}`,
  section: (id: string): string => `section:${id}`,
  /** A note that always stands in the prompt. */
  standing: (path: string): string => `standing:${path}`,
} as const;

/** What is not named is sent whole. */
export function foldForms(entries: readonly SessionEntry[]): ContextForms {
  const forms = new Map<string, ContextForm>();
  for (const entry of entries) {
    if (entry.kind !== 'context-forms') continue;
    for (const { target, form } of entry.forms) forms.set(target, form);
  }
  return forms;
}

/** Whether it is a part of the prompt, not of the history. */
export function isPinnedItem(target: string): boolean {
  return target.startsWith(targetOf.section('')) || target.startsWith(targetOf.standing(''));
}

/** How the user has a section, or a note that always stands in the prompt, sent. */
export type ChosenForm = 'pinned' | 'outline';
export type ChosenForms = Readonly<Record<string, ChosenForm>>;

/** By id of the section, and by path of the note; what is sent as usual is not named. */
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
    if (target === targetOf.standing(name)) notes[name] = form;
  }
  return { sections, notes };
}

// Which context files of folders a chat has been given; told by the entries alone, so that no text can forge it (R199).

/**
 * @param entries those that the model still sees: without what a compaction or a reset left behind, so that files
 * whose text is gone arrive again (R193)
 */
export function contextFilesIn(entries: readonly SessionEntry[]): Addition[] {
  return entries.flatMap((entry) =>
    entry.kind === 'tool-result' ? (entry.additions ?? []).filter(({ kind }) => kind === 'context-file') : [],
  );
}
