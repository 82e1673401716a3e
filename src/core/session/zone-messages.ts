/** Messages of one turn: what stands by itself before the user's message, then that message with what goes around it. */
import type { ImagePart, Message, TextPart } from '../ports/message';
import { pairsOfTurn } from '../prompt/world';
import type { ZonePart } from './entry';

/** Notes, pages and changes under review each come as a message of their own, and are taken note of (R211, R212, R214). */
export function zoneMessages(
  before: readonly ZonePart[],
  own: readonly (TextPart | ImagePart)[],
  after: readonly ZonePart[],
): Message[] {
  const pairs = before.flatMap(({ section, text }): Message[] => {
    const pair = Object.hasOwn(pairsOfTurn, section) ? pairsOfTurn[section] : undefined;
    if (pair === undefined) return [];
    return [
      { role: 'user', parts: [{ type: 'text', text: `${pair.header}\n\n${text}` }] },
      { role: 'assistant', parts: [{ type: 'text', text: pair.reply }] },
    ];
  });
  const around = before.filter(({ section }) => !Object.hasOwn(pairsOfTurn, section));
  return [...pairs, { role: 'user', parts: [...around.map(textPart), ...own, ...after.map(textPart)] }];
}

function textPart({ text }: ZonePart): TextPart {
  return { type: 'text', text };
}
