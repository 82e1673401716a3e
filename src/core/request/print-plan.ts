/** Prints a request plan as text, for the prompt view and the prompt command. */
import { words } from '../../text';
import { tokensByRule } from '../markup/budget';
import type { Failure } from '../ports/failure';
import type { ImagePart, Message } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';
import { notesIn } from './history-text';
import { startOfTurn } from './reference-blocks';
import { countedText } from './token-factor';

export function printPlan(plan: RequestPlan): string {
  const { totals } = plan;
  const mark = totals.exact ? '' : '≈';
  const parts = [
    `model: ${plan.modelId}`,
    `tokens: ${mark}${totals.all} of ${totals.window - totals.reserve} (window ${totals.window}, kept for the answer ${totals.reserve})`,
    `  instructions ${mark}${totals.instructions}, tools ${mark}${totals.tools}, reference ${mark}${totals.reference}, history ${mark}${totals.history}, turn ${mark}${totals.turn}`,
    '',
    'sections:',
    ...plan.blocks.map(
      ({ section, zone, tokens, outcome, reason }) =>
        `  ${section} (${zone}): ${mark}${tokens}, ${outcome}${reason === undefined ? '' : `, ${reason}`}`,
    ),
    '',
    '=== system ===',
    plan.system,
    ...plan.messages.flatMap((message) => ['', `=== ${message.role} ===`, writeMessage(message)]),
    '',
    '=== tools ===',
    ...plan.tools.map(writeTool),
  ];
  return `${parts.join('\n')}\n`;
}

/** Describes an image in one line: name, size and tokens. */
export function describeImage({ name, image, tokens }: ImagePart): string {
  return `[image] ${name}, ${image.width}×${image.height}, ${tokens} tokens`;
}

/** One part of a request, in the order of sending: tools, system prompt, messages. */
export interface RequestPart {
  readonly place: 'tool' | 'system' | Message['role'];
  /** The number among the messages, from 1. */
  readonly number?: number;
  readonly text: string;
}

export function partsOfRequest({ tools, system, messages }: RequestPlan): RequestPart[] {
  return [
    ...tools.map((tool): RequestPart => ({ place: 'tool', text: writeTool(tool) })),
    ...(system === '' ? [] : [{ place: 'system' as const, text: system }]),
    ...messages.map((message, index): RequestPart => {
      return { place: message.role, number: index + 1, text: writeMessage(message) };
    }),
  ];
}

function writeTool({ name, description, parameters }: RequestPlan['tools'][number]): string {
  return `${name}: ${description}\n  ${JSON.stringify(parameters)}`;
}

/** Writes the texts of a message; calls, results and images start with a line of their own. */
function writeMessage({ parts }: Message): string {
  return parts
    .map((part) => {
      if (part.type === 'tool-call') return `[call ${part.id}] ${part.name} ${part.argumentsText}`;
      if (part.type === 'tool-result')
        return `[result ${part.callId}] ${part.name}${part.isError ? ' (error)' : ''}\n${part.text}`;
      if (part.type === 'image') return `${part.label}\n${describeImage(part)}`;
      return part.type === 'reasoning' ? `[reasoning] ${part.text}` : part.text;
    })
    .join('\n\n');
}

// Explains an overflow: names the largest parts of a request that does not fit.

/** The share of the context window above which it is the fixed part of a request that does not fit. */
const maxFixedShare = 0.5;

/** The number of parts that a refusal names. */
const namedParts = 3;

/** Returns why a request that does not fit is not sent: its size, its largest parts, and what helps. */
export function explainOverflow(plan: RequestPlan): Failure {
  const { totals } = plan;
  const say = words.request;
  const isFixed = totals.instructions + totals.tools + totals.reference > totals.window * maxFixedShare;
  const largest = [...sizesOf(plan)].sort((a, b) => b[1] - a[1]).slice(0, namedParts);
  const parts = largest.map(([part, tokens]) => say.partOf(part, tokens));
  return {
    kind: 'context-length',
    words: say.tooLong(totals.all, Math.max(0, totals.window - totals.reserve), parts),
    remedy: isFixed ? say.tooLongFixedRemedy : say.tooLongRemedy,
    // A new chat has the same fixed part.
    ...(isFixed ? { action: 'open-settings' } : { action: 'new-chat' }),
    actions: [...(isFixed ? [] : (['open-settings'] as const)), 'show-context', 'retry'],
  };
}

/** Returns the tokens of each part of a request, by its name for the user. */
function sizesOf({ totals, blocks, messages }: RequestPlan): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  const add = (part: string, tokens: number): void => {
    if (tokens > 0) sizes.set(part, (sizes.get(part) ?? 0) + tokens);
  };
  const say = words.request;
  add(say.place('tools'), totals.tools);
  for (const { section, zone, tokens, place } of blocks) {
    if (zone === 'turn' || place === 'before-message' || place === 'after-message') continue;
    add(words.sections[section]?.name ?? say.place(section), tokens);
  }
  let others = totals.history + totals.turn;
  for (const [part, tokens] of newestParts(messages)) {
    add(part, Math.min(tokens, others));
    others = Math.max(0, others - tokens);
  }
  add(say.earlier, others);
  return sizes;
}

/** Returns the parts of the newest message and of what followed it, with their tokens by rule. */
function newestParts(messages: readonly Message[]): [string, number][] {
  const say = words.request;
  const newest = messages.map(({ role }) => role).lastIndexOf('user');
  const start = startOfTurn(messages.slice(0, newest + 1));
  return messages.slice(start).flatMap(({ role, parts }): [string, number][] => {
    const image = parts.reduce((sum, part) => sum + (part.type === 'image' ? part.tokens : 0), 0);
    const text = parts.map(countedText).join('\n');
    if (role !== 'user') return [[role === 'tool' ? say.results : say.answers, tokensByRule(text)]];
    const notes = notesIn(text).map(({ path, body }): [string, number] => [path, tokensByRule(body)]);
    const rest = tokensByRule(text) - notes.reduce((sum, [, tokens]) => sum + tokens, 0);
    return [...notes, [say.message, Math.max(0, rest) + image]];
  });
}
