import type { Vault } from '../../../../src/core/ports/vault';
import { PassageIndex } from '../../../../src/core/search/passage-index';
import { type SearchOutcome, searchVault } from '../../../../src/core/search/search-vault';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';

async function search(vault: Vault, question: string, index = new PassageIndex(), limit = 5): Promise<SearchOutcome> {
  return searchVault(vault, index, question, { entries: vault.files(), limit }, new AbortController().signal);
}
const paths = (outcome: SearchOutcome): string[] => outcome.passages.map((passage) => passage.path);

const garden = {
  'Garden/Tomatoes.md': '# Tomatoes\nSow in March under glass.\n\n## Watering\nEvery second day, never on the leaves.',
  'Garden/Beans.md':
    '---\naliases: [Runner beans]\ntags: climbing\n---\n# Beans\nThey climb up poles. Water them daily.',
  'Boat/Engine.md': 'The impeller was changed in May.\n\n## Cooling\nThermostat opens at 62 degrees.',
  'Café.md': 'Où est la crème brûlée?',
};

describe('ranking', () => {
  it.each([
    ['How do I water tomatoes?', 'Garden/Tomatoes.md', 'Watering'],
    ['runner beans', 'Garden/Beans.md', 'Beans'],
    ['when was the impeller changed', 'Boat/Engine.md', undefined],
    ['cooling', 'Boat/Engine.md', 'Cooling'],
    ['creme brulee', 'Café.md', undefined],
  ])('%s', async (question, path, heading) => {
    const [first] = (await search(fakeVault(garden), question)).passages;
    expect([first?.path, first?.trail.at(-1)]).toEqual([path, heading]);
  });

  it.each([
    'What is a mainsheet?',
    'mainsheet',
    'Explain the mainsheet',
    'Was ist die Mainsheet?',
    'Qu’est-ce que le mainsheet ?',
    '¿Qué es el mainsheet?',
    'What is the boom rope?',
  ])('begins with the introduction of the note for “%s”', async (question) => {
    const vault = fakeVault({
      'Boat/Mainsheet.md':
        '---\naliases: [Boom rope]\n---\nA line that holds the boom.\n\n## Reeving the mainsheet\nMainsheet, block, mainsheet, mainsheet.\n\n## Buying a mainsheet\nA mainsheet of 10 mm.',
      'Boat/Log.md': 'The mainsheet parted. A new mainsheet came. Mainsheet, mainsheet.',
    });
    const [first] = (await search(vault, question)).passages;
    expect(first?.text).toBe('A line that holds the boom.');
  });

  it('begins with what is asked of a note when more is asked than what it is', async () => {
    const vault = fakeVault({
      'Boat/Mainsheet.md': 'A line that holds the boom.\n\n## Reeving\nReeve the mainsheet from the left.',
    });
    const { passages } = await search(vault, 'How do I reeve the mainsheet?');
    expect(passages[0]?.trail).toEqual(['Reeving']);
  });

  it('takes a note that introduces a subject for what the subject is', async () => {
    const vault = fakeVault({
      'Introduction to knots.md': 'Knots hold by friction.\n\n## Tying knots\nTie knots with dry rope. Knots, knots.',
      'Buying knots.md': '## Knots\nNobody sells knots. Knots are made. Knots!',
    });
    expect((await search(vault, 'What are knots?')).passages[0]?.text).toBe('Knots hold by friction.');
  });

  it('gives the lines and the text as they stand in the note', async () => {
    const [first] = (await search(fakeVault(garden), 'thermostat')).passages;
    expect(first).toMatchObject({ startLine: 4, endLine: 4, text: 'Thermostat opens at 62 degrees.', cut: false });
  });

  it('finds nothing when the words that matter are missing, and says which', async () => {
    const found = await search(fakeVault(garden), 'Does the garden need nitrogen fertiliser in May?');
    expect(found.passages).toEqual([]);
    expect(found.absent).toEqual(['nitrogen', 'fertiliser']);
    expect(found.present).toContain('garden');
  });

  it.each([
    ['in one sentence', { 'a.md': 'Bronze bolts in the keel.' }, 'bronze keel zirconium hafnium', true],
    ['in one note', { 'a.md': '# Bronze\n\nShiny.\n\n# Keel\n\nDeep.' }, 'bronze keel zirconium hafnium', true],
    ['in the name of the note', { 'Bronze.md': 'Of the keel.' }, 'bronze keel zirconium hafnium', true],
    ['alone', { 'a.md': 'Bronze.' }, 'bronze zirconium hafnium', true],
    ['word for word, but not so', { 'a.md': 'Bronze keel.' }, '"keel bronze"', true],
    ['in two notes', { 'a.md': 'Bronze.', 'b.md': 'Keel.' }, 'bronze keel zirconium hafnium', false],
    ['two of three', { 'a.md': 'Bronze keel.', 'b.md': 'Teak.' }, 'bronze keel teak zirconium hafnium osmium', false],
  ])('says whether the words that it has are together: %s', async (_, files, question, isTogether) => {
    const found = await search(fakeVault(files), question);
    expect([found.passages, found.isTogether]).toEqual([[], isTogether]);
  });

  it('takes as absent what only notes have that were not searched', async () => {
    const vault = fakeVault({ ...garden, 'Other/a.md': 'Zirconium tomatoes.' });
    const index = new PassageIndex();
    await search(vault, 'zirconium', index);
    const entries = vault.files().filter(({ path }) => !path.startsWith('Other/'));
    const { signal } = new AbortController();
    const found = await searchVault(vault, index, 'zirconium hafnium tomatoes', { entries, limit: 5 }, signal);
    expect([found.absent, found.present, found.isTogether]).toEqual([['zirconium', 'hafnium'], ['tomatoes'], true]);
  });

  it('finds in a guide what fits the words that it has, and says which it lacks', async () => {
    const vault = fakeVault(garden);
    const options = { entries: vault.files(), limit: 5, isGuide: true };
    const signal = new AbortController().signal;
    const found = await searchVault(vault, new PassageIndex(), 'Are tomatoes vegan?', options, signal);
    expect(paths(found)[0]).toBe('Garden/Tomatoes.md');
    expect(found.absent).toEqual(['vegan']);
    expect((await search(vault, 'Are tomatoes vegan?')).passages).toEqual([]);
  });

  it('holds no function word of a heading against it', async () => {
    const vault = fakeVault({
      'a.md': '# One\n\n## Parts and prompt sizes\n\nText.',
      'b.md': '# Two\n\n## Parts of the prompt\n\nText.',
    });
    expect(paths(await search(vault, 'prompt parts'))).toEqual(['b.md', 'a.md']);
  });

  it('demands quoted words word for word', async () => {
    expect(paths(await search(fakeVault(garden), '"second day"'))).toEqual(['Garden/Tomatoes.md']);
    expect(paths(await search(fakeVault(garden), '"day second"'))).toEqual([]);
  });

  it('forgives a slip of the finger and words written as one', async () => {
    const vault = fakeVault({ 'a.md': 'Setup of templates.', 'b.md': 'Other things.' });
    expect(paths(await search(vault, 'tempaltes'))).toEqual(['a.md']);
    expect(paths(await search(vault, 'set up'))).toEqual(['a.md']);
  });

  it('prefers words that stand near one another, in the order of the question', async () => {
    const order = async (...texts: [string, string]): Promise<string[]> =>
      paths(await search(fakeVault({ 'a.md': texts[0], 'b.md': texts[1] }), 'bronze bolts'));
    expect(await order('Bolts bronze rust paint wood.', 'Bronze bolts rust paint wood.')).toEqual(['b.md', 'a.md']);
    expect(await order('Bronze rust paint wood bolts.', 'Bronze rust paint bolts wood.')).toEqual(['b.md', 'a.md']);
  });

  it('gives the same order every time, ties by path', async () => {
    const vault = fakeVault({ 'b.md': 'same words', 'a.md': 'same words', 'c.md': 'same words' });
    expect(paths(await search(vault, 'same words'))).toEqual(['a.md', 'b.md', 'c.md']);
  });

  it('searches scripts without spaces, from right to left, and pictographs', async () => {
    const vault = fakeVault({
      'ja.md': '# 旅行\n東京の天気は晴れです。',
      'zh.md': '如果要创建一个表格，请使用竖线。',
      'he.md': 'הפגישה עם דנה נדחתה ליום שלישי',
      'ko.md': '회의는 화요일에 열립니다',
      'rocket.md': 'Launch 🚀 day',
    });
    const first = async (question: string) => paths(await search(vault, question))[0];
    expect(await first('東京の天気は？')).toBe('ja.md');
    expect(await first('如何创建表格？')).toBe('zh.md');
    expect(await first('הַפְּגִישָׁה עם דנה')).toBe('he.md');
    expect(await first('회의 화요일')).toBe('ko.md');
    expect(await first('🚀')).toBe('rocket.md');
    expect(await first('京都の祭り')).toBeUndefined();
  });
});

