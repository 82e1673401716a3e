import type { Chat } from '../../../../src/core/chat/chat';
import { OpenChats } from '../../../../src/core/chat/open-chats';
import { foldTranscript } from '../../../../src/core/chat/transcript';
import { requestMarkers } from '../../../../src/core/goals/goal-markers';
import { compressionPrompt } from '../../../../src/core/prompt/background-prompts';
import { formatGoalProgress } from '../../../../src/core/prompt/sections/goal';
import { textOf } from '../../../../src/core/ports/message';
import { foldMessages } from '../../../../src/core/request/history';
import { tools } from '../../../../src/core/tools';
import { type ChatBench, rested, scriptedBench, until } from '../../../support/chat-bench';
import { goalBench } from '../../../support/goals';
import { countingIdentifiers, logPorts } from '../../../support/memory-ports';
import { call, finish, say } from '../../../support/scripted-model';

async function ask(chat: Chat, text: string): Promise<void> {
  await chat.send(text, []);
  await until(chat, rested);
}

const systemOf = (
  bench: { readonly model: { readonly plans: readonly { readonly system: string }[] } },
  index: number,
) => bench.model.plans[index]?.system ?? '';

describe('the goal of a chat', () => {
  it('R112 R117 R121 is made by the answer and told in the next request, and after a reopening', async () => {
    const bench = scriptedBench(
      [say('Well.\n[GOAL] Launch the boat\n[NEXT] Ring the yard'), finish()],
      ...[1, 2, 3].map(() => [say('Yes.'), finish()]),
    );
    const chat = await bench.open();
    await ask(chat, 'Go');
    expect(chat.goals.getActiveGoal()?.description).toBe('Launch the boat');
    await ask(chat, 'On');
    expect(systemOf(bench, 0)).not.toContain('CURRENT GOAL');
    expect(systemOf(bench, 1)).toContain('CURRENT GOAL: Launch the boat');
    // The next step changes with the work, so it is near the message, and sent once.
    const nextSteps = (request: number): number =>
      JSON.stringify(bench.model.plans[request]?.messages).split('Next: Ring the yard').length - 1;
    expect(JSON.stringify(bench.model.plans[1]?.messages.at(-1))).toContain('Next: Ring the yard');
    await ask(chat, 'And then?');
    await ask(await bench.open(), 'And now?');
    expect(systemOf(bench, 3)).toContain('CURRENT GOAL: Launch the boat');
    expect([0, 1, 2, 3].map(nextSteps)).toEqual([0, 1, 1, 1]);
    expect(new Set([1, 2, 3].map((request) => systemOf(bench, request))).size).toBe(1);
  });

  it('R126 progress that the conversation already contains is not listed as left out', async () => {
    const bench = scriptedBench(
      [say('Well.\n[GOAL] Launch the boat\n[NEXT] Ring the yard'), finish()],
      ...[1, 2].map(() => [say('Yes.'), finish()]),
    );
    const chat = await bench.open();
    const listed = async () => {
      const plan = await chat.preview('And now?', [], new AbortController().signal);
      if (!plan.ok) throw new Error(plan.failure.words);
      const items = chat.contextEvents.items(plan.value, chat.choices);
      return items.filter(({ label }) => label === 'goal-progress').map(({ form }) => form);
    };
    await ask(chat, 'Go');
    expect(await listed()).toEqual(['whole']);
    await ask(chat, 'On');
    expect(await listed()).toEqual([]);
  });

  it('R121 the tool changes the goal of its own chat while the turn runs', async () => {
    const bench = scriptedBench(
      [call('a', 'update_goal', { action: 'goal', text: 'Launch' }), finish('tool-calls')],
      [call('b', 'update_goal', { action: 'checkpoint', text: 'One', status: 'completed' }), finish('tool-calls')],
      [say('Done.'), finish()],
    );
    const kit = { ...bench.kit, tools: tools.filter(({ name }) => name === 'update_goal') };
    const chat = await Object.assign(bench, { kit }).open();
    await ask(chat, 'Go');
    // The last checkpoint that is done completes the goal at the end of the turn.
    expect(chat.goals.getActiveGoal()).toMatchObject({ description: 'Launch', status: 'completed' });
    expect(chat.goals.state.records.map(({ origin }) => origin)).toEqual(['model-tool', 'model-tool', 'model-tool']);
  });

  it('R112 R127 stands outside the history: what summarises that takes nothing from the goal', async () => {
    const bench = goalBench();
    await bench.goals.createGoal('Launch');
    expect(foldMessages(bench.entries)).toEqual([]);
    expect(foldTranscript(bench.entries)).toEqual([]);
  });

  it('R122 a goal set by hand before the first message is in the first request', async () => {
    const bench: ChatBench & ReturnType<typeof scriptedBench> = scriptedBench([say('Yes.'), finish()]);
    const chat = await bench.open();
    await chat.goals.createGoal('Write the log', 'low');
    await ask(chat, 'Go');
    expect(systemOf(bench, 0)).toContain('CURRENT GOAL: Write the log\nPriority: low');
  });

  it('K18 a paused or dismissed goal is not told, a completed one is', async () => {
    const bench = scriptedBench([say('1'), finish()], [say('2'), finish()], [say('3'), finish()]);
    const chat = await bench.open();
    await chat.goals.createGoal('Launch');
    const id = chat.goals.getActiveGoal()?.id ?? '';
    await chat.goals.completeGoal(id, '');
    await ask(chat, 'a');
    expect(systemOf(bench, 0)).toContain('Status: completed');
    await chat.goals.resumeGoal(id);
    await chat.goals.pauseGoal(id);
    await ask(chat, 'b');
    expect(systemOf(bench, 1)).not.toContain('CURRENT GOAL');
    await chat.goals.dismiss(id);
    await ask(chat, 'c');
    expect(systemOf(bench, 2)).not.toContain('CURRENT GOAL');
  });

  it('K18 K5 takes back the progress of a goal that is left, or that another one follows', async () => {
    const bench = scriptedBench(...[1, 2, 3, 4, 5].map(() => [say('Yes.'), finish()]));
    const chat = await bench.open();
    const reported = async (text: string): Promise<string | undefined> => {
      await ask(chat, text);
      const messages = bench.model.plans.at(-1)?.messages ?? [];
      return /<goal_progress>\n([^]*?)\n<\/goal_progress>/.exec(textOf(messages.at(-1)?.parts ?? []))?.[1];
    };
    await chat.goals.createGoal('Launch the boat');
    const id = chat.goals.getActiveGoal()?.id ?? '';
    await chat.goals.createCheckpoint(id, 'Scrape the hull');
    expect(await reported('a')).toContain('Scrape the hull');
    await chat.goals.dismiss(id);
    expect(await reported('b')).toBe('No goal is active. Progress reported before no longer holds.');
    expect(await reported('c')).toBeUndefined();
    await chat.goals.createGoal('Sell the boat');
    expect(await reported('d')).toBe(
      'Nothing of the current goal is recorded yet. Progress reported before no longer holds.',
    );
    expect(await reported('e')).toBeUndefined();
  });

  it('R116 all open chats hear of new paths, and only those that name the file write it down', async () => {
    const bench = scriptedBench();
    const { ports } = (await bench.open()) as unknown as { ports: ConstructorParameters<typeof OpenChats>[0] };
    const chats = new OpenChats(ports, logPorts(bench.store, { identifiers: countingIdentifiers('x') }));
    const one = await chats.open(null);
    const other = await chats.open(null);
    if (!one.ok || !other.ok) throw new Error('not open');
    await one.value.goals.createGoal('Launch');
    await one.value.goals.recordArtifact(one.value.goals.getActiveGoal()?.id ?? '', 'note', 'A.md', 'created');
    await chats.heard([{ path: 'B.md', oldPath: 'A.md' }]);
    expect(one.value.goals.getActiveGoal()?.artifacts).toMatchObject([{ path: 'B.md' }]);
    expect(one.value.goals.state.records.at(-1)).toMatchObject({
      origin: 'vault',
      event: { type: 'artifact-renamed' },
    });
    expect(other.value.goals.state.records).toEqual([]);
    // A chat that is not open at the time follows when it is opened.
    const moves = [{ from: 'B.md', to: 'Ships/B.md' }];
    const openLater = async () => {
      const later = new OpenChats({ ...ports, movesSince: () => moves }, logPorts(bench.store, { session: 'later' }));
      const opened = await later.open(one.value.id);
      if (!opened.ok) throw new Error(opened.failure.words);
      return opened.value.goals;
    };
    expect((await openLater()).getActiveGoal()?.artifacts).toMatchObject([{ path: 'Ships/B.md' }]);
    expect((await openLater()).state.records).toHaveLength(4);
  });
});

