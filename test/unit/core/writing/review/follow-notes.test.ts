/** @jest-environment jsdom */
/** A waiting change follows its note, however it was moved, and says so when the note is no longer there. */
import { closeTestApps } from 'obsidian-workbench/jest';
import type { ReviewedChange } from '../../../../../src/core/writing/review/review';
import type { DeviceStorage } from '../../../../../src/core/ports/device';
import { clock } from '../../../../../src/vault/device';
import { RecentMoves } from '../../../../../src/core/writing/stage/follow-notes';
import { memoryDevice } from '../../../../support/memory-ports';
import { call, finish, type Step, say } from '../../../../support/scripted-model';
import { type WritingChat, writingChat } from '../../../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const files = { 'Plan.md': '# Plan\n\nFirst.\n\nSecond.\n', 'Crew.md': 'See [[Plan]].\n' };
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Proposed.'), finish()];
const edit = call('e1', 'edit_note', { path: 'Plan.md', oldText: 'First.', newText: 'One.' });
const edited = '# Plan\n\nOne.\n\nSecond.\n';

/** A chat in which a change of a note waits. */
async function waiting(...writes: Step[]): Promise<WritingChat> {
  const read = calls(call('r1', 'read_note', { path: 'Plan.md' }));
  const bench = await writingChat({ files }, read, calls(...(writes.length === 0 ? [edit] : writes)), done);
  await bench.ask('Edit the plan.');
  return bench;
}

const changesOf = ({ chat }: WritingChat): readonly ReviewedChange[] => chat.current.reviews?.at(-1)?.changes ?? [];

async function until(bench: WritingChat, isSo: (change: ReviewedChange | undefined) => boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (isSo(changesOf(bench)[0])) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`It never came to that: ${JSON.stringify(changesOf(bench)[0])}`);
}

const isAt = (path: string) => (change: ReviewedChange | undefined) => change?.change.from === path && !change.missing;

async function rename({ app }: WritingChat, from: string, to: string): Promise<void> {
  const folder = to.slice(0, Math.max(0, to.lastIndexOf('/')));
  if (folder !== '' && app.vault.getFolderByPath(folder) === null) await app.vault.createFolder(folder);
  await app.fileManager.renameFile(app.vault.getFileByPath(from)!, to);
}

/** Has the emulated app notice what was changed outside of it, as the real one does by itself. */
async function rescan({ app }: WritingChat): Promise<void> {
  await (app.vault as unknown as { reconcile(path: string): Promise<void> }).reconcile('/');
}

async function apply(bench: WritingChat): Promise<string> {
  const outcome = await bench.chat.changes?.apply();
  return outcome?.ok === true ? 'applied' : (outcome?.failure.words ?? 'nothing');
}

