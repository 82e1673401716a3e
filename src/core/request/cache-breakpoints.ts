/** The one allocator of cache markers: at most four, none where a provider would keep nothing (K7, R228-R230). */
import type { Message } from '../ports/message';
import type { Breakpoint } from '../ports/request-plan';
import { countedText } from './token-factor';

const mostBreakpoints = 4;
/** Providers look back this many blocks at least for what they kept; a turn that adds more needs a marker inside. */
const lookBack = 15;

export interface BreakpointQuestion {
  readonly system: string;
  /** Tokens of the tools and the system prompt, which stand before all messages. */
  readonly start: number;
  readonly messages: readonly Message[];
  /** Index of the last message of each tier that is there; L1 ends where L2 does when there is no L2. */
  readonly ends: Readonly<Partial<Record<'L2' | 'L3', number>>>;
  /** Tokens of the shortest beginning that the provider keeps. */
  readonly minimum: number;
  count(text: string): number;
}

/** In the order of the request. The newest message always stays as sent, so that it is where the rolling one stands. */
export function allocateBreakpoints(question: BreakpointQuestion): Breakpoint[] {
  const { system, messages, ends } = question;
  const last = messages.length - 1;
  const inside = insideStep(messages);
  const wanted: Breakpoint[] = [];
  if (system !== '') wanted.push({ after: 'system', ends: 'L0' });
  if (ends.L2 !== undefined && inside === null) wanted.push({ after: ends.L2, ends: 'L2' });
  if (ends.L3 !== undefined) wanted.push({ after: ends.L3, ends: 'L3' });
  if (inside !== null) wanted.push(inside);
  if (last >= 0) wanted.push({ after: last, ends: 'turn' });
  const standing = wanted.filter(({ after, part }) => part !== undefined || canStandOn(after, question));
  return longEnough(standing, question).slice(-mostBreakpoints);
}

function canStandOn(after: Breakpoint['after'], { messages }: BreakpointQuestion): boolean {
  if (after === 'system') return true;
  return isMarkable(messages[after]?.parts.at(-1));
}

function isMarkable(part: Message['parts'][number] | undefined): boolean {
  return part !== undefined && part.type !== 'reasoning' && (part.type !== 'text' || part.text !== '');
}

/** The minimum counts all that stands before a marker, from the first tool on. */
function longEnough(wanted: readonly Breakpoint[], question: BreakpointQuestion): Breakpoint[] {
  const { start, messages, minimum } = question;
  const count = (text: string): number => question.count(text);
  const sums: number[] = [];
  let sum = start;
  const needed = Math.max(-1, ...wanted.map(({ after }) => (after === 'system' ? -1 : after)));
  for (let index = 0; index <= needed && sum < minimum; index += 1) {
    const parts = messages[index]?.parts ?? [];
    sum = [...parts].reduce((all, part) => all + count(countedText(part)), sum);
    sums[index] = sum;
  }
  // Beyond what was counted the sum is larger still.
  return wanted.filter(({ after }) => (after === 'system' ? start : (sums[after] ?? sum)) >= minimum);
}

/** A place inside what the last step added, when that is more than providers look back over; null otherwise. */
function insideStep(messages: readonly Message[]): Breakpoint | null {
  const newest = messages.map(({ role }) => role).lastIndexOf('assistant');
  const from = messages[messages.length - 1]?.role === 'assistant' ? messages.length : newest;
  const added = messages.slice(Math.max(0, from)).reduce((sum, { parts }) => sum + parts.length, 0);
  if (from <= 0 || added <= lookBack) return null;
  let left = lookBack;
  for (let index = messages.length - 1; index >= from; index -= 1) {
    const parts = messages[index]?.parts ?? [];
    if (parts.length > left) {
      const part = parts.length - left - 1;
      return isMarkable(parts[part]) ? { after: index, part, ends: 'step' } : null;
    }
    left -= parts.length;
  }
  return null;
}
