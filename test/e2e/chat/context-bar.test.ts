/** The context bar as a person meets it: its words, the list, summaries that are looked at, changed and undone. */
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import {
  contextParts,
  askMany,
  chooseByKeyboard,
  longScript,
  longVault,
  pressByKeyboard,
  questions,
} from '../driver/long-script';
import { begin, shareChat } from '../driver/begin-again';
import { readLog, until } from '../driver/chat-view';
import { chatView, workbench } from '../driver/open-chat';
import type { Script } from '../../support/model-server';
import { allText, lastSent } from '../driver/sent-request';
import { chaosSeeds, isLongRun } from '../driver/workbench';

jest.setTimeout(180_000);

async function beginLong(
  scripted: Script,
  settings: Record<string, unknown>,
): Promise<ReturnType<typeof contextParts>> {
  await begin({ scripted, settings });
  const parts = contextParts(chatView);
  await parts.bar.waitFor();
  return parts;
}

const sent = (): string => allText(lastSent(workbench.model));
const byHand = { contextWindow: 16_384, compaction: 'manual', contextNotes: ['Boat.md'] } as const;

const menuItem = (name: RegExp): Locator => workbench.page.locator('.menu .menu-item', { hasText: name });

/** What the button says that it does to the next request, in tokens. */
async function effectOf(list: Locator, name: RegExp): Promise<number> {
  const said = (await list.getByRole('button', { name }).first().getAttribute('aria-label')) ?? '';
  const [, verb = '', number = ''] = /(frees|adds) ([\d,]+)/.exec(said) ?? [];
  return Number(number.replaceAll(',', '')) * (verb === 'frees' ? -1 : 1);
}

