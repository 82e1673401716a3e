/** Read request: what the built-in reader needs to know of a request plan. */
import { withoutCameAlong } from '../../core/markup/markup';
import { type Message, type ToolCallPart, type ToolResultPart, textOf, toolCallsOf } from '../../core/ports/message';
import type { RequestPlan } from '../../core/ports/request-plan';
import { type AttachedNote, attachedNotesIn, withoutMarkup } from './attached-notes';

export interface AnsweredCall {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart;
}

export interface ReaderRequest {
  /** The user's last words; empty when there are none. */
  readonly question: string;
  /** What the user asked before, newest first. */
  readonly earlier: readonly string[];
  /** Notes in the prompt, each path once, those attached last first. */
  readonly attached: readonly AttachedNote[];
  /** Calls made for this question that have their results, in order. */
  readonly answered: readonly AnsweredCall[];
  readonly tools: ReadonlySet<string>;
  /** Whether nothing was said in this chat before. */
  readonly isFirstAnswer: boolean;
  /** Calls in the whole chat; numbers the next one. */
  readonly callCount: number;
}

export function readRequest(plan: RequestPlan): ReaderRequest {
  const { messages } = plan;
  const lastUser = messages.map((message) => message.role).lastIndexOf('user');
  // Parts may end without a line end; markup is only known at the start of a line.
  const asked = messages.flatMap(({ role, parts }) =>
    role === 'user' ? [parts.map((part) => part.text).join('\n')] : [],
  );
  const own = asked.map(withoutMarkup);
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message.parts) : []));
  return {
    question: own.at(-1) ?? '',
    earlier: own.slice(0, -1).reverse(),
    attached: newestFirst([plan.system, ...asked]),
    answered: answeredCalls(messages.slice(lastUser + 1)),
    tools: new Set(plan.tools.map((tool) => tool.name)),
    isFirstAnswer: !messages.some((message) => message.role === 'assistant' && textOf(message.parts).trim() !== ''),
    callCount: calls.length,
  };
}

function newestFirst(texts: readonly string[]): AttachedNote[] {
  const notes = new Map<string, AttachedNote>();
  for (const text of [...texts].reverse()) {
    for (const note of attachedNotesIn(text)) if (!notes.has(note.path)) notes.set(note.path, note);
  }
  return [...notes.values()];
}

/** What came along with a result is meant for a model that follows conventions, and no part of the note. */
function asGiven(part: ToolResultPart): ToolResultPart {
  return { ...part, text: withoutCameAlong(part.text) };
}

function answeredCalls(messages: readonly Message[]): AnsweredCall[] {
  const results = new Map<string, ToolResultPart>();
  for (const message of messages) {
    if (message.role === 'tool') for (const part of message.parts) results.set(part.callId, asGiven(part));
  }
  const answered: AnsweredCall[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of toolCallsOf(message.parts)) {
      const result = results.get(call.id);
      if (result !== undefined) answered.push({ call, result });
    }
  }
  return answered;
}
