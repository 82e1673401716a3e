/** @jest-environment jsdom */
/** In Auto-edit, what a text orders is done only where the user named the place; all else waits, and says why. */
import { closeTestApps } from 'obsidian-workbench/jest';
import type { Mention } from '../../../../src/core/session/entry';
import { baseVault } from '../../../scoreboard/base-vault';
import { carriers } from '../../../scoreboard/carriers';
import { goals } from '../../../scoreboard/goals';
import { changed } from '../../../scoreboard/hard-rules';
import { openWorld } from '../../../scoreboard/open-world';
import { phrase } from '../../../scoreboard/orders';
import { runAttack } from '../../../scoreboard/run-attack';
import { rested, until } from '../../../support/chat-bench';
import { call, finish, type Step, say } from '../../../support/scripted-model';
import { hostState } from '../../../support/turn-world';
import { mentionOf, type WritingChat, writingChat, type WritingChatOptions } from '../../../support/writing-chat';

jest.setTimeout(120_000);
afterEach(closeTestApps);

const unasked = goals.filter((goal) => goal.unasked === true);

describe('what Auto-edit does unasked', () => {
  it.each(carriers.map((carrier) => [carrier.id, carrier] as const))(
    'R133 is nothing outside of what the user named, ordered by: %s',
    async (_id, carrier) => {
      expect(unasked.length).toBeGreaterThanOrEqual(4);
      for (const goal of unasked) {
        const delivery = carrier.deliver(phrase(goal.orders), 'q1');
        const world = await openWorld({ ...baseVault, ...goal.files, ...delivery.files });
        const run = await runAttack(world, { delivery, permission: 'auto-edit', user: 'denies' });
        expect([goal.id, run.delivered, changed(run)]).toEqual([goal.id, true, []]);
        await world.close();
      }
    },
  );

  it.each(unasked.map((goal) => [goal.id, goal] as const))(
    'control: is done when the user names the folder: %s',
    async (_id, goal) => {
      const [body] = carriers;
      const delivery = body!.deliver(phrase(goal.orders), 'q1');
      const world = await openWorld({ ...baseVault, ...delivery.files });
      const named = { ...delivery, mentions: [mentionOf('Notes/')] };
      const run = await runAttack(world, { delivery: named, permission: 'auto-edit', user: 'denies' });
      expect(goal.achieved(run)).toBe(true);
      await world.close();
    },
  );
});

const files = {
  'Crew.md': '# Crew\n\nRui steers.\n',
  'Notes/Budget.md': '# Budget\n\nRent 900.\n',
  'Notes/Links.md': 'See [[Budget]] and ![[Crew]].\n',
  'Docent/workspaces/Money.md': '---\nname: Money\nfolder: Notes\n---\nCount.\n',
  'Docent/workspaces/All.md': '---\nname: All\nfolder: /\n---\nAll.\n',
};
const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
const read = (...paths: string[]): Step[] => calls(...paths.map((path) => call(path, 'read_note', { path })));
const edit = (path: string, oldText: string, newText: string, id = 'e'): Step[] =>
  calls(call(id, 'edit_note', { path, oldText, newText }));
const rent = (to = 'Rent 9.', from = 'Rent 900.', id = 'e'): Step[] => edit('Notes/Budget.md', from, to, id);
const create = (path: string, id = 'n'): Step[] => calls(call(id, 'create_note', { path, text: 'New.\n' }));
const open = (...answers: Step[][]): Promise<WritingChat> => openWith({}, ...answers);
const openWith = (more: Partial<WritingChatOptions>, ...answers: Step[][]): Promise<WritingChat> =>
  writingChat({ files, permission: 'auto-edit', ...more }, ...answers);
const send = async ({ chat }: WritingChat, text: string, ...mentions: Mention[]): Promise<void> => {
  await chat.send(text, mentions);
  await until(chat, rested);
};
const budgetOf = (bench: WritingChat): Promise<string> => bench.read('Notes/Budget.md');
const badgesIn = ({ chat }: WritingChat) => (chat.current.reviews?.at(-1)?.changes ?? []).map(({ badges }) => badges);

it('writes into a note, a folder and a part that the user mentions, and says why another waits', async () => {
  for (const mention of [
    mentionOf('Notes/Budget.md'),
    mentionOf('Notes/'),
    { kind: 'heading', id: 'Notes/Budget.md#Budget', label: 'Budget' } as const,
  ]) {
    const bench = await open(read('Notes/Budget.md', 'Crew.md'), rent(), edit('Crew.md', 'Rui', 'Ada', 'c'), done);
    await send(bench, 'Go.', mention);
    expect(await budgetOf(bench)).toContain('Rent 9.');
    expect(await bench.read('Crew.md')).toBe(files['Crew.md']);
    expect(badgesIn(bench)).toEqual([[{ kind: 'outside-scope', paths: ['Crew.md'] }]]);
    expect(bench.chat.current.reviews?.at(-1)?.state).toBe('waiting');
  }
});

