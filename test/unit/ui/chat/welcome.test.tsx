/** @jest-environment jsdom */
/** What an empty chat offers: three ways to a first answer, questions to start with, and earlier chats. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import type { ChatSummary } from '../../../../src/core/chat/chat-index';
import type { Failure } from '../../../../src/core/ports/failure';
import { words } from '../../../../src/text';
import { Welcome } from '../../../../src/ui/chat/welcome';
import { ChatListState } from '../../../../src/ui/chats/chat-list-state';
import { OpenChatState } from '../../../../src/ui/state/chat-state';
import type { FoundServer, ModelsPorts, ProviderChoice } from '../../../../src/ui/state/ports';
import { drawInApps, openComposer } from './open-composer';

const say = words.models.firstRun;
const provider = (id: string, more: Partial<ProviderChoice>): ProviderChoice => ({
  ...{ id, label: id.toUpperCase(), baseUrl: '', keyName: '', keyNeeded: true, local: false, models: [] },
  ...more,
});
const failure = (said: string): Failure => ({ kind: 'refused', words: said, remedy: '' });
const served = (names: readonly string[], unusable?: Failure): FoundServer => ({
  ...{ provider: 'alpha', label: 'Alpha', models: names.map((name) => ({ name })) },
  ...(unusable && { failure: unusable }),
});

let root: HTMLElement;
const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 10)));
const labels = (): string[] =>
  [...root.querySelectorAll('button')].map(({ ariaLabel, textContent }) => ariaLabel ?? textContent);
const find = (name: string): HTMLButtonElement => {
  const found = [...root.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith(name));
  if (found === undefined) throw new Error(`There is no button “${name}” among: ${labels().join(', ')}`);
  return found;
};
const press = async (name: string): Promise<void> => {
  act(() => find(name).click());
  await settle();
};

interface Shown {
  readonly model: OpenChatState;
  readonly done: string[];
}

/** Shows the welcome of a chat whose current model is this one. */
async function showWelcome(
  current: string,
  models: Partial<ModelsPorts>,
  more: {
    readonly chats?: readonly Partial<ChatSummary>[];
    readonly note?: string;
    /** The id of the chat in view. */
    readonly open?: string;
    readonly sends?: (question: string) => Promise<void>;
    /** The model that a search ends with. */
    readonly searched?: string;
  } = {},
): Promise<Shown> {
  const { model: donor } = await openComposer({});
  const done: string[] = [];
  const ports = {
    ...donor.ports,
    settings: () => ({ ...donor.ports.settings(), model: current }),
    models: {
      ...donor.ports.models,
      use: (server: FoundServer, id: string | null) =>
        Promise.resolve(void done.push(id === null ? `keep ${server.provider}` : `use ${id}`)),
      allowAsked: ({ words: asked }: Failure) => done.push(`allow ${asked}`) > 0,
      ...models,
    },
    prompts: {
      ...donor.ports.prompts,
      searchModels: (chosen: string) =>
        Promise.resolve(done.push(`search from ${chosen}`) > 0 ? (more.searched ?? null) : null),
    },
    ...(more.note !== undefined && {
      noteInFront: { current: () => ({ path: more.note }), subscribe: () => () => undefined },
    }),
  };
  const model = new OpenChatState(ports as unknown as OpenChatState['ports'], window);
  if (more.open !== undefined) jest.spyOn(model, 'chatId', 'get').mockReturnValue(more.open);
  jest
    .spyOn(model, 'sendWithoutDraft')
    .mockImplementation((asked) => more.sends?.(asked) ?? Promise.resolve(void done.push(`send ${asked}`)));
  const listed = more.chats;
  const chats =
    listed &&
    new ChatListState({
      index: {
        ...{ chats: listed, progress: null, failure: null },
        subscribe: () => () => undefined,
        show: () => () => undefined,
      } as never,
      current: () => null,
      open: (chat) => void done.push(`open ${chat}`),
      openIn: () => undefined,
      confirm: () => Promise.resolve(false),
      closed: () => undefined,
    });
  root = document.body.createDiv();
  act(() => render(<Welcome model={model} chats={chats} />, root));
  await settle();
  return { model, done };
}

