/** The instruction that has a model describe changes to a vault in one commit message (R232, R263). */
import { points } from './lines';

const rules = points(
  'Begin with a type: add, edit, move, remove, tidy or fix, then a colon, such as “add: notes on the keel bolts”.',
  'Say what the commit does, in the imperative: “move”, not “moved”.',
  'Keep the first line within 50 characters, without a full stop.',
  'If more has to be said, leave a line empty and go on in lines of at most 72 characters: what changed and why.',
  'Answer with the message alone: no quotation marks, no code fence, no word before or after it.',
);

/** @param own the user's `commit.md`, which stands in place of our rules */
export function commitPrompt(own: string | null = null): string {
  const isOwn = own !== null && own.trim() !== '';
  return `Describe these changes to the vault as a commit message.\n\n${isOwn ? own.trim() : rules}`;
}
