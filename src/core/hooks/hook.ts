/** Hook: what another plugin registers to observe a turn or add text to it. Hooks receive copies only. */
import { words } from '../../text';
import { cutToTokens, tokensFor } from '../markup/budget';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { Message, ToolCallPart } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import type { Mention, Source } from '../session/entry';

/** Text to add, or nothing. */
type HookText = string | null | undefined | void;

interface AgentRequest {
  readonly conversationId: string;
  /** The text of the user's message as written. */
  readonly text: string;
  /** Its mentions and attachments. */
  readonly mentions: readonly { readonly kind: string; readonly id: string; readonly label: string }[];
}

interface HookedCall {
  readonly conversationId: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON text, valid or not. */
  readonly argumentsText: string;
}

interface HookedResult {
  readonly text: string;
  readonly isError: boolean;
  /** Paths of the notes that the result is based on. */
  readonly sources: readonly string[];
}

/** A planned request; its newest message is the last one. */
interface ModelRequest {
  readonly conversationId: string;
  readonly modelId: string;
  readonly system: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[];
  /** Tokens of the whole request, and the most it may have so that the answer still fits the context window. */
  readonly tokens: number;
  readonly room: number;
  readonly maxOutputTokens: number;
}

/** The changes that a hook may make to a request. Messages already sent cannot change. */
export interface ModelRequestChange {
  /** Text added after the newest message; it stays in the history. */
  readonly text?: string;
  /** A lower maximum of output tokens, for this request only. */
  readonly maxOutputTokens?: number;
  /** From 0 to 2, for this request only. */
  readonly temperature?: number;
}

export interface Compression {
  readonly conversationId: string;
  readonly trigger: 'automatic' | 'manual';
  /** Tokens and messages of the history about to be summarized. */
  readonly tokens: number;
  readonly messages: number;
}

type Answer<Value> = Value | Promise<Value>;

export interface Hook {
  /** Letters, digits and `-_.:`, ideally the id of the plugin. Hooks run in the order of their ids. */
  readonly id: string;
  /** The name shown to the user and the model. */
  readonly label: string;
  /**
   * Called once per user message, before it is answered. The returned text is added after the message and stays there.
   */
  beforeAgent?(request: AgentRequest, signal: AbortSignal): Answer<HookText>;
  /** Called after each tool call. The returned text is added after the tool result and stays there. */
  afterTool?(call: HookedCall, result: HookedResult, signal: AbortSignal): Answer<HookText>;
  /** Called before each request to the model. */
  beforeModel?(request: ModelRequest, signal: AbortSignal): Answer<ModelRequestChange | null | undefined | void>;
  /** Called once it is certain that the history will be summarized, before anything is removed (K34). */
  preCompress?(compression: Compression, signal: AbortSignal): Answer<void>;
}

// The copies that hooks receive, so that no hook can modify the state of a turn.

export function viewRequest(conversationId: string, text: string, mentions: readonly Mention[]): AgentRequest {
  return { conversationId, text, mentions: mentions.map(({ kind, id, label }) => ({ kind, id, label })) };
}

export function viewCall(conversationId: string, { name, argumentsText }: ToolCallPart): HookedCall {
  return { conversationId, name, argumentsText };
}

export function viewResult(result: {
  readonly text: string;
  readonly isError: boolean;
  readonly sources: readonly Source[];
}): HookedResult {
  const { text, isError, sources } = result;
  return { text, isError, sources: [...new Set(sources.map(({ path }) => path))] };
}

export function viewPlan(plan: RequestPlan): ModelRequest {
  const { conversationId, modelId, system, messages, totals, maxOutputTokens } = plan;
  return {
    conversationId,
    modelId,
    system,
    messages: messages.map((message) => ({ role: message.role, text: textOf(message) })),
    tokens: totals.all,
    room: totals.window - totals.reserve,
    maxOutputTokens,
  };
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' || part.type === 'tool-result' ? part.text : [])).join('\n\n');
}

// Checks of the texts that hooks return: other plugins are not bound by these types, and requests must stay valid.

/** The maximum tokens of one hook's text, and its maximum share of the context window. */
const hookTokens = 4_000;
const hookShare = 1 / 8;

/**
 * Returns the text, null for none; a text over the limit is cut, with a notice.
 * @param contextWindow absent for a text that is left out if it does not fit
 */
export function checkText(label: string, answer: unknown, contextWindow = Infinity): Outcome<string | null> {
  if (answer === undefined || answer === null) return succeed(null);
  if (typeof answer !== 'string') return refuse(words.hooks.noText(label));
  const text = answer.trim();
  if (text === '') return succeed(null);
  const { text: shown, cut } = cutToTokens(text, tokensFor(contextWindow, hookShare, hookTokens));
  return succeed(cut ? `${shown}\n[Cut here: ${shown.length} of ${text.length} characters shown.]` : text);
}

/** Returns the failure of a hook whose return value cannot be used. */
export function refuse(text: string): Outcome<never> {
  return fail({ kind: 'invalid-input', words: text, remedy: '' });
}
