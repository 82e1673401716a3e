import { byteLength } from '../../../../src/core/base/cut';
import { bodyOfRead } from '../../../../src/core/tools/read-text';
import { succeed } from '../../../../src/core/ports/failure';
import { describeWrite } from '../../../../src/core/tools/results';
import type { ToolContext } from '../../../../src/core/tools/tool';
import { parseSearchResult } from '../../../../src/core/tools/search-result';
import { fakeVault } from '../../../support/fake-vault';
import { runTool } from './tool-fixture';

const paragraph = (n: number, subject: string): string =>
  `${'The harbour was quiet and nothing happened for a long while. '.repeat(30)}We chose ${subject} for frame ${n}. ${'Then the rain came and everyone went home early. '.repeat(30)}`;
const long = Array.from({ length: 120 }, (_, n) => `Line ${n + 1}: the tide was at ${n} and the wind from the west.`);
const vault = fakeVault({
  ...Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`Yard/Note number ${n} about the boat.md`, `# ${n}\n`])),
  'Long.md': `${long.join('\n')}\n`,
  'One line.md': paragraph(1, 'bronze'),
  'Another.md': paragraph(2, 'bronze'),
  'Headings.md': Array.from({ length: 90 }, (_, n) => `## Heading ${n} of the plan\n`).join('\n'),
  'Facts.md': [
    '---',
    ...Array.from({ length: 60 }, (_, n) => `property-${n}: the value of property ${n}`),
    '---',
    ...Array.from({ length: 60 }, (_, n) => `A sentence. ^block-${n}`),
    ...Array.from({ length: 30 }, (_, n) => `## Heading ${n}`),
  ].join('\n'),
  'Links.md': Array.from({ length: 80 }, (_, n) => `[[Note number ${n} about the boat]]`).join('\n'),
});
const run = (name: string, args: object, tokens: number): Promise<string> =>
  runTool(vault, name, args, undefined, tokens);

describe.each([120, 330, 655])('a result of %i tokens, as in a small context window', (tokens) => {
  it.each([
    ['search_notes', { query: 'bronze frame' }, /bronze/],
    ['find_notes', { name: 'boat' }, /80 notes; 1-\d+ shown\. Continue with startAt \d+\./],
    ['list_folder', { path: 'Yard' }, /startAt \d+/],
    ['read_note', { path: 'Long' }, /Continue with startLine \d+\./],
    ['read_note', { path: 'One line' }, /Continue with startLine 1, startCharacter \d+\./],
    ['read_notes', { paths: ['Long', 'One line'] }, /Continue with startLine/],
    ['note_outline', { path: 'Headings' }, /Continue with startLine \d+/],
    ['note_links', { path: 'Links' }, /Continue with startAt \d+\./],
  ])('%s %j is cut where it can be continued', async (name, args, way) => {
    const text = await run(name, args, tokens);
    // Several notes get at least their first lines.
    expect(byteLength(text)).toBeLessThanOrEqual(name === 'read_notes' ? Math.max(tokens * 4, 900) : tokens * 4);
    expect(text).toMatch(way);
  });

  it('a note is read to its end in parts', async () => {
    let seen = '';
    let startLine = 1;
    for (;;) {
      const part = await run('read_note', { path: 'Long', startLine }, tokens);
      seen += `${bodyOfRead(part)}\n`;
      const next = /Continue with startLine (\d+)\./.exec(part.split('\n')[0] ?? '')?.[1];
      if (next === undefined) break;
      startLine = Number(next);
    }
    expect(seen).toBe(`${long.join('\n')}\n`);
  });

  it('all headings of a note with many properties and block ids are listed in parts', async () => {
    const lines: string[] = [];
    let startLine = 1;
    for (;;) {
      const part = await run('note_outline', { path: 'Facts', startLine }, tokens);
      expect(byteLength(part)).toBeLessThanOrEqual(tokens * 4);
      expect(part.startsWith('Facts.md: ')).toBe(true);
      lines.push(...(part.match(/^line \d+: ## Heading \d+$/gm) ?? []));
      const next = /Continue with startLine (\d+)/.exec(part)?.[1];
      if (next === undefined) break;
      startLine = Number(next);
    }
    expect(lines.map((line) => Number(line.split(' ').at(-1)))).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  it('a passage is shortened to the sentence that was searched', async () => {
    const text = await run('search_notes', { query: 'bronze frame' }, tokens);
    const { passages = [] } = parseSearchResult(text) ?? {};
    expect(passages.length).toBeGreaterThanOrEqual(tokens > 200 ? 2 : 1);
    for (const passage of passages) expect(passage.text).toContain('We chose bronze');
  });
});

it('a shortened passage has the lines that it names', async () => {
  const lines = Array.from({ length: 40 }, (_, n) =>
    n === 20 ? 'The keel bolts are bronze.' : `Row ${n} of the log.`,
  );
  const log = fakeVault({ 'Log.md': `${lines.join('\n')}\n` });
  const text = await runTool(log, 'search_notes', { query: 'keel bolts' }, undefined, 120);
  const [passage] = parseSearchResult(text)?.passages ?? [];
  expect(passage?.text).toContain('keel bolts');
  expect(passage?.text.split('\n')).toEqual(lines.slice((passage?.startLine ?? 0) - 1, passage?.endLine));
});

it('quotes 1,200 characters of what a write changed, and all of what is shorter', async () => {
  const report = async (lines: string, path = 'A.md'): Promise<string> => {
    const writes = { outlook: () => 'Proposed.' };
    const written = await describeWrite({ writes } as unknown as ToolContext, () =>
      Promise.resolve(succeed({ path, lines, startLine: 3 } as never)),
    );
    return written.ok ? written.value.text : written.failure.words;
  };
  const lead = 'A.md: Proposed. From line 3 it now reads:\n\n';
  expect(await report('x'.repeat(1_200))).toBe(lead + 'x'.repeat(1_200));
  expect(await report('x'.repeat(1_201))).toBe(`${lead}${'x'.repeat(1_200)}…`);
  expect(await report('')).toBe('A.md: Proposed.');
  // The rest of a name would read as a line of the note.
  expect(await report('', 'Odd\nGhost.md')).toBe('Odd Ghost.md: Proposed.');
});