describe('the index', () => {
  const reads = (vault: FakeVault): number => vault.reads.length;

  it('reads each note once, then only what changed and what it quotes', async () => {
    const vault = fakeVault(garden);
    const index = new PassageIndex();
    await search(vault, 'nowhere to be found', index);
    expect(reads(vault)).toBe(4);
    await search(vault, 'nowhere to be found', index);
    expect(reads(vault)).toBe(4);
    vault.put('Boat/Engine.md', 'A new carburettor.');
    expect(paths(await search(vault, 'carburettor', index))).toEqual(['Boat/Engine.md']);
    expect(vault.reads.slice(4)).toEqual(['Boat/Engine.md', 'Boat/Engine.md']);
    expect(paths(await search(vault, 'impeller', index))).toEqual([]);
  });

  it('finds what a note says though another program saves it between two looks', async () => {
    const vault = fakeVault(garden);
    const read = vault.read.bind(vault);
    const twice = {
      files: () => vault.files(),
      read: async (path: string, signal?: AbortSignal) => {
        const before = await read(path, signal);
        if (path === 'Boat/Engine.md') vault.put(path, `---\nmodified: 1\n---\n${garden[path]}`);
        return before;
      },
    };
    const options = { entries: vault.files(), limit: 5 };
    const signal = new AbortController().signal;
    const found = await searchVault(twice, new PassageIndex(), 'impeller', options, signal);
    expect(found.passages).toMatchObject([{ path: 'Boat/Engine.md', text: expect.stringContaining('impeller') }]);
  });

  it('forgets a path, and notes that are gone', async () => {
    const vault = fakeVault(garden);
    const index = new PassageIndex();
    await search(vault, 'impeller', index);
    const before = reads(vault);
    index.forget('Boat/Engine.md');
    expect(index.noteCount).toBe(3);
    await search(vault, 'nowhere', index);
    expect(vault.reads.slice(before)).toEqual(['Boat/Engine.md']);
    vault.remove('Boat/Engine.md');
    const found = await search(vault, 'impeller', index);
    expect([found.passages, index.noteCount, found.absent]).toEqual([[], 3, ['impeller']]);
  });

  it('shows no text of a file that it may not list', async () => {
    const vault = fakeVault(garden);
    const index = new PassageIndex();
    await search(vault, 'impeller', index);
    const visible = vault.files().filter((file) => !file.path.startsWith('Boat/'));
    const signal = new AbortController().signal;
    const found = await searchVault(vault, index, 'impeller', { entries: visible, limit: 5 }, signal);
    expect(found.passages).toEqual([]);
  });

  it('counts what it cannot read and goes on', async () => {
    const vault = fakeVault({ ...garden, 'Broken.md': new Uint8Array([0, 1]), 'Huge.md': 'impeller '.repeat(700_000) });
    const found = await search(vault, 'impeller');
    expect([paths(found), found.unread]).toEqual([['Boat/Engine.md'], ['Huge.md', 'Broken.md']]);
    expect(vault.reads).not.toContain('Huge.md');
  });
});

