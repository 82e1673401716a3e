/** @jest-environment jsdom */
/** Reviews that are cut off in the middle: nothing that was written is lost from sight, and nothing waits for ever. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { Journal } from '../../../src/core/writing/apply/journal';
import type { Review } from '../../../src/core/writing/review/review';
import { words } from '../../../src/text';
import { call, finish, type Step, say } from '../../support/scripted-model';
import { type WritingChat, writingChat } from '../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);
passTimeQuickly();

const files = { 'Plan.md': 'First line.\n', 'Crew.md': 'See [[Plan]].\n' };
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
const moving: Step[][] = [
  calls(call('r', 'read_note', { path: 'Plan.md' })),
  calls(
    call('e', 'edit_note', { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' }),
    call('m', 'move_note', { path: 'Plan.md', newPath: 'Passage.md' }),
  ),
  done,
];
const reviewsIn = ({ chat }: WritingChat): readonly Review[] => chat.current.reviews ?? [];
const waitingIn = (bench: WritingChat) =>
  reviewsIn(bench)
    .filter(({ state }) => state === 'waiting')
    .flatMap(({ changes }) => changes.map(({ change, steps }) => [change.from, change.to, steps]));
const outcome = async (act: Promise<{ ok: boolean; failure?: { words: string } }> | undefined) => {
  const result = await act;
  return result?.failure?.words ?? 'ok';
};
const until = async (fits: () => boolean): Promise<void> => {
  for (let looks = 0; !fits() && looks < 400; looks += 1) await new Promise((resolve) => setTimeout(resolve, 25));
};

/** The text is on disk and the move is not; the log knows of neither. */
async function cutOffBeforeMove(): Promise<{ bench: WritingChat; before: Record<string, string> }> {
  const first = await writingChat({ files }, ...moving);
  const before = await first.tree();
  await first.ask('Go.');
  first.adapter.fault = (operation) => (operation === 'rename' ? new Error('EIO') : 'pass');
  first.store.fault = () => 'lost';
  await first.chat.changes?.apply();
  expect(await first.read('Plan.md')).toBe('First words.\n');
  first.adapter.fault = null;
  first.store.fault = () => 'full';
  return { bench: await first.reopen(), before };
}

it('R058 keeps what is staged while another review is being applied', async () => {
  const late = calls(call('n', 'create_note', { path: 'Late', text: 'Late.\n' }));
  const bench = await writingChat({ files }, ...moving, late, done);
  await bench.ask('Go.');
  const applied = bench.chat.changes?.apply();
  await bench.ask('One more.');
  expect(await outcome(applied)).toBe('ok');
  expect(await bench.read('Passage.md')).toBe('First words.\n');
  expect(waitingIn(bench)).toEqual([[null, 'Late.md', ['create']]]);
  expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
  expect(await bench.read('Late.md')).toBe('Late.\n');
});

it('waits again when applying broke off, and can be applied then', async () => {
  const bench = await writingChat({ files }, ...moving);
  await bench.ask('Go.');
  jest.spyOn(bench.writing.ports.queue, 'run').mockRejectedValueOnce(new Error('broken'));
  await expect(bench.chat.changes?.apply()).rejects.toThrow('broken');
  expect(waitingIn(bench)).toHaveLength(1);
  expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
  expect(await bench.read('Passage.md')).toBe('First words.\n');
});

it('opens the journal anew after a try that broke off, and tells of it', async () => {
  const open = jest.spyOn(Journal, 'open').mockRejectedValueOnce(new Error('broken'));
  const bench = await writingChat({ files }, ...moving);
  await bench.ask('Go.');
  expect(open).not.toHaveBeenCalled();
  expect(await outcome(bench.chat.changes?.apply())).toContain('broken');
  expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
  expect(open).toHaveBeenCalledTimes(2);
});

it('F6 tells in words that the disk does not say whether a place is free', async () => {
  const bench = await writingChat({ files }, calls(call('n', 'create_note', { path: 'Late', text: 'Late.\n' })), done);
  await bench.ask('Go.');
  let looks = 0;
  bench.adapter.fault = (operation, path) =>
    operation === 'stat' && path === 'Late.md' && (looks += 1) === 2 ? new Error('EIO') : 'pass';
  expect(await outcome(bench.chat.changes?.apply())).toMatch(/Late\.md/);
  bench.adapter.fault = null;
  expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
});

