/** @jest-environment jsdom */
/** What the review says of a move that not every file follows, and of a new note whose path exists in other letter case. */
import { closeTestApps } from 'obsidian-workbench/jest';
import type { ReviewedChange } from '../../../../../src/core/writing/review/review';
import { words } from '../../../../../src/text';
import { call, finish, type Step, say } from '../../../../support/scripted-model';
import { type WritingChat, writingChat } from '../../../../support/writing-chat';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { findMentions } from '../../../../../src/core/writing/review/describe-review';
import { fakeVault } from '../../../../support/fake-vault';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const done: Step[] = [say('Proposed.'), finish()];
const canvas = (file: string): string => JSON.stringify({ nodes: [{ id: 'a', type: 'file', file }], edges: [] });

async function ask(
  files: Record<string, string>,
  permission: 'review' | 'auto-edit',
  ...writes: Step[]
): Promise<WritingChat> {
  const read = [call('r1', 'read_note', { path: 'Plan.md' }), finish('tool-calls')];
  const bench = await writingChat({ files, permission }, read, [...writes, finish('tool-calls')], done);
  await bench.ask('Go on with [[Plan]].');
  return bench;
}

const changesOf = ({ chat }: WritingChat): readonly ReviewedChange[] => chat.current.reviews?.at(-1)?.changes ?? [];

