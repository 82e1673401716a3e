/** Which lines of a note a result shows where it holds only a few: those that match the question. */
import { byteLength } from '../../../../src/core/base/cut';
import { bodyOfRead } from '../../../../src/core/tools/read-text';
import { fakeVault } from '../../../support/fake-vault';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { runTool } from './tool-fixture';

const filler = (n: number): string => `Row ${n}: nothing happened, and the wind was from the west all day.`;
const minutes = `---
type: meeting
held: 2025-03-27
tags:
  - meeting/lab
---

# Lab meeting

${Array.from({ length: 12 }, (_, n) => filler(n)).join('\n')}

## Salinity

Best at 20. The flat tail at 40 has no reason.

## Boat days

${Array.from({ length: 12 }, (_, n) => filler(n + 20)).join('\n')}
`;
const lines = minutes.split('\n');
const vault = fakeVault({
  'Minutes.md': minutes,
  'Short.md': 'The keel bolts are bronze.\n',
  'One line.md': `${'The harbour was quiet all day. '.repeat(60)}We chose bronze bolts for the keel. ${'Then the rain came. '.repeat(60)}`,
  'Window.md': `${'x\r\n'.repeat(90)}שלום bronze keel\r\n${'y\r\n'.repeat(90)}`,
});
const read = (question: string, args: object, tokens = 100): Promise<string> =>
  runTool(vault, 'read_note', args, undefined, 300, { matching: { question, tokens } });

it('shows the passage that matches the question best, below its heading, and how to read on and back', async () => {
  const text = await read('Which salinity was best?', { path: 'Minutes' });
  const first = lines.indexOf('## Salinity') + 1;
  expect(text).toBe(
    `Minutes.md, lines ${first}-${first + 2} of ${lines.length - 1}. Continue with startLine ${first + 3}, or startLine 1.\n\n` +
      '## Salinity\n\nBest at 20. The flat tail at 40 has no reason.',
  );
});

it.each([
  [
    'of a note without a word of the question, the text after the properties',
    'Which mast was painted?',
    {},
    '\n# Lab meeting',
  ],
  ['of a question about no subject, the same', 'Summarize this note', {}, '\n# Lab meeting'],
  ['of lines that were asked for, these', 'Which salinity was best?', { startLine: 3 }, 'held: 2025-03-27'],
  ['of a section, its own best lines', 'Was the wind from the west in row 25?', { heading: 'Boat days' }, 'Row 2'],
])('shows %s', async (_what, question, args, start) => {
  const text = await read(question, { path: 'Minutes', ...args });
  expect(bodyOfRead(text).startsWith(start)).toBe(true);
  expect(text).toMatch(/Continue with startLine \d+/);
  expect(byteLength(text)).toBeLessThanOrEqual(1_200);
});

it('shows a note that fits, and one without a question, as everywhere else', async () => {
  expect(await read('keel bolts', { path: 'Short' })).toBe('Short.md, all 1 line.\n\nThe keel bolts are bronze.');
  const whole = await runTool(vault, 'read_note', { path: 'Minutes' }, undefined, 300);
  expect(whole).toMatch(/^Minutes\.md, lines 1-\d+ of \d+\. Continue with startLine \d+\.\n\n---\n/);
});

it('shows the sentence of a long line, exactly as it is in the note', async () => {
  const text = await read('Which bolts did we choose for the keel?', { path: 'One line' });
  expect(text).toContain('We chose bronze bolts for the keel.');
  const from = /characters ([\d,]+)-/.exec(text)?.[1]?.replace(/,/g, '') ?? '';
  const note = await vault.read('One line.md');
  expect(note.ok && note.value.text.startsWith(bodyOfRead(text), Number(from) - 1)).toBe(true);
});

it('finds lines of any script behind CRLF, and shows them unchanged', async () => {
  const text = await read('keel', { path: 'Window' }, 40);
  expect(bodyOfRead(text)).toContain('שלום bronze keel');
  expect(byteLength(text)).toBeLessThanOrEqual(300);
});

it('every line can be reached by the ways that a result names', async () => {
  const seen = new Set<number>();
  const waiting: (number | undefined)[] = [undefined];
  while (waiting.length > 0) {
    const startLine = waiting.pop();
    const head = (await read('Which salinity was best?', { path: 'Minutes', startLine })).split('\n')[0] ?? '';
    const [, first = 0, last = 0] = /lines? (\d+)(?:-(\d+))? of/.exec(head) ?? [];
    for (let line = Number(first); line <= Number(last || first); line += 1) seen.add(line);
    const ways = [...head.matchAll(/startLine (\d+)/g)].map(([, line]) => Number(line));
    waiting.push(...ways.filter((line) => !seen.has(line)));
  }
  expect(seen.size).toBe(lines.length - 1);
});

it('does not send again what the model still sees', async () => {
  const once = await read('Which salinity was best?', { path: 'Minutes' });
  const matching = { question: 'Which salinity was best?', tokens: 100 };
  const shown = (text: string): boolean => text === once;
  const again = await runTool(vault, 'read_note', { path: 'Minutes' }, undefined, 300, { matching, isShown: shown });
  expect(again).toBe(`${once.split('\n')[0]} You have this text above; it has not changed.`);
});

it('chooses lines in time that grows with the note', async () => {
  const long = (count: number) =>
    fakeVault({ 'Log.md': Array.from({ length: count }, (_, n) => filler(n)).join('\n') });
  const [small, large] = [long(4_000), long(12_000)];
  const find = (log: typeof small) => () =>
    runTool(log, 'read_note', { path: 'Log' }, undefined, 300, {
      matching: { question: 'What happened in row 3999 of the wind?', tokens: 100 },
    });
  await expectGrowthBelow(6, find(large), find(small));
});
