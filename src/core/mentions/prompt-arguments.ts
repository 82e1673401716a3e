/** What the user wrote behind the name of a prompt: its arguments. */
import type { Mention } from '../session/entry';
import { placesOf } from './written';

/** Each prompt's arguments reach from its first name in the text to the name of the next prompt, or to the end. */
export function withArguments(text: string, mentions: readonly Mention[]): readonly Mention[] {
  const places = placesOf(text, mentions).filter(({ mention }) => mention.kind === 'prompt');
  if (places.length === 0) return mentions;
  const starts = places.map(({ from }) => from);
  return mentions.map((mention) => {
    const own = places.filter((place) => place.mention === mention).sort((a, b) => a.from - b.from)[0];
    if (own === undefined) return mention;
    const next = Math.min(text.length, ...starts.filter((from) => from >= own.to));
    return { ...mention, arguments: text.slice(own.to, next).trim() };
  });
}
