/** Hard kills of browser and server with writes torn, on a profile that lasts: what was acknowledged is still there. */
import type { Page } from 'playwright-core';
import { randomBy } from '../../support/memory-ports';
import { type OpenedChatView, findChatView } from '../driver/chat-view';
import { createKilledApp, type KilledApp } from '../driver/killed-app';
import { isLongRun, type OpenedWorkbench } from '../driver/workbench';

const kills = isLongRun ? Number(process.env.DOCENT_KILLS ?? 40) : 1;
const seed = Number(process.env.DOCENT_KILL_SEED ?? 1);

jest.setTimeout(isLongRun ? kills * 60_000 : 90_000);

/** Milliseconds within which a draft or a piece of an answer reaches the disk. */
const durableWithin = 2000;
const words = Array.from({ length: 900 }, (_, index) => `w${index}`).join(' ');

async function openChat(page: Page): Promise<OpenedChatView> {
  await page.evaluate(() => window.app.commands.executeCommandById('docent:open-chat'));
  return findChatView({ page } as OpenedWorkbench);
}

/** The number of the last word of an answer; -1 for none. */
const lastWord = (text: string): number => Number(/.*\bw(\d+)/s.exec(text)?.[1] ?? -1);

let app: KilledApp;
afterEach(() => app.close());

it('brings back the draft and the text of an answer after a hard kill, and says that the answer was cut off', async () => {
  app = await createKilledApp({ 'A.md': 'one\n' }, () => ({ text: words, delayMs: 25 }));
  let chatView = await openChat(await app.start());
  await chatView.send('Tell me all');
  await chatView.answers.first().getByText('w19 w20').waitFor();
  await chatView.input.pressSequentially('a thought for later');
  await pause(200);
  const shown = lastWord(await chatView.answers.first().innerText());
  await pause(durableWithin);
  await app.kill();

  chatView = await openChat(await app.start());
  await chatView.root.getByText('Interrupted.').waitFor();
  expect(lastWord(await chatView.answers.first().innerText())).toBeGreaterThanOrEqual(shown);
  expect(shown).toBeGreaterThanOrEqual(20);
  expect(await chatView.questions.allInnerTexts()).toEqual(['Tell me all']);
  expect(await chatView.input.inputValue()).toBe('a thought for later');
  expect(await app.readLogs()).toContain(`w${shown}`);
});

const body = (count: number): string =>
  `---\ncount: ${count}\n---\n${'A line that never changes.\n'.repeat(40)}Now ${count} here.\n${'A tail.\n'.repeat(40)}Last ${count}.\n`;

interface Figures {
  kills: number;
  messages: number;
  drafts: number;
  reviews: number;
  applied: number;
  answers: number;
  undecided: number;
  readonly lost: string[];
  readonly at: Record<string, number>;
}

