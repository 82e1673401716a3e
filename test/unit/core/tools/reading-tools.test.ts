import { byteLength } from '../../../../src/core/base/cut';
import { bodyOfRead } from '../../../../src/core/tools/read-text';
import { resultBytes } from '../../../../src/core/tools/results';
import { fakeVault } from '../../../support/fake-vault';
import { project, runTool as run, vault } from './tool-fixture';

describe('R065 read_note', () => {
  it('gives the text as it is, under one line that says what it is', async () => {
    const text = await run(vault, 'read_note', { path: 'Projects/Alpha.md' });
    expect(text.startsWith('Projects/Alpha.md, all 16 lines.\n\n')).toBe(true);
    expect(`${bodyOfRead(text)}\n`).toBe(project);
    expect(await run(vault, 'read_note', { path: 'Empty' })).toBe('Empty.md is empty.');
  });

  it.each([
    [{ heading: 'Steps' }, 'lines 8-14', '## Steps'],
    [{ heading: '## steps' }, 'lines 8-14', '## Steps'],
    [{ heading: 'Plan#Detail' }, 'lines 12-14', '### Detail'],
    [{ heading: 'Plan › Steps › Detail' }, 'lines 12-14', '### Detail'],
    [{ block: '^second' }, 'line 10', '2. Second ^second'],
    [{ startLine: 5, endLine: 6 }, 'lines 5-6', '# Plan'],
    [{ startLine: 16, endLine: 99 }, 'line 16', 'None. See [[Beta]].'],
    [{ startLine: 6, endLine: 5 }, 'lines 5-6', '# Plan'],
    [{ startLine: 99, endLine: 16 }, 'line 16', 'None. See [[Beta]].'],
    [{ heading: 'Steps', startLine: 9 }, 'lines 9-14', '1. First'],
  ])('reads a part: %j', async (part, lines, first) => {
    const text = await run(vault, 'read_note', { path: 'Projects/Alpha.md', ...part });
    expect(text.split('\n')[0]).toContain(`, ${lines} of 16.`);
    expect(bodyOfRead(text).split('\n')[0]).toBe(first);
  });

  it.each(['Alpha', '[[Alpha]]', '[[Alpha|the plan]]', 'projects/alpha', '/Projects/Alpha.md', ' Projects/Alpha.md '])(
    'knows the note by %j',
    async (path) => {
      expect(await run(vault, 'read_note', { path })).toContain('Projects/Alpha.md, all');
    },
  );

  it.each([
    ['Alpha#Steps', 'lines 8-14'],
    ['[[Projects/Alpha#Plan#Detail|that]]', 'lines 12-14'],
    ['Projects/Alpha.md#^second', 'line 10'],
  ])('reads the part that a link as the path names: %j', async (path, lines) => {
    expect(await run(vault, 'read_note', { path })).toContain(`Projects/Alpha.md, ${lines} of 16.`);
    expect(await run(vault, 'read_note', { path, heading: 'Risks' })).toContain('lines 15-16');
  });

  it('takes a number sign in the name of a note for no part', async () => {
    expect(await run(fakeVault({ 'C# here.md': 'x' }), 'read_note', { path: 'C# here' })).toContain('all 1 line');
  });

  it.each([
    [{ path: 'Projects/Alfa.md' }, 'not-found: “Projects/Alfa.md” was not found. Nearest: Projects/Alpha.md.'],
    [{ path: 'Projects' }, 'not-found: “Projects” is a folder. Give the path of a note.'],
    [{ path: '' }, 'not-found: “/” is a folder. Give the path of a note.'],
    [{ path: 'pic.png' }, 'not-text: “pic.png” is not a text file. Open it.'],
    [
      { path: 'Alpha', heading: 'Stepps' },
      'not-found: “Projects/Alpha.md” has no heading “Stepps”. Use one of its nearest headings: Steps; ',
    ],
    [{ path: 'Beta', heading: 'X' }, 'not-found: “Projects/Beta.md” has no heading “X”. It has no headings'],
    [
      { path: 'Alpha', block: 'x' },
      'not-found: “Projects/Alpha.md” has no block “^x”. Use one of its blocks: ^second.',
    ],
    [{ path: 'Alpha', startLine: 99 }, 'invalid-input: “Projects/Alpha.md” has only 16 lines.'],
    [
      { path: 'Alpha', heading: 'Risks', endLine: 2 },
      'invalid-input: That part of “Projects/Alpha.md” is lines 15-16.',
    ],
    [{ path: '../../etc/passwd' }, 'not-found: “../../etc/passwd” was not found.'],
  ])('says what is wrong with %j', async (args, words) => {
    expect(await run(vault, 'read_note', args)).toContain(words);
  });

  it('refuses a note of 50 MB without reading it', async () => {
    const huge = fakeVault({ 'Huge.md': 'x'.repeat(50_000_000) });
    expect(await run(huge, 'read_note', { path: 'Huge' })).toMatch(
      /^too-large: “Huge.md” is 50 MB, more than the limit/,
    );
    expect(huge.reads).toEqual([]);
  });

  it('cuts at a line, and reads on until the whole note was seen', async () => {
    const text = `${Array.from({ length: 2_310 }, (_, n) => `Line ${n + 1} with ünïcödé and 日本語`).join('\n')}\n`;
    const long = fakeVault({ 'Long.md': text });
    let seen = '';
    let startLine = 1;
    for (let round = 0; round < 20; round += 1) {
      const part = await run(long, 'read_note', { path: 'Long.md', startLine });
      expect(byteLength(part)).toBeLessThanOrEqual(resultBytes);
      seen += `${bodyOfRead(part)}\n`;
      const next = /of 2,310\. Continue with startLine (\d+)\.$/m.exec(part.split('\n')[0] ?? '')?.[1];
      if (next === undefined) break;
      startLine = Number(next);
    }
    expect(seen).toBe(text);
  });

  it('reads on to the line that was asked for, and no further', async () => {
    const long = fakeVault({ 'Long.md': 'A line of some length.\n'.repeat(3_000) });
    const [head = ''] = (await run(long, 'read_note', { path: 'Long.md', endLine: 2_900 })).split('\n');
    const last = /lines 1-([\d,]+) of 3,000\./.exec(head)?.[1]?.replace(',', '');
    expect(head).toMatch(/ Continue with startLine \d+, endLine 2900\.$/);
    expect(head).toContain(`startLine ${Number(last) + 1},`);
  });

  it('cuts inside a line that is too long, and reads on by characters', async () => {
    const text = `short\n${'🚀é'.repeat(15_000)}\nend`;
    const long = fakeVault({ 'Long.md': text });
    let seen = '';
    let args: Record<string, unknown> = { path: 'Long.md' };
    for (let round = 0; round < 20; round += 1) {
      const part = await run(long, 'read_note', args);
      expect(byteLength(part)).toBeLessThanOrEqual(resultBytes);
      const head = part.split('\n')[0] ?? '';
      const isInside = head.includes('characters');
      seen += bodyOfRead(part) + (isInside ? '' : '\n');
      const next = /startLine (\d+)(?:, startCharacter (\d+))?\.$/.exec(head);
      if (next === null) break;
      args = { path: 'Long.md', startLine: Number(next[1]), ...(next[2] ? { startCharacter: Number(next[2]) } : {}) };
    }
    expect(seen).toBe(`${text}\n`);
  });
});