describe('a long scan', () => {
  const many = (): FakeVault =>
    fakeVault(
      Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`n${n}.md`, `word${n} ${'filler text '.repeat(150)}`])),
    );

  it('gives way while it runs', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const running = search(many(), 'word7 filler');
    await running;
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it('stops when it is told to', async () => {
    const vault = many();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1);
    const found = await searchVault(
      vault,
      new PassageIndex(),
      'filler',
      { entries: vault.files(), limit: 5 },
      stop.signal,
    );
    expect([found.stopped, found.passages]).toEqual([true, []]);
    expect(vault.reads.length).toBeLessThan(400);
  });

  it('holds up no other search once it is stopped, even when the disk never answers', async () => {
    const vault = fakeVault(garden);
    const index = new PassageIndex();
    const deaf = {
      ...vault,
      file: (path: string) => vault.file(path),
      read: () => new Promise<never>(() => undefined),
    };
    const stop = new AbortController();
    const options = { entries: vault.files(), limit: 5 };
    const stuck = searchVault(deaf, index, 'tomatoes', options, stop.signal);
    const next = search(vault, 'tomatoes', index);
    stop.abort();
    expect((await stuck).stopped).toBe(true);
    expect(paths(await next)).toContain('Garden/Tomatoes.md');
  });

  it('is shared by searches at the same time', async () => {
    const vault = fakeVault(garden);
    const index = new PassageIndex();
    const both = await Promise.all([search(vault, 'absent words', index), search(vault, 'impeller', index)]);
    expect(both.map(paths)).toEqual([[], ['Boat/Engine.md']]);
    expect(vault.reads).toHaveLength(5);
  });
});

describe('notes that others write while they are searched', () => {
  it('are found also when they read otherwise each time', async () => {
    const vault = fakeVault({ 'Boats/Heron.md': '---\nseen: 0\n---\nHer sail is vermilion.' });
    let reads = 0;
    const restless: Vault = {
      ...vault,
      files: () => vault.files(),
      read: async (path, signal) => {
        const read = await vault.read(path, signal);
        reads += 1;
        return read.ok
          ? { ...read, value: { ...read.value, text: read.value.text.replace('0', '0'.repeat(reads)) } }
          : read;
      },
    };
    const [found] = (await search(restless, 'vermilion sail')).passages;
    expect(found?.text).toBe('Her sail is vermilion.');
  });
});