// Few seeds are enough here: what the app does not promise is walked by its own suite.
describe.each(chaosSeeds().slice(0, isLongRun ? 2 : 1))('with the keyboard alone, seed %i', (chaosSeed) => {
  shareChat({ vault: longVault, chaosSeed });

  it('R251 R243 leaves out, outlines and pins from the list, each with its effect said beforehand', async () => {
    const { bar, list } = await beginLong(longScript(20), byHand);
    const { keyboard } = workbench.page;
    const openList = async (): Promise<void> => {
      await bar.focus();
      await keyboard.press('Enter');
      await list.locator('.docent-list-row').first().waitFor();
    };
    await askMany(chatView, ['Read the report', 'Thank you']);
    expect(sent()).toContain('Line 60:');
    expect(sent()).toContain('Bronze bolts hold.');
    await openList();
    expect(await effectOf(list, /^Outline only.*read_note/)).toBeLessThan(-500);
    await pressByKeyboard(list, /^Outline only.*read_note/);
    await list.locator('.docent-list-row.is-outline').first().waitFor();
    expect(await effectOf(list, /^Outline only.*: Boat\.md/)).toBeLessThan(-300);
    await pressByKeyboard(list, /^Outline only.*: Boat\.md/);
    await list.getByRole('button', { name: /^Send whole.*: Boat\.md/ }).waitFor();
    expect(await effectOf(list, /^Leave out.*: Basic rules/)).toBeLessThan(-20);
    await pressByKeyboard(list, /^Leave out.*: Basic rules/);
    await list.getByRole('button', { name: /^Send whole \(tokens unknown\): Basic rules/ }).waitFor();
    await keyboard.press('Escape');
    const before = sent();
    await askMany(chatView, ['Go on']);
    expect(sent()).not.toContain('Line 60:');
    expect(sent()).toContain('Only the outline is shown');
    expect(sent()).not.toContain('Bronze bolts hold.');
    expect(sent()).toContain('## Part 11');
    expect(before).toContain('<core_mandates>');
    expect(sent()).not.toContain('<core_mandates>');

    await openList();
    await chooseByKeyboard(list, /“Thank you/, /^Leave out/);
    await list.locator('.docent-list-row.is-dropped', { hasText: 'Thank you' }).waitFor();
    await chooseByKeyboard(list, /“Read the report/, /^Pin/);
    await list.locator('.docent-list-row.is-pinned', { hasText: 'Read the report' }).waitFor();
    await chooseByKeyboard(list, /Boat\.md/, /^Pin/);
    await list.locator('.docent-list-row.is-pinned', { hasText: 'Boat.md' }).waitFor();
    await keyboard.press('Escape');
    await askMany(chatView, ['And now']);
    expect(sent()).not.toContain('Thank you');
    expect(sent()).toContain('Bronze bolts hold.');
    const log = await readLog(workbench);
    expect(log.filter(({ k }) => k === 'context-forms')).toHaveLength(5);
    expect(log.filter(({ k }) => k === 'user')).toHaveLength(4);
  });

  it('R240 R237 R247@request /compact with a focus shows the summary, takes changed words, and can be undone', async () => {
    const { bar, list, snapshot, divider } = await beginLong(longScript(130), byHand);
    const { keyboard } = workbench.page;
    await askMany(chatView, questions(8));
    expect(sent()).toContain('Question 1 about');
    await chatView.input.focus();
    await keyboard.type('/compact the bolts');
    await keyboard.press('Enter');
    await snapshot.waitFor();
    expect(sent()).toContain('cares most about this: the bolts');
    expect(await divider.count()).toBe(0);
    expect(await snapshot.innerText()).toMatch(/goes from [\d,]+ to [\d,]+ tokens/);
    const knowledge = snapshot.getByLabel('Key facts');
    await knowledge.focus();
    await keyboard.press('Control+a');
    await keyboard.type('Bolts are bronze.');
    await pressByKeyboard(snapshot, /^Use this summary/);
    await divider.waitFor();
    expect(await divider.innerText()).toMatch(/\d+ messages summarized, \d+ unchanged[\s\S]*→[\s\S]*Focus: the bolts/);
    await askMany(chatView, ['Go on']);
    expect(sent()).toContain('Bolts are bronze.');
    expect(sent()).not.toContain('Question 1 about');

    await divider.locator('button').first().focus();
    await pressByKeyboard(divider, /^Edit/);
    await snapshot.getByLabel('Key facts').focus();
    await keyboard.press('Control+a');
    await keyboard.type('Bolts are steel.');
    await pressByKeyboard(snapshot, /^Save/);
    await snapshot.waitFor({ state: 'detached' });
    await askMany(chatView, ['And now']);
    expect(sent()).toContain('Bolts are steel.');

    await divider.locator('button').first().focus();
    await pressByKeyboard(divider, /^Undo/);
    await divider.getByText('Undone').waitFor();
    await askMany(chatView, ['Again']);
    expect(sent()).toContain('Question 1 about');
    expect(sent()).not.toContain('Bolts are steel.');

    // A place of one's own choosing, from the list; left again without using it.
    await bar.focus();
    await keyboard.press('Enter');
    await expect(chooseByKeyboard(list, /“Question 1 /, /^Summarize up to here/)).rejects.toThrow('has no');
    await keyboard.press('Escape');
    await menuItem(/./).first().waitFor({ state: 'detached' });
    await chooseByKeyboard(list, /“Question 8 /, /^Summarize up to here/);
    await snapshot.waitFor();
    expect(await list.count()).toBe(0);
    await keyboard.press('Escape');
    await snapshot.waitFor({ state: 'detached' });
    expect(await divider.count()).toBe(1);
  });
});

/** Fills a good part at once, then with answers so short that each level lasts for turns, however late the bar counts. */
const slowingDown: Script = (request) => longScript(request.index === 0 ? 330 : 60)(request);

