/** All that looks at whole notes takes linear time: twice the text, at most 2.3 times the work, for hostile shapes. */
import { authoredLines } from '../../../../src/core/markdown/opaque-text';
import { linkTarget } from '../../../../src/core/library/user-notes';
import { scanNote } from '../../../../src/core/markdown/links';
import { endOfOpenFence, structureOf } from '../../../../src/core/markdown/structure';
import { redact, redactKeys } from '../../../../src/core/base/redact';
import { passagesOf } from '../../../../src/core/search/passages';
import { hunksOf, mergeBack, mergeTexts, wordsOf } from '../../../../src/core/writing/changeset/diff';
import { differInLinksAlone } from '../../../../src/core/writing/apply/move-file';
import { activeContentIn, newActiveContent, newHosts } from '../../../../src/core/writing/guard/active-content';
import { carriedText } from '../../../../src/core/writing/guard/egress';
import { appendText, editText } from '../../../../src/core/writing/stage/edit-text';
import { appended } from '../../../../src/core/writing/user-writes';
import { hasUnseenCharacters, markText, showUnseenCharacters } from '../../../../src/ui/render/visible-text';
import { hostileShapes, hostileText } from '../../hostile-text';
import { isLong } from '../../../property/drawn-cases';
import { expectCostBelow, slownessByTheClock } from 'obsidian-workbench/testing/cost';

const yaml = { parse: () => ({}), stringify: () => '' };
/** Puts a text that was joined from pieces into one, as a text from a disk is. */
const flat = (text: string): string => Buffer.from(text).toString();
const middle = (text: string, added: string): string =>
  text.slice(0, text.length / 2) + added + text.slice(text.length / 2);

/** Each gets a text that differs at every call, so that nothing is remembered; what it returns is measured. */
const work: Readonly<Record<string, (text: string) => () => unknown>> = {
  'the judge of content': (text) => () => activeContentIn('N.md', text),
  hosts: (text) => () => newHosts('', text),
  'links, tags, and headings': (text) => () => scanNote(text, yaml),
  'lines of the author': (text) => () => authoredLines(text),
  'passages for the search': (text) => () => passagesOf(text),
  'a comparison': (text) => {
    const other = flat(`x${middle(text, 'y\n')}z`);
    return () => hunksOf(text, other);
  },
  'a comparison with other text': (text) => {
    const other = flat(text.replace(/\n[^\n]?/g, '\n+'));
    return () => hunksOf(text, other);
  },
  'an addition to a section': (text) => () =>
    appendText(
      'N.md',
      `# A\n${text}\nEnd.\n# B\n`,
      'More.',
      [
        { text: 'A', level: 1, start: 0 },
        { text: 'B', level: 1, start: text.length + 10 },
      ],
      { heading: 'A' },
    ),
  'an edit': (text) => {
    const old = flat(text.slice(0, text.length / 4));
    return () => editText('N.md', text, old, 'x');
  },
  'an addition of the user': (text) => () => appended(`${text}.`, 'More.'),
  'a merge': (text) => () => mergeTexts(`x\n${text}`, text, `${text}\ny`),
  'an undo': (text) => () => mergeBack(`x\n${text}`, text, `${text}\ny`),
  'links that a move rewrites': (text) => () => differInLinksAlone(text, `${text}.`),
  'what goes out': (text) => () => carriedText([`x.org/?q=${text.slice(0, 20_000)}`], { read: [text], own: [] }),
  redaction: (text) => () => redactKeys(redact(text, ['sk-ant-Zq81LmT7vYw2KcP4xR9b'])),
  'hidden characters': (text) => () => [
    hasUnseenCharacters(text),
    showUnseenCharacters(text),
    markText(text.slice(0, 2_000)),
  ],
};

