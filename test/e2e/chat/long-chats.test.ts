/** Long conversations run to their end: never over the window, the goal still stated, all of it on disk, each summary undone. */
import { openTiktoken } from '../../bench/baselines/tiktoken';
import { asScript, askMany, contextParts, longScript, longVault, question } from '../driver/long-script';
import { openChatView, readLog, until, type OpenedChatView } from '../driver/chat-view';
import { lastSent, sentRequests } from '../driver/sent-request';
import { closeQuiet, isLongRun, type OpenedWorkbench, openWorkbench } from '../driver/workbench';

jest.setTimeout(600_000);

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

afterEach(() => closeQuiet(workbench));

interface SentBody {
  readonly messages: readonly { readonly content: unknown; readonly tool_calls?: readonly unknown[] }[];
  readonly tools?: unknown;
}

const oracle = openTiktoken();

/** What a chat template writes around a message. */
const tokensOfMessage = 4;
const textIn = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content));

/** Each enough for several summaries of summaries; the long run gets there with short answers and goes on to 300. */
const talks = isLongRun
  ? ([
      [300, '16K with tools', 16_384, 30],
      [60, '4K', 4_096, 12],
    ] as const)
  : ([
      [50, '16K with tools', 16_384, 75],
      [30, '4K', 4_096, 30],
    ] as const);

it.each(talks)('R239@disk R112@request K23 %i turns in %s', async (turns, _name, window, words) => {
  workbench = await openWorkbench({
    vault: longVault,
    scripted: asScript(words),
    settings: { contextWindow: window },
  });
  chatView = await openChatView(workbench);
  const answer = longScript(words);
  workbench.model?.setScript((request) => {
    const step = answer(request);
    const isFirst = JSON.stringify(request.body).includes('Set the goal') && step.text?.startsWith('Noted') === true;
    return isFirst && sentRequests(workbench.model).length < 2 ? { text: '[GOAL] Launch the boat by June' } : step;
  });
  const talk = Array.from({ length: turns }, (_, at) =>
    (at + 1) % 6 === 0 ? `Read the report, turn ${at + 1}` : question(at + 1),
  );
  await askMany(chatView, ['Set the goal', ...talk]);
  const log = await readLog(workbench);
  expect(log.filter(({ k }) => k === 'user').map(({ b }) => b['text'])).toEqual(['Set the goal', ...talk]);
  expect(log.filter(({ k }) => k === 'failure').map(({ b }) => b)).toEqual([]);
  const perTurn = log
    .map(({ k, b }) => (k.startsWith('summary') && b['trigger'] === 'automatic' ? 'x' : k === 'user' ? '|' : ''))
    .join('');
  expect(perTurn).not.toMatch(/xx/);
  expect(lastSent(workbench.model).system).toContain('Launch the boat by June');
  const bodies = (workbench.model?.requests ?? []).map(({ body }) => body as SentBody);
  const sizes = new Map(bodies.map((body) => [body, JSON.stringify(body).length]));
  const largest = bodies.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0)).slice(0, 10);
  for (const { messages, tools = [] } of largest) {
    const texts = messages.flatMap(({ content, tool_calls: calls = [] }) => [content, ...calls].map(textIn));
    const counted = oracle.count([...texts, JSON.stringify(tools)].join('\n'));
    expect(counted + messages.length * tokensOfMessage).toBeLessThan(window);
  }
  const summaries = log.filter(({ k }) => k === 'summary');
  expect(summaries.length).toBeGreaterThan(0);
  const { divider } = contextParts(chatView);
  const undo = divider.getByRole('button', { name: 'Undo' });
  const countUndone = async (): Promise<number> =>
    (await readLog(workbench)).filter(({ k }) => k === 'summary-undone').length;
  for (let undone = 1; undone <= summaries.length; undone += 1) {
    // The summary in force may be above the messages that are in the page.
    await until(async () => {
      if ((await undo.count()) > 0) return true;
      await chatView.root.locator('.docent-transcript').evaluate((list) => list.scrollBy(0, -list.clientHeight));
      return false;
    }, 'the summary in force');
    await undo.first().click();
    await until(async () => (await countUndone()) === undone, 'taken back');
    await divider.getByText('Undone').first().waitFor();
  }
});
