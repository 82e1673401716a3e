/** What is shown of a passage that is longer than it may be: chosen and cut, but never changed. */
import { quote, summariseNote } from '../../../../src/models/built-in-reader/answers';

it('shows a short passage whole, its empty lines too', () => {
  expect(quote('One.\n\nTwo.', 'two', 100)).toBe('> One.\n>\n> Two.');
});

it('takes the sentences of a long line around the one that holds most of the question', () => {
  const line = 'The quay is old. The crane lifts four tons. It was built in May. Nobody paints it.';
  expect(quote(line, 'How much does the crane lift?', 48)).toBe('> The crane lifts four tons. It was built in May.');
  expect(quote(line, 'How much does the crane lift?', 47)).toBe('> The quay is old. The crane lifts four tons.');
});

it('cuts one sentence that is too long at a word, from its beginning', () => {
  expect(quote('Alpha beta gamma delta epsilon zeta eta', 'gamma', 20)).toBe('> Alpha beta gamma');
  expect(quote(`${'x'.repeat(30)} y`, 'y', 20)).toBe(`> ${'x'.repeat(20)}`);
});

it('never cuts a character of two halves', () => {
  expect(quote('😀'.repeat(20), 'anything', 9)).toBe(`> ${'😀'.repeat(4)}`);
});

it('summarizes a note by its first section and the six that say most of what it is about', () => {
  const sections = Array.from({ length: 12 }, (_, index) => {
    const sentence =
      index % 2 === 1 ? 'The keel and its bolts hold.' : `Zebra${index} yonder${index} xylophone${index}.`;
    return `## Day ${index}\n\n${sentence}`;
  });
  const said = summariseNote('Log.md', `# Log\n\n${sections.join('\n\n')}`, false).join('\n');
  const days = [...said.matchAll(/Day (\d+)/g)].map(([, day]) => Number(day));
  expect(new Set(days).size).toBe(7);
  expect(days).toEqual(expect.arrayContaining([0, 1, 3, 5, 7, 9, 11]));
});