it('F1 offers the choice of a write that the disk cut off in the same session, and writes again after it', async () => {
  const edit = { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' };
  const [reading = []] = moving;
  const bench = await writingChat({ files }, reading, calls(call('e', 'edit_note', edit)), done);
  await bench.ask('Go.');
  bench.adapter.fault = (operation, path) => {
    if (operation !== 'write' || path !== 'Plan.md') return 'pass';
    bench.adapter.writeOutside('Plan.md', 'First wo');
    return new Error('ENOSPC');
  };
  expect(await outcome(bench.chat.changes?.apply())).toContain(words.writing.endUnknown('Plan.md'));
  bench.adapter.fault = null;
  expect(bench.writing.interrupted().map(({ path, choices }) => [path, choices])).toEqual([
    ['Plan.md', ['before', 'after', 'as-is']],
  ]);
  expect(await outcome(bench.writing.settleAt('Plan.md', 'before'))).toBe('ok');
  expect(await bench.read('Plan.md')).toBe('First line.\n');
  expect(bench.writing.interrupted()).toEqual([]);
  expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
  expect(await bench.read('Plan.md')).toBe('First words.\n');
});

it('F1 R058 keeps the move waiting over a restart when the text was written and the move was refused', async () => {
  const first = await writingChat({ files }, ...moving);
  await first.ask('Go.');
  first.adapter.writeOutside('Passage.md', 'In the way.\n');
  expect(await outcome(first.chat.changes?.apply())).toContain(words.writing.placeTaken('Passage.md'));
  first.adapter.removeOutside('Passage.md');
  const bench = await first.reopen();
  expect(waitingIn(bench)).toEqual([['Plan.md', 'Passage.md', ['move']]]);
  expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
  expect(await bench.read('Passage.md')).toBe('First words.\n');
});

it('F1 R058 tells the text that was written before the app was cut off from the move that was not', async () => {
  const { bench, before } = await cutOffBeforeMove();
  await until(() => reviewsIn(bench).length === 2);
  expect(waitingIn(bench)).toEqual([['Plan.md', 'Passage.md', ['move']]]);
  expect(await outcome(bench.chat.changes?.rejectAll('Stay.'))).toBe('ok');
  const [review] = reviewsIn(bench);
  expect(await outcome(bench.chat.changes?.undo(review?.id ?? ''))).toBe('ok');
  expect(await bench.tree()).toEqual(before);
});

it('F1 R058 carries out the move alone after the app was cut off before it', async () => {
  const { bench } = await cutOffBeforeMove();
  await until(() => reviewsIn(bench).length === 2);
  expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
  expect(await bench.read('Passage.md')).toBe('First words.\n');
  expect(await bench.read('Crew.md')).toBe('See [[Passage]].\n');
});

it.each([false, true])(
  'F1 R058 ends an undo of which the log knows nothing, cut off in its middle: %s',
  async (isCut) => {
    const first = await writingChat({ files }, ...moving);
    const before = await first.tree();
    await first.ask('Go.');
    expect(await outcome(first.chat.changes?.apply())).toBe('ok');
    const applied = await first.tree();
    // The move is taken back first, and the text after it.
    first.adapter.fault = (operation, path) =>
      isCut && operation === 'write' && path === 'Plan.md' ? new Error('EIO') : 'pass';
    first.store.fault = () => 'lost';
    await first.chat.changes?.undo(reviewsIn(first)[0]?.id ?? '');
    expect(await first.read('Plan.md')).toBe(isCut ? 'First words.\n' : 'First line.\n');
    first.adapter.fault = null;
    first.store.fault = () => 'full';
    const bench = await first.reopen();
    const [{ id, state } = { id: '', state: '' }] = reviewsIn(bench);
    expect(state).toBe('applied');
    expect(await outcome(bench.chat.changes?.undo(id))).toBe('ok');
    expect([await bench.tree(), reviewsIn(bench)[0]?.state]).toEqual([before, 'undone']);
    expect(await outcome(bench.chat.changes?.redo(id))).toBe('ok');
    expect([await bench.tree(), reviewsIn(bench)[0]?.state]).toEqual([applied, 'applied']);
  },
);
