import { byteLength } from '../../../../src/core/base/cut';
import { tokensByRule } from '../../../../src/core/markup/budget';
import { tools } from '../../../../src/core/tools';
import { parseFolderListing } from '../../../../src/core/tools/list-folder';
import { resultBytes } from '../../../../src/core/tools/results';
import { parseSearchResult } from '../../../../src/core/tools/search-result';
import { declare } from '../../../../src/core/tools/tool';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { fakeVault } from '../../../support/fake-vault';
import { readingTools, runTool as run, vault } from './tool-fixture';

/** Parameters of which the name, the description of the tool, or its results say enough. */
const plainNames = [
  ...['path', 'paths', 'query', 'folder', 'tag', 'heading', 'sort'],
  ...['startLine', 'endLine', 'startAt'],
];

describe.each(readingTools)('%s', (name) => {
  const tool = tools.find((each) => each.name === name);

  it('reads only, and says in 15 to 60 words what it does and which tool is its neighbour', () => {
    expect(tool?.effect).toBe('reads');
    const description = tool === undefined ? '' : declare(tool).description;
    const count = description.split(/\s+/).length;
    expect(count).toBeGreaterThanOrEqual(15);
    expect(count).toBeLessThanOrEqual(60);
    expect(readingTools.some((other) => other !== name && description.includes(other))).toBe(true);
  });

  it('describes in at most 20 words each parameter whose name does not say enough', () => {
    if (tool === undefined) throw new Error('missing');
    const properties = declare(tool).parameters['properties'] as Record<string, { description?: string }>;
    for (const [parameter, { description = '' }] of Object.entries(properties)) {
      expect([parameter, description !== '' || plainNames.includes(parameter)]).toEqual([parameter, true]);
      expect(description.split(/\s+/).length).toBeLessThanOrEqual(20);
    }
  });
});

const never = new AbortController().signal;

