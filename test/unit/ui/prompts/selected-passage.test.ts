/** @jest-environment jsdom */
/** A passage that is selected in a note, put back in other words, and the windows that ask one thing. */
import { type Editor, MarkdownView } from 'obsidian';
import { closeTestApps, createTestApp, type TestApp } from 'obsidian-workbench/jest';
import type { Settings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { closeSettings, openMenu, openSettings } from '../../../../src/ui/components/settings-and-menus';
import {
  confirmOutsideFile,
  askToOverwrite,
  askWriteOutside,
  chooseModel,
  chooseNote,
  confirmAction,
  confirmLink,
  type ModelFacts,
} from '../../../../src/ui/components/dialogs';
import { activePassage, problemOfSelection, type SelectedPassage } from '../../../../src/ui/prompts/selected-passage';
import { listModels } from '../../../../src/ui/state/model-choices';
import type { ProviderChoice } from '../../../../src/ui/state/ports';
import { eventually } from '../../eventually';
import { fakeVault } from '../../../support/fake-vault';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp({
    files: { 'Now.md': 'One two.\nThree four.\n', 'Other.md': 'One two.\n', 'Plan.canvas': '{}' },
  });
});
afterEach(closeTestApps);

const press = (name: string, from: ParentNode = document): void => {
  const button = [...from.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  if (button === undefined) throw new Error(`There is no button ${name}.`);
  button.click();
};

describe('a passage', () => {
  async function select(text: string): Promise<{ editor: Editor; passage: SelectedPassage | null }> {
    await app.workspace.openLinkText('Now.md', '', false);
    const { editor } = app.workspace.getActiveViewOfType(MarkdownView)!;
    const at = editor.getValue().indexOf(text);
    editor.setSelection(editor.offsetToPos(at), editor.offsetToPos(at + text.length));
    return { editor, passage: activePassage(app) };
  }

  it('is what is selected in the note in front, and nothing else', async () => {
    expect(activePassage(app)).toBeNull();
    expect((await select('two.\nThree')).passage).toMatchObject({ path: 'Now.md', text: 'two.\nThree' });
    expect((await select('\n')).passage).toBeNull();
    expect((await select('')).passage).toBeNull();
  });

  it('is not there in reading view, which is said with what to do', async () => {
    const say = words.prompts;
    expect(problemOfSelection(app)).toBe(say.rewriteNoNote);
    await select('Three');
    expect(problemOfSelection(app)).toBe('');
    await select('');
    expect(problemOfSelection(app)).toBe(say.rewriteNothingSelected);
    await select('Three');
    const { leaf } = app.workspace.getActiveViewOfType(MarkdownView)!;
    await leaf.setViewState({ type: 'markdown', state: { file: 'Now.md', mode: 'preview' } });
    expect([activePassage(app), problemOfSelection(app)]).toEqual([null, say.rewriteReading('Now.md')]);
    await app.workspace.openLinkText('Plan.canvas', '', false);
    expect(problemOfSelection(app)).toBe(say.rewriteNotMarkdown('Plan.canvas'));
  });
});

describe('a question', () => {
  const { ownPrompt, prompts, render } = words;
  const address = { url: 'https://a.example/', host: 'a.example', shown: 'https://a.example/' };

  it.each<[string, () => Promise<boolean>, string[], string, string]>([
    [
      'before a prompt is deleted',
      () => confirmAction(app, { title: 'Delete it?', text: 'It goes.', action: 'Delete' }),
      ['Delete it?', 'It goes.'],
      'Delete',
      prompts.cancel,
    ],
    [
      'before an address is opened',
      () => confirmLink(app, { verdict: 'confirm', reason: 'tainted', ...address }),
      [render.openAddress, render.confirm.tainted, 'https://a.example/'],
      render.open,
      render.cancel,
    ],
    [
      'before a file outside is read',
      () => confirmOutsideFile(app, '/a.md'),
      [ownPrompt.confirmOutsideFile, ownPrompt.askOutsideText('/a.md')],
      ownPrompt.allow,
      ownPrompt.cancel,
    ],
    [
      'before a file outside is written',
      () => askWriteOutside(app, '/a.md'),
      [ownPrompt.confirmOutsideFile, ownPrompt.askWriteOutsideText('/a.md')],
      ownPrompt.allow,
      ownPrompt.cancel,
    ],
    [
      'before a file is replaced',
      () => askToOverwrite(app, '/a.md'),
      [ownPrompt.overwrite, ownPrompt.overwriteText('/a.md')],
      ownPrompt.replace,
      ownPrompt.cancel,
    ],
  ])('%s says what it is about, and takes only its own button for a yes', async (_what, ask, expected, yes, no) => {
    const modal = (): HTMLElement => document.querySelector<HTMLElement>('.modal')!;
    const asked = ask();
    const shown = [...modal().querySelectorAll('.modal-title, p')].map(({ textContent }) => textContent);
    expect(shown).toEqual(expected);
    press(yes, modal());
    expect(await asked).toBe(true);
    const again = ask();
    press(no, modal());
    expect(await again).toBe(false);
    const closed = ask();
    modal().querySelector<HTMLElement>('.modal-close-button')?.click();
    expect(await closed).toBe(false);
    expect(document.querySelector('.modal')).toBeNull();
  });
});

it('lets a note of the vault be chosen, and none', async () => {
  const vault = fakeVault({ 'In/Keel.md': '', 'Boat.md': '', 'a.png': 'x' });
  const shown = (): string[] =>
    [...document.querySelectorAll('.suggestion-item')].map(({ textContent }) => textContent);
  const chosen = chooseNote(app, vault);
  await eventually(() => shown().length > 0, 'the notes');
  expect(document.querySelector<HTMLInputElement>('.prompt-input')?.placeholder).toBe(words.prompts.chooseNote);
  expect(shown().sort()).toEqual(['Boat.md', 'In/Keel.md']);
  [...document.querySelectorAll<HTMLElement>('.suggestion-item')]
    .find(({ textContent }) => textContent === 'In/Keel.md')
    ?.click();
  expect(await chosen).toBe('In/Keel.md');
  const left = chooseNote(app, vault);
  document.querySelector<HTMLElement>('.modal-bg')?.click();
  expect(await left).toBeNull();
});

it('finds one of 2,000 models by a few letters, and keeps favourites at the top on this device', async () => {
  const models = Array.from({ length: 1_000 }, (_, n) => [
    { id: `openai/oak-${n}`, provider: 'OpenAI', name: `oak-${n}` },
    { id: `openrouter/elm-${n}`, provider: 'OpenRouter', name: `elm-${n}` },
  ]).flat();
  models.sort((one, other) => (one.id < other.id ? -1 : 1));
  const stored = new Map<string, string>();
  const device = {
    get: (key: string) => stored.get(key) ?? null,
    set: (key: string, value: string | null) => void (value === null ? stored.delete(key) : stored.set(key, value)),
  };
  const prices = { input: 2.5, output: 10, date: null };
  const described = (id: string): unknown => (id === 'openrouter/elm-731' ? { contextWindow: 128_000, prices } : null);
  const facts = { device, models: { described } } as unknown as ModelFacts;
  const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.suggestion-item')];
  const headings = () => [...document.querySelectorAll('.docent-models-group')].map(({ textContent }) => textContent);
  const search = async (typed: string, first: string): Promise<void> => {
    const input = document.querySelector<HTMLInputElement>('.prompt-input')!;
    input.value = typed;
    input.dispatchEvent(new Event('input'));
    await eventually(() => rows()[0]?.textContent.startsWith(first) === true, first);
  };
  const chosen = chooseModel(app, models, facts);
  await eventually(() => rows().length > 0, 'the models');
  expect(rows().length).toBeLessThanOrEqual(100);
  expect(headings()).toEqual(['OpenAI']);
  await search('elm 731', 'OpenRouter: elm-731');
  expect(headings()).toEqual([]);
  expect(rows()[0]?.textContent).toContain(`128,000 tokens · ${words.prompts.pricesOf(2.5, 10)}`);
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', altKey: true, bubbles: true }));
  expect([...stored.values()]).toEqual(['openrouter/elm-731']);
  await search('', 'OpenRouter: elm-731');
  expect(headings()).toEqual([words.prompts.favourites, 'OpenAI']);
  expect(rows()[1]?.textContent).toBe('oak-0');
  rows()[0]?.querySelector<HTMLElement>('.docent-favourite')?.click();
  expect(stored.size).toBe(0);
  await search('elm-731', 'OpenRouter: elm-731');
  rows()[0]?.click();
  expect(await chosen).toBe('openrouter/elm-731');
  const left = chooseModel(app, models, facts);
  document.querySelector<HTMLElement>('.modal-bg')?.click();
  expect(await left).toBeNull();
});

it('lists models below the name of their provider, and the reader above them', async () => {
  const label = (id: string, name: string, ...models: string[]) =>
    ({ id, label: name, models }) as Partial<ProviderChoice> as ProviderChoice;
  const providers = [label('openai', 'OpenAI', 'oak', 'ash'), label('openrouter', 'OpenRouter', 'x: elm')];
  const configured = { openai: { models: [] }, openrouter: { models: [] } };
  const models = listModels(providers, { providers: configured } as unknown as Settings, 'gone/yew');
  const facts = { device: { get: () => null }, models: { described: () => null } } as unknown as ModelFacts;
  const left = chooseModel(app, models, facts);
  await eventually(() => document.querySelectorAll('.suggestion-item').length === 5, 'the models');
  const lines = document.querySelectorAll('.docent-models-group, .suggestion-title');
  expect([...lines].map(({ textContent }) => textContent)).toEqual([
    ...['Built-in reader', 'OpenAI', 'oak', 'ash', 'OpenRouter', 'x: elm', words.prompts.otherModels, 'gone/yew'],
  ]);
  document.querySelector<HTMLElement>('.modal-bg')?.click();
  expect(await left).toBeNull();
});

describe('the app’s own windows', () => {
  it('opens the settings at a tab, and closes them; without such a window nothing happens', () => {
    const done: string[] = [];
    const setting = {
      open: () => done.push('open'),
      openTabById: (id: string) => done.push(`tab ${id}`),
      close: () => done.push('close'),
    };
    openSettings({ setting } as never, 'docent');
    closeSettings({ setting } as never);
    expect(done.splice(0)).toEqual(['open', 'tab docent', 'close']);
    const { open } = setting;
    for (const window of [undefined, null, 'settings', { open }, { openTabById: setting.openTabById }]) {
      openSettings({ setting: window } as never, 'docent');
      closeSettings({ setting: window } as never);
    }
    openSettings({} as never, 'docent');
    closeSettings({} as never);
    closeSettings({ setting: { open, openTabById: setting.openTabById } } as never);
    expect(done).toEqual([]);
  });

  it('shows a menu of lines, some with a second line, some that only tell', () => {
    const done: string[] = [];
    const button = document.body.createEl('button');
    openMenu(button, [
      { title: 'Large', detail: 'For much text', icon: 'check', checked: true, run: () => done.push('large') },
      { title: 'Small', section: 'other', run: () => done.push('small') },
      { title: 'No more' },
    ]);
    const items = [...document.querySelectorAll<HTMLElement>('.menu-item')];
    const of = (selector: string): boolean[] => items.map((item) => item.matches(selector));
    expect(items.map((item) => item.querySelector('.menu-item-title')?.textContent)).toEqual([
      'LargeFor much text',
      'No more',
      'Small',
    ]);
    expect(items[0]?.querySelector('.docent-menu-detail')?.textContent).toBe('For much text');
    expect([of('.mod-checked'), of('.is-disabled')]).toEqual([
      [true, false, false],
      [false, true, false],
    ]);
    items[2]?.click();
    expect(done).toEqual(['small']);
  });
});
