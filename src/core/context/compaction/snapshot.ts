/**
 * The snapshot that a summary is made of: requested from a model, checked, and repaired; or extracted without one
 * (design 8).
 */
import { words } from '../../../text';
import { startOf } from '../../base/cut';
import { cutToTokens, tokensByRule } from '../../markup/budget';
import { SentEscapes, textOfAnswer } from '../../markup/escapes';
import { shortLine } from '../../markup/prose';
import { fail, type Outcome, succeed } from '../../ports/failure';
import { type Message, toolCallsOf } from '../../ports/message';
import type { Model } from '../../ports/model';
import type { RequestPlan } from '../../ports/request-plan';
import { getCompressionPrompt } from '../../prompt/prompt-orchestrator';
import { foldMessages } from '../../request/history';
import { formatToolResult } from '../../request/history-text';
import { exceedsWindow } from '../../request/plan-request';
import { heaviestSentences, proseOf } from '../../search/passages';
import {
  isUserEntry,
  type ResultView,
  type SessionEntry,
  type Snapshot,
  type SnapshotPart,
  snapshotParts,
} from '../../session/entry';
import { findLast, findLastIndex } from '../../session/running-fold';
import type { Goal } from '../../session/goal-entry';
import type { Settings } from '../../settings/settings';
import { exchangesOf, sentTexts, sizeOfAll } from './choose-cut';
import { requestText } from './find-topic';

// A snapshot is requested once, repaired once if it is not usable, and reviewed where that is worth it (R245, R246).

/** A summary of at least this many tokens is reviewed automatically. */
const checkedFrom = 50_000;

export interface SnapshotQuestion extends SummaryQuestion {
  readonly model: Model;
  readonly settings: Pick<Settings, 'compactionCheck'>;
  readonly signal: AbortSignal;
}

/** Returns a failure if there was no answer, or none that is usable. */
export async function requestSnapshot(question: SnapshotQuestion): Promise<Outcome<Snapshot>> {
  const sent = new SentEscapes();
  const drafted = await draftSnapshot(question, sent);
  if (!drafted.ok) return drafted;
  const parts = Object.entries(drafted.value).map(([name, text]) => [name, sent.decode(text)]);
  return succeed(Object.fromEntries(parts) as Record<SnapshotPart, string>);
}

/** Requests the snapshot as the model writes it, and records what was sent escaped. */
async function draftSnapshot(question: SnapshotQuestion, sent: SentEscapes): Promise<Outcome<Snapshot>> {
  const { older, model, signal, settings } = question;
  const request = await summaryRequest(question);
  if (request === null) return noSnapshot('limit', words.status.summaryNoRoom);
  const known = older.flatMap((entry) => [...sentTexts(entry), JSON.stringify(entry)]).join('\n');
  const ask = async (messages: readonly Message[]): Promise<Outcome<string>> => {
    const plan = await question.plan(messages);
    if (exceedsWindow(plan)) return succeed('');
    sent.addRequest(plan);
    return requestText(model, plan, signal);
  };
  let draft = await ask(request);
  if (!draft.ok) return draft;
  let judged = judgeSnapshot(draft.value, known);
  if (!judged.ok) {
    const repaired = await ask(repairRequest(request, draft.value, judged.problem));
    if (!repaired.ok) return signal.aborted || judged.repaired === null ? repaired : succeed(judged.repaired);
    draft = repaired;
    judged = judgeSnapshot(repaired.value, known);
  }
  if (!judged.ok) {
    return judged.repaired === null ? noSnapshot('protocol', words.status.summaryUnusable) : succeed(judged.repaired);
  }
  const isLarge = sizeOfAll(older) > checkedFrom;
  if (settings.compactionCheck === 'off' || (settings.compactionCheck === 'auto' && !isLarge)) {
    return succeed(judged.snapshot);
  }
  const checked = await ask(checkRequest(request, draft.value));
  if (!checked.ok) return signal.aborted ? checked : succeed(judged.snapshot);
  const final = judgeSnapshot(checked.value, known);
  return succeed(final.ok ? final.snapshot : judged.snapshot);
}