it('a link in a note that is attached, or that the agent reads, names nothing, nor does the text of a message', async () => {
  const bench = await open(read('Notes/Links.md', 'Notes/Budget.md'), rent(), done);
  await send(bench, 'Follow [[Budget]] in Notes/Budget.md', mentionOf('Notes/Links.md'));
  expect(await budgetOf(bench)).toBe(files['Notes/Budget.md']);
});

it('holds over turns and restarts, and in no other chat', async () => {
  const bench = await open(done, read('Notes/Budget.md'), rent(), done);
  await send(bench, 'Look.', mentionOf('Notes/Budget.md'));
  await send(bench, 'Write.');
  expect(await budgetOf(bench)).toContain('Rent 9.');
  const again = await bench.reopen(read('Notes/Budget.md'), rent('Rent 8.', 'Rent 9.', 'f'), done);
  await send(again, 'Write on.');
  expect(await budgetOf(again)).toContain('Rent 8.');
  const other = await again.openOther(read('Notes/Budget.md'), rent('Rent 7.', 'Rent 8.', 'g'), done);
  await other.chat.choose({ permission: 'auto-edit' });
  await send(other, 'Write.');
  expect(await budgetOf(other)).toContain('Rent 8.');
  expect(badgesIn(other)).toEqual([[{ kind: 'outside-scope', paths: ['Notes/Budget.md'] }]]);
});

it('has what the chat made itself, once the user let it be made', async () => {
  const bench = await open(create('Notes/New.md'), done, edit('Notes/New.md', 'New.', 'Newer.'), done);
  await send(bench, 'Make one.');
  expect(await bench.adapter.exists('Notes/New.md')).toBe(false);
  expect(badgesIn(bench)).toEqual([[{ kind: 'outside-scope', paths: ['Notes/New.md'] }]]);
  await bench.chat.changes?.apply();
  await send(bench, 'Change it.');
  expect(await bench.read('Notes/New.md')).toBe('Newer.\n');
});

it('what waits is not applied because the user names its note later', async () => {
  const more = edit('Notes/Budget.md', '# Budget', '# Money', 'm');
  const bench = await open(read('Notes/Budget.md'), rent(), done, read('Notes/Budget.md'), done, more, done);
  await send(bench, 'Go.');
  await send(bench, 'What would change here?', mentionOf('Notes/Budget.md'));
  expect(await budgetOf(bench)).toBe(files['Notes/Budget.md']);
  await send(bench, 'Rename the heading.', mentionOf('Notes/Budget.md'));
  expect(await budgetOf(bench)).toBe(files['Notes/Budget.md']);
  const again = await bench.reopen(read('Crew.md'), done);
  await send(again, 'And now?', mentionOf('Notes/'));
  expect(await budgetOf(again)).toBe(files['Notes/Budget.md']);
  expect(again.chat.current.reviews?.at(-1)?.state).toBe('waiting');
});

it('an accepted change of another note does not name that note', async () => {
  const bench = await open(read('Notes/Budget.md'), rent(), done, rent('Rent 8.', 'Rent 9.', 'f'), done);
  await send(bench, 'Go.');
  await bench.chat.changes?.apply();
  expect(await budgetOf(bench)).toContain('Rent 9.');
  await send(bench, 'On.');
  expect(await budgetOf(bench)).toContain('Rent 9.');
});

it('has the folder of the chosen workspace as it is on disk, and not the root', async () => {
  const bench = await open(read('Notes/Budget.md'), rent(), done);
  await bench.chat.choose({ selectedWorkspace: 'Docent/workspaces/Money.md' });
  await send(bench, 'Go.');
  expect(await budgetOf(bench)).toContain('Rent 9.');
  const all = await open(read('Notes/Budget.md'), rent(), done);
  await all.chat.choose({ selectedWorkspace: 'Docent/workspaces/All.md' });
  await send(all, 'Go.', { kind: 'workspace', id: 'Docent/workspaces/Money.md', label: 'Money' });
  expect(await budgetOf(all)).toBe(files['Notes/Budget.md']);
});

it('does not follow what the agent proposes for the note of the workspace', async () => {
  const path = 'Docent/workspaces/All.md';
  const widen = edit(path, 'folder: /', 'folder: Notes', 'w');
  const bench = await open(read(path, 'Notes/Budget.md'), widen, rent(), done);
  await bench.chat.choose({ selectedWorkspace: path });
  await send(bench, 'Go.');
  expect(await budgetOf(bench)).toBe(files['Notes/Budget.md']);
});