describe('R065 search_notes', () => {
  it('gives notes before what directs the agent, unless that is what is searched', async () => {
    const mixed = fakeVault({
      'Docent/prompts/Yard.md': 'Ask before I buy a boat. Did I buy it? Buy no boat!',
      'Log.md': 'I had to buy a boat.',
    });
    const pathsIn = (text: string): string[] => Array.from(text.matchAll(/[\w/]+\.md/g), ([path]) => path);
    expect(pathsIn(await run(mixed, 'search_notes', { query: 'Which boat did I buy?' }))).toEqual([
      'Log.md',
      'Docent/prompts/Yard.md',
    ]);
    expect(
      pathsIn(await run(mixed, 'search_notes', { query: 'Which boat did I buy?', folder: 'Docent/prompts' })),
    ).toEqual(['Docent/prompts/Yard.md']);
  });

  it('quotes passages with their place', async () => {
    expect(await run(vault, 'search_notes', { query: 'fine print' })).toBe(
      '1 passage in 1 note for: fine print.\n\n' +
        '[1] Projects/Alpha.md\nheading: Plan › Steps › Detail\nlines: 13-13\nFine print.',
    );
  });

  it('keeps to a folder, a tag and a limit, and says how to get more', async () => {
    const many = fakeVault(
      Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n % 2 ? 'A' : 'B'}/${n}.md`, 'copper #metal'])),
    );
    const text = await run(many, 'search_notes', { query: 'copper', folder: 'A', limit: 2 });
    expect(parseSearchResult(text)?.passages.map(({ path }) => path)).toEqual(['A/1.md', 'A/3.md']);
    expect(text).toContain('2 more passages match. Raise limit, or set folder or tag.');
    expect(await run(many, 'search_notes', { query: 'copper', tag: 'wood' })).toContain('Nothing found');
    expect(await run(many, 'search_notes', { query: 'copper', tag: '#Metal' })).toContain('8 passages in 8 notes');
  });

  it('takes a limit that is too high for the highest, and then says what else helps', async () => {
    const many = fakeVault(Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`${n}.md`, 'copper'])));
    const text = await run(many, 'search_notes', { query: 'copper', limit: 900 });
    expect(parseSearchResult(text)?.passages).toHaveLength(20);
    expect(text.split('\n')[0]).toMatch(/ 5 more passages match\. Set folder or tag to see others\.$/);
  });

  it('says of further passages of the same notes where they are, since no limit shows them', async () => {
    const part = (n: number): string => `## Part ${n}\n\n${'The copper keel of the boat. '.repeat(10)}\n`;
    const long = Array.from({ length: 10 }, (_, n) => part(n)).join('\n');
    const boat = await run(fakeVault({ 'Boat.md': long }), 'search_notes', { query: 'copper keel' });
    expect(boat).toMatch(
      /^3 passages in 1 note for: copper keel\. 7 more passages match in this note: read it to see all\.\n/,
    );
    const both = fakeVault({ 'Boat.md': long, 'Ship.md': long });
    expect(await run(both, 'search_notes', { query: 'copper keel', limit: 20 })).toMatch(
      /^6 passages in 2 notes for: copper keel\. 14 more passages match in these notes: read them to see all\.\n/,
    );
    expect(await run(both, 'search_notes', { query: 'copper keel', limit: 5 })).toMatch(
      /^5 passages in 2 notes for: copper keel\. 15 more passages match\. Raise limit, or set folder or tag\.\n/,
    );
  });

  it('finds quoted words behind hundreds of passages with the same words, and says where it did not look', async () => {
    const apart = 'A harbor, and it is green. The harbor stays green.\n\n';
    const last = `${'Other words of all kinds fill this up. '.repeat(12)}The harbor green of it. ${'And more. '.repeat(20)}`;
    const notes = (count: number, parts: number): Record<string, string> => {
      const text = Array.from({ length: parts }, (_, part) => `## Green and the harbor ${part}\n\n${apart}`).join('');
      return Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.md`, text]));
    };
    const found = await run(fakeVault({ ...notes(600, 1), 'last.md': last }), 'search_notes', {
      query: '"harbor green"',
    });
    expect(found).toMatch(/^1 passage in 1 note for: "harbor green"\.\n\n\[1\] last\.md\n/);
    expect(await run(fakeVault(notes(41, 100)), 'search_notes', { query: '"harbor green"' })).toBe(
      'Nothing found for: "harbor green". Searched 41 notes. In some notes: "harbor", "green". ' +
        '100 passages with such words were not looked through for the quoted ones.',
    );
  });

  it('says what it looked for when nothing fits', async () => {
    expect(await run(vault, 'search_notes', { query: 'fine quidditch broom' })).toBe(
      'Nothing found for: fine quidditch broom. Searched 5 notes. In no note: "quidditch", "broom". ' +
        'In some notes: "fine".',
    );
    const apart = fakeVault({ 'a.md': 'Bronze.', 'b.md': 'Keel.', 'c.md': 'Bronze teak.' });
    expect(await run(apart, 'search_notes', { query: 'bronze keel hafnium' })).toMatch(
      / In some notes, but not together: "bronze", "keel"\.$/,
    );
    expect(await run(apart, 'search_notes', { query: 'bronze teak hafnium osmium' })).toMatch(
      / In some notes: "bronze", "teak"\.$/,
    );
    expect(await run(vault, 'search_notes', { query: ' ?! ' })).toMatch(/^invalid-input: The query has no words/);
    expect(await run(vault, 'search_notes', { query: 'x', folder: 'Project' })).toMatch(
      /^not-found: .*Nearest: Projects/,
    );
  });

  it('says how many notes are still to be indexed, and claims nothing of them', async () => {
    const large = fakeVault(Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`n${n}.md`, `Keel ${n}.`])));
    expect(await run(large, 'search_notes', { query: 'hafnium' })).toBe(
      'Nothing found for: hafnium. Searched 2,000 of 2,100 notes so far: the others are still being indexed. ' +
        'Search again later. In none of these: "hafnium".',
    );
    expect(await run(large, 'search_notes', { query: 'hafnium' })).toBe(
      'Nothing found for: hafnium. Searched 2,100 notes. In no note: "hafnium".',
    );
  });

  it('never exceeds its cap', async () => {
    const cjk = fakeVault(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, n) => [`${n}.md`, `東京の天気 ${'晴れのち曇り。'.repeat(600)}`]),
      ),
    );
    const text = await run(cjk, 'search_notes', { query: '東京の天気 晴れ', limit: 20 });
    expect(byteLength(text)).toBeLessThanOrEqual(resultBytes);
    expect(parseSearchResult(text)?.passages.length).toBeGreaterThan(3);
  });

  const prose = (n: number): string =>
    `# Note ${n}\n\n${'Words about the weather of that day, and of the day after it. '.repeat(5)}\n` +
    `The copper kettle number ${n} whistles before it boils.\n${'More about tin and lead, as before. '.repeat(9)}\n`;
  const kettles = fakeVault(Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`Kettles/${n}.md`, prose(n)])));

  it.each([
    [70, 1, '1 of 12 passages shown.'],
    [87, 1, '1 of 12 passages shown.'],
    [163, 1, '1 of 12 passages shown.'],
    [327, 2, '2 of 12 passages shown.'],
    [655, 6, '6 of 12 passages shown.'],
    [2_457, 8, '8 passages in 8 notes for: copper kettle whistles.'],
  ])('K35 shows the matching lines in a result of %d tokens', async (tokens, count, summary) => {
    const text = await run(kettles, 'search_notes', { query: 'copper kettle whistles' }, never, tokens);
    expect(tokensByRule(text)).toBeLessThanOrEqual(tokens);
    const passages = parseSearchResult(text)?.passages ?? [];
    expect(passages).toHaveLength(count);
    expect(new Set(passages.map(({ path }) => path)).size).toBe(passages.length);
    for (const { path, startLine, endLine, text: shown, cut } of passages) {
      const own = prose(Number(/\d+/.exec(path)?.[0])).split('\n');
      expect([shown, cut]).toEqual([own.slice(startLine - 1, endLine).join('\n'), false]);
      expect(shown).toContain('whistles before it boils.');
    }
    expect(text.startsWith(summary)).toBe(true);
  });

  it('K35 shows part of a line that is too long, from a sentence that matches', async () => {
    const line = `${'Nothing here is about it. '.repeat(20)}The copper kettle whistles. ${'Nor is this. '.repeat(20)}`;
    const text = await run(fakeVault({ 'A.md': line }), 'search_notes', { query: 'copper kettle' }, never, 87);
    const [passage] = parseSearchResult(text)?.passages ?? [];
    expect(passage).toMatchObject({ startLine: 1, endLine: 1, cut: true });
    expect(passage?.text).toContain('The copper kettle whistles.');
    expect(line).toContain(passage?.text);
  });

  it('K35 shows the passage with all words before a note that is only named after some of them', async () => {
    const named = 'How to drag and drop a file onto a tab.\n\n'.repeat(40);
    const other = `# Bars\n\nPress and hold the drag-and-drop button, and move it.\n`;
    const bars = fakeVault({ 'Drag and drop.md': named, 'Bars.md': other });
    const text = await run(bars, 'search_notes', { query: 'hold drag drop button' }, never, 110);
    expect(parseSearchResult(text)?.passages[0]?.path).toBe('Bars.md');
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await run(vault, 'search_notes', { query: 'first' }, stop.signal)).toMatch(/^aborted/);
  });
});