describe('R065 read_notes', () => {
  it('reads several, each once, and says which are missing', async () => {
    const text = await run(vault, 'read_notes', { paths: ['Beta', 'Projects/Beta.md', 'Nope', 'Gamma'] });
    expect(text).toBe(
      '=== Projects/Beta.md, all 1 line.\n\nBack to [[Alpha]]. #work\n\n' +
        '=== “Nope” was not found. Check the path, or search for the note by name.\n\n' +
        '=== Projects/Old/Gamma.md, all 1 line.\n\nDone. #done',
    );
    expect(await run(vault, 'read_notes', { paths: ['Nope', 'Nada'] })).toMatch(/^not-found: .*Nope.*Nada/s);
  });

  it('shares the room: small notes whole, large ones cut with a way on', async () => {
    const large = 'A line of words.\n'.repeat(4_000);
    const shared = fakeVault({ 'a.md': large, 'b.md': large, 'c.md': 'small' });
    const text = await run(shared, 'read_notes', { paths: ['a.md', 'b.md', 'c.md'] });
    expect(byteLength(text)).toBeLessThanOrEqual(resultBytes);
    expect(byteLength(text)).toBeGreaterThan(resultBytes * 0.9);
    expect(text.match(/Continue with startLine/g)).toHaveLength(2);
    expect(text).toContain('=== c.md, all 1 line.\n\nsmall');
  });
});

