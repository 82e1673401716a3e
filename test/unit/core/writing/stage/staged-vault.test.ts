import { PassageIndex } from '../../../../../src/core/search/passage-index';
import { searchVault } from '../../../../../src/core/search/search-vault';
import { packChangeset, unpackChangeset } from '../../../../../src/core/writing/changeset/changeset';
import { checkIntegrity } from '../../../../../src/core/writing/changeset/describe-changeset';
import { turnCaps } from '../../../../../src/core/writing/stage/staged-vault';
import { digest } from '../../../../support/memory-ports';
import { stagedBench } from '../../../../support/staged-bench';
import { yaml } from '../../../../support/writing-bench';

const files = {
  'Home.md': '# Home\n\nTo [[Plan]] and [[Nowhere]], embedded ![[Plan#Steps]].\n',
  'Plan.md': '---\ntags: [work]\n---\n# Plan\n\n## Steps\n- [ ] first ^one\n- [ ] second\n',
  'a/Other.md': 'See [[Plan]].\n',
  'picture.png': new Uint8Array([1, 2, 3]),
};
const words = (outcome: { readonly ok: boolean }): string =>
  (outcome as { failure?: { words: string; remedy: string } }).failure?.words ?? '';

describe('the staged vault', () => {
  it('reads back what was written, while the vault under it stays as it is', async () => {
    const { staged, disk, see, call } = stagedBench(files);
    await see('Plan.md');
    const edit = await staged.edit('Plan.md', '- [ ] second', '- [x] second\n- [ ] third', call());
    expect(edit).toMatchObject({
      ok: true,
      value: { path: 'Plan.md', startLine: 8, lines: '- [x] second\n- [ ] third' },
    });
    await staged.create('b/New.md', 'New, see [[Plan]].\n', call());
    expect(await staged.read('Plan.md')).toMatchObject({ value: { text: expect.stringContaining('third') } });
    expect(await staged.read('b/New.md')).toMatchObject({ value: { text: 'New, see [[Plan]].\n' } });
    expect(staged.files().map(({ path }) => path)).toEqual([
      'Home.md',
      'Plan.md',
      'a/Other.md',
      'b/New.md',
      'picture.png',
    ]);
    expect(staged.folders()).toEqual(['a', 'b']);
    expect(staged.file('b/new.MD')?.path).toBe('b/New.md');
    expect(await disk.read('Plan.md')).toMatchObject({ value: { text: files['Plan.md'] } });
    expect(disk.file('b/New.md')).toBeUndefined();
    expect(staged.name).toBe(disk.name);
    // In any case, a path leads to the note as it is staged.
    const long = await staged.append('Plan.md', 'x'.repeat(500), call());
    expect(long).toMatchObject({ ok: true });
    expect(staged.file('plan.MD')).toEqual(staged.file('Plan.md'));
    expect(staged.file('plan.MD')?.size).toBeGreaterThan(500);
  });

  it('indexes a staged note from its own text and hides what the index says of it', async () => {
    const { staged, see, call } = stagedBench(files);
    await see('Plan.md');
    await staged.edit('Plan.md', '# Plan\n', '# The plan\n\n#fresh `#code` [[a/Other|o]] <!--[[Hidden]]-->\n', call());
    const outline = staged.outline('Plan.md');
    expect(outline?.headings.map(({ text, line }) => [text, line])).toEqual([
      ['The plan', 3],
      ['Steps', 7],
    ]);
    expect(outline?.tags).toEqual(['#work', '#fresh']);
    expect(outline?.links).toEqual([{ target: 'a/Other', path: 'a/Other.md', embed: false, line: 5 }]);
    expect(outline?.blocks).toEqual([{ id: 'one', line: 8 }]);
    expect(outline?.properties).toEqual({ tags: ['work'] });
    expect(staged.backlinks('a/Other.md')).toEqual(['Plan.md']);
  });

  it('has the tags of a staged note from its text, and of the others from the vault under it', async () => {
    const { staged, see, call } = stagedBench({ ...files, 'a/Tagged.md': '#kept and #held\n' });
    const tags = () =>
      ['Plan.md', 'a/Tagged.md', 'A/tagged.md', 'picture.png', 'None.md'].map((path) => staged.tags(path));
    const other = staged.tags('a/Tagged.md');
    expect(other).toEqual(['#kept', '#held']);
    await see('Plan.md');
    await staged.edit('Plan.md', '# Plan\n', '# The plan\n\n#fresh\n', call());
    expect(tags()).toEqual([['#work', '#fresh'], other, other, undefined, undefined]);
  });

  it('leads links of other notes to where a staged move takes the note', async () => {
    const { staged, call } = stagedBench(files);
    await staged.move('Plan.md', 'b/Scheme.md', call('move_note'));
    expect(staged.file('Plan.md')).toBeUndefined();
    expect(staged.resolveLink('Plan', 'Home.md')).toBe('b/Scheme.md');
    expect(staged.resolveLink('Scheme', 'Home.md')).toBe('b/Scheme.md');
    expect(staged.outline('Home.md')?.links.map(({ path }) => path)).toEqual(['b/Scheme.md', undefined, 'b/Scheme.md']);
    expect(staged.backlinks('b/Scheme.md')).toEqual(['Home.md', 'a/Other.md']);
    expect((await staged.read('Plan.md')).ok).toBe(false);
    expect((await staged.read('plan.md')).ok).toBe(false);
    expect(await staged.read('b/Scheme.md')).toMatchObject({ value: { path: 'b/Scheme.md', text: files['Plan.md'] } });
  });

  it('leaves links behind when the user has the app leave them', async () => {
    const { staged, call } = stagedBench(files, { linksFollowMoves: () => false });
    await staged.move('Plan.md', 'b/Scheme.md', call('move_note'));
    expect(staged.resolveLink('Plan', 'Home.md')).toBeUndefined();
    expect(staged.backlinks('b/Scheme.md')).toEqual([]);
  });

  it('counts no staged note among those that link to it', async () => {
    const { staged, see, call } = stagedBench(files);
    await see('Plan.md');
    await staged.edit('Plan.md', '# Plan\n', '# Plan\n\n[[#Steps]] [[Plan]]\n', call());
    expect(staged.backlinks('Plan.md')).toEqual(['Home.md', 'a/Other.md']);
    await staged.move('Plan.md', 'b/Plan.md', call());
    expect(staged.backlinks('b/Plan.md')).toEqual(['Home.md', 'a/Other.md']);
  });

  it('resolves links that led nowhere once the note is staged, and counts them as backlinks', async () => {
    const { staged, call } = stagedBench(files);
    expect(staged.outline('Home.md')?.links[1]?.path).toBeUndefined();
    await staged.create('c/Nowhere.md', 'Here now.\n', call());
    expect(staged.outline('Home.md')?.links[1]?.path).toBe('c/Nowhere.md');
    expect(staged.backlinks('c/Nowhere.md')).toEqual(['Home.md']);
  });

  it('forgets a deleted note everywhere', async () => {
    const { staged, see, call } = stagedBench(files);
    await see('Plan.md');
    expect((await staged.delete('Plan.md', call('delete_note'))).ok).toBe(true);
    expect(staged.file('Plan.md')).toBeUndefined();
    expect(staged.outline('Plan.md')).toBeUndefined();
    expect(staged.resolveLink('Plan', 'Home.md')).toBeUndefined();
    expect(staged.files().map(({ path }) => path)).not.toContain('Plan.md');
  });

  it('is searched as it will be', async () => {
    const { staged, see, call } = stagedBench(files);
    await see('a/Other.md');
    await staged.edit('a/Other.md', 'See [[Plan]].', 'A capybara was here.', call());
    const index = new PassageIndex();
    const search = async (): Promise<string[]> => {
      const options = { entries: staged.files(), limit: 5 };
      const found = await searchVault(staged, index, 'capybara', options, new AbortController().signal);
      return found.passages.map(({ path }) => path);
    };
    expect(await search()).toEqual(['a/Other.md']);
    await staged.edit('a/Other.md', 'A capybara', 'An otter', call());
    expect(await search()).toEqual([]);
  });
});