describe('a note that is moved while a change of it waits', () => {
  it('takes the change along when it is renamed in the app, and over a restart', async () => {
    const bench = await waiting();
    await rename(bench, 'Plan.md', 'x/Scheme.md');
    await until(bench, isAt('x/Scheme.md'));
    expect(changesOf(bench)[0]?.change).toMatchObject({ to: 'x/Scheme.md', movedFrom: 'Plan.md' });
    const again = await bench.reopen();
    expect(changesOf(again)[0]?.change).toMatchObject({ from: 'x/Scheme.md', movedFrom: 'Plan.md' });
    expect(await apply(again)).toBe('applied');
    expect(await again.read('x/Scheme.md')).toBe(edited);
    expect(again.app.vault.getFileByPath('Plan.md')).toBeNull();
  });

  it('takes it along twice, and through the rename of a folder', async () => {
    const bench = await waiting();
    await rename(bench, 'Plan.md', 'x/Plan.md');
    await bench.app.fileManager.renameFile(bench.app.vault.getFolderByPath('x')!, 'y');
    await rename(bench, 'y/Plan.md', 'y/Last.md');
    await until(bench, isAt('y/Last.md'));
    expect(await apply(bench)).toBe('applied');
    expect(await bench.read('y/Last.md')).toBe(edited);
  });

  it('takes it along with what the user typed since', async () => {
    const bench = await waiting();
    await rename(bench, 'Plan.md', 'Scheme.md');
    await bench.app.vault.modify(bench.app.vault.getFileByPath('Scheme.md')!, '# Plan\n\nFirst.\n\nSecond of mine.\n');
    await until(bench, isAt('Scheme.md'));
    expect(await apply(bench)).toBe('applied');
    expect(await bench.read('Scheme.md')).toBe('# Plan\n\nOne.\n\nSecond of mine.\n');
  });

  it('is found by its text when it was moved outside, while the chat is open or closed', async () => {
    const bench = await waiting();
    bench.adapter.renameOutside('Plan.md', 'z/Elsewhere.md');
    await rescan(bench);
    await until(bench, isAt('z/Elsewhere.md'));
    bench.adapter.renameOutside('z/Elsewhere.md', 'Away.md');
    const again = await bench.reopen();
    await until(again, isAt('Away.md'));
    expect(await apply(again)).toBe('applied');
    expect(await again.read('Away.md')).toBe(edited);
  });

  it('takes it along when it was renamed and edited while the chat was closed', async () => {
    const bench = await waiting();
    jest.spyOn(bench.chat.changes!, 'heard').mockImplementation(() => undefined);
    await rename(bench, 'Plan.md', 'x/Plan.md');
    await bench.app.fileManager.renameFile(bench.app.vault.getFolderByPath('x')!, 'y');
    await bench.app.vault.modify(bench.app.vault.getFileByPath('y/Plan.md')!, '# Plan\n\nFirst.\n\nMine.\n');
    expect(changesOf(bench)[0]?.change.from).toBe('Plan.md');
    const again = await bench.reopen();
    await until(again, isAt('y/Plan.md'));
    expect(await apply(again)).toBe('applied');
    expect(await again.read('y/Plan.md')).toBe('# Plan\n\nOne.\n\nMine.\n');
  });

  it('does not go to the note that had its name before', async () => {
    const bench = await writingChat(
      { files: { 'Plan.md': '# Old\n\nFirst.\n', 'Draft.md': files['Plan.md'] }, morePorts: { clock } },
      calls(call('r1', 'read_note', { path: 'Plan.md' })),
      calls(edit),
      done,
    );
    await rename(bench, 'Plan.md', 'Old.md');
    await rename(bench, 'Draft.md', 'Plan.md');
    await bench.ask('Edit the plan.');
    jest.spyOn(bench.chat.changes!, 'heard').mockImplementation(() => undefined);
    await rename(bench, 'Plan.md', 'Final.md');
    await bench.app.vault.modify(bench.app.vault.getFileByPath('Final.md')!, '# Plan\n\nFirst.\n\nMine.\n');
    const again = await bench.reopen();
    await until(again, (change) => change !== undefined && change.change.from !== 'Plan.md');
    expect(changesOf(again)[0]?.change.from).toBe('Final.md');
    expect(await apply(again)).toBe('applied');
    expect([await again.read('Final.md'), await again.read('Old.md')]).toEqual([
      '# Plan\n\nOne.\n\nMine.\n',
      '# Old\n\nFirst.\n',
    ]);
  });

  it('takes it along from where another note is by now', async () => {
    const bench = await writingChat(
      { files: { 'Untitled.md': '' }, morePorts: { clock } },
      calls(call('e1', 'append_to_note', { path: 'Untitled.md', text: 'Proposed.' })),
      done,
    );
    await bench.ask('Write a draft.');
    jest.spyOn(bench.chat.changes!, 'heard').mockImplementation(() => undefined);
    await rename(bench, 'Untitled.md', 'Draft.md');
    await bench.app.vault.create('Untitled.md', '');
    const again = await bench.reopen();
    await until(again, isAt('Draft.md'));
    expect(await apply(again)).toBe('applied');
    expect([await again.read('Draft.md'), await again.read('Untitled.md')]).toEqual(['Proposed.\n', '']);
  });

  it('is not taken for a copy of it, nor for one of two', async () => {
    const bench = await waiting();
    await bench.app.vault.create('Copy.md', files['Plan.md']);
    const { mtime } = bench.app.vault.getFileByPath('Plan.md')!.stat;
    for (const path of ['One.md', 'Two.md']) bench.adapter.writeOutside(path, files['Plan.md'], { mtime });
    await rescan(bench);
    await bench.app.vault.delete(bench.app.vault.getFileByPath('Plan.md')!);
    await until(bench, (change) => change?.missing === true);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(changesOf(bench)[0]?.change.from).toBe('Plan.md');
    expect(await bench.read('Copy.md')).toBe(files['Plan.md']);
  });

  it('still goes where the change takes it, and asks for no move that was made', async () => {
    const move = call('m1', 'move_note', { path: 'Plan.md', newPath: 'Docks/Plan.md' });
    const bench = await waiting(move);
    await rename(bench, 'Plan.md', 'Scheme.md');
    await until(bench, isAt('Scheme.md'));
    expect(changesOf(bench)[0]?.change.to).toBe('Docks/Plan.md');
    await rename(bench, 'Scheme.md', 'Docks/Plan.md');
    await until(bench, (change) => change === undefined);
    expect((await bench.reopen()).chat.current.reviews ?? []).toEqual([]);
  });

  it('does not take the change into what is hidden', async () => {
    const read = calls(call('r1', 'read_note', { path: 'Plan.md' }));
    const bench = await writingChat({ files, settings: { keptFolders: ['Private'] } }, read, calls(edit), done);
    await bench.ask('Edit the plan.');
    await rename(bench, 'Plan.md', 'Private/Plan.md');
    await until(bench, (change) => change?.missing === true);
    expect(changesOf(bench)[0]?.change.from).toBe('Plan.md');
    expect(await bench.read('Private/Plan.md')).toBe(files['Plan.md']);
  });

  it('does not follow its own move, also when it is undone', async () => {
    const move = call('m1', 'move_note', { path: 'Plan.md', newPath: 'Docks/Plan.md' });
    const bench = await waiting(edit, move);
    expect(await apply(bench)).toBe('applied');
    const [review] = bench.chat.current.reviews ?? [];
    expect((await bench.chat.changes?.undo(review?.id ?? ''))?.ok).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await bench.read('Plan.md')).toBe(files['Plan.md']);
    expect(changesOf(bench).map(({ state }) => state)).toEqual(['undone']);
  });
});

