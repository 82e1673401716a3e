/** A first quarter of an hour without documentation: a stern editor for German essays, on a local model of 4,096 tokens. */
import type { Locator } from 'playwright-core';
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { words } from '../../../src/text';
import { findChatView, until, type OpenedChatView } from '../driver/chat-view';
import { lastSent, newText, sentRequests, spokenTexts } from '../driver/sent-request';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';

jest.setTimeout(90_000);

const essay =
  '# Vom Wald\n\nDer Wald ist ein sehr sehr schöner Ort, welcher von vielen Menschen gerne besucht wird. Auch Tiere leben dort.\n';
const stern =
  'Du bist ein strenger Lektor für deutsche Essays. Antworte auf Deutsch. Nenne zuerst die drei größten Schwächen, dann jeden Fehler mit der Verbesserung.';
const question = 'Was taugt dieser Essay?';

/** Seconds that a person takes who sees the page for the first time: to find and press something, and to type a letter. */
const timing = { press: 6, letter: 0.3 } as const;

let workbench: OpenedWorkbench;
/** What the user did, in order. */
let acts: string[];
let seconds: number;

async function open(options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({
    vault: { 'Essays/Vom Wald.md': essay, 'Willkommen.md': 'Notizen.\n' },
    scripted: () => ({ text: 'Streichen Sie das doppelte „sehr“.' }),
    settings: { model: 'reader/built-in', providers: {} },
    ...options,
  });
  acts = [];
  seconds = 0;
}

afterEach(async () => {
  const { errors, outsideRequests } = workbench;
  await workbench.close();
  expect(errors).toEqual([]);
  expect(outsideRequests.filter((url) => !url.startsWith(`${hostedAddress}/`))).toEqual([]);
});

/** Where the hosted provider of the first walk is; the scripted server answers in its place. */
const hostedAddress = 'https://api.anthropic.com';

async function press(what: Locator): Promise<void> {
  // What carries no name is noted as an empty one.
  acts.push((await what.innerText()).split('\n')[0] || ((await what.getAttribute('aria-label')) ?? ''));
  seconds += timing.press;
  await what.click();
}

async function type(where: Locator, text: string): Promise<void> {
  acts.push(`“${text.slice(0, 12)}…”`);
  seconds += timing.press + timing.letter * text.length;
  await where.fill(text);
  await where.blur();
}