describe('a move', () => {
  const files = {
    'Plan.md': '# Plan\n\n[[#Plan]]\n',
    'Crew.md': 'See [[Plan]].\n',
    'Board.canvas': canvas('Plan.md'),
    'Names.base': 'filters:\n  and:\n    - file.links.contains(link("Plan"))\n',
    'Paths.base': "filters: file.path == 'Plan.md'\n",
    'Other.base': 'views:\n  - type: table\n    name: Planning and Plan\n',
  };
  const move = call('m1', 'move_note', { path: 'Plan.md', newPath: 'Docks/Scheme.md' });

  it('names the notes and canvases that follow, and the bases that do not', async () => {
    const bench = await ask(files, 'review', move);
    for (let tries = 0; tries < 100 && changesOf(bench)[0]?.namedIn.length !== 2; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const [change] = changesOf(bench);
    expect(change?.namedIn).toEqual(['Names.base', 'Paths.base']);
    expect(change?.linkedFrom).toEqual(['Board.canvas', 'Crew.md']);
    expect(words.review.linksFollow(2, 1)).toBe('Updates links in 1 note and 1 canvas');
    expect((await bench.chat.changes?.apply())?.ok).toBe(true);
    expect(changesOf(bench)[0]?.rewritten).toEqual(['Board.canvas', 'Crew.md']);
    expect(JSON.parse(await bench.read('Board.canvas'))).toMatchObject({ nodes: [{ file: 'Docks/Scheme.md' }] });
    expect(await bench.read('Paths.base')).toBe(files['Paths.base']);
    const [review] = bench.chat.current.reviews ?? [];
    expect((await bench.chat.changes?.undo(review?.id ?? ''))?.ok).toBe(true);
    expect(await bench.read('Board.canvas')).toBe(files['Board.canvas']);
  });

  it('says the same after a restart, and looks again when a base changes', async () => {
    const bench = await (await ask(files, 'review', move)).reopen();
    const named = async (count: number): Promise<readonly string[] | undefined> => {
      for (let tries = 0; tries < 100 && changesOf(bench)[0]?.namedIn.length !== count; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      return changesOf(bench)[0]?.namedIn;
    };
    expect(await named(2)).toEqual(['Names.base', 'Paths.base']);
    await bench.app.vault.modify(bench.app.vault.getFileByPath('Paths.base')!, 'filters: true\n');
    expect(await named(1)).toEqual(['Names.base']);
  });

  it('into another folder leaves what names the note by its name alone', async () => {
    const change = { id: 'a', from: 'Plan.md', to: 'Docks/Plan.md', base: null, text: null, calls: [], taint: null };
    const vault = fakeVault({ ...files, 'a/Plan.md': '', 'In.base': 'x: \'[[a/Plan]]\'\ny: "b/a/Plan.md"\n' });
    // Nothing indexes the canvas here.
    expect(await findMentions(change, vault)).toEqual(['Board.canvas', 'Paths.base']);
    const below = { ...change, from: 'a/Plan.md', to: 'b/Plan.md' };
    expect(await findMentions(below, vault)).toEqual(['In.base']);
    expect(await findMentions({ ...change, from: 'Plan.md', to: null }, vault)).toEqual([]);
    const bases = Array.from({ length: 202 }, (_, at) => [`${1_000 + at}.base`, 'x: "Plan.md"\n'] as const);
    expect(await findMentions(change, fakeVault(Object.fromEntries(bases)))).toHaveLength(200);
  });

  it('is looked up in linear time in hostile bases', async () => {
    const text = `${'"'.repeat(200_000)}${"['Pla".repeat(100_000)}`;
    const change = { id: 'a', from: 'Plan.md', to: 'B.md', base: null, text: null, calls: [], taint: null };
    const vault = fakeVault({ 'Plan.md': '', 'x.base': text });
    await expectCostBelow(500, () => findMentions(change, vault));
  });
});

describe('a new note beside one that differs in upper and lower case alone', () => {
  const files = { 'Plan.md': 'Theirs.\n' };
  const create = call('c1', 'create_note', { path: 'plan.md', text: 'New.\n' });

  it('is offered with a sentence where the disk holds both, and leaves the other alone', async () => {
    const bench = await ask(files, 'review', create);
    const [change] = changesOf(bench);
    expect(change?.change).toMatchObject({ from: null, to: 'plan.md' });
    expect(change?.problems).toEqual([{ kind: 'case-twin', path: 'plan.md', twin: 'Plan.md' }]);
    expect((await bench.chat.changes?.apply())?.ok).toBe(true);
    expect([await bench.read('Plan.md'), await bench.read('plan.md')]).toEqual(['Theirs.\n', 'New.\n']);
  });

  it('waits for the user in Auto-edit too', async () => {
    const bench = await ask(files, 'auto-edit', create);
    expect(changesOf(bench)[0]).toMatchObject({ state: 'waiting' });
    expect(bench.app.vault.getFileByPath('plan.md')).toBeNull();
  });

  it('is offered for a move too, but the change of letters of one note is no twin', async () => {
    const twin = call('m1', 'move_note', { path: 'Plan.md', newPath: 'crew.md' });
    const bench = await ask({ ...files, 'Crew.md': 'x\n' }, 'review', twin);
    expect(changesOf(bench)[0]?.problems).toEqual([{ kind: 'case-twin', path: 'crew.md', twin: 'Crew.md' }]);
    const own = await ask(files, 'review', call('m1', 'move_note', { path: 'Plan.md', newPath: 'plan.md' }));
    expect(changesOf(own)[0]?.problems).toEqual([]);
  });
});

describe('a note of which a sync service stored another version', () => {
  const change = call('c1', 'edit_note', { path: 'Plan.md', oldText: 'Theirs', newText: 'Ours' });
  const copies = [
    'Plan.sync-conflict-20261124-101500-ABCDEFG.md',
    'Plan (Conflicted copy Ada’s phone 202611241015).md',
    "Plan (Ada's conflicted copy 2026-11-24).md",
    'Plan-DESKTOP-AB12CD3.md',
  ];

  it.each(copies)('is changed alone, and the review names %s', async (copy) => {
    const files = { 'Plan.md': 'Theirs.\n', [copy]: 'Theirs, and more.\n', 'Plan 2.md': 'Another.\n' };
    const bench = await ask(files, 'review', call('r1', 'read_note', { path: 'Plan.md' }), change);
    expect(changesOf(bench)[0]?.problems).toEqual([{ kind: 'conflict-copy', path: 'Plan.md', copy }]);
    expect((await bench.chat.changes?.apply())?.ok).toBe(true);
    expect([await bench.read('Plan.md'), await bench.read(copy)]).toEqual(['Ours.\n', 'Theirs, and more.\n']);
  });
});
