/** One of five hundred models: found by its name, pinned to the top, and asked. */
import { words } from '../../../src/text';
import { openPicker, readLogInView, until } from '../driver/chat-view';
import { measureContrast, measureOverflow } from '../driver/measure-look';
import { chatView, openLook, workbench } from '../driver/open-chat';
import { closeQuiet, looks } from '../driver/workbench';

jest.setTimeout(60_000);

const say = words.prompts;
const kinds = ['small', 'large', 'coder', 'vision'];
const models = Array.from(
  { length: 500 },
  (_, at) => `vendor-${at % 12}/${at % 7 === 0 ? 'a-model-with-a-rather-long-name' : 'model'}-${at}-${kinds[at % 4]}`,
);
const wanted = models.find((model) => model.includes('-377-')) ?? '';

afterAll(() => closeQuiet(workbench));

it.each(looks)('finds a model among 500, keeps it at the top, and asks it (%s)', async (name, look) => {
  await openLook(look, { scripted: () => ({ text: 'Here.' }), models: { 'openai-compatible': models } });
  const { page } = workbench;
  const items = page.locator('.prompt .suggestion-item');
  const search = async (): Promise<void> => {
    await openPicker(chatView, 'model');
    await page.locator('.menu-item', { hasText: say.moreModels }).click();
    await page.locator('.prompt-input:focus').waitFor();
    await items.first().waitFor();
  };
  await search();
  await workbench.screenshot(`many-models-${name}`);
  expect((await measureOverflow(page)).filter((each) => each.includes('docent-model'))).toEqual([]);
  expect((await measureContrast(page, '.docent-models .suggestion-title')).ratio).toBeGreaterThanOrEqual(4.5);
  await page.keyboard.type('377');
  await until(async () => (await items.count()) === 1, 'one is left');
  expect(await items.first().innerText()).toContain(wanted);
  await workbench.screenshot(`many-models-found-${name}`);
  await page.keyboard.press('Alt+Enter');
  await page.locator('.docent-favourite.is-favourite').waitFor();
  await page.keyboard.press('Enter');
  await chatView.root.locator('.docent-picker.is-model', { hasText: '377' }).waitFor();

  await chatView.ask('Are you there?');
  expect((workbench.model?.requests.at(-1)?.body as { model?: string }).model).toBe(wanted);
  const answers = (await readLogInView(workbench)).filter(({ k }) => k === 'assistant');
  expect(answers.map(({ b }) => b['model'])).toEqual([`openai-compatible/${wanted}`]);

  await search();
  expect(await page.locator('.docent-models-group').first().innerText()).toBe(say.favourites);
  expect(await items.first().innerText()).toContain('377');
  expect(await items.first().locator('.docent-favourite').getAttribute('tabindex')).toBe('-1');
  await page.keyboard.press('Alt+Enter');
  await page.locator('.docent-favourite.is-favourite').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
});
