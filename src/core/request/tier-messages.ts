/** Messages of the tiers below L0: one of the user with the tier's texts, one that takes note of it (R207, R210). */
import type { Message } from '../ports/message';
import type { Block } from '../ports/request-plan';
import { pairsOfTurn, replies } from '../prompt/world';

export interface TierMessages {
  readonly messages: readonly Message[];
  /** Index of the last message of each tier that is there. */
  readonly ends: Readonly<Partial<Record<'L2' | 'L3', number>>>;
}

const groups = ['L1', 'L2', 'L3', 'active', undefined] as const;

export function tierMessages(blocks: readonly Block[]): TierMessages {
  const messages: Message[] = [];
  const ends: Partial<Record<'L2' | 'L3', number>> = {};
  for (const tier of groups) {
    const texts = blocks.filter((block) => block.place === 'reference' && block.tier === tier && block.text !== '');
    if (texts.length === 0) continue;
    messages.push(
      { role: 'user', parts: [{ type: 'text', text: texts.map(({ text }) => text).join('\n\n') }] },
      { role: 'assistant', parts: [{ type: 'text', text: replies.ok }] },
    );
    if (tier === 'L1' || tier === 'L2') ends.L2 = messages.length - 1;
    if (tier === 'L3') ends.L3 = messages.length - 1;
  }
  return { messages, ends };
}

/** Index of the first message of the turn that the last message belongs to, when that is the user's. */
export function startOfTurn(messages: readonly Message[]): number {
  let start = messages.length - 1;
  if (messages[start]?.role !== 'user') return messages.length;
  while (start >= 2 && isPair(messages[start - 2], messages[start - 1])) start -= 2;
  return start;
}

function isPair(told: Message | undefined, noted: Message | undefined): boolean {
  const [header, reply] = [textOfOnly(told, 'user'), textOfOnly(noted, 'assistant')];
  return Object.values(pairsOfTurn).some((pair) => pair.reply === reply && header?.startsWith(`${pair.header}\n`));
}

function textOfOnly(message: Message | undefined, role: Message['role']): string | undefined {
  const part = message?.role === role && message.parts.length === 1 ? message.parts[0] : undefined;
  return part?.type === 'text' ? part.text : undefined;
}