describe.each([
  ['find_notes', {}],
  ['list_folder', { path: 'Kettles' }],
  ['note_links', { path: 'Hub' }],
] as const)('R065 %s in a small context window', (name, args) => {
  it('K35 lists everything in pages that fit', async () => {
    const files = Array.from({ length: 120 }, (_, n) => [`Kettles/${n} of copper.md`, 'x'] as const);
    const hub = files.map(([path]) => `[[${path.replace('.md', '')}]]`).join('\n');
    const many = fakeVault({ ...Object.fromEntries(files), 'Hub.md': hub });
    const seen = new Set<string>();
    let startAt = 1;
    for (let round = 0; round < 120; round += 1) {
      const page = await run(many, name, { ...args, startAt }, never, 163);
      expect(tokensByRule(page)).toBeLessThanOrEqual(163);
      for (const found of page.match(/Kettles\/\d+ of copper/g) ?? []) seen.add(found);
      const next = /Continue with startAt (\d+)/.exec(page)?.[1];
      if (next === undefined) break;
      startAt = Number(next);
    }
    expect(seen.size).toBe(120);
  });
});

it.each([
  ['find_notes', {}, '5 notes; nothing from 9 on.'],
  ['list_folder', { path: 'Projects' }, 'Projects: 1 folder, 2 files; nothing from 9 on.'],
  ['note_links', { path: 'Alpha' }, '1 unresolved link. Of 4 rows, nothing from 9 on.'],
] as const)('R065 %s says that nothing is shown from after the last row on', async (name, args, words) => {
  const [head, ...rows] = (await run(vault, name, { ...args, startAt: 9 })).split('\n');
  expect([head?.endsWith(words), rows]).toEqual([true, []]);
});