drawInApps(() => root);

const reader = 'reader/quote';

it('offers three ways to a user without a model, and nothing of them to one with a model', async () => {
  await showWelcome(reader, {});
  expect(root.querySelectorAll('.docent-first-run-way')).toHaveLength(3);
  await press(say.reader.name);
  expect(root.textContent).toContain(say.readerReady);
  expect(find(say.reader.name).getAttribute('aria-pressed')).toBe('true');
  expect(find(say.local.name).getAttribute('aria-pressed')).toBe('false');
  act(() => render(null, root));
  await showWelcome('alpha/one', {});
  expect(root.querySelectorAll('.docent-first-run-way, .docent-first-questions')).toHaveLength(0);
});

it('lists as hosted the providers that require a key alone, and connects to the chosen one', async () => {
  const asked: string[][] = [];
  const { done } = await showWelcome(reader, {
    choices: [
      provider('local', { keyNeeded: false, local: true }),
      provider('beta', { keyPage: 'https://beta.example/keys' }),
      provider('alpha', { models: ['known', 'gone'] }),
    ],
    connect: (...given) => {
      asked.push(given);
      return Promise.resolve(served(['a', 'b', 'known']));
    },
  });
  await press(say.hosted.name);
  const select = root.querySelector('select');
  const key = root.querySelector<HTMLInputElement>('input[type=password]');
  if (select === null || key === null) throw new Error('There is no form.');
  expect([...select.options].map(({ textContent }) => textContent)).toEqual(['BETA', 'ALPHA']);
  expect(root.querySelector('a')?.getAttribute('href')).toBe('https://beta.example/keys');
  act(() => {
    select.value = 'alpha';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(root.querySelector('a')).toBeNull();
  // Without a key nothing is sent, and the cursor is where the key belongs.
  await press(say.connect);
  expect([asked, document.activeElement]).toEqual([[], key]);
  key.value = 'sk-1';
  await press(say.connect);
  expect(asked).toEqual([['alpha', 'sk-1']]);
  expect(key.value).toBe('');
  // What Docent knows of the provider comes first, and only if the provider lists it.
  expect(labels().slice(-3)).toEqual(['known', 'a', 'b'].map((name) => say.use(name, 'Alpha')));
  await press('a');
  expect(done).toEqual(['use alpha/a']);
});

it('keeps a key that the provider refused in its field, and says why', async () => {
  const refused = failure('The key was refused.');
  await showWelcome(reader, {
    choices: [provider('alpha', {})],
    connect: () => Promise.resolve(served([], refused)),
  });
  await press(say.hosted.name);
  const key = root.querySelector<HTMLInputElement>('input[type=password]')!;
  key.value = 'sk-wrong';
  const scrolled: (string | null)[] = [];
  jest.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
    scrolled.push(this.textContent);
  });
  await press(say.connect);
  // In a low view, it is below what is seen.
  expect(scrolled.at(-1)).toContain('The key was refused.');
  jest.restoreAllMocks();
  expect(root.textContent).toContain('The key was refused.');
  expect(root.textContent).not.toContain(say.server('Alpha', 0));
  expect(key.value).toBe('sk-wrong');
});

