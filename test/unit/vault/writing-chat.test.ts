/** @jest-environment jsdom */
import { closeTestApps } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { textOf, toolCallsOf } from '../../../src/core/ports/message';
import type { SessionLog } from '../../../src/core/session/session-log';
import type { Review } from '../../../src/core/writing/review/review';
import { words } from '../../../src/text';
import { eventually } from '../eventually';
import { breakOff, call, finish, type Step, say } from '../../support/scripted-model';
import { rested, until } from '../../support/chat-bench';
import { type WritingChat, writingChat } from '../../support/writing-chat';

jest.setTimeout(60_000);

afterEach(closeTestApps);
passTimeQuickly();

const files = {
  'Plan.md': '---\nstatus: draft\n---\n# Plan\n\nFirst line.\n\nSecond line.\n\nThird line.\n',
  'Crew.md': '# Crew\n\nRui and Mhairi. See [[Plan]].\r\n',
  'Old.md': 'Nothing of worth.\n',
};

const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const done: Step[] = [say('Proposed.'), finish()];
const reading = (...paths: string[]): Step[] =>
  calls(...paths.map((path, at) => call(`r${at}`, 'read_note', { path })));

const editing: Step[][] = [
  reading('Plan', 'Crew', 'Old'),
  calls(
    call('e1', 'edit_note', { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' }),
    call('e2', 'edit_note', { path: 'Plan.md', oldText: 'Third line.', newText: 'Third words.' }),
    call('e3', 'move_note', { path: 'Plan.md', newPath: 'Passage.md' }),
    call('e4', 'delete_note', { path: 'Old.md' }),
    call('e5', 'create_note', { path: 'New/Fresh', text: 'Fresh.\n' }),
  ),
  done,
];

const reviewIn = ({ chat }: WritingChat): Review => {
  const review = chat.current.reviews?.at(-1);
  if (review === undefined) throw new Error('There is no review.');
  return review;
};
const outcome = async (act: Promise<{ ok: boolean; failure?: { words: string } }> | undefined) => {
  const result = await act;
  return result?.failure?.words ?? 'ok';
};
const resultsIn = ({ model }: WritingChat): string[] =>
  (model.plans.at(-1)?.messages ?? []).flatMap(({ role, parts }) =>
    role === 'tool' ? parts.map((part) => ('text' in part ? part.text : '')) : [],
  );
const lastQuestion = ({ model }: WritingChat): string => {
  const messages = model.plans.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
  return textOf(messages.at(-1)?.parts ?? []);
};

describe('a chat that writes', () => {
  it('R220 stages a turn as one review and leaves the disk as it is', async () => {
    const bench = await writingChat({ files }, ...editing);
    const before = await bench.tree();
    await bench.ask('Tidy up.');
    expect(await bench.tree()).toEqual(before);
    const review = reviewIn(bench);
    expect([review.state, review.linksFollowMoves]).toEqual(['waiting', true]);
    expect(review.changes.map(({ change, steps, hunks }) => [change.from, change.to, steps, hunks.length])).toEqual([
      ['Plan.md', 'Passage.md', ['edit', 'move'], 2],
      ['Old.md', null, ['delete'], 0],
      [null, 'New/Fresh.md', ['create'], 1],
    ]);
    expect(review.changes[0]?.linkedFrom).toEqual(['Crew.md']);
    expect(bench.chat.current.items.map(({ type }) => type)).toEqual(['user', 'answer', 'review']);
    expect(resultsIn(bench).slice(-5)[0]).toBe(
      `Plan.md: ${words.writing.waitsForReview} From line 6 it now reads:\n\nFirst words.`,
    );
  });

  it('applies what was accepted alone, tells the model of the rest, and undoes and redoes in any order', async () => {
    const bench = await writingChat({ files }, ...editing, [say('Fine.'), finish()]);
    const before = await bench.tree();
    await bench.ask('Tidy up.');
    const [plan, old] = reviewIn(bench).changes;
    const { changes } = bench.chat;
    changes?.decide(plan!.change.id, { hunk: 1 }, false, 'Keep the third.');
    changes?.decide(old!.change.id, 'all', false);
    expect(await outcome(changes?.apply())).toBe('ok');
    expect(await bench.read('Passage.md')).toBe(files['Plan.md'].replace('First line', 'First words'));
    expect(await bench.read('Crew.md')).toBe('# Crew\n\nRui and Mhairi. See [[Passage]].\r\n');
    expect(await bench.read('Old.md')).toBe(files['Old.md']);
    expect(await bench.read('New/Fresh.md')).toBe('Fresh.\n');
    const applied = await bench.tree();
    const settled = reviewIn(bench);
    expect([settled.state, settled.changes.map(({ state }) => state)]).toEqual([
      'applied',
      ['applied', 'applied', 'rejected'],
    ]);
    expect(settled.changes[0]?.rewritten).toEqual(['Crew.md']);

    await bench.ask('Go on.');
    const sent = lastQuestion(bench);
    expect(sent).toContain('Keep the third.');
    expect(sent).toContain('“Old.md”');
    expect(sent).toContain('moved Plan.md to Passage.md');

    const fresh = settled.changes.find(({ change }) => change.from === null)!.change.id;
    expect(await outcome(changes?.undo(settled.id, fresh))).toBe('ok');
    expect(Object.keys(await bench.tree())).not.toContain('New/Fresh.md');
    expect(await outcome(changes?.undo(settled.id))).toBe('ok');
    expect(await bench.tree()).toEqual(before);
    expect(reviewIn(bench).state).toBe('undone');
    expect(await outcome(changes?.redo(settled.id))).toBe('ok');
    expect(await bench.tree()).toEqual(applied);
    expect(reviewIn(bench).state).toBe('applied');
    expect(await outcome(changes?.undo(settled.id))).toBe('ok');
    expect(await bench.tree()).toEqual(before);
  });

  it('plans the next request with what became of the review, as it is then sent', async () => {
    const bench = await writingChat({ files }, ...editing, [say('Fine.'), finish()]);
    await bench.ask('Tidy up.');
    bench.chat.changes?.decide(reviewIn(bench).changes[0]!.change.id, 'all', false, 'Keep <files> as it is.');
    expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
    const planned = await bench.chat.preview('Go on.', [], new AbortController().signal);
    await bench.ask('Go on.');
    expect(lastQuestion(bench)).toContain('Keep &lt;files> as it is.');
    expect(planned.ok && planned.value.messages).toEqual(bench.model.plans.at(-1)?.messages);
  });

  it('H6 does not take a note as read of which there was only room for a part', async () => {
    const names = ['A.md', 'B.md', 'C.md', 'D.md', 'E.md', 'F.md'];
    const text = `${'A long day at sea. '.repeat(500)}\nThe end.\n`;
    const options = { files: Object.fromEntries(names.map((name) => [name, text])) };
    const deleting = calls(call('d', 'delete_note', { path: 'A.md' }));
    const bench = await writingChat({ ...options, named: names }, deleting, done);
    await bench.ask('Delete the first one.');
    expect(JSON.stringify(bench.model.plans[0])).toContain('more characters');
    expect(bench.chat.current.reviews ?? []).toEqual([]);
    const whole = await writingChat({ ...options, named: ['A.md'] }, deleting, done);
    await whole.ask('Delete it.');
    expect(whole.chat.current.reviews).toHaveLength(1);
  });

  it('H6 does not take a note as read that changed before the message was sent again', async () => {
    const failed: Step[] = [breakOff({ kind: 'network', words: 'Offline.', remedy: '' })];
    const bench = await writingChat(
      { files: { 'A.md': 'Nothing yet.' }, named: ['A.md'] },
      failed,
      calls(call('d', 'delete_note', { path: 'A.md' })),
      done,
    );
    await bench.ask('Delete it if there is nothing in it.');
    await bench.app.vault.adapter.write('A.md', 'A long day at sea.');
    await new Promise((resolve) => setTimeout(resolve, 50));
    bench.chat.resend();
    await until(bench.chat, rested);
    expect(resultsIn(bench).at(-1)).toContain('A long day at sea.');
    expect(bench.chat.current.reviews ?? []).toEqual([]);
  });

  it('undoes what was written in a note that is hidden from the agent since, and what hid it', async () => {
    const steps = [
      reading('Plan'),
      calls(
        call('e1', 'set_properties', { path: 'Plan.md', properties: { docent: false } }),
        call('e2', 'edit_note', { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' }),
      ),
      done,
    ];
    const bench = await writingChat({ files }, ...steps);
    const before = await bench.tree();
    await bench.ask('Hide the plan.');
    const { changes } = bench.chat;
    expect(await outcome(changes?.apply())).toBe('ok');
    await eventually(() => bench.vault.file('Plan.md') === undefined, 'the hidden note');
    expect(await outcome(changes?.undo(reviewIn(bench).id))).toBe('ok');
    expect(await bench.tree()).toEqual(before);
  });

  const hidingAndMoving = (newPath: string) => [
    reading('Plan'),
    calls(
      call('p', 'set_properties', { path: 'Plan.md', properties: { docent: false } }),
      call('m', 'move_note', { path: 'Plan.md', newPath }),
    ),
    done,
  ];

  it('moves a note that the same change hides from the agent, and takes both back', async () => {
    const bench = await writingChat({ files }, ...hidingAndMoving('Archive/Plan.md'));
    const before = await bench.tree();
    await bench.ask('Hide the plan, and put it away.');
    expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
    expect(await bench.read('Archive/Plan.md')).toContain('docent: false');
    expect(reviewIn(bench).changes.map(({ state }) => state)).toEqual(['applied']);
    expect(await outcome(bench.chat.changes?.undo(reviewIn(bench).id))).toBe('ok');
    expect(await bench.tree()).toEqual(before);
  });

  it('moves a note that the same change has hidden once its place is free', async () => {
    const bench = await writingChat({ files }, ...hidingAndMoving('Passage.md'));
    await bench.ask('Hide the plan, and call it a passage.');
    await bench.app.vault.create('Passage.md', 'In the way.\n');
    await bench.chat.changes?.apply();
    expect(reviewIn(bench).changes.map(({ state }) => state)).toEqual(['waiting']);
    await eventually(() => bench.vault.file('Plan.md') === undefined, 'the hidden note');
    await bench.app.vault.adapter.remove('Passage.md');
    await eventually(() => bench.vault.file('Passage.md') === undefined, 'the free place');
    expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
    expect(await bench.read('Passage.md')).toContain('docent: false');
    // What was written first, and the move.
    expect(reviewIn(bench).changes.map(({ state }) => state)).toEqual(['applied', 'applied']);
  });

  it('leaves a note that the user has hidden since where it is, after the change that hid it was undone', async () => {
    const bench = await writingChat({ files }, ...hidingAndMoving('Passage.md'));
    await bench.ask('Hide the plan, and call it a passage.');
    await bench.app.vault.create('Passage.md', 'In the way.\n');
    await bench.chat.changes?.apply();
    await eventually(() => bench.vault.file('Plan.md') === undefined, 'the hidden note');
    const applied = reviewIn(bench).id;
    expect(await outcome(bench.chat.changes?.undo(applied))).toBe('ok');
    await eventually(() => bench.vault.file('Plan.md') !== undefined, 'the note in sight');
    await bench.app.vault.adapter.write('Plan.md', '---\ndocent: false\n---\nMine.\n');
    await bench.app.vault.adapter.remove('Passage.md');
    await eventually(() => bench.vault.file('Plan.md') === undefined, 'the note of the user');
    await bench.chat.changes?.apply();
    expect(await bench.read('Plan.md')).toContain('Mine.');
  });

  it('R212 R213 keeps what waits over a restart, tells the next turn of it, and lets that turn build on it', async () => {
    const first = await writingChat({ files }, ...editing);
    await first.ask('Tidy up.');
    const waiting = reviewIn(first).changes.map(({ change }) => [change.from, change.to, change.text]);
    const bench = await first.reopen(
      reading('Passage'),
      calls(call('f1', 'edit_note', { path: 'Passage.md', oldText: 'Second line.', newText: 'Second words.' })),
      done,
    );
    expect(reviewIn(bench).changes.map(({ change }) => [change.from, change.to, change.text])).toEqual(waiting);
    await bench.ask('And the second.');
    const [{ messages } = { messages: [] }] = bench.model.plans;
    const sent = messages.map(({ parts }) => textOf(parts)).join('\n') + bench.model.plans[0]?.system;
    expect(sent).toContain('The user is reviewing proposed changes to 3 notes');
    expect(sent).toContain('The request that led to them: Tidy up.');
    expect(sent).toContain('moved Plan.md to Passage.md');
    // None of it is called done: the vault has none of it yet.
    const changes = /<vault_changes>\n([^]*?)\n<\/vault_changes>/.exec(sent)?.[1] ?? '';
    expect(changes.split('\n').filter((line) => /^(?:created|changed|missing)/.test(line))).toEqual([
      'changed (proposed): Crew.md, 1 KB →1: Passage',
      'created (proposed): Passage.md, 1 KB {status}',
      'created (proposed): New: Fresh.md, 1 KB',
      'missing (proposed): Old.md',
      'missing (proposed): Plan.md',
    ]);
    expect(reviewIn(bench).changes[0]?.hunks).toHaveLength(3);
    expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
    expect(await bench.read('Passage.md')).toBe(files['Plan.md'].replaceAll(' line.', ' words.'));
  });

  it('R213 tells 300 characters of a long request for what waits, and that it goes on', async () => {
    const shownRequest = async (request: string): Promise<string> => {
      const bench = await writingChat({ files }, ...editing, [say('Well.'), finish()]);
      await bench.ask(request);
      await bench.ask('And now?');
      const sent = JSON.stringify(bench.model.plans.at(-1));
      return /The request that led to them: (x+…?)/.exec(sent)?.[1] ?? '';
    };
    expect(await shownRequest('x'.repeat(300))).toBe('x'.repeat(300));
    expect(await shownRequest('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
  });

  it('R058 counts at any time what can be undone', async () => {
    const bench = await writingChat({ files }, ...editing);
    await bench.writing.start();
    expect(await bench.writing.measure()).toMatchObject({ operations: 0, bytes: 0 });
    await bench.ask('Tidy up.');
    await bench.chat.changes?.apply();
    const { operations = 0, bytes = 0 } = (await bench.writing.measure()) ?? {};
    expect([operations, bytes > 0]).toEqual([4, true]);
    expect(bench.writing.usage()).toMatchObject({ operations, bytes });
  });

  it('R058 an undo is there after a restart as well', async () => {
    const first = await writingChat({ files }, ...editing);
    const before = await first.tree();
    await first.ask('Tidy up.');
    await first.chat.changes?.apply();
    const bench = await first.reopen();
    const review = reviewIn(bench);
    expect(review.state).toBe('applied');
    expect(await outcome(bench.chat.changes?.undo(review.id))).toBe('ok');
    expect(await bench.tree()).toEqual(before);
  });

  it('undoes a note once if all of them are undone before that one is', async () => {
    const bench = await writingChat({ files }, ...editing);
    const before = await bench.tree();
    await bench.ask('Tidy up.');
    const { changes } = bench.chat;
    await changes?.apply();
    const review = reviewIn(bench);
    const [one] = review.changes;
    const undone = [changes?.undo(review.id, one?.change.id), changes?.undo(review.id), changes?.undo(review.id)];
    expect(await Promise.all(undone.map(outcome))).toEqual(['ok', 'ok', 'ok']);
    expect([await bench.tree(), reviewIn(bench).state]).toEqual([before, 'undone']);
  });

  it('takes the words of the user in place of the proposed ones', async () => {
    const bench = await writingChat({ files }, ...editing);
    await bench.ask('Tidy up.');
    const plan = reviewIn(bench).changes[0]!;
    const mine = files['Plan.md'].replace('First line.', 'My own line.');
    expect(await outcome(bench.chat.changes?.editText(plan.change.id, mine))).toBe('ok');
    expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
    expect(await bench.read('Passage.md')).toBe(mine);
  });

  it('R058 rejects everything with a reason, which the model is told with the next message alone', async () => {
    const bench = await writingChat({ files }, ...editing, [say('Sorry.'), finish()], [say('Well.'), finish()]);
    const before = await bench.tree();
    await bench.ask('Tidy up.');
    expect(await outcome(bench.chat.changes?.rejectAll('Leave my notes alone.'))).toBe('ok');
    expect([reviewIn(bench).state, await bench.tree()]).toEqual(['rejected', before]);
    await bench.ask('Why?');
    expect(lastQuestion(bench)).toContain('Reason: Leave my notes alone.');
    await bench.ask('And now?');
    expect(lastQuestion(bench)).not.toContain('Leave my notes alone.');
  });

  it('R058 joins with what was typed meanwhile, or refuses and goes on waiting', async () => {
    const bench = await writingChat({ files }, ...editing);
    await bench.ask('Tidy up.');
    await bench.app.vault.process(bench.app.vault.getFileByPath('Plan.md')!, (text) => `${text}Typed since.\n`);
    await bench.app.vault.process(bench.app.vault.getFileByPath('Old.md')!, () => 'Of worth after all.\n');
    const refused = await outcome(bench.chat.changes?.apply());
    expect(refused).toBe(words.writing.changedBoth('Old.md'));
    expect(await bench.read('Passage.md')).toContain('First words.');
    expect(await bench.read('Passage.md')).toContain('Typed since.');
    expect(await bench.read('Old.md')).toBe('Of worth after all.\n');
    const review = reviewIn(bench);
    expect(review.state).toBe('waiting');
    expect(review.changes.map(({ change, failure }) => [change.from, failure?.words])).toEqual([['Old.md', refused]]);
  });

  it('is asked for a change of the same lines again once that change alone is rejected', async () => {
    const bench = await writingChat(
      { files },
      ...editing,
      reading('Plan'),
      calls(call('again', 'edit_note', { path: 'Plan.md', oldText: 'First, as I say.', newText: 'First words.' })),
      done,
    );
    await bench.ask('Tidy up.');
    const { changes } = bench.chat;
    const typed = files['Plan.md'].replace('First line.', 'First, as I say.');
    await bench.app.vault.process(bench.app.vault.getFileByPath('Plan.md')!, () => typed);
    changes?.decide(reviewIn(bench).changes[2]!.change.id, 'all', false);
    expect(await outcome(changes?.apply())).toBe(words.writing.changedBoth('Plan.md'));
    const [plan] = reviewIn(bench).changes;
    expect(await outcome(changes?.rejectAll(words.review.askAgainReason, plan!.change.id))).toBe('ok');
    expect(await bench.read('Plan.md')).toBe(typed);
    await bench.ask(words.review.askAgainMessage('Plan.md'));
    expect(lastQuestion(bench)).toContain(words.review.askAgainReason);
    expect(await outcome(changes?.apply())).toBe('ok');
    expect(await bench.read('Plan.md')).toBe(typed.replace('First, as I say.', 'First words.'));
  });

  it('takes a change as outdated no longer once its note has the old lines again', async () => {
    const bench = await writingChat({ files }, ...editing);
    await bench.ask('Tidy up.');
    const { changes } = bench.chat;
    const write = (path: string, typed: string) =>
      bench.app.vault.process(bench.app.vault.getFileByPath(path)!, () => typed);
    await write('Plan.md', files['Plan.md'].replace('First line.', 'First, as I say.'));
    await write('Old.md', 'Of worth.\n');
    await changes?.apply();
    const failed = () =>
      reviewIn(bench).changes.flatMap(({ change, failure }) => (failure === null ? [] : [change.from]));
    expect(failed()).toEqual(['Plan.md', 'Old.md']);
    await write('Plan.md', files['Plan.md'].replace('First line.', 'First, as I said.'));
    await eventually(() => failed().join() === 'Plan.md,Old.md', 'the new state');
    await write('Plan.md', files['Plan.md'].replace('Second line.', 'Second, as I say.'));
    await eventually(() => failed().join() === 'Old.md', 'the new state');
    await write('Old.md', files['Old.md']);
    await eventually(() => failed().join() === '', 'the new state');
    expect(await outcome(changes?.apply())).toBe('ok');
  });

  it('rejects one change, while the others and what was decided on them wait on', async () => {
    const bench = await writingChat({ files }, ...editing);
    await bench.ask('Tidy up.');
    const { changes } = bench.chat;
    const [plan, old] = reviewIn(bench).changes;
    changes?.decide(plan!.change.id, { hunk: 0 }, false);
    expect(await outcome(changes?.rejectAll('', old!.change.id))).toBe('ok');
    const waiting = bench.chat.current.reviews?.find(({ state }) => state === 'waiting')?.changes ?? [];
    expect(waiting.map(({ change, decision }) => [change.from, decision.hunks])).toEqual([
      ['Plan.md', [1]],
      [null, 'all'],
    ]);
    expect(await bench.read('Old.md')).toBe(files['Old.md']);
  });

  it('goes on waiting with what was accepted alone, and settles nothing, if nothing could be applied', async () => {
    const bench = await writingChat({ files }, ...editing.slice(0, 1), calls(...editing[1]!.slice(0, 2)), done);
    await bench.ask('Tidy up.');
    const { changes } = bench.chat;
    changes?.decide(reviewIn(bench).changes[0]!.change.id, { hunk: 0 }, false);
    const typed = files['Plan.md'].replace('Third line.', 'Third, as I say.');
    await bench.app.vault.process(bench.app.vault.getFileByPath('Plan.md')!, () => typed);
    expect(await outcome(changes?.apply())).toBe(words.writing.changedBoth('Plan.md'));
    expect(bench.chat.current.reviews?.map(({ state }) => state)).toEqual(['waiting']);
    const { hunks, decision } = reviewIn(bench).changes[0]!;
    expect([hunks.length, decision.hunks]).toEqual([1, 'all']);
    expect(await bench.read('Plan.md')).toBe(typed);
  });

  it('reads back what it wrote, links and search included, while others see the disk', async () => {
    const bench = await writingChat(
      { files },
      calls(call('w1', 'create_note', { path: 'Whimbrel.md', text: '# Whimbrel\n\nA cutter for [[Crew]].\n' })),
      calls(
        call('s1', 'search_notes', { query: 'cutter' }),
        call('s2', 'note_links', { path: 'Crew' }),
        call('s3', 'read_note', { path: 'Whimbrel' }),
      ),
      done,
    );
    await bench.ask('Note the boat.');
    const [search, links, read] = resultsIn(bench).slice(-3);
    expect(search).toContain('A cutter for');
    expect(links).toContain('Whimbrel');
    expect(read).toContain('A cutter for [[Crew]].');
    expect(bench.app.vault.getFileByPath('Whimbrel.md')).toBeNull();
  });
});

describe('permission modes', () => {
  const create = (path: string): Step[] => calls(call(`c-${path}`, 'create_note', { path, text: 'Text.\n' }));

  it('R079 Plan offers reading and plans alone, and refuses everything else', async () => {
    const bench = await writingChat(
      { files, permission: 'plan' },
      create('Docent/plans/Tidy.md'),
      create('Elsewhere.md'),
      calls(call('p1', 'exit_plan_mode', { path: 'Docent/plans/Tidy.md' })),
    );
    await bench.ask('Plan it.');
    const offered = bench.model.plans[0]?.tools.map(({ name }) => name) ?? [];
    expect(offered).toEqual(expect.arrayContaining(['create_note', 'ask_user', 'exit_plan_mode', 'read_note']));
    expect(offered).not.toEqual(expect.arrayContaining(['move_note']));
    expect(offered).not.toEqual(expect.arrayContaining(['delete_note']));
    expect(await bench.read('Docent/plans/Tidy.md')).toBe('Text.\n');
    expect(await bench.adapter.exists('Elsewhere.md')).toBe(false);
    expect(resultsIn(bench).at(-1)).toContain(words.writing.deniedInPlan);
    expect(reviewIn(bench)).toMatchObject({ state: 'applied', unasked: true });
  });

  it('R078 the plan ends the turn and waits for the word of the user', async () => {
    const bench = await writingChat(
      { files, permission: 'plan' },
      create('Docent/plans/Tidy.md'),
      calls(call('p1', 'exit_plan_mode', { path: 'Docent/plans/Tidy.md' })),
    );
    await bench.ask('Plan it.');
    expect(bench.model.plans).toHaveLength(2);
    const answer = bench.chat.current.items.find((item) => item.type === 'answer');
    const last = answer?.type === 'answer' ? answer.parts.at(-1) : undefined;
    expect(answer?.type === 'answer' && answer.end).toBe('complete');
    expect(last?.type === 'tool-call' && last.result?.view).toEqual({ kind: 'plan', path: 'Docent/plans/Tidy.md' });
  });

  it('R078 a plan may be written and presented in one answer', async () => {
    const bench = await writingChat(
      { files, permission: 'plan' },
      calls(
        call('c1', 'create_note', { path: 'Docent/plans/Tidy.md', text: 'Sort the boats.\n' }),
        call('p1', 'exit_plan_mode', { path: 'Docent/plans/Tidy.md' }),
      ),
    );
    await bench.ask('Plan it.');
    const answer = bench.chat.current.items.find((item) => item.type === 'answer');
    const last = answer?.type === 'answer' ? answer.parts.at(-1) : undefined;
    expect(last?.type === 'tool-call' && last.result?.view).toEqual({ kind: 'plan', path: 'Docent/plans/Tidy.md' });
    expect(await bench.read('Docent/plans/Tidy.md')).toBe('Sort the boats.\n');
  });

  it.each(['AGENTS.md', 'Boats/CLAUDE.md'])(
    'Auto-edit asks before it writes %s, which would instruct it',
    async (path) => {
      const settings = { contextFiles: ['AGENTS.md', 'CLAUDE.md'] };
      const bench = await writingChat(
        { files, permission: 'auto-edit', named: ['/'], settings },
        create(path),
        create('Free.md'),
        done,
      );
      await bench.ask('Write.');
      expect(await bench.adapter.exists('Free.md')).toBe(true);
      expect(await bench.adapter.exists(path)).toBe(false);
      expect(reviewIn(bench)).toMatchObject({ state: 'waiting' });
    },
  );

  it('K21 R255 what the user forbids while a turn runs is forbidden at once, what they allow waits for the next', async () => {
    for (const [from, to] of [
      ['review', 'read-only'],
      ['review', 'auto-edit'],
    ] as const) {
      const bench = await writingChat(
        { files, permission: from, named: ['/'] },
        reading('Plan'),
        reading('Old'),
        reading('Plan'),
        create(`${to}.md`),
        done,
      );
      const { chat } = bench;
      const release = chat.subscribe(() => {
        const [, answer] = chat.current.items;
        if (answer?.type !== 'answer' || !answer.parts.some(({ type }) => type === 'tool-call')) return;
        release();
        void chat.choose({ permission: to });
      });
      await bench.ask('Write.');
      expect(chat.choices.permission).toBe(to);
      expect(await bench.adapter.exists(`${to}.md`)).toBe(false);
      expect(chat.current.reviews?.at(-1)?.state).toBe(to === 'read-only' ? undefined : 'waiting');
    }
  });

  it('R255 Auto-edit holds on the device that chose it, and not because the log says so', async () => {
    const bench = await writingChat({ files, named: ['/'] }, create('Alone.md'), done);
    const { chat } = bench;
    await (chat as unknown as { log: SessionLog }).log.append({
      kind: 'choices',
      choices: { permission: 'auto-edit' },
    });
    expect(chat.choices.permission).toBe('review');
    await bench.ask('Write.');
    expect(await bench.adapter.exists('Alone.md')).toBe(false);
    await chat.choose({ permission: 'auto-edit' });
    expect(chat.choices.permission).toBe('auto-edit');
    await chat.choose({ permission: 'plan' });
    expect(chat.choices.permission).toBe('plan');
  });

  it('R075 a question ends the turn with its choices', async () => {
    const ask = { question: 'Which boat?', options: ['Whimbrel', 'Heron', 'Heron'] };
    const bench = await writingChat({ files, permission: 'plan' }, calls(call('q1', 'ask_user', ask)));
    await bench.ask('Plan it.');
    const [answer] = bench.chat.current.items.filter((item) => item.type === 'answer');
    const view =
      answer?.type === 'answer' && answer.parts[0]?.type === 'tool-call' ? answer.parts[0].result?.view : null;
    expect(view).toEqual({ kind: 'question', question: 'Which boat?', options: ['Whimbrel', 'Heron'], several: false });
    expect(bench.model.plans).toHaveLength(1);
  });

  it('Read only offers nothing that writes', async () => {
    const bench = await writingChat({ files, permission: 'read-only' }, create('A.md'), done);
    await bench.ask('Write.');
    const offered = bench.model.plans[0]?.tools.map(({ name }) => name) ?? [];
    expect(offered.filter((name) => /create|edit|append|set_|move|delete|remember/.test(name))).toEqual([]);
    expect(await bench.adapter.exists('A.md')).toBe(false);
    expect(bench.chat.current.reviews).toEqual([]);
  });

  it('Auto-edit applies edits at the end of each step and asks for a deletion and for memory', async () => {
    const bench = await writingChat(
      { files, permission: 'auto-edit', named: ['Plan.md'] },
      reading('Plan', 'Old'),
      calls(
        call('e1', 'edit_note', { path: 'Plan.md', oldText: 'First line.', newText: 'First words.' }),
        call('e2', 'delete_note', { path: 'Old.md' }),
        call('e3', 'remember', { fact: 'Prefers short lines.' }),
      ),
      done,
    );
    await bench.ask('Tidy up.');
    expect(
      resultsIn(bench)
        .slice(-3)
        .map((text) => text.replace(/^[^:]*: /, '').split(' From')[0]),
    ).toEqual([words.writing.appliesNow, words.writing.waitsForReview, words.writing.waitsForReview]);
    expect(await bench.read('Plan.md')).toContain('First words.');
    expect(await bench.read('Old.md')).toBe(files['Old.md']);
    expect(await bench.adapter.exists('Docent/memory.md')).toBe(false);
    expect(reviewIn(bench).changes.map(({ change }) => change.from ?? change.to)).toEqual([
      'Old.md',
      'Docent/memory.md',
    ]);
  });

  it('R202 what is remembered goes to the memory note once the user has agreed', async () => {
    const bench = await writingChat(
      { files: { ...files, 'Docent/memory.md': '- Sails.\n' } },
      calls(call('m1', 'remember', { fact: 'Prefers  short\nlines.' })),
      done,
    );
    await bench.ask('Remember that.');
    expect(await bench.read('Docent/memory.md')).toBe('- Sails.\n');
    expect(await outcome(bench.chat.changes?.apply())).toBe('ok');
    expect(await bench.read('Docent/memory.md')).toBe('- Sails.\n- Prefers short lines.\n');
  });

  it('R125 records what was applied as artifacts of the goal', async () => {
    const bench = await writingChat(
      { files },
      calls(call('g1', 'update_goal', { action: 'goal', text: 'A tidy vault' })),
      ...editing,
    );
    await bench.ask('Tidy up.');
    expect(bench.chat.goals.getActiveGoal()?.artifacts).toEqual([]);
    await bench.chat.changes?.apply();
    expect(bench.chat.goals.getActiveGoal()?.artifacts.map(({ path, action }) => [path, action])).toEqual([
      ['Passage.md', 'modified'],
      ['Old.md', 'deleted'],
      ['New/Fresh.md', 'created'],
    ]);
  });

  it('H12 runs a call once, and counts no call as made that was never run', async () => {
    const bench = await writingChat({ files }, create('A.md'), done);
    await bench.ask('Write.');
    const calls = bench.model.plans
      .at(-1)
      ?.messages.flatMap(({ role, parts }) => (role === 'assistant' ? toolCallsOf(parts) : []));
    expect(calls).toHaveLength(1);
    expect(reviewIn(bench).changes.map(({ change }) => change.calls.map(({ tool }) => tool))).toEqual([
      ['create_note'],
    ]);
  });
});
