/** Summary by extraction: the sentences of a note that say most of what the whole note says. */
import { structureOf } from '../../core/markdown/structure';
import { passagesOf, proseOf, weigh, weightsOf } from '../../core/search/passages';
import { words } from '../../text';
import { linkTo, titleOf } from './note-link';

const mostSections = 7;
const sentencesPerSection = 2;

export function summariseNote(path: string, text: string, isPart: boolean): string[] {
  const title = titleOf(path);
  if (text.trim() === '') return [`${words.reader.noteEmpty(title)} ${linkTo(path)}`];
  const weights = weightsOf(text);
  const sections = new Map<string, { heading: string | undefined; sentences: Sentence[] }>();
  let place = 0;
  for (const passage of passagesOf(text, structureOf(text))) {
    if (passage.kind !== 'text' || !passage.own) continue;
    const heading = passage.trail[0] === title ? (passage.trail[1] ?? passage.trail[0]) : passage.trail[0];
    const section = sections.get(heading ?? '') ?? { heading, sentences: [] };
    for (const sentence of proseOf(text.slice(passage.start, passage.end))) {
      place += 1;
      section.sentences.push({ text: sentence, place, weight: weigh(sentence, weights, section.sentences.length) });
    }
    sections.set(heading ?? '', section);
  }
  const told = [...sections.values()].filter((section) => section.sentences.length > 0);
  const chosen = heaviest(told, mostSections);
  const blocks = [words.reader.leadSummary(title)];
  for (const { heading, sentences } of chosen) {
    const best = [...sentences]
      .sort((a, b) => b.weight - a.weight || a.place - b.place)
      .slice(0, sentencesPerSection)
      .sort((a, b) => a.place - b.place);
    blocks.push(
      best.map((sentence) => `> ${sentence.text}`).join('\n>\n'),
      heading === title ? linkTo(path) : linkTo(path, heading),
    );
  }
  if (chosen.length === 0) blocks.push(quoteStart(text), linkTo(path));
  if (isPart) blocks.push(words.reader.summaryPart);
  return blocks;
}

interface Sentence {
  readonly text: string;
  readonly place: number;
  readonly weight: number;
}

/** The sections whose best sentence weighs most, in the order of the note; the first one always. */
function heaviest<S extends { readonly sentences: readonly Sentence[] }>(sections: readonly S[], most: number): S[] {
  const weightOf = (section: S): number => Math.max(...section.sentences.map((sentence) => sentence.weight));
  const [first, ...others] = sections;
  if (first === undefined) return [];
  const kept = new Set([...others].sort((a, b) => weightOf(b) - weightOf(a)).slice(0, most - 1));
  return sections.filter((section) => section === first || kept.has(section));
}

/** The first lines, for notes without a sentence in them. */
function quoteStart(text: string): string {
  return text
    .replace(/\r/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 8)
    .map((line) => `> ${line}`)
    .join('\n');
}