async function sayHowFull(look: 'light' | 'phone'): Promise<void> {
  const { bar } = await beginLong(slowingDown, { contextWindow: 12_000 });
  const level = async (): Promise<string> => /is-(\w+)/.exec((await bar.getAttribute('class')) ?? '')?.[1] ?? '';
  await until(async () => (await level()) === 'ok', 'a calm bar');
  const seen: string[] = [];
  for (let turn = 1; turn <= 60 && !seen.includes('critical'); turn += 1) {
    const before = await bar.innerText();
    await askMany(chatView, questions(1, turn));
    await until(async () => (await bar.innerText()) !== before, 'the bar has counted the answer');
    const now = await level();
    if (now === 'ok' || seen.includes(now)) continue;
    seen.push(now);
    const words = now === 'warning' ? /filling up/ : /almost full[\s\S]*summarized at [\d,]+ tokens/;
    expect(await chatView.root.locator('.docent-context + .docent-said').innerText()).toMatch(words);
    expect(await bar.getAttribute('aria-label')).toMatch(words);
    expect(await bar.innerText()).toMatch(words);
  }
  expect(seen).toEqual(['warning', 'critical']);
  expect(await chatView.root.locator('.docent-context-point').count()).toBe(1);
  const item = workbench.page.locator('.docent-status-bar');
  if (look === 'phone') expect(await item.count()).toBe(0);
  else expect(await item.innerText()).toMatch(/^Docent: context \d+% full$/);
}

describe('on the desktop', () => {
  shareChat({ vault: longVault, desktop: true, theme: 'light' });

  it('R145@dom K36 says in words and colour how full the window is, and where a summary will come', () =>
    sayHowFull('light'));

  it('says in the status bar how full the chat in use is, and goes on when another view closes', async () => {
    await begin({ scripted: () => ({ text: 'Long. '.repeat(2_000) }), settings: { contextWindow: 16_384 } });
    const { page } = workbench;
    await chatView.ask('Say much.');
    await page.evaluate(async () => {
      const { workspace } = window.app;
      // The new view shows the chat that was open last until it is asked for one.
      await workspace.getLeaf('tab').setViewState({ type: 'docent-chat', state: {}, active: true });
    });
    const main = page.locator('.mod-root .docent-pane');
    const side = page.locator('.mod-right-split .docent-pane');
    await main.locator('.docent-composer-input').click();
    await workbench.command('new-chat');
    const figureOf = async (view: Locator): Promise<string> =>
      /\d+%/.exec(await view.locator('button.docent-context').innerText())?.[0] ?? '';
    const isShown = async (view: Locator): Promise<boolean> => {
      const item = page.locator('.docent-status-bar');
      return (await item.isVisible()) && (await item.innerText()).includes(` ${await figureOf(view)} `);
    };
    await until(async () => (await figureOf(main)) !== (await figureOf(side)), 'the chats differ');
    for (const view of [side, main]) {
      await view.locator('.docent-composer-input').click();
      await until(() => isShown(view), 'the figure of the chat in use is shown');
    }
    await page.evaluate(() => {
      const { workspace } = window.app;
      for (const leaf of workspace.getLeavesOfType('docent-chat'))
        if (leaf.getRoot() === workspace.rootSplit) leaf.detach();
    });
    await until(() => isShown(side), 'the figure of the chat that is left is shown');
  });

  it('R145@dom R145@request gives one figure after a summary: the bar, the status bar, the list, the prompt, and the model', async () => {
    const { bar, list, snapshot, divider } = await beginLong(longScript(130), { ...byHand, contextStatus: 'always' });
    const { page } = workbench;
    await askMany(chatView, questions(6));
    const before = await bar.innerText();
    await chatView.input.fill('/compact the bolts');
    await chatView.input.press('Enter');
    await snapshot.getByRole('button', { name: words.status.accept }).click();
    await divider.waitFor();
    await until(async () => (await bar.innerText()) !== before, 'the bar has counted the summary');
    const figures = async (): Promise<string> =>
      / ?(≈?[\d,]+ of [\d,]+ tokens \(\d+% full\))/.exec(await bar.innerText())?.[1] ?? '';
    // What was estimated is counted again between two looks; all of them are of one count in the end.
    const expectSame = (): Promise<void> =>
      until(async () => {
        const shown = await figures();
        const [percent = ''] = /\d+(?=% full)/.exec(shown) ?? [];
        const inStatusBar = await page.locator('.docent-status-bar').innerText();
        await bar.click();
        await list.locator('.docent-list-row').first().waitFor();
        const inList = await list.innerText();
        await list.getByRole('button', { name: words.status.showPrompt }).click();
        const inspector = page.locator('.docent-inspector-modal');
        const inPrompt = await inspector.locator('.docent-inspector-head').innerText();
        await page.keyboard.press('Escape');
        await inspector.waitFor({ state: 'detached' });
        const isInStatusBar = inStatusBar === words.status.statusBar(Number(percent));
        return shown !== '' && isInStatusBar && inList.includes(shown) && inPrompt.includes(shown);
      }, 'one figure in the bar, the status bar, the list, and the prompt');
    await expectSame();
    const told = (): string => lastSent(workbench.model).messages.at(-1)?.text ?? '';
    // The model hears nothing of the request that the summary made smaller.
    await askMany(chatView, ['Go on']);
    expect(told()).not.toContain('<context_status>');
    await expectSame();
    await askMany(chatView, ['And now']);
    const [, full = ''] = /of ([\d,]+) tokens/.exec(await figures()) ?? [];
    expect(told()).toMatch(new RegExp(`Tokens: \\d+/${full.replaceAll(',', '')} \\(\\d+% used\\)`));
  });
});

