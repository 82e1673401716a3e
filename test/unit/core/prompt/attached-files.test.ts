import { splitPart, takePart } from '../../../../src/core/markdown/structure';
import { attachedLists, attachedNotes } from '../../../../src/core/prompt/facts/attached-notes';
import { filesSection } from '../../../../src/core/prompt/sections/notes';
import type { Mention } from '../../../../src/core/session/entry';
import { fakeVault } from '../../../support/fake-vault';
import { render } from '../../../support/render-section';
import { never, worldOf } from '../../../support/turn-world';

const mention = (kind: Mention['kind'], id: string): Mention => ({ kind, id, label: id });
const long = [
  '---',
  'status: open',
  '---',
  '# Engine',
  'Intro.',
  '## Bolts & nuts',
  'Seven.',
  '### Sizes',
  'M8.',
  '## After',
  '- first',
  '- second ^two',
  '- third',
  '',
  'A paragraph',
  'of two lines ^para',
  '',
  '| a | b |',
  '',
  '^table',
].join('\n');

it('R227 sends a note that the prompt has already by its path, with a word on where its text is', () => {
  const notes = [{ path: 'AGENTS.md', text: null, inPrompt: true }];
  const text = render(filesSection, { notes, lists: [] }) ?? '';
  expect(text).toContain('<note path="AGENTS.md">\n[The instructions at the beginning contain this note.]\n</note>');
});

describe('parts of notes', () => {
  it.each([
    ['Bolts & nuts', '## Bolts & nuts\nSeven.\n### Sizes\nM8.'],
    ['bolts nuts', '## Bolts & nuts\nSeven.\n### Sizes\nM8.'],
    ['Sizes', '### Sizes\nM8.'],
  ])('R168 takes what stands under the heading %s', (heading, text) => {
    expect(takePart('E.md', long, heading)).toEqual({ path: 'E.md', heading, text });
  });

  it.each([
    ['^two', '- second'],
    ['^para', 'A paragraph\nof two lines'],
    ['^table', '| a | b |'],
  ])('R168 takes the block %s', (block, text) => {
    expect(takePart('E.md', long, block)).toEqual({ path: 'E.md', block, text });
  });

  it.each(['Gone', '^gone'])('R167 says that %s is missing', (part) => {
    const found = takePart('E.md', long, part);
    expect(found.text).toBeNull();
    expect(found.problem).toContain('gone'.toLowerCase() === part ? 'gone' : part.replace('^', ''));
  });

  it('R168 finds where the path ends, even when heading and path hold the sign', () => {
    const vault = fakeVault({ 'C#.md': '', 'A.md': '' });
    expect(splitPart('C#.md#In C# 9', vault)).toEqual({ path: 'C#.md', part: 'In C# 9' });
    expect(splitPart('Gone.md#x#y', vault)).toEqual({ path: 'Gone.md', part: 'x#y' });
    expect(splitPart('A.md', vault)).toEqual({ path: 'A.md', part: '' });
  });

  it('R168 attaches each part once, and none of a note that stands there as a whole', async () => {
    const vault = fakeVault({ 'E.md': long, 'Now.md': '# Now\n## Later\nTea.' });
    const mentions = [
      mention('heading', 'E.md#Sizes'),
      mention('heading', 'e.md#Sizes'),
      mention('block', 'E.md#^two'),
      mention('heading', 'Now.md#Later'),
      mention('heading', 'Gone.md#Later'),
      mention('note', 'Now.md'),
    ];
    const notes = await attachedNotes.gather(worldOf(vault, { mentions }), never);
    expect(notes).toEqual([
      { path: 'Now.md', text: '# Now\n## Later\nTea.' },
      { path: 'E.md', heading: 'Sizes', text: '### Sizes\nM8.' },
      { path: 'E.md', block: '^two', text: '- second' },
      { path: 'Gone.md', heading: 'Later', text: null, problem: expect.stringContaining('Gone.md') },
    ]);
    expect(render(filesSection, { notes, lists: [] })).toContain('<note path="E.md" block="^two">\n- second\n</note>');
  });
});