function noSnapshot(kind: 'limit' | 'protocol', said: string): Outcome<never> {
  return fail({ kind, words: said, remedy: words.status.outdatedRemedy });
}

// Judging an answer: its form, and whether the covered messages mention the notes that it names (research 6.2).

export type Judgement =
  | { readonly ok: true; readonly snapshot: Snapshot }
  /** What is wrong, for the model to fix. */
  | { readonly ok: false; readonly problem: string; readonly repaired: Snapshot | null };

/** Parts that name the notes that were worked on. */
const namingParts = ['artifact_trail', 'file_system_state'] as const;

const unspaced = /[^\s"'`“”‘’()[\]{}<>,;:|*]+/g;
const fileName = /^.+\.(?:md|canvas|base|csv|txt|pdf|png|jpe?g)\b/i;

/** @param known all texts of the covered messages */
export function judgeSnapshot(answer: string, known: string): Judgement {
  const read = readSnapshot(answer);
  if (!read.ok) return { ok: false, problem: `These parts are missing: ${read.missing.join(', ')}.`, repaired: null };
  const { snapshot } = read;
  const unknown = [...new Set(namingParts.flatMap((part) => unknownFiles(snapshot[part], known)))];
  if (unknown.length === 0) return { ok: true, snapshot };
  const repaired = namingParts.reduce<Snapshot>(
    (all, part) => ({ ...all, [part]: withoutLines(all[part], unknown) }),
    snapshot,
  );
  return { ok: false, problem: `The conversation does not mention ${unknown.join(', ')}.`, repaired };
}

function unknownFiles(text: string, known: string): string[] {
  // A search of the whole text would begin at each character of a long run again.
  const names = (text.match(unspaced) ?? []).flatMap((run) => fileName.exec(run)?.[0] ?? []);
  return names.filter((name) => !known.includes(name));
}

function withoutLines(text: string, names: readonly string[]): string {
  const remaining = text.split('\n').filter((line) => !names.some((name) => line.includes(name)));
  return remaining.join('\n').trim() || 'none';
}

export const snapshotPartNames = Object.keys(snapshotParts) as readonly SnapshotPart[];

/** Names that models use for some parts. */
const otherNames: Readonly<Partial<Record<SnapshotPart, string>>> = { task_state: 'current_plan' };

/** Parts that a snapshot needs to replace the messages; the older form lacks the others. */
const needed: readonly SnapshotPart[] = [
  'overall_goal',
  'key_knowledge',
  'file_system_state',
  'recent_actions',
  'task_state',
];

/** The text of a part without content. */
const nothing = 'none';

/** Whether a part has no content, however the model wrote that. */
function saysNothing(text: string): boolean {
  return ['', nothing, 'n/a'].includes(text.replace(/[\s*_.-]+/g, '').toLowerCase());
}

/** Reading an answer: the parts of the last snapshot, or their older names (R234, R235, K24). */
export type ReadSnapshot =
  | { readonly ok: true; readonly snapshot: Snapshot }
  | { readonly ok: false; readonly missing: readonly SnapshotPart[] };

/** Reads only the last snapshot and nothing outside it: a scratchpad is always dropped (R236). */
export function readSnapshot(answer: string): ReadSnapshot {
  const body = insideLast(
    answer.replace(/<scratchpad>[\s\S]*?(?:<\/scratchpad>|(?=<state_snapshot>)|$)/g, ''),
    'state_snapshot',
  );
  if (body === null) return { ok: false, missing: needed };
  const found = snapshotPartNames.map((name): [SnapshotPart, string | null] => [name, partOf(body, name)]);
  const missing = found.filter(([name, text]) => needed.includes(name) && (text === null || text === ''));
  if (missing.length > 0) return { ok: false, missing: missing.map(([name]) => name) };
  // What says nothing of the messages must not replace them.
  if (found.every(([, text]) => text === null || saysNothing(text))) return { ok: false, missing: needed };
  const parts = found.map(([name, text]) => [name, text === null || text === '' ? nothing : text]);
  return { ok: true, snapshot: Object.fromEntries(parts) as Record<SnapshotPart, string> };
}

/** Returns an empty text for a part that repeats the words of the form. */
function partOf(body: string, name: SnapshotPart): string | null {
  const other = otherNames[name];
  const text = insideLast(body, name) ?? (other === undefined ? null : insideLast(body, other));
  return text === snapshotParts[name] ? '' : text;
}

/** Returns the text of the last element with this name; null if it has no end tag, as in an answer that was cut off. */
function insideLast(text: string, tag: string): string | null {
  const open = `<${tag}>`;
  const start = text.lastIndexOf(open);
  if (start === -1) return null;
  const from = start + open.length;
  const end = text.indexOf(`</${tag}>`, from);
  return end === -1 ? null : text.slice(from, end).trim();
}

// The request: the same head and tools and the older messages as they were sent, then the instruction (R237, R245).

export interface SummaryQuestion {
  /** What the model saw of the covered entries, the summary in force first. */
  readonly older: readonly SessionEntry[];
  readonly goal: Goal | null;
  readonly focus: string;
  /** The user's instructions for summaries; null for none. */
  readonly own: string | null;
  /** The maximum length; null for no bound. */
  readonly maxWords?: number | null;
  /** Whether another model answers, which shares no cached start and does not need the texts around messages. */
  readonly apart: boolean;
  plan(messages: readonly Message[]): Promise<RequestPlan>;
}

/** Texts around messages that describe a moment, not the work. */
const momentary = ['context-status', 'editor-context', 'reminder', 'mode-notice'];

/** @returns the messages to plan with, or null when not even a shortened copy fits the context window */
export async function summaryRequest(question: SummaryQuestion): Promise<readonly Message[] | null> {
  const { older, apart } = question;
  let entries: readonly SessionEntry[] = apart ? older.map(withoutMoments) : older;
  const messages = (): readonly Message[] => [...foldMessages(entries), instructionOf(question)];
  const write = (): Promise<RequestPlan> => question.plan(messages());
  let plan = await write();
  if (!exceedsWindow(plan)) return messages();
  entries = entries.map(shortened);
  plan = await write();
  for (let attempt = 0; exceedsWindow(plan); attempt += 1) {
    const fewer = withoutOldest(entries, plan.totals.all + plan.totals.reserve - plan.totals.window);
    if (fewer.length === 0 || attempt === maxAttempts) return null;
    entries = fewer;
    plan = await write();
  }
  return messages();
}

const maxAttempts = 6;

/** Drops whole exchanges, oldest first, but never the newest. */
function withoutOldest(entries: readonly SessionEntry[], tokens: number): readonly SessionEntry[] {
  const dropped = new Set<SessionEntry>();
  let won = 0;
  for (const exchange of exchangesOf(entries).slice(0, -1)) {
    if (won >= tokens) break;
    for (const entry of exchange.entries) dropped.add(entry);
    won += sizeOfAll(exchange.entries);
  }
  return dropped.size === 0 ? [] : entries.filter((entry) => !dropped.has(entry));
}

function instructionOf({
  older,
  goal,
  focus,
  own,
  maxWords = null,
}: Pick<SummaryQuestion, 'older' | 'goal' | 'focus' | 'own' | 'maxWords'>): Message {
  const text = [
    '[End of the conversation]',
    getCompressionPrompt(goal, own),
    older.some(({ kind }) => kind === 'summary')
      ? 'An earlier snapshot covers the messages before these. Include all of it that is still true.'
      : '',
    maxWords === null ? '' : `Use at most ${maxWords} words for all parts together.`,
    focus === '' ? '' : `The user cares most about this: ${focus}`,
  ];
  return said(text.filter((part) => part !== '').join('\n\n'));
}

/** Asks for a usable snapshot after a draft that is not. */
function repairRequest(asked: readonly Message[], draft: string, problem: string): readonly Message[] {
  return [
    ...asked,
    ...(draft.trim() === '' ? [] : [answered(draft)]),
    said(`This snapshot cannot be used. ${problem} Write the whole <state_snapshot> again, and nothing else.`),
  ];
}

/** Asks for a review of the draft (R246). */
function checkRequest(asked: readonly Message[], draft: string): readonly Message[] {
  return [
    ...asked,
    answered(draft),
    said(
      'Compare the snapshot with the conversation. Find rules, paths, decisions, results and open steps that it lacks or gets wrong. Then write the whole final <state_snapshot>, fixed or unchanged, and nothing else.',
    ),
  ];
}

function said(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function answered(text: string): Message {
  return { role: 'assistant', parts: [{ type: 'text', text }] };
}

function withoutMoments(entry: SessionEntry): SessionEntry {
  if (entry.kind !== 'turn-zone') return entry;
  const lasting = ({ section }: { readonly section: string }): boolean => !momentary.includes(section);
  return { ...entry, before: entry.before.filter(lasting), after: entry.after.filter(lasting) };
}

function shortened(entry: SessionEntry): SessionEntry {
  if (entry.kind === 'tool-result') return { ...entry, text: formatToolResult(entry, 'masked') };
  return entry.kind === 'turn-zone' ? { ...entry, before: [], after: [] } : entry;
}

// Without a model: the first request, the most relevant sentences, the notes and the open tasks.

const maxFacts = 10;
const maxRules = 8;
const maxPaths = 20;
const maxActions = 6;
const lineLength = 160;

/** Words that set a rule, in a few languages; a rule that this misses is still in the log. */
const ruleWords =
  /\b(?:must|never|always|only|don['’]t|do not|please keep|instead of|immer|niemals|nur|toujours|jamais|siempre|nunca)\b/i;

/** The share of the tokens for each part. */
const shares: Readonly<Record<SnapshotPart, number>> = {
  overall_goal: 0.1,
  active_constraints: 0.15,
  key_knowledge: 0.3,
  artifact_trail: 0.1,
  file_system_state: 0.1,
  recent_actions: 0.1,
  task_state: 0.15,
};

export interface ExtractInput {
  /** The entries to cover as the model saw them; a covered summary comes first. */
  readonly entries: readonly SessionEntry[];
  readonly goal: Goal | null;
  /** Tokens for all parts together. */
  readonly tokens: number;
}

/** Extracts the parts of a snapshot; equal input gives an equal snapshot. */
export function extractSnapshot({ entries, goal, tokens }: ExtractInput): Snapshot {
  const earlier = partsBefore(entries);
  const said = entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  const answers = entries.flatMap((entry) => (entry.kind === 'assistant' ? [textOfAnswer(entry)] : []));
  const parts: Readonly<Record<SnapshotPart, readonly string[]>> = {
    overall_goal: [goal?.description ?? earlier('overall_goal')[0] ?? said[0] ?? ''],
    active_constraints: [...earlier('active_constraints'), ...said.flatMap(proseOf).filter(isRule).slice(-maxRules)],
    key_knowledge: [...earlier('key_knowledge'), ...heaviestSentences(answers, maxFacts)],
    artifact_trail: [
      ...earlier('artifact_trail'),
      ...(goal?.artifacts ?? []).map(({ action, path }) => `${action} ${path}`),
    ],
    file_system_state: [...earlier('file_system_state'), ...pathsIn(entries).slice(0, maxPaths)],
    recent_actions: actionsIn(entries).slice(-maxActions),
    task_state: [
      ...(goal?.checkpoints ?? []).map(({ description, status }) => `${marks[status]} ${description}`),
      ...todosIn(entries, earlier('task_state')),
      ...(said.length === 0 ? earlier('task_state') : [`[IN PROGRESS] ${said.at(-1) ?? ''}`]),
      ...answers.slice(-1),
      ...openQuestionIn(entries),
    ],
  };
  const written = Object.entries(parts).map(([name, lines]) => {
    const room = Math.max(minimum, Math.floor(tokens * shares[name as SnapshotPart]));
    return [name, within(lines, room)];
  });
  return Object.fromEntries(written) as Record<SnapshotPart, string>;
}

const minimum = 12;
const marks = { pending: '[TODO]', 'in-progress': '[IN PROGRESS]', completed: '[DONE]' } as const;
const todoMarks = { open: marks.pending, doing: marks['in-progress'], done: marks.completed } as const;

/** Begins a line of the list of to-dos among other tasks, so that the next summary takes it over. */
const todo = 'To-do ';
/** An answer may begin with the same word. */
const todoLine = /^To-do \[[A-Z ]+\] /;

/** Returns the newest list of to-dos, one line each, also from the summary before; none once all of it is done. */
function todosIn(entries: readonly SessionEntry[], earlier: readonly string[]): readonly string[] {
  const view = findLast(viewsIn(entries), ({ kind }) => kind === 'todos');
  if (view?.kind !== 'todos') return earlier.filter((line) => todoLine.test(line));
  if (view.items.every(({ state }) => state === 'done')) return [];
  return view.items.map(({ text, state }) => `${todo}${todoMarks[state]} ${text}`);
}

/** Returns what the last exchange ended with, if that was a question or a plan: the message that stays replies to it. */
function openQuestionIn(entries: readonly SessionEntry[]): string[] {
  const view = viewsIn(entries.slice(findLastIndex(entries, isUserEntry) + 1)).at(-1);
  if (view?.kind === 'plan') return [`Presented for approval: ${view.path ?? 'the plan above'}`];
  if (view?.kind !== 'question') return [];
  const { question, options } = view;
  // The newest line gets its tokens first.
  return [...(options.length === 0 ? [] : [`Options: ${options.join('; ')}`]), `Asked the user: ${question}`];
}

function viewsIn(entries: readonly SessionEntry[]): ResultView[] {
  return entries.flatMap((entry) => (entry.kind === 'tool-result' && entry.view !== undefined ? [entry.view] : []));
}

/** Joins as many of the newest lines as fit, each once; returns 'none' for nothing. */
function within(lines: readonly string[], room: number): string {
  const short = [...new Set(lines.map((line) => shortLine(line, lineLength)).filter((line) => line !== ''))];
  const chosen: string[] = [];
  let left = room;
  for (const line of short.reverse()) {
    const cut = chosen.length === 0 ? cutToTokens(line, left).text : line;
    left -= tokensByRule(`${cut}\n`);
    if (left < 0 && chosen.length > 0) break;
    chosen.unshift(cut);
  }
  return chosen.join('\n') || 'none';
}

/** Returns a reader of the lines in the summary that comes first; every part is empty without one. */
function partsBefore([first]: readonly SessionEntry[]): (part: SnapshotPart) => readonly string[] {
  const snapshot = first?.kind === 'summary' ? first.snapshot : null;
  return (part) => {
    const text = snapshot?.[part];
    return text === undefined || text === 'none' ? [] : text.split('\n');
  };
}

function isRule(sentence: string): boolean {
  return ruleWords.test(sentence);
}

/** Returns the paths of the notes that entries are about, in order of appearance. */
export function pathsIn(entries: readonly SessionEntry[]): string[] {
  const paths = entries.flatMap((entry) => {
    if (entry.kind === 'summary') return entry.paths;
    if (entry.kind === 'user') return entry.mentions.flatMap(({ kind, id }) => (kind === 'note' ? [id] : []));
    return entry.kind === 'tool-result' ? entry.sources.map(({ path }) => path) : [];
  });
  return [...new Set(paths)];
}

/** Returns what a result begins with; of an untrusted one, only what Docent says about it. */
function firstLineOf({ text, frame }: SessionEntry & { readonly kind: 'tool-result' }): string {
  return frame?.lead ?? text.split('\n', 1)[0] ?? '';
}

function actionsIn(entries: readonly SessionEntry[]): string[] {
  const results = new Map(
    entries.flatMap((entry) => (entry.kind === 'tool-result' ? [[entry.callId, entry] as const] : [])),
  );
  return entries.flatMap((entry) => {
    if (entry.kind !== 'assistant') return [];
    return toolCallsOf(entry.parts).map(({ id, name, argumentsText }) => {
      const result = results.get(id);
      const came = result === undefined ? 'no result' : result.isError ? 'failed' : firstLineOf(result);
      return `${name} ${startOf(argumentsText, 80)}: ${startOf(came, 80)}`;
    });
  });
}