describe('on a phone', () => {
  shareChat({ vault: longVault, phone: true });

  it('R145@dom K36 says in words and colour how full the window is, and where a summary will come', () =>
    sayHowFull('phone'));

  it('R247@request R243 the list, a summary, its change and its undo fit the screen and the finger', async () => {
    const { bar, list, snapshot, divider } = await beginLong(longScript(130), byHand);
    await askMany(chatView, ['Read the report', ...questions(7)]);
    await bar.tap();
    await list.locator('.docent-list-row').first().waitFor();
    expect(await list.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    const small = await list
      .locator('button')
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.textContent),
      );
    expect(small).toEqual([]);
    await list.getByRole('button', { name: /^Outline only.*read_note/ }).tap();
    await list.locator('.docent-list-row.is-outline').first().waitFor();
    await list.getByRole('button', { name: /^More actions: Boat\.md/ }).tap();
    await menuItem(/^Pin/).tap();
    await list.locator('.docent-list-row.is-pinned').waitFor();
    await list.getByRole('button', { name: 'Summarize older messages' }).tap();
    await snapshot.waitFor();
    expect(await snapshot.innerText()).toMatch(/goes from [\d,]+ to [\d,]+ tokens/);
    await snapshot.getByLabel('Key facts').fill('Bolts are bronze.');
    await snapshot.getByRole('button', { name: 'Use this summary' }).tap();
    await divider.waitFor();
    await divider.getByRole('button', { name: 'Edit' }).tap();
    await snapshot.getByLabel('Key facts').fill('Bolts are steel.');
    await snapshot.getByRole('button', { name: 'Save' }).tap();
    await snapshot.waitFor({ state: 'detached' });
    await askMany(chatView, ['Go on']);
    expect(sent()).toContain('Bolts are steel.');
    await divider.getByRole('button', { name: 'Undo' }).tap();
    await divider.getByText('Undone').waitFor();
    await bar.tap();
    await list.getByRole('button', { name: /^More actions: “Question 2 / }).tap();
    await menuItem(/^Leave out/).tap();
    await list.locator('.docent-list-row.is-dropped', { hasText: 'Question 2' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await askMany(chatView, ['And now']);
    expect(sent()).toContain('Question 1 about');
    expect(sent()).not.toContain('Question 2 about');
  });
});