/** Some that are within the limits of what is looked at, such as 100,000 characters of properties, and some beyond. */
const sizes = isLong ? [65_536, 131_072, 262_144, 524_288, 1_048_576] : [32_768, 131_072];
/** How often a text doubles from one size to the next: what grows faster shows more clearly over two doublings. */
const doublings = isLong ? 1 : 2;
const step = 2 ** doublings;
const limit = 2.3 ** doublings;
const rounds = isLong ? 8 : 3;
/** Milliseconds that hide in the noise of a clock and of the collection of memory, on this machine. */
const noise = (isLong ? 8 : 5) * slownessByTheClock();

function costOf(prepare: (text: string) => () => unknown, shape: string, size: number, before: number): number {
  let least = Infinity;
  // Work within its limit is not measured again; a pause only adds time.
  for (let round = 0; round < rounds && (round === 0 || least > limit * before + noise); round += 1) {
    const run = prepare(flat(hostileText(shape, size - round)));
    least = Math.min(least, processorTime(run));
  }
  return least;
}

function processorTime(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/**
 * Returns the milliseconds that a list of so many entries and a second list made from it cost at this moment. Where a
 * machine is slow to hand out memory, work that first outgrows what the process has takes one step up by as much, in
 * each round, however evenly it grows.
 */
function costOfLists(entries: number): number {
  const starts = Array.from({ length: entries }, (_, start) => start);
  return processorTime(() =>
    starts.map((start) => ({ start, end: start + 1 })).map(({ start, end }) => ({ start, end })),
  );
}

describe.each(Object.entries(work))('%s', (_name, prepare) => {
  it('grows at most 2.3 times when a hostile text doubles', () => {
    const slow: string[] = [];
    for (const shape of hostileShapes) {
      let before = costOf(prepare, shape, (sizes[0] ?? 0) / step, 0);
      expect(before).toBeLessThan(2_000);
      for (const size of sizes) {
        let cost = costOf(prepare, shape, size, before);
        let most = limit * before + noise;
        // Both again, side by side: a machine that became slow in between is no growth.
        for (let again = 0; again < 3 && cost > most; again++) {
          before = costOf(prepare, shape, size / step, 0);
          cost = costOf(prepare, shape, size, before);
          most = limit * before + noise + costOfLists(size / 2);
        }
        if (cost > most) slow.push(`${shape}, ${size}: ${before.toFixed(1)} ms to ${cost.toFixed(1)} ms`);
        if (cost > 2_000) break;
        before = cost;
      }
    }
    expect(slow).toEqual([]);
  });
});

const judged = ['code fences', 'opened tags', 'definitions', 'inline queries', 'words', 'brackets'];

it.each(isLong ? hostileShapes : judged)(
  'a note of 512 KB of %s is judged, and one of 1 MB answered with “ask”, within 100 ms',
  async (shape) => {
    let round = 0;
    const judge = (size: number) => () => newActiveContent('N.md', '', hostileText(shape, size - (round += 1)));
    await expectCostBelow(100, judge(524_288));
    await expectCostBelow(100, judge(1_048_576));
    expect(newActiveContent('N.md', '', hostileText(shape, 1_048_576)).map(({ kind }) => kind)).toEqual(['unchecked']);
  },
);

/** What a dot in a pattern does not match, and what ends no line of a note. */
it.each(['\u2028', '\u2029', '\r'])('a line of 300 KB of marks before %j is read within 100 ms', async (end) => {
  const readers = [
    (text: string) => structureOf(text),
    (text: string) => endOfOpenFence(text),
    (text: string) => authoredLines(text),
    (text: string) => scanNote(text, yaml),
    (text: string) => linkTarget(text),
  ];
  for (const read of readers) {
    for (const mark of ['`', '~', '|', '- `', '> ~']) {
      const text = flat(mark.repeat(Math.ceil(300_000 / mark.length)) + end + 'x\n');
      await expectCostBelow(100, () => read(text));
    }
  }
});

it('compares words within a bound', async () => {
  const words = (seed: number): string => Array.from({ length: 6_000 }, (_, at) => `w${(at * seed) % 7_919}`).join(' ');
  await expectCostBelow(400, () => wordsOf(words(7), words(11)));
});