describe.each([
  ['search_notes', { query: 'copper', tag: 'metal' }],
  ['find_notes', { tag: 'metal' }],
  ['find_notes', { property: 'alloy=bronze' }],
] as const)('R065 %s %j', (name, args) => {
  const text = '---\nalloy: bronze\n---\ncopper #metal';
  const young = (isIndexed: (path: string) => boolean) => {
    const some = fakeVault({ 'Known.md': text, 'Young.md': text, 'Empty.md': '', 'pic.png': new Uint8Array(5) });
    const { outline } = some;
    some.outline = (path) => (isIndexed(path) ? outline.call(some, path) : undefined);
    return some;
  };

  it('passes over a note that the app has not indexed yet, and says so', async () => {
    const found = await run(
      young((path) => path === 'Known.md'),
      name,
      args,
    );
    expect(found).toContain('Known.md');
    expect(found).not.toContain('Young.md');
    expect(found.split('\n')[0]).toMatch(/ Obsidian has not indexed 1 note yet\. Search again later\.$/);
    expect(
      await run(
        young(() => true),
        name,
        args,
      ),
    ).not.toContain('indexed');
  });

  it('says of no note that the app has not indexed that it does not match', async () => {
    const found = await run(
      young(() => false),
      name,
      args,
    );
    expect(found).toMatch(/ Obsidian has not indexed 2 notes yet\. Search again later\.$/);
    expect(found).not.toContain('In no note');
  });
});

