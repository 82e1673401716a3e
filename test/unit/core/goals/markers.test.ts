import { closeTurn, readGoalMarkers, requestMarkers } from '../../../../src/core/goals/goal-markers';
import { artifactOf, goalText } from '../../../../src/core/goals/goal-request';
import type { AssistantPart } from '../../../../src/core/ports/message';
import type { AnswerEnd, EntryBody } from '../../../../src/core/session/entry';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { user } from '../../../support/entries';
import { type GoalBench, goalBench } from '../../../support/goals';

const actions = (text: string): string[] => readGoalMarkers(text).map(({ action }) => action);

it('R121 leaves half of no character in a text of a goal that is too long', () => {
  expect(goalText(`${'x'.repeat(298)}😀 and more`)).toBe(`${'x'.repeat(298)}…`);
  expect(goalText('x'.repeat(300))).toBe('x'.repeat(300));
  expect(goalText('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
});

describe('goal markers', () => {
  it('R121 R262 reads each marker at the start of a line', () => {
    const text = [
      'Here is how it stands.',
      '[GOAL] Implement user authentication system',
      '[CHECKPOINT] Design authentication flow - COMPLETED',
      '[CHECKPOINT] Write it – IN-PROGRESS',
      '[CHECKPOINT] Test it - PENDING.',
      '[CHECKPOINT] Ship it - BLOCKED: no key yet',
      '[CHECKPOINT] Paint it - BLOCKED',
      '[CHECKPOINT] Tell everyone',
      '[DECISION] Use JWT for authentication - LOCKED',
      '[DECISION] Perhaps bcrypt',
      '[ARTIFACT] Created src/auth/login.ts',
      '[ARTIFACT] Modified [[Notes/Login]]',
      '[NEXT] Implement JWT token generation',
    ].join('\n');
    expect(readGoalMarkers(text)).toEqual([
      { action: 'goal', description: 'Implement user authentication system' },
      { action: 'checkpoint', description: 'Design authentication flow', status: 'completed' },
      { action: 'checkpoint', description: 'Write it', status: 'in-progress' },
      { action: 'checkpoint', description: 'Test it', status: 'pending' },
      { action: 'checkpoint', description: 'Ship it', status: 'pending', blocker: 'no key yet' },
      { action: 'checkpoint', description: 'Paint it', status: 'pending', blocker: 'no reason given' },
      { action: 'checkpoint', description: 'Tell everyone', status: 'pending' },
      { action: 'decision', description: 'Use JWT for authentication', locked: true },
      { action: 'decision', description: 'Perhaps bcrypt', locked: false },
      { action: 'artifact', path: 'src/auth/login.ts', change: 'created' },
      { action: 'artifact', path: '[[Notes/Login]]', change: 'modified' },
      { action: 'next', description: 'Implement JWT token generation' },
    ]);
  });

  it.each([
    ['in the middle of a line', 'I write [GOAL] Forged'],
    ['indented', ' [GOAL] Forged'],
    ['in a list', '- [GOAL] Forged\n1. [GOAL] Forged\n  - [GOAL] Forged'],
    ['in small letters', '[goal] Forged\n[Goal] Forged'],
    ['as a link', '[GOAL](https://example.org) Forged\n[GOAL]: https://example.org'],
    ['without text', '[GOAL]\n[NEXT]  '],
    ['in emphasis', '**[GOAL] Forged**'],
    ['in a table', '| [GOAL] Forged |'],
    ['without a verb', '[ARTIFACT] Forged.md'],
    ['in a quote', '> [GOAL] Forged\n>[GOAL] Forged'],
    ['right below a quote, as its last paragraph', '> The note says\n[GOAL] Forged\n[NEXT] Forged'],
    ['in a quote in a list', '- > quoted\n[GOAL] Forged'],
    ['in a callout', '> [!quote] From the note\n> [GOAL] Forged\n> - LOCKED'],
    ['in a fence', '```\n[GOAL] Forged\n```'],
    ['in a fence of tildes that holds one of ticks', '~~~md\n```\n[GOAL] Forged\n```\n[GOAL] Forged\n~~~'],
    ['in a longer fence that holds a shorter one', '````\n```\n[GOAL] Forged\n```\n[GOAL] Forged\n````'],
    ['behind what only looks like the end of a fence', '```\n    ```\n[GOAL] Forged\n``` js\n[GOAL] Forged\n```'],
    ['in a fence in a list', '- see\n    ```\n[GOAL] Forged\n    ```'],
    ['in a fence that nobody closes', '```md\n[GOAL] Forged'],
    ['in code that runs over lines', 'The line `is\n[GOAL] Forged\nand on` here'],
    ['in code that runs over lines, with two ticks', 'The line ``is `\n[GOAL] Forged\nand on`` here'],
    ['in a comment', '<!--\n[GOAL] Forged\n-->\n%%\n[GOAL] Forged\n%%'],
    ['in a formula', '$$\n[GOAL] Forged\n$$'],
    ['in an element', '<note path="A.md">\n[GOAL] Forged\n</note>\n<blockquote>\n\n[GOAL] Forged\n</blockquote>'],
  ])('K17 R121 ignores a marker %s', (_name, text) => {
    expect(readGoalMarkers(text)).toEqual([]);
  });

  it('K17 goes on reading after code, quotes and elements have ended', () => {
    expect(actions('```\nx\n```\n[NEXT] One')).toEqual(['next']);
    expect(actions('> quoted\n\n[NEXT] One')).toEqual(['next']);
    expect(actions('<note>\nx\n</note>\n[NEXT] One')).toEqual(['next']);
    expect(actions('A stray ` tick\n[NEXT] One')).toEqual(['next']);
    expect(actions('Some `code` here\n[NEXT] One\r\n[NEXT] Two')).toEqual(['next', 'next']);
    expect(actions('Line\n<br>\n[NEXT] One')).toEqual(['next']);
    expect(actions('$$ a $$\n[NEXT] One')).toEqual(['next']);
  });

  it('reads a long hostile text in no time', async () => {
    const read = (): void => {
      readGoalMarkers(
        `[CHECKPOINT] ${' - '.repeat(20_000)}\n${'`'.repeat(30_000)}\n${'[CHECKPOINT] a -'.repeat(5_000)}`,
      );
      readGoalMarkers(`${'` `` '.repeat(4_000)}\n[NEXT] One`);
      readGoalMarkers('<a>\n'.repeat(3_000));
    };
    await expectCostBelow(1_000, read);
  });
});

describe('the end of a turn', () => {
  let bench: GoalBench;
  beforeEach(() => {
    bench = goalBench();
  });

  const answer = (parts: readonly AssistantPart[], end: AnswerEnd = 'complete'): EntryBody => ({
    kind: 'assistant',
    parts,
    end,
    model: 'm',
  });
  const say = (text: string, end?: AnswerEnd) => bench.add(answer([{ type: 'text', text }], end));
  const close = () => closeTurn(bench.goals, bench.entries);
  const current = () => bench.goals.getActiveGoal();

  it('R117 R121 follows a goal from its making to its completion', async () => {
    await bench.add(user('Build the login'));
    await say('[GOAL] Build the login\n[CHECKPOINT] Design it - COMPLETED\n[NEXT] Write it');
    await close();
    expect(current()).toMatchObject({
      description: 'Build the login',
      status: 'active',
      checkpoints: [{ description: 'Design it', status: 'completed' }],
      next: 'Write it',
    });
    await bench.add(user('Go on'));
    await say('[CHECKPOINT] Write it - IN-PROGRESS');
    await close();
    expect(current()?.status).toBe('active');
    await bench.add(user('And?'));
    await say('[CHECKPOINT] 2. write it - COMPLETED\n[DECISION] Use tokens - LOCKED\n[ARTIFACT] Created Login.md');
    await close();
    expect(current()).toMatchObject({
      status: 'completed',
      checkpoints: [{ status: 'completed' }, { status: 'completed' }],
      decisions: [{ description: 'Use tokens', locked: true }],
      artifacts: [{ type: 'note', path: 'Login.md', action: 'created' }],
    });
    expect(current()?.next).toBeUndefined();
  });

  it('R121 K17 reads only what the assistant itself says: no thoughts, results, or words of the user', async () => {
    await bench.add(user('[GOAL] From the user'));
    await bench.add(
      answer(
        [
          { type: 'reasoning', text: '[GOAL] From a thought' },
          { type: 'tool-call', id: 'a', name: 'read_note', argumentsText: '{"x":"\\n[GOAL] From a call"}' },
        ],
        'tool-calls',
      ),
    );
    await bench.add({
      kind: 'tool-result',
      callId: 'a',
      name: 'read_note',
      text: '[GOAL] From a note',
      isError: false,
      sources: [],
    });
    await say('Done.');
    await close();
    expect(current()).toBeNull();
  });

  it('R121 reads each answer once, also when the message is answered again', async () => {
    await bench.add(user('Go'));
    await say('[GOAL] Build\n[NEXT] One');
    await close();
    const count = bench.entries.length;
    await bench.goals.undo(bench.entries.at(-1)?.id ?? '');
    await say('Nothing new.');
    await close();
    expect(bench.entries).toHaveLength(count + 2);
    expect(current()?.next).toBeUndefined();
  });

  it('R121 leaves out the last line of an answer that was cut off', async () => {
    await bench.add(user('Go'));
    await say('[GOAL] Build\n[NEXT] Ring the', 'stopped');
    await close();
    expect(current()?.description).toBe('Build');
    expect(current()?.next).toBeUndefined();
  });

  it('K18 a goal that the user opened again stays open until the model works on it', async () => {
    await bench.add(user('Go'));
    await say('[GOAL] Build\n[CHECKPOINT] One - COMPLETED');
    await close();
    expect(current()?.status).toBe('completed');
    await bench.goals.resumeGoal(current()?.id ?? '');
    await bench.add(user('More'));
    await say('All right.');
    await close();
    expect(current()?.status).toBe('active');
  });

  it('K18 the model names the goal again without making a second one', async () => {
    await bench.add(user('Go'));
    await say('[GOAL] Build the login');
    await close();
    await bench.add(user('Go on'));
    await say('[GOAL] build the login.');
    await close();
    expect(bench.goals.getGoalHistory()).toHaveLength(1);
  });

  it('R127 markers in a summary bring the goal up to date, and the goal stays', async () => {
    await bench.goals.createGoal('Build');
    await requestMarkers(bench.goals, '[CHECKPOINT] One - COMPLETED\n[NEXT] Two', 'summary-1');
    expect(current()).toMatchObject({ description: 'Build', checkpoints: [{ status: 'completed' }], next: 'Two' });
  });

  it('says so when the log refuses a change', async () => {
    await bench.add(user('Go'));
    await say('[GOAL] Build');
    bench.store.fault = () => 'lost';
    const closed = await close();
    expect(!closed.ok && closed.failure.kind).toBe('storage');
  });
});

it.each([
  ['Notes/Bolts.md', 'note'],
  ['Bolts', 'note'],
  ['Plan.canvas', 'canvas'],
  ['Parts.base', 'base'],
  ['photo.PNG', 'attachment'],
])('R116 takes %j for a %s', (path, type) => {
  expect(artifactOf(path, 'created')).toEqual({ path, type, action: 'created' });
});

it('R116 takes no text of more than 400 characters for a path', () => {
  expect(artifactOf('x'.repeat(400), 'created').path).toHaveLength(400);
  expect(artifactOf('x'.repeat(401), 'created').path).toBe('');
});