it('shows nothing of a provider that responds once another one was chosen, and leaves the key for that one', async () => {
  let respond = (_found: FoundServer): void => {};
  await showWelcome(reader, {
    choices: [provider('alpha', {}), provider('beta', {})],
    connect: () => new Promise((resolve) => (respond = resolve)),
  });
  await press(say.hosted.name);
  const key = root.querySelector<HTMLInputElement>('input[type=password]')!;
  const select = root.querySelector('select')!;
  key.value = 'sk-alpha';
  await press(say.connect);
  expect([find(words.settings.testing).disabled, root.querySelector('.docent-first-run-server')]).toEqual([true, null]);
  act(() => {
    select.value = 'beta';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  key.value = 'sk-beta';
  respond(served(['a']));
  await settle();
  expect([labels().at(-1), key.value]).toEqual([say.connect, 'sk-beta']);
  await press(say.connect);
  respond(served(['b']));
  await settle();
  expect([labels().at(-1), key.value]).toEqual([say.use('b', 'Alpha'), '']);
});

it.each([
  ['alpha/z/9', ['use alpha/z/9']],
  ['beta/b', ['use beta/b']],
  [undefined, []],
])('shows five models of a local server, and the rest by a search that ends with %s', async (searched, used) => {
  const findLocalServers = () => Promise.resolve([served(['m1', 'm2', 'm3', 'm4', 'm5', 'm6'])]);
  const { done } = await showWelcome(reader, { findLocalServers }, searched === undefined ? {} : { searched });
  await press(say.local.name);
  expect(root.textContent).toContain(say.server('Alpha', 6));
  expect(labels().filter((name) => name.startsWith('Use '))).toHaveLength(5);
  await press(say.all(6));
  expect(done).toEqual(['keep alpha', `search from ${reader}`, ...used]);
});

it('looks for a local server again, and after what its address asks was allowed', async () => {
  const asking: Failure = { ...failure('Allow 10.0.0.7?'), action: 'allow-sending' };
  const answers = [[], [served([], asking)], [served(['m1'])]];
  const { done } = await showWelcome(reader, { findLocalServers: () => Promise.resolve(answers.shift() ?? []) });
  await press(say.local.name);
  expect(root.textContent).toContain(say.none);
  await press(say.look);
  expect(root.textContent).toContain('Allow 10.0.0.7?');
  expect(labels()).not.toContain(say.look);
  await press(words.gate.allow);
  expect(done).toEqual(['allow Allow 10.0.0.7?']);
  expect(labels()).toContain(say.use('m1', 'Alpha'));
});

it('offers questions until there is a chat, one of them on the open note', async () => {
  const { done } = await showWelcome('alpha/one', {}, { chats: [], note: 'Ships/Keel.md' });
  expect(labels()).toEqual([say.questionOnNote, ...say.questions]);
  await press(say.questionOnNote);
  expect(done).toEqual([`send ${say.questionOnNote}`]);
  act(() => render(null, root));
  await showWelcome('alpha/one', {}, { chats: [] });
  expect(labels()).toEqual(say.questions);
});

it('sends a question once, however often it is pressed, and leaves what is in the box', async () => {
  const sent: string[] = [];
  let stored = (): void => {};
  const sends = (question: string): Promise<void> => {
    sent.push(question);
    return new Promise((resolve) => (stored = resolve));
  };
  const { model } = await showWelcome('alpha/one', {}, { chats: [], sends });
  act(() => model.setText('Half a thought'));
  const [first = ''] = say.questions;
  await press(first);
  await press(first);
  expect([sent, model.text.value]).toEqual([[first], 'Half a thought']);
  stored();
  await settle();
  await press(first);
  expect(sent).toEqual([first, first]);
  model.close();
});

it('goes on with one of the five newest other chats that were not deleted', async () => {
  const summary = (id: string, isDeleted: boolean): Partial<ChatSummary> => ({
    ...{ id, isDeleted, title: `Chat ${id}`, changed: 0, messages: 1, model: '', spent: 0, goal: '', problem: '' },
    ...{ damaged: 0, unknown: 0 },
  });
  // The list has those that are pinned first.
  const pinned = ['9', '10', '11', '12', '13'].map((id) => ({ ...summary(id, false), changed: -1, isPinned: true }));
  // The one in view is stored once it has a goal.
  const chats = ['0', '1', '2', '3', '4', '5', '6', '7'].map((id) => summary(id, id === '2'));
  const { done } = await showWelcome('alpha/one', {}, { chats: [...pinned, ...chats], open: '0' });
  const titles = [...root.querySelectorAll('.docent-recent .docent-chats-title')].map(({ textContent }) => textContent);
  expect(titles).toEqual(['Chat 1', 'Chat 3', 'Chat 4', 'Chat 5', 'Chat 6']);
  expect(root.querySelector('.docent-first-questions')).toBeNull();
  await press('Chat 3');
  expect(done).toEqual(['open 3']);
});