describe('R065 find_notes', () => {
  it.each([
    [{ name: 'alpha' }, ['Projects/Alpha.md']],
    [{ name: 'projects gamma' }, ['Projects/Old/Gamma.md']],
    [{ name: 'Projects/*' }, ['Projects/Alpha.md', 'Projects/Beta.md']],
    [{ name: '**/g*' }, ['Projects/Old/Gamma.md']],
    [{ name: '2026-??-02' }, ['Journal/2026-05-02.md']],
    [{ name: '*', folder: 'Projects/Old' }, ['Projects/Old/Gamma.md']],
    [{ tag: 'work' }, ['Projects/Alpha.md', 'Projects/Beta.md']],
    [{ property: 'Status' }, ['Projects/Alpha.md (Status: active)']],
    [{ property: 'status=active', tag: 'work/plan' }, ['Projects/Alpha.md (status: active)']],
    [{ property: 'status=done' }, []],
    [{ name: '(((' }, []],
    [{ name: 'pic', attachments: true }, ['pic.png']],
  ])('%j', async (args, paths) => {
    const [, ...rows] = (await run(vault, 'find_notes', args)).split('\n');
    expect(rows).toEqual(paths);
  });

  it('takes a name with up to four signs, any of which may be the one before the value', async () => {
    const odd = fakeVault({ 'A.md': '---\n"a:b=c:d=e": 1\n"a:b=c:d=e:f": 1\n---\n' });
    const rowsOf = async (property: string) => (await run(odd, 'find_notes', { property })).split('\n').slice(1);
    expect(await rowsOf('a:b=c:d=e=1')).toEqual(['A.md (a:b=c:d=e: 1)']);
    expect(await rowsOf('a:b=c:d=e')).toEqual(['A.md (a:b=c:d=e: 1)']);
    expect(await rowsOf('a:b=c:d=e:f=1')).toEqual([]);
  });

  it.each([
    ['a*c', ['abc.md', 'ac.md', 'x/y/abc.md']],
    ['*', ['abc.md', 'ac.md', 'x/y/abc.md', 'x/y/ä😀.md', 'x/y.z.md']],
    ['x/*', ['x/y.z.md']],
    ['x/**', ['x/y/abc.md', 'x/y/ä😀.md', 'x/y.z.md']],
    ['**/abc', ['abc.md', 'x/y/abc.md']],
    ['x/**/abc', ['x/y/abc.md']],
    ['**/y/**/a*', ['x/y/abc.md', 'x/y/ä😀.md']],
    ['A?', ['ac.md', 'x/y/ä😀.md']],
    ['??', ['ac.md', 'x/y/ä😀.md']],
    ['y.?', ['x/y.z.md']],
    ['*.md', ['abc.md', 'ac.md', 'x/y/abc.md', 'x/y/ä😀.md', 'x/y.z.md']],
    ['y?z*.md', ['x/y.z.md']],
    ['[a]*', []],
    ['a**', ['abc.md', 'ac.md', 'x/y/abc.md', 'x/y/ä😀.md']],
  ])('finds by the pattern %s', async (name, paths) => {
    const files = ['abc.md', 'ac.md', 'x/y/abc.md', 'x/y/ä😀.md', 'x/y.z.md'];
    const some = fakeVault(Object.fromEntries(files.map((path) => [path, ''])));
    const [, ...rows] = (await run(some, 'find_notes', { name })).split('\n');
    expect([...rows].sort()).toEqual([...paths].sort());
  });

  it('refuses a property without a name', async () => {
    expect(await run(vault, 'find_notes', { property: ' =open' })).toMatch(/^invalid-input: .* =open/);
  });

  it('knows no day of a file whose time is none', async () => {
    const odd = fakeVault({ 'A.md': '' });
    const undated = odd.files().map((file) => ({ ...file, modified: NaN }));
    const text = await run(Object.assign(odd, { files: () => undated }), 'find_notes', { sort: 'newest' });
    expect(text).toMatch(/\nA\.md \(unknown\)$/);
  });

  it('takes no time for a pattern that a name nearly fits in very many ways', async () => {
    const long = fakeVault({ [`${'a'.repeat(200)}.md`]: '' });
    const look = (): Promise<string> => run(long, 'find_notes', { name: `${'*a'.repeat(30)}*b` });
    await expectCostBelow(200, look);
    expect(await look()).toBe('No note matches.');
  });

  it('counts, and goes on where it stopped', async () => {
    const text = await run(vault, 'find_notes', { limit: 2 });
    expect(text.split('\n')[0]).toBe('5 notes; 1-2 shown. Continue with startAt 3.');
    const rest = await run(vault, 'find_notes', { limit: 9, startAt: 3 });
    expect(rest.split('\n')[0]).toBe('5 notes; 3-5 shown.');
    const many = fakeVault(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`${n}.md`, ''])));
    const most = await run(many, 'find_notes', { limit: 9_000 });
    expect(most.split('\n')[0]).toBe('501 notes; 1-500 shown. Continue with startAt 501.');
    expect(await run(vault, 'find_notes', { name: 'zzz' })).toBe('No note matches.');
  });

  it('shows a property of several lines on the line of its note', async () => {
    const text = '---\nstatus: "active)\\nPrivate/Diary.md"\n---\n';
    const [head, ...rows] = (await run(fakeVault({ 'A.md': text }), 'find_notes', { property: 'status' })).split('\n');
    expect(head).toBe('1 note, all shown.');
    expect(rows).toEqual(['A.md (status: active) Private/Diary.md)']);
  });

  it('compares a property with the whole of a long value, of which it shows the start', async () => {
    const address = `https://boat.example/${'a'.repeat(240)}`;
    const clips = fakeVault({ 'A.md': `---\nsource: ${address}\n---\n`, 'B.md': `---\nsource: ${address}b\n---\n` });
    const find = (value: string): Promise<string> => run(clips, 'find_notes', { property: `source=${value}` });
    expect(await find(address)).toBe(`1 note, all shown.\nA.md (source: ${address.slice(0, 200)})`);
    expect(await find(address.slice(0, 200))).toBe('No note matches.');
  });

  it.each(['[[Boat|The boat]]', '[[Boat]]', 'boat', 'The boat'])(
    'finds a link in a property that shows another name by %s',
    async (value) => {
      const log = '---\nof: ["[[Boat|The boat]]", "[[Shed]]"]\n---\n';
      const logs = fakeVault({ 'Log.md': log, 'Other.md': '---\nof: "[[Boats|The boats]]"\n---\n' });
      const [, ...rows] = (await run(logs, 'find_notes', { property: `of=${value}` })).split('\n');
      expect(rows).toEqual(['Log.md (of: ["[[Boat|The boat]]","[[Shed]]"])']);
    },
  );

  it.each([
    ['dc:title', ['A.md (dc:title: Keel)', 'B.md (dc: title)']],
    ['dc:title=keel', ['A.md (dc:title: Keel)']],
    ['dc:title: Keel', ['A.md (dc:title: Keel)']],
    ['dc', ['B.md (dc: title)']],
    ['dc: title', ['B.md (dc: title)']],
    ['dc:title=Rib', []],
    ['url=https://a.example/?b=c', ['B.md (url: https://a.example/?b=c)']],
  ])('finds a name that has a colon itself: %s', async (property, paths) => {
    const some = fakeVault({
      'A.md': '---\n"dc:title": Keel\n---\n',
      'B.md': '---\ndc: title\nurl: https://a.example/?b=c\n---\n',
    });
    const [, ...rows] = (await run(some, 'find_notes', { property })).split('\n');
    expect(rows).toEqual(paths);
  });

  it('cuts no character of a value or a query in two', async () => {
    const status = `${'a'.repeat(199)}🎉 done`;
    const text = await run(fakeVault({ 'A.md': `---\nstatus: ${status}\n---\n` }), 'find_notes', {
      property: 'status',
    });
    expect(text).toBe(`1 note, all shown.\nA.md (status: ${'a'.repeat(199)})`);
    const nothing = await run(vault, 'search_notes', { query: status });
    expect(nothing).toContain(`Nothing found for: ${'a'.repeat(199)}…. Searched`);
  });

  it('sorts by change', async () => {
    const [, first] = (await run(vault, 'find_notes', { sort: 'newest' })).split('\n');
    expect(first).toMatch(/^Empty\.md \(\d{4}-\d\d-\d\d\)$/);
    // Each is changed after those before it.
    const changed = fakeVault({ 'B.md': '', 'D.md': '', 'A.md': '', 'C.md': '' });
    const [, ...rows] = (await run(changed, 'find_notes', { sort: 'newest' })).split('\n');
    expect(rows.map((row) => row.charAt(0))).toEqual(['C', 'A', 'D', 'B']);
  });

  it.each([
    ['east of Greenwich', -540, Date.UTC(2026, 4, 2, 23), '2026-05-03'],
    ['west of it', 480, Date.UTC(2026, 4, 3, 2), '2026-05-02'],
  ])('names the day of a change where the user is, %s', async (_, offset, modified, day) => {
    const files = [{ path: 'Log.md', kind: 'note', size: 1, modified } as const];
    const one = Object.assign(fakeVault({}), { files: () => files });
    const zone = jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset);
    const found = await run(one, 'find_notes', { sort: 'newest' }).finally(() => zone.mockRestore());
    expect(found).toBe(`1 note, all shown.\nLog.md (${day})`);
  });
});

