/** Messages of the tiers below L0: one of the user with the tier's texts, one that takes note of it (R207, R210). */
import type { Message } from '../message';
import { replies } from '../prompt/headers';
import type { Block } from './request-plan';

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
