/** Fills a vault with generated notes: folders of some sixty, names of two to four words, and what an index has. */
import type { CachedMetadata } from 'obsidian';
import { EventApp } from './event-app';

const syllables = 'ba ce di fo gu la me ni po ru sa te vi zo ka lo mi nu ra se ti vo ha je ki ly ma ne pi qu'.split(
  ' ',
);

export function fillVault(notes: number): EventApp {
  const host = new EventApp();
  let state = 99;
  const next = (below: number): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * below);
  };
  const words = Array.from({ length: 6_000 }, () =>
    Array.from({ length: 2 + next(3) }, () => syllables[next(syllables.length)]).join(''),
  );
  const word = (): string => words[Math.floor((next(1_000) * next(1_000) * words.length) / 1_000_000)] ?? '';
  const tops = ['Projects', 'Areas', 'Daily', 'Archive', 'Reading'];
  const folders = Array.from(
    { length: Math.max(30, notes / 60) },
    () => `${tops[next(5)]}/${word()} ${next(30)}/${word()}`,
  );
  for (let index = 0; index < notes; index += 1) {
    const middle = index % 3 === 0 ? 'meeting' : String(index);
    const path = `${folders[next(folders.length)]}/${word()} ${middle} ${word()} ${index % 5 === 0 ? '' : index}.md`;
    if (host.isTaken(path)) continue;
    host.create(path, 1.5e12 + next(2e8) * 1_000, 500 + next(7_500));
    host.records.set(path, recordOf(next, word));
  }
  host.events.length = 0;
  return host;
}

function recordOf(next: (below: number) => number, word: () => string): CachedMetadata {
  const at = (line: number) => ({ start: { line, col: 0, offset: line }, end: { line, col: 9, offset: line + 9 } });
  return {
    headings: Array.from({ length: 1 + next(6) }, (_, line) => ({
      heading: `${word()} ${word()}`,
      level: 1 + (line % 3),
      position: at(line * 6),
    })),
    links: Array.from({ length: next(6) }, () => ({ link: word(), original: '', position: at(next(40)) })),
    tags: Array.from({ length: next(3) }, () => ({ tag: `#${word()}`, position: at(3) })),
    ...(next(10) < 6 ? { frontmatter: { title: word(), tags: [word(), word()], status: 'open' } } : {}),
  };
}
