/** The part of the script that writes: asked to add something to a note, it proposes that, so that a review can be seen. */
import { readConversation } from './read-conversation';
import type { ModelRequest, ScriptStep } from './script';

const order = /^add\s+["“']?(.+?)["”']?\s+to\s+(.+?)[.!]?$/im;
/** Matches the result of the writing tool: the note, then whether the change was proposed or applied. */
const proposal = /^(.+\.md): (?=Proposed|Applied)/;

/** Null when the user asked for something else. */
export function proposeAddition(request: ModelRequest, ownWords: (text: string) => string): ScriptStep | null {
  const { userText, toolResult, toolNames } = readConversation(request);
  const note = proposal.exec(toolResult ?? '')?.[1];
  if (note !== undefined) return { text: `That is for [[${note.replace(/\.md$/, '')}]].` };
  const [, text, path] = order.exec(ownWords(userText ?? '').trim()) ?? [];
  if (text === undefined || path === undefined || !toolNames.includes('append_to_note')) return null;
  return { toolCalls: [{ name: 'append_to_note', arguments: { path, text } }] };
}
