/** Hook: what another plugin may register to add to a turn or to watch it. Whatever a hook is handed is a copy. */
import { words } from '../../text';
import { cutToTokens } from '../markup/budget';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { Message, ToolCallPart } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import type { Mention, Source } from '../session/entry';

/** Text to add, or nothing. */
export type HookText = string | null | undefined | void;

interface AgentRequest {
  readonly conversationId: string;
  /** The user's message as written. */
  readonly text: string;
  /** What was attached to it. */
  readonly mentions: readonly { readonly kind: string; readonly id: string; readonly label: string }[];
}

interface HookedCall {
  readonly conversationId: string;
  readonly name: string;
  /** As the model wrote them: JSON text, sound or not. */
  readonly argumentsText: string;
}

interface HookedResult {
  readonly text: string;
  readonly isError: boolean;
  /** Paths of the notes that the result rests on. */
  readonly sources: readonly string[];
}

/** A request as it is planned; its newest message is the last one. */
interface ModelRequest {
  readonly conversationId: string;
  readonly modelId: string;
  readonly system: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }[];
  /** Tokens of the whole request, and how many the model can hold with room for its answer. */
  readonly tokens: number;
  readonly room: number;
  readonly maxOutputTokens: number;
}

/** What a hook may change about a request. Messages that were sent before stay as they were sent. */
export interface ModelRequestChange {
  /** Stands after the newest message, and stays with it. */
  readonly text?: string;
  /** A smaller limit for the answer to this one request. */
  readonly maxOutputTokens?: number;
  /** From 0 to 2, for this one request. */
  readonly temperature?: number;
}

export interface Compression {
  readonly conversationId: string;
  readonly trigger: 'automatic' | 'manual';
  /** Tokens and messages of the history that is about to be summarised. */
  readonly tokens: number;
  readonly messages: number;
}

type Answer<Value> = Value | Promise<Value>;

export interface Hook {
  /** Letters, digits and `-_.:`, best the id of the plugin. Hooks run in the order of their ids. */
  readonly id: string;
  /** The name that the user and the model read. */
  readonly label: string;
  /** Once for each message of the user, before it is answered. The text stands after the message and stays there. */
  beforeAgent?(request: AgentRequest, signal: AbortSignal): Answer<HookText>;
  /** After each tool call. The text stands after the call's result and stays there. */
  afterTool?(call: HookedCall, result: HookedResult, signal: AbortSignal): Answer<HookText>;
  /** Before each request to the model. */
  beforeModel?(request: ModelRequest, signal: AbortSignal): Answer<ModelRequestChange | null | undefined | void>;
  /** Once it is certain that the history will be summarised, before anything is cut (K34). */
  preCompress?(compression: Compression, signal: AbortSignal): Answer<void>;
}

// What hooks are handed: copies of a turn's parts, so that no hook can change them behind anyone's back.

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

// Checks the texts that hooks answer: other plugins are not bound by our types, and the request must stay sound.

/** Tokens of one hook's text. */
const hookTokens = 4_000;

/** The text, null for none; longer than allowed it is cut and says so. */
export function checkText(label: string, answer: unknown): Outcome<string | null> {
  if (answer === undefined || answer === null) return succeed(null);
  if (typeof answer !== 'string') return refuse(words.hooks.noText(label));
  const text = answer.trim();
  if (text === '') return succeed(null);
  const { text: kept, cut } = cutToTokens(text, hookTokens);
  return succeed(cut ? `${kept}\n[Cut here: ${kept.length} of ${text.length} characters shown.]` : text);
}

/** An answer that cannot be used. */
export function refuse(text: string): Outcome<never> {
  return fail({ kind: 'invalid-input', words: text, remedy: '' });
}