describe('folders and tags', () => {
  const vault = () =>
    fakeVault({
      'Boat/Old.md': '# The hull\nText of Old.',
      'Boat/Sub/Middle.md': 'No heading here. And more.',
      'Boat/pic.png': new Uint8Array(5),
      'Boats.md': 'not inside',
      'Tea.md': '#drink/tea Leaves.',
      'Boat/New.md': '---\ntags: [Drink]\n---\nText of New.',
    });
  const gather = (mentions: readonly Mention[], turn = {}) =>
    attachedLists.gather(worldOf(vault(), { mentions, ...turn }), never);

  it('R168 lists the notes of a folder, the newest first, by heading or first sentence, and gives the newest in full', async () => {
    expect(await gather([mention('folder', 'Boat')])).toEqual([
      {
        kind: 'folder',
        id: 'Boat',
        total: 3,
        rows: [
          { path: 'Boat/New.md', size: 37, about: 'Text of New.' },
          { path: 'Boat/Sub/Middle.md', size: 26, about: 'No heading here.' },
          { path: 'Boat/Old.md', size: 23, about: 'The hull' },
        ].map((row) => ({ ...row, size: expect.any(Number) })),
        notes: [
          { path: 'Boat/New.md', text: '---\ntags: [Drink]\n---\nText of New.' },
          { path: 'Boat/Sub/Middle.md', text: 'No heading here. And more.' },
          { path: 'Boat/Old.md', text: '# The hull\nText of Old.' },
        ],
      },
    ]);
  });

  it('R168 lists the notes of a tag, nested tags and any case included', async () => {
    const [list] = await gather([mention('tag', '#drink')]);
    expect(list?.rows.map(({ path }) => path)).toEqual(['Boat/New.md', 'Tea.md']);
    const [nested] = await gather([mention('tag', '#drink/tea')]);
    expect(nested?.rows.map(({ path }) => path)).toEqual(['Tea.md']);
    const [other] = await gather([mention('tag', '#drin')]);
    expect(other).toMatchObject({ total: 0, rows: [], notes: [] });
  });

  it('says of how many notes it is not known yet whether they have the tag', async () => {
    const tea = Object.assign(vault(), { outline: () => undefined });
    const lists = await attachedLists.gather(worldOf(tea, { mentions: [mention('tag', '#drink')] }), never);
    expect(render(filesSection, { notes: [], lists })).toContain(
      '<tag name="#drink">\nNo note with it is known.\nObsidian has not indexed 5 notes yet; they may be missing here.\n</tag>',
    );
  });

  it('R168 gives no text twice: not of attached notes, nor in two lists', async () => {
    const mentions = [mention('folder', 'Boat'), mention('tag', '#drink'), mention('folder', 'Boat')];
    const lists = await gather(mentions, { contextNotes: ['boat/old.md'] });
    expect(lists.map(({ notes }) => notes.map(({ path }) => path))).toEqual([
      ['Boat/New.md', 'Boat/Sub/Middle.md'],
      ['Tea.md'],
    ]);
  });

  it('R168 says how to see the rest of 5,000 notes, and reads no more than it shows', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`Log/Day ${index}.md`, `Day ${index}.`]),
    );
    const large = fakeVault(files);
    const mentions = [mention('folder', 'Log')];
    const lists = await attachedLists.gather(worldOf(large, { mentions, contextWindow: 32_768 }), never);
    const text = render(filesSection, { notes: [], lists }) ?? '';
    const shown = lists[0]?.rows.length ?? 0;
    expect(shown).toBeGreaterThan(20);
    expect(shown).toBeLessThan(100);
    expect(lists[0]?.rows[0]?.path).toBe('Log/Day 4999.md');
    expect(text).toContain('<folder path="Log">\n5,000 notes, the newest first:\n- Log/Day 4999.md, 1 KB: Day 4999.\n');
    expect(text).toContain(
      `… and ${(5_000 - shown).toLocaleString('en-US')} more; list_folder with path "Log" lists them all.`,
    );
    expect(large.reads.length).toBeLessThan(shown + 32 + 6);
  });

  it('R168 gives the newest texts only while they fit', async () => {
    const big = fakeVault({ 'A/1.md': 'one', 'A/2.md': 'word '.repeat(2_000), 'A/3.md': 'three' });
    const mentions = [mention('folder', 'A')];
    const [list] = await attachedLists.gather(worldOf(big, { mentions, contextWindow: 8_192 }), never);
    expect(list?.notes.map(({ path }) => path)).toEqual(['A/3.md']);
    expect(list?.rows).toHaveLength(3);
  });

  it('R168 tells of an empty folder, and of the whole vault as a folder', async () => {
    const lists = await gather([mention('folder', 'Nowhere'), mention('folder', '/')]);
    expect(lists[1]?.total).toBe(5);
    const text = render(filesSection, { notes: [], lists }) ?? '';
    expect(text).toContain('<folder path="Nowhere">\nThere are no notes in it.\n</folder>');
    expect(text).toContain('<folder path="/">\n5 notes');
  });

  it('costs nothing without such mentions', async () => {
    const plain = vault();
    expect(await attachedLists.gather(worldOf(plain, { mentions: [mention('note', 'Tea.md')] }), never)).toEqual([]);
    expect(plain.reads).toEqual([]);
  });
});
