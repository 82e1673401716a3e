/** The summary that replaces older messages (R150-R153). */
import { type Fact, section } from '../section';
import type { CompactedContext } from '../world';

/** The summary of older messages, for prompts without a history; a chat has it as its first messages (R150, K2). */
export const previousContext: Fact<CompactedContext | null> = {
  id: 'previous-context',
  gather: () => null,
};

/** Maximum paths listed; the others are only counted. */
const namedFiles = 5;

export const previousContextSection = section({
  id: 'previous-context',
  tag: 'previous_context',
  zone: 'history',
  buildOrder: 5,
  priority: 90,
  trim: 'tail',
  needs: { previous: previousContext },
  when: ({ previous }) => previous !== null && previous.summary !== '',
  full: ({ previous }) => {
    if (previous === null) return [];
    const { summary, filesReferenced, topics, messagesRemoved, messagesKept } = previous;
    const lines = ['Earlier messages were summarized to fit the context window.', '', `Summary: ${summary}`];
    if (filesReferenced.length > 0) {
      const more = filesReferenced.length - namedFiles;
      lines.push(
        '',
        `Files discussed: ${filesReferenced.slice(0, namedFiles).join(', ')}${more > 0 ? ` (+${more} more)` : ''}`,
      );
    }
    if (topics.length > 0) lines.push('', `Key tasks: ${topics.join('; ')}`);
    lines.push('', `(${messagesRemoved} messages compacted, ${messagesKept} retained)`);
    return [lines.join('\n')];
  },
});