describe('summaries', () => {
  it('R120 are asked for with the active goal in mind, and to keep what serves it', async () => {
    const { goals } = goalBench();
    await goals.createGoal('Launch  the boat');
    const text = compressionPrompt(goals.getActiveGoal());
    expect(text).toContain('ACTIVE GOAL: Launch the boat');
    for (const part of [/decisions/, /checkpoints/, /notes created/, /blockers/, /next steps/]) {
      expect(text.slice(text.indexOf('ACTIVE GOAL'))).toMatch(part);
    }
    // Only what there is.
    expect(text).not.toMatch(/Still open|word for word:/);
    expect(compressionPrompt(null)).not.toContain('ACTIVE GOAL');
  });

  it('K24 the stored goal wins over the goal that a summary names', async () => {
    const { goals } = goalBench();
    await goals.createGoal('Launch');
    await requestMarkers(goals, '<overall_goal>\n[GOAL] Paint the house\n</overall_goal>\n\n[NEXT] Ring', 'summary');
    expect(goals.getActiveGoal()).toMatchObject({ description: 'Launch', next: 'Ring' });
  });
});

describe('the goal in the prompt', () => {
  it('R118 names the newest artifacts and counts the rest', async () => {
    const { goals } = goalBench();
    await goals.createGoal('Launch');
    const id = goals.getActiveGoal()?.id ?? '';
    for (let index = 0; index < 15; index += 1) await goals.recordArtifact(id, 'note', `N${index}.md`, 'created');
    const goal = goals.getActiveGoal();
    if (goal === null) throw new Error('no goal');
    const text = formatGoalProgress(goal, 5);
    expect(text).toMatch(/^Artifacts:\n\(3 earlier\)\n- created note: N3\.md\n/);
    expect(text).toMatch(/N14\.md$/);
  });
});
