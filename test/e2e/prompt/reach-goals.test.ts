/** The goal of a chat from its making to its end: on the request, in the log on the disk, and in the panel. */
import { words } from '../../../src/text';
import { readRequest } from '../../support/model-server';
import { readLog, until, type LogRecord } from '../driver/chat-view';
import { shareChat, sharedWalk } from '../driver/begin-again';
import { sectionIn, type Walk } from '../driver/reach-walk';

jest.setTimeout(90_000);

const vault = { 'Bolts.md': '# Bolts\n\nBronze.\n', 'Docent/memory.md': '' };
const change = (args: Record<string, unknown>, id: string) => ({ name: 'update_goal', arguments: args, id });
/** The goal as the model sees it: its head among the instructions, and its progress as it was sent last. */
function goalIn({ sent }: Walk, index?: number): string {
  const { system, messages } = sent(index);
  const text = messages.map((message) => message.text).join('\n');
  const progress = text.slice(Math.max(0, text.lastIndexOf('<goal_progress>')));
  return [sectionIn(system, 'active_goal'), sectionIn(progress, 'goal_progress')].filter(Boolean).join('\n\n');
}

shareChat({ vault });

describe.each([
  ['with pictures where the room allows it', 4, ['✅', '🔄', '⏳', '🔒']],
  ['in plain letters at size 2', 2, ['[x]', '[~]', '[ ]', '[locked]']],
] as const)('%s', (_name, tier, [done, doing, open, locked]) => {
  const self = sharedWalk(
    {
      vault,
      scripted: [
        {
          text: [
            '[GOAL] Launch the boat',
            '[CHECKPOINT] List the faults - COMPLETED',
            '[CHECKPOINT] Order the bolts - IN-PROGRESS',
            '[CHECKPOINT] Book the yard - BLOCKED: no answer yet',
            '[DECISION] Bronze bolts - LOCKED',
            '[DECISION] Launch from Ardvane',
            '[ARTIFACT] Created Bolts.md',
            '[NEXT] Ring the yard',
          ].join('\n'),
        },
        { text: 'Yes.' },
      ],
      settings: { tier, contextWindow: 32_768 },
    },
    async ({ chatView }) => {
      await chatView.ask('Get the boat ready');
      await chatView.ask('Go on');
    },
  );

  it('R118@request R262@request K27 shows goal, priority, status, checkpoints, decisions, artifacts and the next step', () => {
    const goal = goalIn(self);
    expect(goal).toMatch(/^CURRENT GOAL: Launch the boat\nPriority: \w+\nStatus: active\n/);
    expect(goal).toContain(
      `1. ${done} List the faults\n2. ${doing} Order the bolts\n3. ${open} Book the yard (blocked: no answer yet)`,
    );
    expect(goal).toContain(`${locked} Bronze bolts`);
    expect(goal).toMatch(/\n- Launch from Ardvane/);
    expect(goal).toMatch(/- created note: Bolts\.md[\s\S]*\nNext: Ring the yard/);
    if (tier === 2) expect(goal).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it('R121@request R143 teaches the tool by which a goal is kept, or the marks where the tool is not offered', () => {
    const goal = goalIn(self);
    expect(goal.includes('Record with update_goal')).toBe(tier > 2);
    expect(goal.includes('[CHECKPOINT] Order the bolts - COMPLETED.')).toBe(tier <= 2);
    expect(self.sent().tools.includes('update_goal')).toBe(tier > 2);
  });

  it('R113@disk R114@disk R124@disk keeps it with its parts, each with an id of its own', async () => {
    const records = (await readLog(self.workbench)).filter(({ k }) => k === 'goal');
    const events = records.map(({ b }) => b['event']);
    expect(events.length).toBeGreaterThanOrEqual(8);
    const recorded = JSON.stringify(events);
    for (const part of [
      'Launch the boat',
      'List the faults',
      'Order the bolts',
      'no answer yet',
      'Bronze bolts',
      'Bolts.md',
      'Ring the yard',
      'completed',
      'in-progress',
    ]) {
      expect(recorded).toContain(part);
    }
    const ids = records.map((record) => (record as LogRecord & { readonly id: string }).id);
    expect(new Set(ids).size).toBe(records.length);
  });
});

describe('kept by the tool', () => {
  const self = sharedWalk(
    {
      vault,
      scripted: (request) => {
        const read = readRequest(request);
        const last = read.messages.at(-1);
        const said = last?.text ?? '';
        if ((last?.results.length ?? 0) > 0) return { text: 'Noted.' };
        if (said.includes('First'))
          return {
            toolCalls: [
              change({ action: 'goal', text: 'Launch the boat', priority: 'high' }, 'a'),
              change({ action: 'checkpoint', text: 'List the faults' }, 'b'),
              change({ action: 'decision', text: 'Bronze bolts', reason: 'no rust' }, 'c'),
            ],
          };
        if (said.includes('Second'))
          return {
            toolCalls: [
              change({ action: 'goal', text: 'Paint the hull' }, 'd'),
              change({ action: 'checkpoint', text: 'Sand it' }, 'e'),
              change({ action: 'next', text: 'Buy paper' }, 'f'),
            ],
          };
        if (said.includes('Done'))
          return { toolCalls: [change({ action: 'checkpoint', text: 'Sand it', status: 'completed' }, 'g')] };
        return { text: 'Yes.' };
      },
      settings: { contextWindow: 32_768 },
    },
    async ({ chatView }) => {
      for (const text of ['First', 'Look', 'Second', 'Look again', 'Done', 'And now?']) await chatView.ask(text);
    },
  );
  const after = (text: string): string => {
    const at = ['First', 'Look', 'Second', 'Look again', 'Done', 'And now?'].indexOf(text);
    // Each turn with calls makes two requests.
    return goalIn(self, [0, 2, 3, 5, 6, 8][at]);
  };

  it('R122@request R123@request R124@request a new goal takes the place of the old one, with what is recorded of it', () => {
    expect(after('First')).toBe('');
    expect(after('Look')).toMatch(
      /^CURRENT GOAL: Launch the boat\nPriority: high\nStatus: active\n[\s\S]*1\. ⏳ List the faults[\s\S]*- Bronze bolts \(no rust\)/,
    );
    expect(after('Look again')).toMatch(/^CURRENT GOAL: Paint the hull\n[\s\S]*1\. ⏳ Sand it[\s\S]*Next: Buy paper/);
    expect(after('Look again')).not.toContain('Launch the boat');
  });

  it('R117@request R123@request is done when all its checkpoints are, and stays until there is another', () => {
    expect(after('And now?')).toMatch(
      /^CURRENT GOAL: Paint the hull\nPriority: \w+\nStatus: completed\n[\s\S]*1\. ✅ Sand it/,
    );
    expect(after('And now?')).not.toMatch(/Next: |Record with/);
  });

  it('R122@dom R117@dom shows that it is done, and the goal before it', async () => {
    const goal = self.chatView.root.locator('.docent-goal');
    expect(await goal.locator('.docent-goal-line').innerText()).toMatch(/Paint the hull\s+Completed/);
    await goal.locator('.docent-goal-line').click();
    await until(async () => (await goal.innerText()).includes('Launch the boat'), 'the goal before it is listed');
    expect(await goal.getByRole('button', { name: words.goals.dismiss, exact: true }).count()).toBe(1);
  });
});

describe('of what is applied', () => {
  const self = sharedWalk(
    {
      vault,
      scripted: (request) => {
        const last = readRequest(request).messages.at(-1);
        if (last?.results.some(({ text }) => text.includes('Bronze.')) === true)
          return {
            toolCalls: [
              { name: 'edit_note', arguments: { path: 'Bolts.md', oldText: 'Bronze.', newText: 'Bronze, M8.' } },
            ],
          };
        if ((last?.results.length ?? 0) > 0) return { text: 'Proposed.' };
        if (last?.text.includes('Change it') === true)
          return {
            toolCalls: [
              change({ action: 'goal', text: 'Launch the boat' }, 'a'),
              { name: 'read_note', arguments: { path: 'Bolts.md' }, id: 'b' },
            ],
          };
        return { text: 'Yes.' };
      },
      settings: { contextWindow: 32_768 },
    },
    async ({ chatView }) => {
      await chatView.ask('Change it');
      const card = chatView.root.locator('.docent-review').last();
      const button = card.getByRole('button', { name: /^Apply/ });
      await until(() => button.isEnabled(), 'it can be applied');
      await button.click();
      await card.getByText(/^Applied to/).waitFor();
      await chatView.ask('And?');
    },
  );

  it('R125@request R116@request records a note that was changed as an artifact', () => {
    expect(goalIn(self)).toMatch(/Artifacts:\n- modified note: Bolts\.md/);
  });

  it('R220@disk R125@disk changes the one passage and keeps every byte around it', async () => {
    expect(await self.workbench.readNote('Bolts.md')).toBe('# Bolts\n\nBronze, M8.\n');
  });
});