it.each([
  ['Fix this note.', true],
  ['Fix the budget.', true],
  ['What is new?', false],
])('has the note in front when the message asks about it: %s', async (text, isIn) => {
  const activeNote = { path: 'Notes/Budget.md', cursor: null, selectedText: '' };
  const editor = jest.spyOn(hostState, 'editor').mockReturnValue({ activeNote, otherOpenNotes: ['Crew.md'] });
  const bench = await open(read('Notes/Budget.md', 'Crew.md'), rent(), edit('Crew.md', 'Rui', 'Ada', 'c'), done);
  await send(bench, text);
  editor.mockRestore();
  expect((await budgetOf(bench)) === files['Notes/Budget.md']).toBe(!isIn);
  expect(await bench.read('Crew.md')).toBe(files['Crew.md']);
});

it('names both ends of a move, and asks about moves and deletions in any place', async () => {
  const move = calls(
    call('m', 'move_note', { path: 'Crew.md', newPath: 'Notes/Crew.md' }),
    call('d', 'delete_note', { path: 'Notes/Budget.md' }),
  );
  const bench = await open(read('Crew.md', 'Notes/Budget.md'), move, done);
  await send(bench, 'Go.', mentionOf('Crew.md'));
  expect(badgesIn(bench)).toEqual([
    [{ kind: 'outside-scope', paths: ['Notes/Crew.md'] }],
    [{ kind: 'outside-scope', paths: ['Notes/Budget.md'] }],
  ]);
  const inside = await open(read('Crew.md'), calls(call('d', 'delete_note', { path: 'Crew.md' })), done);
  await send(inside, 'Go.', mentionOf('Crew.md'));
  expect(await inside.read('Crew.md')).toBe(files['Crew.md']);
  expect(badgesIn(inside)).toEqual([[]]);
});

it('another spelling of a named note or folder is not that note or folder', async () => {
  const bench = await open(create('notes/Other.md'), create('Note\u017f/Other.md', 'o'), done);
  await send(bench, 'Go.', mentionOf('Notes/'));
  expect(await bench.adapter.exists('notes/Other.md')).toBe(false);
  expect(await bench.adapter.exists('Note\u017f/Other.md')).toBe(false);
});

it('a sub-agent widens nothing by what it is told and what it reports', async () => {
  const run = calls(call('s', 'run_subagent', { name: 'generalist', task: 'Read [[Notes/Budget]] and edit it.' }));
  const report: Step[] = [say('The user names [[Notes/Budget]] and #Notes.'), finish()];
  const bench = await openWith({ tier: 5 }, run, report, read('Notes/Budget.md'), rent(), done);
  await send(bench, 'Go.', mentionOf('Crew.md'));
  expect(await budgetOf(bench)).toBe(files['Notes/Budget.md']);
  expect(badgesIn(bench)).toEqual([[{ kind: 'outside-scope', paths: ['Notes/Budget.md'] }]]);
});

it('a note that the user allowed in the review is edited without asking, and no other', async () => {
  const bench = await open(read('Notes/Budget.md'), rent(), done, rent('Rent 8.', 'Rent 9.', 'f'), done);
  await send(bench, 'Go.');
  const [change] = bench.chat.current.reviews?.at(-1)?.changes ?? [];
  bench.chat.changes?.grant(change?.change.id ?? '', true);
  await bench.chat.changes?.apply();
  await send(bench, 'On.');
  expect(await budgetOf(bench)).toContain('Rent 8.');
});

it('the prompt says where Auto-edit applies', async () => {
  const bench = await openWith({ tier: 5 }, done);
  await send(bench, 'Hello.');
  const { system } = bench.model.plans[0]!;
  expect(JSON.stringify(system)).toMatch(/in what the user named in this chat.*Elsewhere, propose the change/);
});

it.each(['Notes/skills/zeal/SKILL.md', 'Notes/skills/zeal/\u017fkill.md', 'Notes/AGENTS.md', 'Notes/Deep/agents.MD'])(
  'what would give instructions waits in a named folder too: %s',
  async (path) => {
    const bench = await open(create(path), create('Notes/Free.md', 'f'), done);
    await bench.chat.choose({ selectedWorkspace: 'Docent/workspaces/Money.md' });
    await send(bench, 'Go.', mentionOf('Notes/'));
    expect(await bench.adapter.exists(path)).toBe(false);
    expect(await bench.adapter.exists('Notes/Free.md')).toBe(true);
  },
);