describe('R162 list_folder', () => {
  it('lists one level with counts of what is below', async () => {
    expect(await run(vault, 'list_folder', {})).toBe(
      'The vault: 2 folders, 2 files; all shown.\nJournal/ (1 note)\nProjects/ (3 notes)\nEmpty.md\npic.png',
    );
    expect(await run(vault, 'list_folder', { path: '/Projects/' })).toBe(
      'Projects: 1 folder, 2 files; all shown.\nProjects/Old/ (1 note)\nProjects/Alpha.md\nProjects/Beta.md',
    );
  });

  it('opens deeper levels, and goes on where it stopped', async () => {
    const deep = await run(vault, 'list_folder', { path: 'Projects', depth: 2 });
    expect(parseFolderListing(deep).files).toContain('Projects/Old/Gamma.md');
    expect(await run(vault, 'list_folder', { path: 'Projects', depth: 99, limit: 9_000 })).toBe(deep);
    const nested = fakeVault({ 'a/b/c/d/e/f/Note.md': 'x', 'a/b/c/d/e/Note.md': 'x' });
    expect(parseFolderListing(await run(nested, 'list_folder', { path: 'a', depth: 99 })).files).toEqual([
      'a/b/c/d/e/Note.md',
    ]);
    const text = await run(vault, 'list_folder', { path: 'Projects', limit: 2 });
    expect(text.split('\n')[0]).toBe('Projects: 1 folder, 2 files; entries 1-2 shown. Continue with startAt 3.');
  });

  it('finds a folder by its last name or other case, and names others when there is none', async () => {
    expect(await run(vault, 'list_folder', { path: 'old' })).toContain('Projects/Old: 0 folders, 1 file');
    expect(await run(vault, 'list_folder', { path: 'Nope' })).toMatch(/^not-found: The folder “Nope” was not found/);
  });
});

it.each([
  ['find_notes', {}],
  ['find_notes', { property: 'kind' }],
  ['list_folder', { depth: 2 }],
  ['list_folder', { path: 'Odd\nGhost.md' }],
  ['note_links', { path: 'Hub.md' }],
  ['note_links', { path: 'Beam' }],
  ['note_outline', { path: 'Beam' }],
  ['read_note', { path: 'Beam' }],
  ['read_note', { path: 'None' }],
  ['read_notes', { paths: ['Beam', 'Hub'] }],
])('%s %j keeps a name with line breaks on one line', async (name, args) => {
  const strange = fakeVault({
    'Hub.md': '---\nkind: hub\n---\nSee [[Beam]].',
    'Odd\nGhost.md/None.md': '',
    'Odd\nGhost.md/Beam.md': '---\nkind: log\n---\nSee [[Hub]].',
    'Odd\u2028Ghost.md': '---\nkind: log\n---\nSee [[Hub]].',
  });
  const text = await run(strange, name, args);
  expect(text).toContain('Odd Ghost.md');
  expect(text.split(/[\n\u2028]/).filter((line) => line.startsWith('Ghost.md'))).toEqual([]);
});
