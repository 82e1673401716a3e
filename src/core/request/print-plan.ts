/** Prints a request plan as text, for the prompt view and the prompt command. */
import { words } from '../../text';
import type { Failure } from '../ports/failure';
import type { ImagePart, Message } from '../ports/message';
import type { RequestPlan } from '../ports/request-plan';

export function printPlan(plan: RequestPlan): string {
  const { totals } = plan;
  const mark = totals.exact ? '' : '~';
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

// Explains an overflow: names what fills the context window before the conversation starts.

/** The maximum share of the context window for the fixed part of a request. */
const maxShare = 0.5;

/** Returns null while the fixed part uses at most half of the context window. */
export function explainOverflow({ totals, blocks }: RequestPlan): Failure | null {
  const fixed = totals.instructions + totals.tools + totals.reference;
  if (fixed <= totals.window * maxShare) return null;
  const sizes = new Map<string, number>([['tools', totals.tools]]);
  for (const { section, zone, tokens, place } of blocks) {
    if (zone === 'turn' || place === 'before-message' || place === 'after-message') continue;
    sizes.set(section, (sizes.get(section) ?? 0) + tokens);
  }
  const [culprit = '', size = 0] = [...sizes].sort((a, b) => b[1] - a[1])[0] ?? [];
  const say = words.request;
  return {
    kind: 'context-length',
    words: say.overhead(fixed, totals.window, say.place(culprit), size),
    remedy: say.overheadRemedy,
    action: 'open-settings',
  };
}
