/** The tools that write: what they stage, what they report, and what they leave to the user. */
import { describeFailure } from '../../../../src/core/ports/failure';
import { tools } from '../../../../src/core/tools';
import type { ToolContext, ToolResult } from '../../../../src/core/tools/tool';
import type { FileChange } from '../../../../src/core/writing/changeset/changeset';
import { noteWritesOf, type WriteRules } from '../../../../src/core/writing/stage/note-writes';
import { words } from '../../../../src/text';
import { goalBench } from '../../../support/goals';
import { stagedBench } from '../../../support/staged-bench';
import { noSubagents } from '../../../support/subagents';

const never = new AbortController().signal;
const files = {
  'Plan.md': '---\nstatus: draft\n---\n# Plan\n\nFirst.\n\n## Later\n\nLast.\n',
  'Crew/Rui.md': 'Steers.\n',
  'Docent/workspaces/Boat.md': '---\ndescription: The refit\nrootFolder: Crew\n---\nUse metric sizes.\n',
};

function bench(extra: Record<string, string> = {}, more: Partial<ToolContext> = {}, linksFollow = true) {
  const { staged, reading } = stagedBench({ ...files, ...extra }, { linksFollowMoves: () => linksFollow });
  const places = { plans: 'Docent/plans/', instructions: ['Docent/memory.md'] };
  const rules: WriteRules = {
    mode: () => more.permission ?? 'review',
    places,
    canAsk: true,
    isTainted: () => false,
    appliesAtOnce: () => false,
    settled: () => Promise.resolve(),
  };
  const writesFor = noteWritesOf(staged, rules);
  let count = 0;
  return {
    see: (path: string) => reading.read(path),
    changes: (): readonly FileChange[] => staged.changeset()?.changes ?? [],
    async run(name: string, args: object): Promise<ToolResult & { readonly refused?: string }> {
      const tool = tools.find((each) => each.name === name);
      if (tool === undefined) throw new Error(`There is no ${name}.`);
      count += 1;
      const place: ToolContext = {
        skillFolders: [],
        goals: goalBench().goals,
        subagents: noSubagents,
        writes: writesFor({ id: `c${count}`, tool: name, arguments: args }),
        agentFolder: 'Docent',
        permission: 'review',
        ...more,
      };
      const outcome = await tool.run(tool.parameters.parse(args), staged, never, place);
      return outcome.ok ? outcome.value : { text: '', sources: [], refused: describeFailure(outcome.failure) };
    },
  };
}