it('R105 R130 a hosted model answers the first question in at most six acts, and its key is nowhere but in Keychain', async () => {
  await open();
  const { page, model } = workbench;
  await page.route(`${hostedAddress}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: `${model?.url}/anthropic${pathname}` }) });
  });
  const say = words.models.firstRun;
  const ways = page.locator('.docent-first-run-ways');
  const way = (id: 'reader' | 'local' | 'hosted') => ways.getByRole('button', { name: say[id].name });
  await press(page.getByLabel(words.commands.ribbon).first());
  const chatView = await findChatView(workbench);
  await until(async () => (await way('hosted').count()) === 1, 'the three choices');
  expect(await Promise.all([way('reader').count(), way('local').count()])).toEqual([1, 1]);
  await press(way('hosted'));
  const link = page.getByRole('link', { name: say.getKeyOf('Anthropic') });
  expect(await link.getAttribute('href')).toMatch(/^https:\/\//);
  const key = page.getByLabel(words.settings.key, { exact: true });
  acts.push('key, Enter');
  await key.fill('sk-first-0123456789');
  await key.press('Enter');
  await press(page.getByRole('button', { name: say.use('scripted', 'Anthropic') }));
  await press(page.getByRole('button', { name: say.questions[0] ?? '' }));
  await chatView.questions.last().waitFor();
  await chatView.untilIdle();
  expect(await chatView.answers.last().innerText()).toContain('Streichen Sie');
  expect([acts.length <= 6, acts]).toEqual([true, acts]);
  expect(model?.requests.at(-1)?.headers['x-api-key']).toBe('sk-first-0123456789');
  expect(await page.locator('body').innerHTML()).not.toContain('sk-first');
  expect(await workbench.readNote('.obsidian/plugins/docent/data.json')).not.toContain('sk-first');
});

const named = (name: string): Locator => workbench.page.getByRole('button', { name, exact: true });
const shown = (text: string): Locator => workbench.page.getByText(text, { exact: true }).first();
/** Finds a row of the settings by the name that it shows. */
const setting = (name: string): Locator =>
  workbench.page.locator('.setting-item').filter({ has: workbench.page.getByText(name, { exact: true }) });

it('R094 R105 R129 R176 is done by what stands on the page, in few acts, and fits the window', async () => {
  await open();
  const { page } = workbench;
  page.setDefaultTimeout(15_000);
  await press(page.getByLabel(words.commands.ribbon).first());
  const chatView: OpenedChatView = await findChatView(workbench);

  await press(chatView.root.getByLabel(words.chatView.openSettings, { exact: true }));
  await press(shown(words.settings.pages.providers.name));
  expect(await setting('LM Studio').innerText()).toContain(words.settings.providerKinds.local);
  await press(shown('LM Studio'));
  // At its usual port the address needs no typing.
  await type(setting(words.settings.baseUrl).locator('input'), `${workbench.model?.url}/openai/v1`);
  await press(named(words.settings.testConnection));
  await shown(words.settings.connected(1)).waitFor();
  const choice = setting(words.settings.useModel).locator('select');
  acts.push('scripted');
  seconds += timing.press;
  await choice.selectOption({ label: 'scripted' });
  await until(async () => (await choice.inputValue()) !== '', 'the model is chosen');
  acts.push('Escape');
  seconds += timing.press;
  await page.keyboard.press('Escape');

  await press(named(words.prompts.morePickers));
  await press(page.locator('.menu-item', { hasText: words.prompts.pickPrompt }));
  await press(shown(words.prompts.newPrompt));
  await type(page.getByLabel(words.prompts.name, { exact: true }), 'Strenger Lektor');
  await type(page.getByLabel(words.prompts.text, { exact: true }), stern);
  await press(named(words.prompts.saveAndUseInChat));
  await chatView.root.getByText('Strenger Lektor', { exact: true }).waitFor();

  await press(shown('Essays'));
  await press(shown('Vom Wald'));
  // The app gives the keys to a note that it opens, once it has read it.
  await chatView.root.getByText('Vom Wald', { exact: true }).waitFor();
  await until(
    async () => (await chatView.root.locator('.docent-context.is-ok').count()) === 1,
    'the request is counted',
  );
  await type(chatView.input, question);
  await press(named(words.chatView.send));
  await chatView.questions.last().waitFor();
  await chatView.untilIdle();
  expect(await chatView.answers.last().innerText()).toContain('Streichen Sie');

  const sent = lastSent(workbench.model);
  const { max_tokens: reserve } = workbench.model?.requests.at(-1)?.body as { max_tokens?: number };
  expect(newText(sent)).toContain(`\n\n${stern}\n</selected_prompt>`);
  expect(sent.system).toContain(builtInTemplates.get('assistant', 1));
  // The answer is in the language of the question, even if the instructions are in another language.
  expect(sent.system).toContain("in the user's language");
  expect(spokenTexts(sent)).toEqual([question]);
  expect(newText(sent)).toContain('Essays/Vom Wald.md');
  const numberOf = (text: string): number => Number(text.replace(/,/g, ''));
  const figures = async (): Promise<[used: number, room: number]> => {
    const [, inUse = '', all = ''] = /([\d,]+) of ([\d,]+) tokens/.exec(await chatView.root.innerText()) ?? [];
    return [numberOf(inUse), numberOf(all)];
  };
  // The next request leaves half of what the first one left, because the answer was short.
  await until(async () => (await figures())[1] === 4_096 - 256, 'the next request is counted');
  const [used, room] = await figures();
  // The answer may use what the request leaves, up to a quarter.
  expect(reserve).toBeLessThanOrEqual(1_024);
  expect(used + (reserve ?? 0)).toBeLessThanOrEqual(4_096);
  // After the first answer there is still no warning: the window has room for an essay.
  expect(await chatView.root.locator('.docent-context').getAttribute('class')).toContain('is-ok');
  expect(room - used).toBeGreaterThan(1_200);
  expect(await workbench.readNote('Docent/prompts/Strenger Lektor.md')).toContain(stern);

  expect(acts.filter((act) => act.trim() === '')).toEqual([]);
  // One of them opens a page: the settings have a second level.
  expect([acts.length <= 18, acts]).toEqual([true, acts]);
  expect([seconds < 180, Math.round(seconds)]).toEqual([true, Math.round(seconds)]);

  await chatView.root.getByLabel(words.chatView.openSettings, { exact: true }).click();
  await shown(words.settings.pages.providers.name).click();
  expect(await setting('LM Studio').innerText()).toContain(words.settings.inUse);
});

it('R176 what a chat can choose is named in one menu, on a phone as well', async () => {
  await open({ phone: true });
  await workbench.command('open-chat');
  const chatView = await findChatView(workbench);
  const { pickTier, pickPrompt, pickWorkspace, pickNotes } = words.prompts;
  await named(words.prompts.morePickers).click();
  for (const name of [pickTier, pickPrompt, pickWorkspace, pickNotes]) {
    const box = await workbench.page.locator('.menu-item', { hasText: name }).boundingBox();
    expect([name, box !== null && box.x >= 0 && box.x + box.width <= 390]).toEqual([name, true]);
  }
  await workbench.page.keyboard.press('Escape');
  await chatView.ask('Was steht hier?');
  expect(sentRequests(workbench.model)).toEqual([]);
});

it('R129 R176 a prompt of the list is used in the chat by one press, and the list and the settings make way', async () => {
  await open();
  await workbench.page.evaluate(() => {
    window.app.setting.open();
    window.app.setting.openTabById('docent');
  });
  await setting(words.prompts.setting).getByRole('button', { name: words.prompts.settingOpen }).click();
  await named(words.prompts.actionOn(words.prompts.useInChat, words.prompts.builtIn['question-me'].name)).click();
  const chatView = await findChatView(workbench);
  await chatView.root.getByText(words.prompts.builtIn['question-me'].name, { exact: true }).waitFor();
  await workbench.page.locator('.modal').waitFor({ state: 'detached' });
});

it('R105 the menu of models leads to where one is set up', async () => {
  await open();
  await workbench.command('open-chat');
  const chatView = await findChatView(workbench);
  await chatView.root.locator('.docent-picker.is-model').click();
  await shown(words.prompts.setUpModel).click();
  await setting(words.settings.model).first().waitFor();
});