describe('the moves on this device', () => {
  const at = (device: DeviceStorage, now: number): RecentMoves => new RecentMoves(device, { now: () => now });

  it('are followed through several moves, and not those of an earlier file at the same path', () => {
    const device = memoryDevice();
    at(device, 10).add('A.md', 'old.md');
    at(device, 20).add('A.md', 'b/A.md');
    at(device, 30).add('b', 'c');
    at(device, 30).add('b/A.md', 'c/A.md');
    at(device, 40).add('c/A.md', 'd.md');
    expect(JSON.parse(device.get('moves') ?? '')).toHaveLength(4);
    const moves = at(device, 50);
    expect([moves.find('A.md', 5), moves.find('A.md', 15), moves.find('A.md', 45)]).toEqual(['old.md', 'd.md', null]);
    expect(moves.find('b/Other.md', 15)).toBe('c/Other.md');
    expect(moves.find('bb/Other.md', 15)).toBeNull();
  });

  it('are at most 200, and none in a record that cannot be read', () => {
    const device = memoryDevice();
    const moves = at(device, 1);
    for (let index = 0; index < 250; index += 1) moves.add(`${index}.md`, `x${index}.md`);
    expect(at(device, 2).find('0.md', 0)).toBeNull();
    expect(at(device, 2).find('249.md', 0)).toBe('x249.md');
    for (const damaged of ['{', '{}', '[1, null, {"from": 1}]']) {
      device.set('moves', damaged);
      expect(at(device, 3).find('249.md', 0)).toBeNull();
    }
  });
});

it('saves no edit over a proposal that is another one by now', async () => {
  const bench = await waiting();
  const [waits] = changesOf(bench);
  const id = waits?.change.id ?? '';
  expect((await bench.chat.changes?.editText(id, 'Mine.\n', 'What I saw.\n'))?.ok).toBe(false);
  expect(changesOf(bench)[0]?.change.text).toBe(edited);
  expect((await bench.chat.changes?.editText(id, 'Mine.\n', edited))?.ok).toBe(true);
  expect(changesOf(bench)[0]?.change.text).toBe('Mine.\n');
});

describe('a note that is deleted while a change of it waits', () => {
  it('is said to be missing, and can be made again with the whole proposed text', async () => {
    const bench = await waiting();
    await bench.app.vault.delete(bench.app.vault.getFileByPath('Plan.md')!);
    await until(bench, (change) => change?.missing === true);
    const id = changesOf(bench)[0]?.change.id ?? '';
    expect((await bench.chat.changes?.createAgain(id))?.ok).toBe(true);
    expect(changesOf(bench)[0]).toMatchObject({ steps: ['create'], missing: false });
    const again = await bench.reopen();
    expect(changesOf(again)[0]).toMatchObject({ steps: ['create'] });
    expect(await apply(again)).toBe('applied');
    expect(await again.read('Plan.md')).toBe(edited);
  });

  it('is not made again over a note that came back, or that is there', async () => {
    const bench = await waiting();
    const id = changesOf(bench)[0]?.change.id ?? '';
    expect((await bench.chat.changes?.createAgain(id))?.ok).toBe(false);
    await bench.app.vault.delete(bench.app.vault.getFileByPath('Plan.md')!);
    await until(bench, (change) => change?.missing === true);
    await bench.app.vault.create('Plan.md', 'Mine.\n');
    await until(bench, (change) => change?.missing === false);
    expect((await bench.chat.changes?.createAgain(id))?.ok).toBe(false);
    expect(await apply(bench)).not.toBe('applied');
    expect(await bench.read('Plan.md')).toBe('Mine.\n');
  });
});
