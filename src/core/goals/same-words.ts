/** Which words mean the same checkpoint, decision or goal: case, accents, spaces and a full stop do not matter. */
import { foldText } from '../base/fold-text';

export function sameWords(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}

/** The item of these words, or of these words without the number that lists show before it. */
export function findByWords<Item extends { readonly description: string }>(
  items: readonly Item[],
  words: string,
): Item | undefined {
  const bare = words.replace(/^\d{1,3}[.)]\s+/, '');
  return (
    items.find(({ description }) => sameWords(description, words)) ??
    items.find(({ description }) => sameWords(description, bare))
  );
}