describe('tools that write', () => {
  it('names the file that the permission mode refuses, the new one and the one that is there', async () => {
    const { run, changes } = bench({}, { permission: 'plan' });
    const refusalOf = (path: string): string =>
      `${words.writing.denied(path, words.asking.permissions.plan)} ${words.writing.deniedInPlan}`;
    expect((await run('create_note', { path: 'Other/New', text: 'x' })).refused).toBe(refusalOf('Other/New.md'));
    expect((await run('append_to_note', { path: 'Plan.md', text: 'x' })).refused).toBe(refusalOf('Plan.md'));
    expect(changes()).toEqual([]);
  });

  it('R067 create_note makes notes where nothing is, with an ending', async () => {
    const { run, changes } = bench();
    expect((await run('create_note', { path: 'New/Idea', text: 'Text.\n' })).text).toBe(
      `New/Idea.md: ${words.writing.waitsForReview}`,
    );
    expect((await run('create_note', { path: 'Plan.md', text: 'Over it.' })).refused).toContain(
      words.writing.placeTaken('Plan.md'),
    );
    expect(changes().map(({ to, text }) => [to, text])).toEqual([['New/Idea.md', 'Text.\n']]);
  });

  it('R067 create_note takes a dot in a name for no ending', async () => {
    const { run, changes } = bench();
    for (const path of ['Dr. Smith', 'Plan v1.2', 'Table.csv']) await run('create_note', { path, text: 'x' });
    expect(changes().map(({ to }) => to)).toEqual(['Dr. Smith.md', 'Plan v1.2.md', 'Table.csv']);
  });

  it('names the file that was made and nothing more of it', async () => {
    const { run } = bench();
    const made = await run('create_note', { path: 'Idea', text: 'Text.\n' });
    const saved = await run('save_state', { name: 'Boat', state: 'Text.' });
    const plan = await bench({}, { permission: 'plan' }).run('exit_plan_mode', { path: 'Plan' });
    expect([made, saved, plan].map(({ sources }) => sources)).toEqual([
      [{ path: 'Idea.md' }],
      [{ path: 'Docent/states/Boat.md' }],
      [{ path: 'Plan.md' }],
    ]);
  });

  it('R220 edit_note replaces the one passage of a note that was read, and says what mends a refusal', async () => {
    const { run, changes, see } = bench();
    expect((await run('edit_note', { path: 'Plan', oldText: 'First.', newText: 'One.' })).refused).toContain(
      words.writing.mustReadRemedy,
    );
    await see('Plan.md');
    expect((await run('edit_note', { path: 'Plan', oldText: 'st.', newText: 'one' })).refused).toContain('lines 6, 10');
    const edited = await run('edit_note', { path: 'Plan', oldText: 'First.', newText: 'One.\nTwo.' });
    expect(edited.text).toBe(`Plan.md: ${words.writing.waitsForReview} From line 6 it now reads:\n\nOne.\nTwo.`);
    expect(changes()[0]?.text).toBe(files['Plan.md'].replace('First.', 'One.\nTwo.'));
  });

  it('R067 append_to_note adds at the end, or below a heading', async () => {
    const { run, changes } = bench();
    await run('append_to_note', { path: 'Plan', text: 'End.' });
    await run('append_to_note', { path: 'Plan', text: 'Middle.', heading: '## Later' });
    expect(changes()[0]?.text?.split('\n').slice(-3).join('|')).toBe('End.|Middle.|');
  });

  it('R067 append_to_note finds a heading that begins with a tag', async () => {
    const { run, changes } = bench({ 'Tags.md': '# #boat refit\n\nFirst.\n' });
    expect(
      (await run('append_to_note', { path: 'Tags', text: 'Last.', heading: '#boat refit' })).refused,
    ).toBeUndefined();
    expect(changes()[0]?.text).toBe('# #boat refit\n\nFirst.\nLast.\n');
  });

  it('R067 set_properties keeps types, and takes one away', async () => {
    const { run, changes } = bench();
    await run('set_properties', { path: 'Plan', properties: { status: null, tags: ['boat'], length: 9.5 } });
    expect(changes()[0]?.text).toBe(files['Plan.md'].replace('status: draft', 'tags:\n  - boat\nlength: 9.5'));
  });

  it('R067 move_note keeps the name in a folder, and the ending', async () => {
    const { run, changes } = bench();
    await run('move_note', { path: 'Plan', newPath: 'Crew' });
    await run('move_note', { path: 'Crew/Rui', newPath: 'People/Rui Sequeira' });
    expect(changes().map(({ from, to }) => [from, to])).toEqual([
      ['Plan.md', 'Crew/Plan.md'],
      ['Crew/Rui.md', 'People/Rui Sequeira.md'],
    ]);
  });

  it('R067 finds the folder of a new path in another letter case', async () => {
    const { run, changes } = bench({ 'Crew/Caf\u00e9/A.md': 'a', 'Docks/A.md': 'a', 'docks/B.md': 'b' });
    await run('create_note', { path: 'crew/Ana', text: 'Ana.' });
    await run('create_note', { path: 'crew/cafe\u0301/New/B', text: 'b' });
    await run('create_note', { path: 'docks/C', text: 'c' });
    await run('move_note', { path: 'Plan', newPath: 'crew' });
    await run('move_note', { path: 'Crew/Rui', newPath: 'CREW/Rui Sequeira' });
    expect(changes().map(({ to }) => to)).toEqual([
      'Crew/Ana.md',
      'Crew/Caf\u00e9/New/B.md',
      'docks/C.md',
      'Crew/Plan.md',
      'Crew/Rui Sequeira.md',
    ]);
  });

  it('R067 says of a new name that links to it will not work, as Obsidian does', async () => {
    const { run, see } = bench({ 'Notes/C# basics.md': 'Types.\n' });
    for (const path of ['C# basics', 'Boat [draft]', 'Day^2', 'List].csv']) {
      expect((await run('create_note', { path, text: 'x' })).text).toContain(words.writing.unlinkable);
    }
    expect((await run('move_note', { path: 'Plan', newPath: 'Plan #2' })).text).toContain(words.writing.unlinkable);
    expect((await run('create_note', { path: 'C#/Types', text: 'x' })).text).not.toContain(words.writing.unlinkable);
    await see('Notes/C# basics.md');
    const edited = await run('edit_note', { path: 'Notes/C# basics', oldText: 'Types.', newText: 'All types.' });
    expect(edited.text).toMatch(/^Notes\/C# basics\.md: /);
    expect(edited.text).not.toContain(words.writing.unlinkable);
  });

  it('R067 move_note says which links Obsidian is set not to update', async () => {
    const linking = { 'Home.md': 'See [[Plan]].\n', 'Log.md': 'See [[Plan|it]].\n' };
    const renamed = await bench(linking, {}, false).run('move_note', { path: 'Plan', newPath: 'Scheme' });
    expect(renamed.text).toBe(`Scheme.md: ${words.writing.waitsForReview} ${words.review.linksBreak(2)}`);
    // A link by the name alone still leads there.
    const moved = await bench(linking, {}, false).run('move_note', { path: 'Plan', newPath: 'Crew' });
    expect(moved.text).toBe(`Crew/Plan.md: ${words.writing.waitsForReview}`);
    const followed = await bench(linking).run('move_note', { path: 'Plan', newPath: 'Scheme' });
    expect(followed.text).toBe(`Scheme.md: ${words.writing.waitsForReview}`);
  });

  it('R067 move_note moves to the top of the vault', async () => {
    const { run, changes } = bench();
    await run('move_note', { path: 'Crew/Rui', newPath: '/' });
    expect(changes().map(({ to }) => to)).toEqual(['Rui.md']);
  });

  it('R058 H9 delete_note takes a note that was read', async () => {
    const { run, changes, see } = bench();
    expect((await run('delete_note', { path: 'Plan' })).refused).toContain(words.writing.mustReadRemedy);
    await see('Plan.md');
    await run('delete_note', { path: 'Plan' });
    expect(changes().map(({ from, to }) => [from, to])).toEqual([['Plan.md', null]]);
  });

  it('says that nothing waits after a write that leaves a file as it is on the disk', async () => {
    const { run, changes, see } = bench();
    await see('Plan.md');
    await run('create_note', { path: 'Idea', text: 'Text.\n' });
    const results = [
      await run('delete_note', { path: 'Idea' }),
      await run('set_properties', { path: 'Plan', properties: { status: 'draft' } }),
    ];
    expect(results.map(({ text }) => text)).toEqual([
      `Idea.md: ${words.writing.nothingLeft}`,
      `Plan.md: ${words.writing.nothingLeft}`,
    ]);
    expect(changes()).toEqual([]);
  });

  it('R202 remember writes one line to the memory note, and makes it', async () => {
    const { run, changes } = bench();
    await run('remember', { fact: '- Prefers\nshort lines.' });
    expect(changes().map(({ to, text }) => [to, text])).toEqual([['Docent/memory.md', '- Prefers short lines.\n']]);
    expect((await run('remember', { fact: ' ' })).refused).toContain(words.writing.factEmpty);
  });

  it('says so where nothing can be written', async () => {
    const place: ToolContext = { skillFolders: [], goals: goalBench().goals, subagents: noSubagents };
    for (const tool of tools.filter(({ effect }) => effect === 'writes')) {
      const { staged, see } = stagedBench(files);
      await see('Plan.md');
      const args = {
        path: 'Plan.md',
        oldText: 'First.',
        newText: 'x',
        text: 'x',
        newPath: 'X.md',
        fact: 'x',
        name: 'x',
        state: 'x',
        properties: {},
      };
      const path = tool.name === 'create_note' ? { ...args, path: 'New.md' } : args;
      const outcome = await tool.run(tool.parameters.parse(path), staged, never, place);
      expect([tool.name, outcome.ok]).toEqual([tool.name, false]);
      expect(staged.changeset()).toBeNull();
    }
  });
});

describe('tools that speak with the user', () => {
  it('R143 write_todos shows the whole list', async () => {
    const todos = [
      { text: 'Read', state: 'done' },
      { text: 'Write', state: 'doing' },
    ];
    expect(await bench().run('write_todos', { todos })).toMatchObject({ view: { kind: 'todos', items: todos } });
    const tool = tools.find(({ name }) => name === 'write_todos');
    expect(tool?.title({ todos: [...todos, { text: 'Check', state: 'open' }] })).toBe(words.writing.todosTitle(1, 3));
  });

  it('R075 ask_user ends the turn with a question and its choices', async () => {
    const asked = await bench().run('ask_user', { question: ' Which? ', options: ['A', 'A', ' ', 'B'] });
    expect(asked.endsTurn).toBe(true);
    expect(asked.view).toEqual({ kind: 'question', question: 'Which?', options: ['A', 'B'], several: false });
    expect((await bench().run('ask_user', { question: ' ' })).refused).toContain(words.writing.questionEmpty);
  });

  it('R078 exit_plan_mode presents the plan in Plan, and elsewhere says what to do next', async () => {
    const inPlan = bench({}, { permission: 'plan' });
    expect(await inPlan.run('exit_plan_mode', { path: 'Plan' })).toMatchObject({
      endsTurn: true,
      view: { kind: 'plan', path: 'Plan.md' },
    });
    expect(await inPlan.run('exit_plan_mode', {})).toMatchObject({ view: { kind: 'plan', path: null } });
    expect((await inPlan.run('exit_plan_mode', { path: 'None' })).refused).toBeDefined();
    const elsewhere = await bench().run('exit_plan_mode', {});
    expect([elsewhere.endsTurn, elsewhere.text]).toEqual([undefined, expect.stringContaining('Do the task')]);
  });

  it('R164 load_workspace brings in a workspace by its id or name', async () => {
    const { run } = bench();
    for (const id of ['Boat', 'Docent/workspaces/Boat.md']) {
      expect((await run('load_workspace', { id })).text).toContain('Use metric sizes.');
    }
    expect((await run('load_workspace', { id: 'Garden' })).refused).toContain('Use one of: Boat.');
  });
});
