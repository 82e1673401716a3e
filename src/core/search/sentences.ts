/** Sentences: a text cut into them, and those that say most of what the whole text says. */
import { contentWords } from './query';
import { stem } from './terms';

/** Sentences with the white space behind them; together they are the text again. */
export function sentencesOf(text: string): string[] {
  return text.match(/[\s\S]+?(?:[.!?…]+["”’)\]*_]*(?:\s+|$)|[。！？]+|\n+|$)/g) ?? [];
}

const shortestSentence = 25;
const longestSentence = 400;

/** Sentences of running text; code, tables, embeds and rules are left out. */
export function proseOf(text: string): string[] {
  const prose: string[] = [];
  let fence = false;
  for (const line of text.replace(/\r/g, '').split('\n')) {
    if (/^[\s>]*(?:`{3,}|~{3,})/.test(line)) {
      fence = !fence;
      continue;
    }
    if (fence || /^\s*(?:\||!\[|%%|[-*_]{3,}\s*$|>\s*\[!|#{1,6}\s)/.test(line)) continue;
    const bare = line.replace(/^[\s>]*(?:[-*+]\s+(?:\[.\]\s+)?|\d+[.)]\s+)?/, '');
    for (const sentence of sentencesOf(bare)) {
      const shown = sentence.trim();
      if (shown.length >= shortestSentence && shown.length <= longestSentence) prose.push(shown);
    }
  }
  return prose;
}

/** How often each word of a text comes in it, by its stem. */
export function weightsOf(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const word of contentWords(text)) weights.set(stem(word), (weights.get(stem(word)) ?? 0) + 1);
  return weights;
}

/** The mean weight of a sentence's words, more for those that open a section. */
export function weigh(sentence: string, weights: ReadonlyMap<string, number>, before: number): number {
  const terms = [...new Set(contentWords(sentence).map(stem))];
  if (terms.length === 0) return 0;
  const sum = terms.reduce((total, term) => total + Math.log(1 + (weights.get(term) ?? 0)), 0);
  return (sum / (terms.length + 3)) * (1 + 0.6 / (1 + before));
}

/** The heaviest sentences of several texts, each once, in their order. */
export function heaviestSentences(texts: readonly string[], most: number): string[] {
  const weights = weightsOf(texts.join('\n'));
  const sentences = [...new Set(texts.flatMap(proseOf))].map((text, place) => ({ text, place }));
  return sentences
    .map((sentence) => ({ ...sentence, weight: weigh(sentence.text, weights, 1) }))
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .slice(0, most)
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text);
}