describe('F15 H6 reading before writing', () => {
  it('H6 refuses to edit or delete a note that was not read in this conversation', async () => {
    const { staged, see, call } = stagedBench(files);
    expect(words(await staged.edit('Plan.md', 'first', 'x', call()))).toContain('have not read');
    expect(words(await staged.delete('Plan.md', call()))).toContain('have not read');
    await see('Plan.md');
    expect((await staged.edit('Plan.md', 'first', 'x', call())).ok).toBe(true);
  });

  it('H6 counts a note as unread after an addition or a property, and one that the model wrote as read', async () => {
    const { staged, see, call } = stagedBench(files);
    expect((await staged.append('Plan.md', 'More.', call())).ok).toBe(true);
    expect((await staged.setProperties('Plan.md', [['status', 'draft']], call())).ok).toBe(true);
    expect(words(await staged.delete('Plan.md', call()))).toContain('have not read');
    expect(words(await staged.edit('Plan.md', 'first', 'x', call()))).toContain('have not read');
    expect((await staged.append('Plan.md', 'Yet more.', call())).ok).toBe(true);
    await see('Plan.md');
    expect((await staged.append('Plan.md', 'End.', call())).ok).toBe(true);
    expect((await staged.delete('Plan.md', call())).ok).toBe(true);
    await staged.create('New.md', 'Fresh.\n', call());
    expect((await staged.append('New.md', 'More.', call())).ok).toBe(true);
    expect((await staged.edit('New.md', 'Fresh.', 'Made.', call())).ok).toBe(true);
    await staged.move('New.md', 'b/New.md', call());
    expect((await staged.delete('b/New.md', call())).ok).toBe(true);
  });

  it('H6 F15 refuses an edit of a note that changed since, with the lines as they are, which then count as read', async () => {
    const { staged, disk, see, call } = stagedBench(files);
    await see('a/Other.md');
    disk.put('a/Other.md', 'See [[Plan]].\nAnd more.\n');
    const stale = await staged.edit('a/Other.md', 'See', 'Look at', call());
    expect(words(stale)).toContain('changed since');
    expect(stale).toMatchObject({ failure: { remedy: expect.stringContaining('And more.') } });
    expect((await staged.edit('a/Other.md', 'See', 'Look at', call())).ok).toBe(true);
  });

  it('H6 puts a staged note on what the disk holds when both touch different lines, and refuses when they clash', async () => {
    const { staged, disk, see, call } = stagedBench({ 'N.md': 'one\ntwo\nthree\nfour\n' });
    await see('N.md');
    await staged.edit('N.md', 'one', 'ONE', call());
    disk.put('N.md', 'one\ntwo\nthree\nFOUR\n');
    const merged = await staged.edit('N.md', 'three', 'THREE', call());
    expect(words(merged)).toContain('changed since');
    expect((await staged.edit('N.md', 'two\nthree', 'two\nTHREE', call())).ok).toBe(true);
    expect(await staged.read('N.md')).toMatchObject({ value: { text: 'ONE\ntwo\nTHREE\nFOUR\n' } });
    expect(staged.changeset()?.changes[0]?.base?.text).toBe('one\ntwo\nthree\nFOUR\n');
    disk.put('N.md', 'Uno\ntwo\nthree\nFOUR\n');
    const clash = await staged.append('N.md', 'more', call());
    expect(words(clash)).toContain('changed elsewhere');
    // Another read would give the staged text again.
    expect(clash).toMatchObject({ failure: { remedy: expect.stringContaining('Ask the user to reject') } });
  });

  it('H6 refuses to go on from what Obsidian could not read, as both sides added one property', async () => {
    const { staged, disk, see, call } = stagedBench({ 'N.md': '---\nat: 1\nby: 2\n---\nText.\n' });
    await see('N.md');
    await staged.edit('N.md', '---\nat', '---\ndue: 3\nat', call());
    disk.put('N.md', '---\nat: 1\nby: 2\ndue: 4\n---\nText.\n');
    expect(await staged.read('N.md')).toMatchObject({ value: { text: '---\ndue: 3\nat: 1\nby: 2\n---\nText.\n' } });
    const refused = words(await staged.append('N.md', 'more', call()));
    expect(refused).toContain('Obsidian couldn’t read its properties');
    expect(refused).not.toContain('same lines');
  });

  it('H6 shows a staged note as it is proposed where the user has typed in the same lines since', async () => {
    const { staged, disk, see, call } = stagedBench({ 'N.md': 'one\ntwo\n' });
    await see('N.md');
    await staged.edit('N.md', 'one', 'ONE', call());
    disk.put('N.md', 'one!\ntwo\n');
    expect(await staged.read('N.md')).toMatchObject({ value: { text: 'ONE\ntwo\n' } });
  });

  it('H6 shows in a staged note what the user has typed since, so that an edit of what was read again goes through', async () => {
    const { staged, disk, see, call } = stagedBench({ 'N.md': 'one\ntwo\nthree\n' });
    await see('N.md');
    await staged.edit('N.md', 'one', 'ONE', call());
    const typed = 'Typed by the user.\n'.repeat(200);
    disk.put('N.md', `one\ntwo\nthree\n${typed}`);
    const stale = await staged.edit('N.md', 'three', 'THREE', call());
    expect(stale).toMatchObject({ failure: { remedy: expect.stringContaining('Read the note') } });
    await see('N.md');
    const text = `ONE\ntwo\nthree\n${typed}`;
    expect(await staged.read('N.md')).toMatchObject({ value: { text, size: text.length } });
    expect((await staged.edit('N.md', 'three', 'THREE', call())).ok).toBe(true);
  });

  it('H12 runs a call once, and the same failing call at most three times', async () => {
    const { staged, call } = stagedBench(files);
    const once = call();
    expect((await staged.append('Plan.md', 'x', once)).ok).toBe(true);
    expect((await staged.append('Plan.md', 'x', once)).ok).toBe(false);
    const results = [];
    for (let count = 0; count < 4; count += 1) {
      results.push(words(await staged.edit('Gone.md', 'a', 'b', call('edit_note', 'same'))));
    }
    expect(results[2]).toContain('was not found');
    expect(results[3]).toContain('3 times');
  });
});

