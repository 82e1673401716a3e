/**
 * Questions made from the headings of a vault, always the same ones.
 *
 * Every heading of levels 1 to 4 outside code, with at least two words of three letters or more in it or in the title of
 * its note, is a candidate, in the order of paths and lines. Of those, `count` are taken at equal distances. The form of
 * the question depends on its number among them. If a heading's text appears in more than one note, as a heading or as
 * a title, the question also names the title of its note.
 */
import type { Vault } from '../../../../src/core/ports/vault';

export interface HeadingQuestion {
  readonly question: string;
  readonly source: string;
}

const forms = [
  (heading: string) => `How do I ${heading}?`,
  (heading: string) => `What does it say about ${heading}?`,
  (heading: string) => `Tell me about ${heading}`,
  (heading: string) => `Where can I read on ${heading}?`,
];
const formsWithNote = [
  (heading: string, title: string) => `What does it say about ${heading} in ${title}?`,
  (heading: string, title: string) => `${title}: ${heading}?`,
];

export function headingQuestions(vault: Vault, count: number): HeadingQuestion[] {
  const candidates = vault
    .files()
    .flatMap(({ path }) =>
      (vault.outline(path)?.headings ?? [])
        .filter(({ level, text }) => level <= 4 && /[\p{L}]{3,}/u.test(text))
        .map(({ text }) => ({ path, heading: plain(text), title: titleOf(path) })),
    );
  const places = new Map<string, Set<string>>();
  const note = (text: string, path: string): void => {
    const key = text.toLowerCase();
    places.set(key, (places.get(key) ?? new Set()).add(path));
  };
  for (const { path } of vault.files()) note(titleOf(path), path);
  for (const { heading, path } of candidates) note(heading, path);
  const asked = candidates.filter(({ heading, title }) => wordCount(`${heading} ${title}`) >= 2);
  return Array.from({ length: count }, (_, number) => {
    const chosen = asked[Math.floor((number * asked.length) / count)];
    if (chosen === undefined) throw new Error('There are too few headings.');
    const { heading, title, path } = chosen;
    const isUnique = places.get(heading.toLowerCase())?.size === 1;
    const question = isUnique
      ? forms[number % forms.length]?.(heading)
      : formsWithNote[number % formsWithNote.length]?.(heading, title);
    return { question: question ?? heading, source: path };
  });
}

function plain(heading: string): string {
  return heading
    .replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
}

function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}

function wordCount(text: string): number {
  return text.match(/\p{L}{3,}/gu)?.length ?? 0;
}
