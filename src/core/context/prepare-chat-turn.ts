/** Prepares a turn of a chat, from its log and from what it keeps of its prompt. */
import { bodyOf } from '../markdown/properties';
import type { Clock } from '../ports/device';
import { type Outcome, succeed } from '../ports/failure';
import type { Usage } from '../ports/message';
import type { ModelDescription, Tokenizer } from '../ports/model';
import type { RequestPlan } from '../ports/request-plan';
import type { PromptOrchestrator } from '../prompt/prompt-orchestrator';
import type { ProvidedPrompt } from '../prompt/provide-prompt';
import { countPlan, nothingSent, rememberSent, type SentFactors, type TokenFactors } from '../request/token-factor';
import type { SentReference, Mention, SentItem, SessionEntry } from '../session/entry';
import { foldReference, isSummarized, isPinnedItem } from '../session/log-state';
import type { SessionLog } from '../session/session-log';
import type { ModeId } from '../settings/mode';
import type { Tool } from '../tools/tool';
import { type PreparedTurn, type PromptPorts, prepareTurn } from './prepare-turn';
import { type StatePorts, turnContextOf, turnStateOf } from './turn-context';

export type ContextPorts = PromptPorts & StatePorts;

/** What a chat keeps of its prompt while it is open. */
export interface ChatPrompt {
  readonly log: SessionLog;
  readonly ports: ContextPorts;
  readonly orchestrator: PromptOrchestrator;
  /** The turn that was applied last; null before the first one of this session. */
  applied: AppliedTurn | null;
  /** The request that was sent last; null when nothing that was counted of it holds any more. */
  sent: SentPlan | null;
  /** Why the prompt changes, as told since the last turn. */
  readonly noted: Set<string>;
}

/** Gathers what the turn needs and has its system prompt written; nothing is kept of it. */
export function prepareChatTurn(
  { log, ports, orchestrator, applied, sent, noted }: Readonly<ChatPrompt>,
  model: ModelDescription,
  mentions: readonly Mention[],
  signal: AbortSignal,
): Promise<PreparedTurn> {
  const lastPlan = sent?.plan ?? null;
  const turn = turnContextOf(turnStateOf({ ports, log, mentions, noted, lastPlan, model }), model);
  const known = { ...referenceOf(log.entries, ports.clock), sent: factorsFor(sent, model.id) };
  return prepareTurn(ports, model, turn, signal, { orchestrator, current: applied?.prompt ?? null, ...known });
}

// Prepares a turn beside a chat, such as a sub-agent's: the same assembler, a base of its own, nothing of the chat.

export interface InnerTurn {
  readonly conversation: string;
  readonly tools: readonly Tool[];
  /** Stands in place of the composition. */
  readonly base: string;
}

/** Nobody is there to answer it, nothing is chosen, attached or open in it, and no server is told of (R026). */
export function prepareBackgroundTurn(
  ports: ContextPorts,
  model: ModelDescription,
  { conversation, tools, base }: InnerTurn,
  signal: AbortSignal,
): Promise<PreparedTurn> {
  const log = { conversation, entries: [] };
  const noted: ReadonlySet<string> = new Set();
  const { pendingReview: _ofTheChat, servers: _ofChats, ...shared } = ports;
  const alone = { ...shared, tools, customTemplate: () => Promise.resolve(base) };
  const state = turnStateOf({ ports: alone, log, mentions: [], model, noted, lastPlan: null });
  const choices = { ...state.choices, contextNotes: [] };
  const turn = turnContextOf({ ...state, choices, editor: null }, model);
  return prepareTurn(alone, model, turn, signal, { interactive: false });
}

/** The text of a note below its properties. */
export async function readBody(
  { notes }: Pick<ContextPorts, 'notes'>,
  path: string,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const note = await notes.read(path, signal);
  return note.ok ? succeed(bodyOf(note.value.text)) : note;
}

/** Milliseconds after which no provider keeps the beginning of a request any more. */
const restMilliseconds = 60 * 60 * 1000;

/** The reference texts of a chat as it has them, and whether its next turn may write them anew at no cost. */
export function referenceOf(
  entries: readonly SessionEntry[],
  clock: Clock | undefined,
): { readonly kept: SentReference | null; readonly free: string | null } {
  const kept = foldReference(entries);
  if (isSummarized(entries)) return { kept, free: 'compaction' };
  if (kept !== null && isAskedAnew(entries, kept)) return { kept, free: 'list' };
  const answered = entries.filter(({ kind }) => kind === 'assistant').at(-1);
  const isCold = clock !== undefined && answered !== undefined && clock.now() - answered.time > restMilliseconds;
  return { kept, free: isCold ? 'cold' : null };
}

/**
 * Whether the user has left out or reshaped what stands there, by the list of what is in the window, since the last
 * answer: it is then sent so, at the price of the cache. Notes that are added are told with the turn.
 */
function isAskedAnew(entries: readonly SessionEntry[], { items }: SentReference): boolean {
  const kinds = entries.map(({ kind }) => kind);
  const since = Math.max(kinds.lastIndexOf('reference-sent'), kinds.lastIndexOf('assistant'));
  return entries.slice(since + 1).some((entry) => {
    if (entry.kind === 'context-forms') return entry.forms.some(({ target }) => isPinnedItem(target));
    if (entry.kind !== 'choices') return false;
    const { contextNotes, sectionsOff } = entry.choices;
    const gone = ({ key }: SentItem): boolean =>
      key.startsWith('file:') && contextNotes?.includes(key.slice('file:'.length)) === false;
    return sectionsOff !== undefined || items.some(gone);
  });
}

/** The request that was sent last, and how its texts were counted when they were first sent to its model (design 7). */
interface SentPlan {
  readonly plan: RequestPlan;
  readonly factors: SentFactors;
}

export interface FactorPorts {
  readonly tokenizer: Tokenizer;
  readonly factors?: TokenFactors;
}

/** Another model counts everything anew. */
export function factorsFor(last: SentPlan | null, modelId: string): SentFactors {
  return last?.plan.modelId === modelId ? last.factors : nothingSent;
}

export function addSent({ factors }: FactorPorts, last: SentPlan | null, plan: RequestPlan): SentPlan {
  const factor = factors?.of(plan.modelId) ?? 1;
  return { plan, factors: rememberSent(plan, factor, factorsFor(last, plan.modelId)) };
}

/** Learns from what a provider says of a request how its model counts; estimates teach nothing. */
export function learnFactor({ tokenizer, factors }: FactorPorts, sent: SentPlan | null, { inputTokens }: Usage): void {
  // What a picture costs says nothing of how texts are counted.
  if (sent === null || factors === undefined || hasImages(sent.plan)) return;
  const counted = countPlan(sent.plan, tokenizer);
  if (tokenizer.exact) factors.learn(sent.plan.modelId, inputTokens, counted);
}

function hasImages({ messages }: RequestPlan): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === 'image'));
}

/** What a chat keeps of the turn that was applied last. */
export interface AppliedTurn {
  readonly prompt: ProvidedPrompt;
  readonly active: ActiveState;
}

/** What is active in a chat during a turn. */
export interface ActiveState {
  readonly mode: ModeId;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
  readonly hooks: readonly string[];
  readonly servers: readonly string[];
}