const loseNothing = async (): Promise<void> => {
  const chance = randomBy(seed);
  const figures: Figures = {
    kills: 0,
    messages: 0,
    drafts: 0,
    reviews: 0,
    applied: 0,
    answers: 0,
    undecided: 0,
    lost: [],
    at: {},
  };
  let round = 0;
  app = await createKilledApp({ 'A.md': body(0), 'Still.md': 'Nobody writes here.\n' }, ({ body: asked }) => {
    const text = JSON.stringify(asked);
    const { messages = [], tools } = asked as { messages?: { role: string; content: unknown }[]; tools?: unknown };
    if (tools === undefined) return { text: 'Title' };
    const since = messages.slice(messages.map(({ role }) => role).lastIndexOf('user'));
    if (/tell-\d+/.test(JSON.stringify(since[0]))) return { text: words, delayMs: 25 };
    const rounds = since.filter(({ role }) => role === 'assistant').length;
    if (rounds === 0) return { toolCalls: [{ name: 'read_note', arguments: { path: 'A.md' } }] };
    if (rounds > 1) return { text: `Proposed ${round}. ${'word '.repeat(20)}`, delayMs: 5 };
    const now = [...text.matchAll(/Now (\d+) here/g)].at(-1)?.[1] ?? '0';
    const last = [...text.matchAll(/Last (\d+)\./g)].at(-1)?.[1] ?? '0';
    round += 1;
    const edit = (oldText: string, newText: string) => ({
      name: 'edit_note',
      arguments: { path: 'A.md', oldText, newText },
    });
    return {
      toolCalls: [
        edit(`Now ${now} here.`, `Now ${round} here.`),
        edit(`Last ${last}.`, `Last ${round}.`),
        { name: 'set_properties', arguments: { path: 'A.md', properties: { count: round } } },
        { name: 'create_note', arguments: { path: `New/N${round}.md`, text: body(round) } },
      ],
    };
  });
  const known = new Set<string>();
  let pending: string | null = null;
  let draft: string | null = null;
  let shown: { readonly question: string; readonly word: number } | null = null;

  for (let kill = 1; ; kill += 1) {
    const page = await app.start();
    const chatView = await openChat(page);
    // An interrupted write is asked about in a notice; either version of it is whole.
    await pause(400);
    for (let tries = 0; tries < 6 && (await page.locator('.notice button').count()) > 0; tries += 1) {
      figures.undecided += 1;
      await page.locator('.notice button').first().click();
      await pause(600);
    }
    const report = (what: string): void => void figures.lost.push(`before kill ${kill}: ${what}`);
    const logs = await app.readLogs();
    for (const message of known) if (!logs.includes(message)) report(`message ${message}`);
    const isWhole = async (name: string): Promise<boolean> => {
      const text = await app.read(name);
      return text.trimEnd() === body(Number(/count: (\d+)/.exec(text)?.[1] ?? -1)).trimEnd();
    };
    if (!(await isWhole('A.md'))) report(`note A.md: ${(await app.read('A.md')).length} characters`);
    if ((await app.read('Still.md')) !== 'Nobody writes here.\n') report('note Still.md');
    if (pending !== null) {
      const apply = chatView.root.getByRole('button', { name: /^Apply/ });
      const isThere = await apply
        .first()
        .waitFor({ timeout: 5000 })
        .then(
          () => true,
          () => false,
        );
      if (isThere) figures.reviews += 1;
      else report(`review of ${pending}`);
    }
    if (draft !== null) {
      const box = await chatView.input.inputValue();
      if (box.includes(draft)) figures.drafts += 1;
      else report(`draft ${draft}; the box has “${box}”`);
      await chatView.input.fill('');
      await pause(400);
    }
    if (shown !== null) {
      const back = lastWord((await chatView.answers.allInnerTexts()).join('\n'));
      if (back >= shown.word) figures.answers += 1;
      else report(`answer to ${shown.question}: w${shown.word} was shown, w${back} is back`);
    }
    [pending, draft, shown] = [null, null, null];
    if (kill > kills) break;

    const aim = pick(['draft', 'answer', 'typing', 'turn', 'review', 'apply', 'apply', 'applied'] as const, chance);
    const delay = chance() * (aim === 'apply' ? 250 : 1200);
    figures.at[aim] = (figures.at[aim] ?? 0) + 1;
    if (chance() < 0.3) {
      await page.evaluate(() => window.app.commands.executeCommandById('docent:new-chat'));
      await chatView.questions.first().waitFor({ state: 'detached' });
    } else {
      const reject = chatView.root.getByRole('button', { name: /^Reject all/ });
      if ((await reject.count()) > 0) {
        await reject.first().click();
        await pause(400);
      }
    }
    const question = `${aim === 'answer' ? 'tell' : 'ask'}-${seed}${kill}${Math.floor(chance() * 1e9)}`;
    if (aim === 'typing') {
      // The kill comes while the message is on its way: whether it was sent is open, but not that it is somewhere.
      await chatView.input.fill(question);
      await pause(durableWithin);
      draft = question;
      await chatView.input.press('Enter');
      await pause(chance() * 40);
      await app.kill();
      figures.kills += 1;
      if ((await app.readLogs()).includes(`"text":"${question}"`)) [draft] = [null, known.add(question)];
      continue;
    }
    await chatView.send(question);
    known.add(question);
    figures.messages += 1;
    if (aim === 'answer') {
      await chatView.answers.last().getByText('w2 w3').waitFor();
      await pause(delay);
      const word = lastWord(await chatView.answers.last().innerText());
      await pause(durableWithin);
      shown = { question, word };
    } else if (aim === 'draft') {
      draft = `draft ${kill} ${question}`;
      await chatView.input.pressSequentially(draft);
      await pause(durableWithin + delay);
    } else if (aim === 'turn') {
      await pause(delay);
    } else {
      await chatView.untilIdle();
      const apply = chatView.root.getByRole('button', { name: /^Apply/ }).first();
      await apply.waitFor();
      if (aim === 'review') {
        pending = question;
        await pause(delay);
      } else {
        await apply.click();
        if (aim === 'applied')
          await chatView.root
            .getByText(/^Applied to/)
            .last()
            .waitFor();
        await pause(delay);
        figures.applied += 1;
      }
    }
    await app.kill();
    figures.kills += 1;
  }
  console.info(JSON.stringify(figures));
  expect(figures.lost).toEqual([]);
};

if (isLongRun) it('loses nothing that was acknowledged, over many kills', loseNothing);

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function pick<Value>(values: readonly Value[], chance: () => number): Value {
  return values[Math.floor(chance() * values.length)] as Value;
}
