/** Prepares the turns of a chat and of background work, from the log and the state of the prompt. */
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
import { foldReference, isSummarized, isPinnedItem, lastRebuild } from '../session/log-state';
import { findLast, findLastIndex } from '../session/running-fold';
import type { SessionLog } from '../session/session-log';
import type { ModeId } from '../settings/mode';
import type { Tool } from '../tools/tool';
import { type PreparedTurn, type PromptPorts, prepareTurn } from './prepare-turn';
import { pinnedWindow } from './context-window';
import { choicesOf, type StatePorts, turnContextOf, turnStateOf } from './turn-context';

export type ContextPorts = PromptPorts & StatePorts;

/** The state of a chat's prompt while the chat is open. */
export interface ChatPrompt {
  readonly log: SessionLog;
  readonly ports: ContextPorts;
  readonly orchestrator: PromptOrchestrator;
  /** The turn that was applied last; null before the first one of this session. */
  applied: AppliedTurn | null;
  /** The request that was sent last; null if its counts do not apply any more. */
  sent: SentPlan | null;
  /** Why the prompt changes, as noted since the last turn. */
  readonly noted: Set<string>;
}

/**
 * Prepares a turn from the log; changes nothing in the chat.
 * @param message the text that the turn answers
 */
export function prepareChatTurn(
  { log, ports, orchestrator, applied, sent, noted }: Readonly<ChatPrompt>,
  model: ModelDescription,
  mentions: readonly Mention[],
  signal: AbortSignal,
  message = '',
): Promise<PreparedTurn> {
  // Reading takes longest: it begins before anything else is looked up.
  for (const path of choicesOf(log, ports).contextNotes) ports.notes.begin(path);
  const lastPlan = sent?.plan ?? null;
  const turn = turnContextOf(turnStateOf({ ports, log, mentions, message, noted, lastPlan, model }), model);
  const isOn = (section: string): boolean =>
    ports.sections.some(({ id }) => id === section) && turn.sectionsOff?.includes(section) !== true;
  const reference = referenceOf(log.entries, ports.clock, isOn);
  // Nothing is cached of what did not fit, and what was sent for a larger window would not fit.
  const free = reference.free ?? (isResized(log.entries, pinnedWindow(model, ports.settings())) ? 'window' : null);
  const known = { ...reference, free, sent: factorsFor(sent, model.id) };
  return prepareTurn(ports, model, turn, signal, { orchestrator, current: applied?.prompt ?? null, ...known });
}

/** Whether the prompt was last written for another window than the model turned out to hold, or the user has set. */
function isResized(entries: readonly SessionEntry[], window: number | null): boolean {
  const last = lastRebuild(entries);
  return last !== null && last.window !== window;
}

// Background turns, such as a subagent's: the same assembler with a base of its own, and nothing of the chat.

export interface InnerTurn {
  readonly conversation: string;
  readonly tools: readonly Tool[];
  /** Replaces the composition. */
  readonly base: string;
}

/** A non-interactive turn: nothing is chosen, attached or open, and no MCP servers (R026). */
export function prepareBackgroundTurn(
  ports: ContextPorts,
  model: ModelDescription,
  { conversation, tools, base }: InnerTurn,
  signal: AbortSignal,
): Promise<PreparedTurn> {
  const log = { conversation, entries: [] };
  const { pendingReview: _ofTheChat, servers: _ofChats, ...shared } = ports;
  const alone = { ...shared, tools, customTemplate: () => Promise.resolve(base) };
  const state = turnStateOf({ ports: alone, log, model });
  const choices = { ...state.choices, contextNotes: [] };
  const turn = turnContextOf({ ...state, choices, editor: null }, model);
  return prepareTurn(alone, model, turn, signal, { interactive: false });
}

/** Returns the text of a note below its properties. */
export async function readBody(
  { notes }: Pick<ContextPorts, 'notes'>,
  path: string,
  signal: AbortSignal,
): Promise<Outcome<string>> {
  const note = await notes.read(path, signal);
  return note.ok ? succeed(bodyOf(note.value.text)) : note;
}

/** Milliseconds after which no provider still caches the start of a request. */
const restMilliseconds = 60 * 60 * 1000;

/**
 * Returns the reference texts that the chat has sent, and why the next turn may rewrite them at no cost; null if it may
 * not.
 */
export function referenceOf(
  entries: readonly SessionEntry[],
  clock: Clock | undefined,
  isOn: (section: string) => boolean = () => true,
): { readonly kept: SentReference | null; readonly free: string | null } {
  const sent = foldReference(entries);
  if (isSummarized(entries)) return { kept: sent, free: 'compaction' };
  // What is switched off is taken out at once, also where the settings or the environment say so (R252).
  const isOff = sent?.items.some(({ section }) => !isOn(section)) === true;
  if (sent !== null && (isOff || isRewriteRequested(entries, sent))) return { kept: sent, free: 'list' };
  const answered = findLast(entries, ({ kind }) => kind === 'assistant');
  const isCold = clock !== undefined && answered !== undefined && clock.now() - answered.time > restMilliseconds;
  return { kept: sent, free: isCold ? 'cold' : null };
}

/**
 * Whether the user has dropped or reshaped sent reference texts in the context list since the last answer; they are
 * then rewritten at the price of a cache miss. Added notes go with the next turn instead.
 */
function isRewriteRequested(entries: readonly SessionEntry[], { items }: SentReference): boolean {
  const since = findLastIndex(entries, ({ kind }) => kind === 'reference-sent' || kind === 'assistant');
  return entries.slice(since + 1).some((entry) => {
    if (entry.kind === 'context-forms') return entry.forms.some(({ target }) => isPinnedItem(target));
    if (entry.kind !== 'choices') return false;
    const { contextNotes, sectionsOff } = entry.choices;
    const isRemoved = ({ key }: SentItem): boolean =>
      key.startsWith('file:') && contextNotes?.includes(key.slice('file:'.length)) === false;
    return sectionsOff !== undefined || items.some(isRemoved);
  });
}

/** The request that was sent last, and the factor of each text when it was first sent to this model (design 7). */
interface SentPlan {
  readonly plan: RequestPlan;
  readonly factors: SentFactors;
}

export interface FactorPorts {
  readonly tokenizer: Tokenizer;
  readonly factors?: TokenFactors;
}

/** Factors of another model do not apply. */
export function factorsFor(last: SentPlan | null, modelId: string): SentFactors {
  return last?.plan.modelId === modelId ? last.factors : nothingSent;
}

export function addSent({ factors }: FactorPorts, last: SentPlan | null, plan: RequestPlan): SentPlan {
  const factor = factors?.of(plan.modelId) ?? 1;
  return { plan, factors: rememberSent(plan, factor, factorsFor(last, plan.modelId)) };
}

/** Learns how the model counts from the usage its provider reports; estimated counts are ignored. */
export function learnFactor({ tokenizer, factors }: FactorPorts, sent: SentPlan | null, { inputTokens }: Usage): void {
  // Tokens of an image say nothing about the counting of texts.
  if (sent === null || factors === undefined || hasImages(sent.plan)) return;
  const counted = countPlan(sent.plan, tokenizer);
  if (tokenizer.exact) factors.learn(sent.plan.modelId, inputTokens, counted);
}

function hasImages({ messages }: RequestPlan): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === 'image'));
}

/** What a chat remembers of the turn that was applied last. */
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