describe('R065 note_outline', () => {
  it('names headings that are underlined, and reads their sections', async () => {
    const log = fakeVault({ 'Log.md': 'Log\n===\nMonday\n------\nGlued.\n\nTuesday\n-------\nSanded.\n' });
    expect(await run(log, 'note_outline', { path: 'Log' })).toMatch(
      /3 headings:\nline 1: # Log\nline 3: ## Monday\nline 7: ## Tuesday$/,
    );
    expect(await run(log, 'read_note', { path: '[[Log#Monday]]' })).toBe(
      'Log.md, lines 3-6 of 9.\n\nMonday\n------\nGlued.\n',
    );
  });

  it('shows how a note is built', async () => {
    const size = Buffer.byteLength(project);
    expect(await run(vault, 'note_outline', { path: 'Alpha' })).toBe(
      [
        `Projects/Alpha.md: 16 lines, ${size} bytes.`,
        'properties: {"status":"active","tags":["work/plan"]}',
        'tags: #work/plan',
        'links: 4 out (1 unresolved), 1 in',
        'blocks: ^second (line 10)',
        '4 headings:',
        'line 5: # Plan',
        'line 8: ## Steps',
        'line 12: ### Detail',
        'line 15: ## Risks',
      ].join('\n'),
    );
    expect(await run(vault, 'note_outline', { path: 'Empty' })).toContain('0 headings.');
  });

  it('goes on where it stopped', async () => {
    const text = Array.from({ length: 3_000 }, (_, n) => `## Heading number ${n}`).join('\n');
    const long = fakeVault({ 'Long.md': text });
    const first = await run(long, 'note_outline', { path: 'Long.md' });
    expect(byteLength(first)).toBeLessThanOrEqual(resultBytes);
    const next = Number(/Continue with startLine (\d+):/.exec(first)?.[1]);
    const second = await run(long, 'note_outline', { path: 'Long.md', startLine: next });
    expect(second).toContain(`line ${next}: ## Heading number ${next - 1}`);
    expect(first).not.toContain(`line ${next}:`);
  });

  it('shows no line for what a note lacks, and counts its lines whether or not the last one ends', async () => {
    const plain = fakeVault({
      'A.md': 'One.\nTwo.\n',
      'B.md': 'One.\nTwo.',
      'C.md': '',
      'D.md': 'One. ^a\n\nTwo. ^b\n',
    });
    const outline = (path: string): Promise<string> => run(plain, 'note_outline', { path });
    expect(await outline('A.md')).toBe('A.md: 2 lines, 10 bytes.\nlinks: 0 out, 0 in\n0 headings.');
    expect(await outline('B.md')).toBe('B.md: 2 lines, 9 bytes.\nlinks: 0 out, 0 in\n0 headings.');
    expect(await outline('C.md')).toBe('C.md: 0 lines, 0 bytes.\nlinks: 0 out, 0 in\n0 headings.');
    expect(await outline('D.md')).toContain('\nblocks: ^a (line 1), ^b (line 3)\n');
  });

  it('gives the tags that the text has while the app has not read the note yet', async () => {
    const text = '---\ntags: [a, b]\nstatus: active\n---\n# One\n';
    const unread = Object.assign(fakeVault({ 'A.md': text }), { outline: () => undefined });
    expect(await run(unread, 'note_outline', { path: 'A.md' })).toBe(
      `A.md: 5 lines, ${text.length} bytes.\ntags: #a #b\nlinks: 0 in\n` +
        'Obsidian has not indexed it yet: its properties, block ids, own links and other tags are missing.\n' +
        '1 heading:\nline 5: # One',
    );
  });

  it('counts no links of a canvas, which it does not know', async () => {
    const board = fakeVault({
      'Board.canvas': '{"nodes":[{"type":"file","file":"A.md"}]}',
      'A.md': '[[Board.canvas]]',
    });
    expect(await run(board, 'note_outline', { path: 'Board.canvas' })).toMatch(/\nlinks: 1 in\n0 headings\.$/);
  });

  it.each([
    [8, '3 headings from line 8 on:\nline 8: ## Steps\nline 12: ### Detail\nline 15: ## Risks'],
    [9, '2 headings from line 9 on:\nline 12: ### Detail\nline 15: ## Risks'],
    [15, '1 heading from line 15 on:\nline 15: ## Risks'],
    [16, '0 headings from line 16 on.'],
  ])('shows the headings from line %i on', async (startLine, shown) => {
    const text = await run(vault, 'note_outline', { path: 'Alpha', startLine });
    expect(text.slice(text.indexOf('\n', text.indexOf('blocks:')) + 1)).toBe(shown);
  });

  it('cuts what is long of the facts, and leaves room for headings', async () => {
    const long = fakeVault({ 'A.md': `---\nnote: ${'x'.repeat(9_000)}\nstatus: active\n---\n# One\n## Two\n` });
    const lines = (await run(long, 'note_outline', { path: 'A.md' })).split('\n');
    expect(lines[1]).toMatch(/^properties: \{"note":"x+… \(cut\)$/);
    expect(byteLength(lines[1] ?? '')).toBe(4_000);
    expect(lines.slice(-3)).toEqual(['2 headings:', 'line 5: # One', 'line 6: ## Two']);
  });
});

describe('R065 note_links', () => {
  it('lists links both ways and those that are unresolved', async () => {
    expect(await run(vault, 'note_links', { path: 'Alpha' })).toBe(
      [
        'Projects/Alpha.md: links to 2 files; linked from 1 note; 1 unresolved link.',
        'to Projects/Beta.md (lines 6, 16)',
        'to pic.png (line 6, embedded)',
        'from Projects/Beta.md',
        'unresolved Nowhere (line 6)',
      ].join('\n'),
    );
    expect(await run(vault, 'note_links', { path: 'pic.png' })).toBe(
      'pic.png: linked from 1 note.\nfrom Projects/Alpha.md',
    );
  });

  it('names the lines of ten links to one file, and says where there are more', async () => {
    const linesOf = (count: number): string => Array.from({ length: count }, (_, line) => line + 1).join(', ');
    const many = fakeVault({ 'Ten.md': '[[To]]\n'.repeat(10), 'More.md': '[[To]]\n'.repeat(11), 'To.md': '' });
    expect(await run(many, 'note_links', { path: 'Ten' })).toContain(`\nto To.md (lines ${linesOf(10)})`);
    expect(await run(many, 'note_links', { path: 'More' })).toContain(`\nto To.md (lines ${linesOf(10)}, …)`);
  });

  it('says of no canvas, and of no note that the app has not read, that it links to nothing', async () => {
    const board = fakeVault({
      'Board.canvas': '{"nodes":[{"type":"file","file":"A.md"}]}',
      'A.md': '[[Board.canvas]]',
      'Empty.md': '',
    });
    expect(await run(board, 'note_links', { path: 'Board.canvas' })).toBe(
      'Board.canvas: linked from 1 note. Its own links are not listed: they are in its text.\nfrom A.md',
    );
    const unread = Object.assign(board, { outline: () => undefined, backlinks: () => [] });
    expect(await run(unread, 'note_links', { path: 'A.md' })).toBe(
      'A.md: linked from 0 notes. Obsidian has not indexed its own links yet.',
    );
    // There is nothing to be indexed.
    expect(await run(unread, 'note_links', { path: 'Empty.md' })).toBe('Empty.md: linked from 0 notes.');
  });
});
