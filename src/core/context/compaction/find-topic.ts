/** Finds where the current topic begins, so that a summary ends there instead of at a share of the tokens (R250). */
import * as z from 'zod/v4';
import { words } from '../../../text';
import { untilAborted } from '../../base/async';
import { startOf } from '../../base/cut';
import { lazy } from '../../base/lazy';
import { escapeText, textOfAnswer } from '../../markup/escapes';
import { oneLine, shortLine } from '../../markup/prose';
import { fail, messageOf, type Outcome, succeed } from '../../ports/failure';
import type { Message } from '../../ports/message';
import type { Model } from '../../ports/model';
import type { RequestPlan } from '../../ports/request-plan';
import { topicPrompt } from '../../prompt/background-prompts';
import { exceedsWindow } from '../../request/plan-request';
import type { SessionEntry } from '../../session/entry';
import { type CutLimits, cutPlaces, type Exchange, entrySize, exchangesOf } from './choose-cut';

/** Limits of what the model is shown: exchanges, and characters of each message in them. */
const maxExchanges = 25;
const maxCharacters = 1_000;
/** With less confidence than this, the model is guessing. */
const minConfidence = 0.5;
const maxTopicLength = 60;

export interface TopicQuestion {
  /** What the model sees of the log. */
  readonly seen: readonly SessionEntry[];
  readonly limits: CutLimits;
  readonly own: string | null;
  readonly model: Model;
  readonly signal: AbortSignal;
  plan(messages: readonly Message[]): Promise<RequestPlan>;
}

export interface FoundTopic {
  /** The user entry of the last exchange before the topic. */
  readonly upTo: string;
  /** In the model's words; may be empty. */
  readonly topic: string;
}

/** Returns null if there is no choice or no usable answer; the caller then uses the default cut. */
export async function findTopic(question: TopicQuestion): Promise<FoundTopic | null> {
  const { seen, limits, own, model, signal } = question;
  const exchanges = exchangesOf(seen).slice(-maxExchanges);
  const allowed = new Set(cutPlaces(seen, entrySize, limits).map((index) => seen[index]?.id));
  // At least one exchange has to come before the topic.
  const numbers = exchanges.flatMap(({ id }, index) => (index > 0 && allowed.has(id) ? [index + 1] : []));
  const [from] = numbers;
  const to = numbers.at(-1);
  if (from === undefined || to === undefined || from === to) return null;
  const text = ['[Exchanges]', ...exchanges.map(showExchange), '[End of the list]', topicPrompt(from, to, own)];
  const plan = await question.plan([{ role: 'user', parts: [{ type: 'text', text: text.join('\n\n') }] }]);
  if (exceedsWindow(plan)) return null;
  const answered = await requestText(model, plan, signal);
  const found = answered.ok ? readTopic(answered.value) : null;
  if (found === null || !numbers.includes(found.begins)) return null;
  const before = exchanges[found.begins - 2];
  return before === undefined ? null : { upTo: before.id, topic: found.topic };
}

/** Writes each message on one line, so that no text imitates a number of the list. */
function showExchange({ entries }: Exchange, index: number): string {
  const lines = entries.flatMap((entry) => {
    if (entry.kind === 'user') return [`User: ${escapeText(shortLine(entry.text, maxCharacters))}`];
    const said = entry.kind === 'assistant' ? escapeText(shortLine(textOfAnswer(entry), maxCharacters)) : '';
    return said === '' ? [] : [`Agent: ${said}`];
  });
  return `${index + 1}.\n${lines.join('\n')}`;
}

const answerShape = lazy(() =>
  z.object({
    begins: z.number().int().nullable(),
    confidence: z.number().min(0).max(1),
    topic: z.string().catch(''),
  }),
);

/** Reads JSON, bare or in a code fence; returns null if it is invalid, names no topic, or is a guess. */
export function readTopic(answer: string): { readonly begins: number; readonly topic: string } | null {
  const json = /\{[^{}]*\}/.exec(answer)?.[0] ?? '';
  const read = answerShape().safeParse(parse(json));
  if (!read.success || read.data.begins === null || read.data.confidence < minConfidence) return null;
  return { begins: read.data.begins, topic: startOf(oneLine(read.data.topic), maxTopicLength) };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

// Requests a text outside the conversation: only text counts, and tool calls are ignored.

/** Returns at once when the signal aborts. An answer without a finish event may be incomplete, so it is a failure. */
export async function requestText(model: Model, plan: RequestPlan, signal: AbortSignal): Promise<Outcome<string>> {
  let text = '';
  try {
    for await (const event of untilAborted(model.stream(plan, signal), signal)) {
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'failure') return fail(event.failure);
      if (event.type === 'finish') return event.reason === 'length' ? cutOff() : succeed(text);
    }
  } catch (thrown) {
    return fail({ kind: 'protocol', words: messageOf(thrown), remedy: words.failures.unexpectedRemedy });
  }
  return signal.aborted ? aborted() : cutOff();
}

function aborted(): Outcome<string> {
  return fail({ kind: 'aborted', words: words.status.refused.stopped, remedy: '' });
}

function cutOff(): Outcome<string> {
  return fail({
    kind: 'interrupted',
    words: words.failures.answerCutOff,
    remedy: words.failures.answerCutOffRemedy,
  });
}
