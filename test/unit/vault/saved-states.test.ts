/** @jest-environment jsdom */
/** save_state writes as every new note is written: tier W1 of the policy (rules 6.1), in the review, with an undo. */
import { closeTestApps } from 'obsidian-workbench/jest';
import { succeed } from '../../../src/core/ports/failure';
import { openChanges } from '../../../src/core/turn/open-chat-changes';
import { words } from '../../../src/text';
import { call, finish, say, type Step } from '../../support/scripted-model';
import { writingChat, type WritingChat, type WritingChatOptions } from '../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const files = { 'Crew.md': 'Rui steers.\n', 'Clippings/Page.md': 'Read this page.\n' };
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
const save = (name = ' Boat ', state = 'Order bolts.'): Step[] =>
  calls(call(`s ${state}`, 'save_state', { name, state }));
const load = (name?: string): Step[] => calls(call('l', 'load_state', name === undefined ? {} : { name }));
const open = (permission: WritingChatOptions['permission'], ...answers: Step[][]): Promise<WritingChat> =>
  writingChat(
    { files, tier: 5, named: ['Docent/states/'], ...(permission === undefined ? {} : { permission }) },
    ...answers,
    done,
  );
const results = ({ model }: WritingChat): string[] =>
  (model.plans.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? message.parts.map(({ text }) => text) : [],
  );
const statePath = 'Docent/states/Boat.md';

it('R251 waits for the review as a new note, and is read back by the chat meanwhile', async () => {
  const bench = await open('review', save(), load('boat'));
  const before = await bench.tree();
  await bench.ask('Go.');
  expect(await bench.tree()).toEqual(before);
  const [review] = bench.chat.current.reviews ?? [];
  expect(review?.state).toBe('waiting');
  expect(review?.changes.map(({ change }) => [change.from, change.to, change.calls[0]?.tool])).toEqual([
    [null, statePath, 'save_state'],
  ]);
  expect(results(bench).at(-1)).toBe('Order bolts.');
  await bench.chat.changes?.rejectAll('No.');
  expect(await bench.tree()).toEqual(before);
});

it('R251 is on disk once it was accepted, for other chats as well, and can be undone', async () => {
  const bench = await open('review', save());
  const before = await bench.tree();
  await bench.ask('Go.');
  await bench.chat.changes?.apply();
  expect(await bench.read(statePath)).toBe('Order bolts.\n');
  await bench.chat.changes?.undo(bench.chat.current.reviews?.[0]?.id ?? '');
  expect(await bench.tree()).toEqual(before);
});

it('R251 is applied at once in Auto-edit, under a name that is free, and never as a context file', async () => {
  const bench = await open('auto-edit', save(), save('Boat', 'Later.'), save('AGENTS', 'Obey.'), load());
  await bench.ask('Go.');
  expect(await bench.read(statePath)).toBe('Order bolts.\n');
  expect(await bench.read('Docent/states/Boat 2.md')).toBe('Later.\n');
  expect(await bench.read('Docent/states/State AGENTS.md')).toBe('Obey.\n');
  expect(bench.app.vault.getAbstractFileByPath('Docent/states/AGENTS.md')).toBeNull();
});

it.each(['plan', 'read-only'] as const)('R251 is not offered in %s, and refused when it is called', async (mode) => {
  const bench = await open(mode, save());
  const before = await bench.tree();
  await bench.ask('Go.');
  expect(bench.model.plans[0]?.tools.map(({ name }) => name)).not.toContain('save_state');
  expect(bench.chat.current.reviews).toEqual([]);
  expect(await bench.tree()).toEqual(before);
});

it('asks once the chat is tainted, and what was saved taints the chat that loads it', async () => {
  const bench = await open('auto-edit', calls(call('r', 'read_note', { path: 'Clippings/Page.md' })), save());
  await bench.ask('Go.');
  expect(bench.chat.current.reviews?.at(-1)?.state).toBe('waiting');
  await bench.chat.changes?.apply();
  const other = await bench.openOther(load('Boat'), done);
  await other.chat.choose({ tier: 5 });
  await other.ask('Load.');
  expect(results(other)).toEqual(['Order bolts.']);
  expect(other.chat.current.taint).toContain(statePath);
});

it('refuses a name that is empty', async () => {
  const bench = await open('review', save(' '));
  await bench.ask('Go.');
  expect(bench.chat.current.reviews).toEqual([]);
  expect(results(bench)[0]).toMatch(/name/i);
});

it('leaves out of a state what its note would run or load, and refuses one that cannot be checked', async () => {
  const bench = await open('review');
  const saved: string[] = [];
  const states = {
    save: (name: string, text: string) => {
      saved.push(text);
      return Promise.resolve(succeed(name));
    },
  };
  const { ports } = openChanges(
    { ...bench.ports, states },
    {
      ...{
        log: { entries: [], conversation: 'c9' },
        goals: {} as never,
        isRunning: () => false,
        show: () => undefined,
      },
      record: () => Promise.resolve(succeed(undefined)),
    },
  );
  await ports.states.save('State', 'Order bolts.\nSee ![](https://x.example/?q=1) now.\n<% tp.x %>\nThen [[Crew]].\n');
  expect(saved).toEqual([
    ['Order bolts.', words.status.stateLineLeftOut, words.status.stateLineLeftOut, 'Then [[Crew]].', ''].join('\n'),
  ]);
  const spread = await ports.states.save('State', 'Look: ![a\nb](https://x.example/a.png)\n');
  expect(spread).toMatchObject({ ok: false, failure: { words: words.status.stateNotSaved } });
  await ports.states.save('State', `One.\n${'word '.repeat(120_000)}`);
  expect(saved.slice(1)).toEqual([`One.\n${words.status.stateLineLeftOut}`]);
  await ports.states.save('State', 'Order bolts.\n');
  expect(saved.at(-1)).toBe('Order bolts.\n');
});

it('says of a memory note that waits that the user has to allow it, not that it is hidden', async () => {
  const path = 'Docent/memory.md';
  const remember = calls(call('m', 'remember', { fact: 'Prefers short lines.' }));
  const create = calls(call('n', 'create_note', { path, text: 'Obey.' }));
  const waiting = { files: { ...files, [path]: '- Sails.\n' }, instructionsWait: true, tier: 5 as const };
  const bench = await writingChat(waiting, remember, create, done);
  await bench.ask('Remember that.');
  for (const result of results(bench).slice(-2)) {
    expect(result).toContain(words.instructions.waits(path));
    expect(result).not.toContain('hidden');
  }
  expect(await bench.read(path)).toBe('- Sails.\n');
});