describe('places and kinds', () => {
  it('H1 H2 stages nothing outside the vault, in its settings, or where the user keeps the agent out', async () => {
    const { staged, call } = stagedBench(files, {}, (path) => path.startsWith('Private/'));
    for (const path of ['../x.md', '.obsidian/x.md', 'a/.git/x.md', 'Private/x.md', 'x\u202e.md', '/x.md']) {
      expect((await staged.create(path, 'x', call())).ok).toBe(false);
      expect((await staged.move('Plan.md', path, call())).ok).toBe(false);
    }
    expect(staged.changeset()).toBeNull();
  });

  it.each(['x.js', 'x.css', 'x', 'x.png', 'x.md.exe', '.md'])('writes no file of the kind of %s', async (path) => {
    const { staged, call } = stagedBench(files);
    expect((await staged.create(path, 'x', call())).ok).toBe(false);
  });

  it('lets no move change the kind of a file', async () => {
    const { staged, call } = stagedBench(files);
    expect((await staged.move('Plan.md', 'Plan.js', call())).ok).toBe(false);
    expect((await staged.move('picture.png', 'b/picture.png', call())).ok).toBe(true);
    expect((await staged.append('b/picture.png', 'x', call())).ok).toBe(false);
  });

  it('makes nothing where something is, or will still be when it is made', async () => {
    const { staged, see, call } = stagedBench(files);
    expect(words(await staged.create('plan.md', 'x', call()))).toContain('already exists');
    expect(words(await staged.move('Home.md', 'Plan.md', call()))).toContain('already exists');
    await see('Plan.md');
    await staged.delete('Plan.md', call());
    expect(words(await staged.create('Plan.md', 'x', call()))).toContain('is free only after');
    expect(words(await staged.move('Home.md', 'Plan.md', call()))).toContain('is free only after');
  });

  it('takes a canvas only as JSON', async () => {
    const { staged, call } = stagedBench(files);
    expect((await staged.create('x.canvas', 'no', call())).ok).toBe(false);
    expect((await staged.create('x.canvas', '{"nodes":[],"edges":[]}', call())).ok).toBe(true);
  });

  it('lets no write break a canvas, and mends one that is broken', async () => {
    const { staged, see, call } = stagedBench({ 'Board.canvas': '{"nodes":[]}', 'Torn.canvas': '{"nodes":[]' });
    await see('Board.canvas', 'Torn.canvas');
    expect(words(await staged.append('Board.canvas', 'A line.', call()))).toContain('is not a canvas');
    expect(words(await staged.edit('Board.canvas', ']}', ']', call()))).toContain('is not a canvas');
    expect((await staged.edit('Board.canvas', '[]', '[],"edges":[]', call())).ok).toBe(true);
    expect((await staged.edit('Torn.canvas', '[]', '[ ]', call())).ok).toBe(true);
  });

  it('takes a base only as YAML, lets no write break one, and one that is broken may change', async () => {
    const { staged, see, call } = stagedBench({ 'All.base': 'views: []\n', 'Torn.base': 'views: [\n' });
    await see('All.base', 'Torn.base');
    expect(words(await staged.create('x.base', 'views: [', call()))).toContain('is not a base');
    expect(words(await staged.create('x.base', 'A table of notes.', call()))).toContain('is not a base');
    expect(words(await staged.append('All.base', 'A line.', call()))).toContain('is not a base');
    expect(words(await staged.edit('All.base', '[]', '[', call()))).toContain('is not a base');
    expect((await staged.edit('All.base', 'views: []', 'filters: file.hasTag("a")', call())).ok).toBe(true);
    expect((await staged.edit('Torn.base', 'views: [', 'views: [a', call())).ok).toBe(true);
    expect((await staged.create('New.base', 'views:\n  - type: table\n    name: All\n', call())).ok).toBe(true);
    expect((await staged.create('Empty.base', '', call())).ok).toBe(true);
  });

  it('sets properties of notes alone', async () => {
    const files = { 'Board.canvas': '{}', 'Table.csv': 'a,b\n', 'All.base': 'views: []\n', 'List.txt': 'x\n' };
    const { staged, call } = stagedBench(files);
    for (const path of Object.keys(files))
      expect(words(await staged.setProperties(path, [['status', 'open']], call()))).toContain('has no properties');
  });

  it('sets the property that the note spells in another case', async () => {
    const { staged, call } = stagedBench({ 'N.md': '---\nStatus: draft\nurl: a\nURL: b\n---\n' });
    expect(
      (
        await staged.setProperties(
          'N.md',
          [
            ['status', 'open'],
            ['URL', 'c'],
          ],
          call(),
        )
      ).ok,
    ).toBe(true);
    expect(staged.changeset()?.changes[0]?.text).toBe('---\nStatus: open\nurl: a\nURL: c\n---\n');
  });

  it('renames in letter case only', async () => {
    const { staged, call } = stagedBench(files);
    expect((await staged.move('Plan.md', 'PLAN.md', call())).ok).toBe(true);
    expect(staged.files().map(({ path }) => path)).toContain('PLAN.md');
  });
});

describe('one change a file', () => {
  it('adds up all writes of a file, and drops a change that comes to nothing', async () => {
    const { staged, see, call } = stagedBench(files);
    await see('Plan.md', 'a/Other.md');
    await staged.edit('Plan.md', 'first', 'FIRST', call());
    await staged.setProperties(
      'Plan.md',
      [
        ['status', 'open'],
        ['tags', undefined],
      ],
      call(),
    );
    await staged.move('Plan.md', 'b/Plan.md', call());
    await staged.append('b/Plan.md', '- [ ] fourth', call(), { heading: 'Steps' });
    const changes = staged.changeset()?.changes ?? [];
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ from: 'Plan.md', to: 'b/Plan.md', base: { text: files['Plan.md'] } });
    expect(changes[0]?.text).toBe(
      '---\nstatus: open\n---\n# Plan\n\n## Steps\n- [ ] FIRST ^one\n- [ ] second\n- [ ] fourth\n',
    );
    expect(changes[0]?.calls).toHaveLength(4);
    await staged.edit('a/Other.md', 'See', 'Look', call());
    await staged.edit('a/Other.md', 'Look', 'See', call());
    await staged.create('x.md', 'x', call());
    await staged.delete('x.md', call());
    expect(staged.changeset()?.changes).toHaveLength(1);
  });

  it('is none once a note is back at its path, or the user has taken back all of its text', async () => {
    const { staged, see, call } = stagedBench(files);
    await see('Plan.md');
    await staged.move('Plan.md', 'b/Plan.md', call());
    expect(await staged.move('b/Plan.md', 'Plan.md', call())).toMatchObject({ ok: true });
    expect(staged.changeset()).toBeNull();
    await staged.edit('Plan.md', 'first', 'FIRST', call());
    const id = staged.changeset()?.changes[0]?.id ?? '';
    expect(staged.revise(id, files['Plan.md'])).toMatchObject({ ok: true });
    expect(staged.changeset()).toBeNull();
  });

  it('gives way to the changes that are restored', async () => {
    const { staged, call } = stagedBench(files);
    await staged.create('old.md', 'old\n', call());
    const before = staged.changeset();
    if (before === null) throw new Error('nothing staged');
    await staged.create('new.md', 'new\n', call());
    staged.restore(before);
    expect(staged.changeset()).toEqual(before);
    expect(staged.file('new.md')).toBeUndefined();
  });

  it('does not follow a note to where another change waits', async () => {
    const { staged, disk, see, call } = stagedBench(files);
    await see('Plan.md');
    await staged.edit('Plan.md', 'first', 'FIRST', call());
    await staged.create('b/Plan.md', 'Another plan.\n', call());
    disk.remove('Plan.md');
    disk.put('b/Plan.md', files['Plan.md']);
    expect(staged.follow({ from: 'Plan.md', to: 'b/Plan.md' })).toBe(false);
    expect(staged.changeset()?.changes.map(({ from }) => from)).toEqual(['Plan.md', null]);
  });

  it('is plain data that survives a reload, and is not taken back when a text does not fit its hash', async () => {
    const { staged, see, call } = stagedBench(files, { taint: () => 'a page' });
    await see('Plan.md');
    await staged.edit('Plan.md', 'first', 'FIRST', call());
    await staged.move('Plan.md', 'b/Plan.md', call());
    await staged.create('new.md', 'new\n', call());
    const changeset = staged.changeset();
    if (changeset === null) throw new Error('nothing staged');
    const json = JSON.stringify(packChangeset(changeset));
    const back = unpackChangeset(JSON.parse(json), digest);
    expect(back).toEqual(changeset);
    const again = stagedBench(files);
    if (back !== null) again.staged.restore(back);
    expect(again.staged.changeset()).toEqual(changeset);
    expect(await again.staged.read('b/Plan.md')).toMatchObject({ value: { text: expect.stringContaining('FIRST') } });
    expect(unpackChangeset(JSON.parse(json.replace('first', 'fisrt')), digest)).toBeNull();
    expect(unpackChangeset({ id: 'x' }, digest)).toBeNull();
  });

  it('stays in sight after it was applied, until the index has been heard of', async () => {
    const { staged, disk, see, call } = stagedBench(files);
    await see('Plan.md');
    await staged.edit('Plan.md', '# Plan', '# Scheme', call());
    await staged.create('new.md', 'new\n', call());
    const changes = staged.changeset()?.changes ?? [];
    staged.settle(changes.slice(0, 1), changes.slice(1));
    expect(staged.changeset()?.changes.map(({ to }) => to)).toEqual(['new.md']);
    expect(staged.outline('Plan.md')?.headings[0]?.text).toBe('Scheme');
    disk.put('Plan.md', '# What the user typed\n');
    expect(await staged.read('Plan.md')).toMatchObject({ value: { text: '# What the user typed\n' } });
    staged.heard(['Other.md']);
    expect(staged.outline('Plan.md')?.headings[0]?.text).toBe('Scheme');
    staged.heard(['Plan.md']);
    expect(staged.outline('Plan.md')?.headings[0]?.text).toBe('What the user typed');
  });

  it('hides a note that was deleted until the index has it no more, and not one that comes later', async () => {
    const { staged, disk, see, call } = stagedBench(files);
    await see('Plan.md');
    await staged.delete('Plan.md', call());
    staged.settle(staged.changeset()?.changes ?? []);
    staged.heard(['Plan.md']);
    expect(staged.file('Plan.md')).toBeUndefined();
    disk.remove('Plan.md');
    staged.heard(['Plan.md']);
    disk.put('Plan.md', '# Another\n');
    expect(staged.file('Plan.md')?.path).toBe('Plan.md');
  });

  it('shows the disk after an undo, and still what waits', async () => {
    const { staged, disk, see, call } = stagedBench(files);
    await see('Plan.md');
    await staged.edit('Plan.md', '# Plan', '# Scheme', call());
    await staged.create('new.md', 'new\n', call());
    const [edit, created] = staged.changeset()?.changes ?? [];
    if (edit === undefined || created === undefined) throw new Error('There are no changes.');
    staged.settle([edit], [created]);
    disk.put('Plan.md', files['Plan.md']);
    staged.forgetApplied();
    expect(staged.outline('Plan.md')?.headings[0]?.text).toBe('Plan');
    expect(staged.changeset()?.changes.map(({ id }) => id)).toEqual([created.id]);
    expect(await staged.read('new.md')).toMatchObject({ value: { text: 'new\n' } });
  });

  it('forgets what was rejected: nothing reads it, and nothing proposes it again', async () => {
    const { staged, see, call } = stagedBench(files);
    await see('Plan.md', 'a/Other.md');
    await staged.edit('Plan.md', '# Plan', '# Scheme', call());
    await staged.create('new.md', 'new\n', call());
    await staged.edit('a/Other.md', 'See', 'Look', call());
    const changes = staged.changeset()?.changes ?? [];
    staged.settle([], changes.slice(2));
    expect(staged.changeset()?.changes.map(({ to }) => to)).toEqual(['a/Other.md']);
    expect(staged.outline('Plan.md')?.headings[0]?.text).toBe('Plan');
    expect(await staged.read('Plan.md')).toMatchObject({ value: { text: files['Plan.md'] } });
    expect(staged.file('new.md')).toBeUndefined();
    staged.settle([], []);
    expect(staged.changeset()).toBeNull();
  });

  it('stops at the caps of a turn, and starts the next one anew', async () => {
    const { staged, call } = stagedBench(files);
    for (let count = 0; count < turnCaps.writes; count += 1) {
      expect((await staged.create(`n${count}.md`, 'x', call())).ok).toBe(true);
    }
    expect(words(await staged.create('more.md', 'x', call()))).toContain('25 writes');
    staged.startTurn();
    expect((await staged.create('more.md', 'x', call())).ok).toBe(true);
    expect(words(await staged.create('big.md', 'x'.repeat(turnCaps.bytes), call()))).toContain('200 KB');
    const many = stagedBench(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.md`, 'x'])));
    for (let index = 0; index < 12; index += 1) await many.see(`${index}.md`);
    const deleted = [];
    for (let index = 0; index < 12; index += 1) deleted.push((await many.staged.delete(`${index}.md`, many.call())).ok);
    expect(deleted.filter(Boolean)).toHaveLength(turnCaps.deletes);
  });
});

describe('integrity of what is staged', () => {
  const problemsOf = async (act: (bench: ReturnType<typeof stagedBench>) => Promise<unknown>) => {
    const bench = stagedBench(files);
    await bench.see('Plan.md', 'Home.md', 'a/Other.md');
    await act(bench);
    const changeset = bench.staged.changeset();
    if (changeset === null) throw new Error('nothing staged');
    return checkIntegrity(changeset, bench.disk, bench.staged, yaml);
  };

  it('finds new broken links and embeds, and passes over those that were broken before', async () => {
    const problems = await problemsOf(({ staged, call }) =>
      staged.edit('Home.md', '# Home', '# Home ![[missing.png]] [[Nobody]]', call()),
    );
    expect(problems).toEqual([
      { kind: 'broken-link', path: 'Home.md', target: 'Nobody', line: 1 },
      { kind: 'broken-embed', path: 'Home.md', target: 'missing.png', line: 1 },
    ]);
  });

  it('finds links that a deletion breaks, and headings that others link to', async () => {
    expect(await problemsOf(({ staged, call }) => staged.delete('Plan.md', call()))).toEqual([
      { kind: 'broken-link', path: 'Home.md', target: 'Plan', line: 3 },
      { kind: 'broken-embed', path: 'Home.md', target: 'Plan#Steps', line: 3 },
      { kind: 'broken-link', path: 'a/Other.md', target: 'Plan', line: 1 },
    ]);
    expect(await problemsOf(({ staged, call }) => staged.edit('Plan.md', '## Steps', '## Things', call()))).toEqual([
      { kind: 'lost-anchor', path: 'Plan.md', target: 'Plan#Steps', from: 'Home.md' },
    ]);
    const linked = (target: string) =>
      problemsOf(({ staged, call }) => staged.edit('Home.md', '# Home', `# Home [[Plan#${target}]]`, call()));
    expect(await linked('^ONE')).toEqual([]);
    const marked = await problemsOf(async ({ staged, call }) => {
      await staged.append('Plan.md', 'More. ^three\n', call());
      await staged.edit('Home.md', '# Home', '# Home [[Plan#^one]] [[Plan#^three]]', call());
    });
    expect(marked).toEqual([]);
    expect(await linked('^two')).toEqual([
      { kind: 'lost-anchor', path: 'Plan.md', target: 'Plan#^two', from: 'Home.md' },
    ]);
  });

  it('finds properties that can no longer be read, and tasks that are gone but not those that were ticked off', async () => {
    const problems = await problemsOf(({ staged, call }) =>
      staged.edit('Plan.md', 'tags: [work]', 'tags: [work', call()),
    );
    expect(problems).toEqual([{ kind: 'unreadable-properties', path: 'Plan.md' }]);
    expect(await problemsOf(({ staged, call }) => staged.edit('Plan.md', '[ ] second', '[x] second', call()))).toEqual(
      [],
    );
    expect(await problemsOf(({ staged, call }) => staged.edit('Plan.md', '- [ ] second\n', '', call()))).toEqual([
      { kind: 'lost-task', path: 'Plan.md', task: 'second' },
    ]);
  });

  it('finds a canvas and a base that can no longer be opened once the user has changed the proposal', async () => {
    const before = { 'Board.canvas': '{"nodes":[]}', 'All.base': 'views: []\n', 'Torn.base': 'views: [\n' };
    const { staged, disk, see, call } = stagedBench(before);
    await see(...Object.keys(before));
    for (const [path, text] of Object.entries(before)) {
      await staged.edit(path, '[', '[ ', call());
      const change = staged.changeset()?.changes.find(({ to }) => to === path);
      staged.revise(change?.id ?? '', `${text}]`);
    }
    const changeset = staged.changeset() ?? { id: '', changes: [] };
    expect(changeset.changes).toHaveLength(3);
    expect(checkIntegrity(changeset, disk, staged, yaml)).toEqual([
      { kind: 'unreadable-file', path: 'Board.canvas' },
      { kind: 'unreadable-file', path: 'All.base' },
    ]);
  });

  it('has nothing to say of a move that takes its links along', async () => {
    expect(await problemsOf(({ staged, call }) => staged.move('Plan.md', 'b/Scheme.md', call()))).toEqual([]);
  });
});
