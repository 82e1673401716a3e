/** @jest-environment jsdom */
/** Writing a message for a commit: the command, what it asks a model, and what it shows. */
import type { App } from 'obsidian';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { Repository } from '../../../../src/core/ports/device';
import { fail, succeed } from '../../../../src/core/ports/failure';
import { type ModelEvent, openAccount } from '../../../../src/core/ports/model';
import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { type CommitPorts, CommitView } from '../../../../src/ui/prompts/commit-message';
import { askFor, type CommitOutside, openCommit } from '../../../../src/ui/prompts/open';
import { eventually } from '../../eventually';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { finish, say, scriptedModel } from '../../../support/scripted-model';
import { hostState } from '../../../support/turn-world';

const changes = {
  ...{ staged: true, leftOut: 1 },
  files: [{ path: 'Boat.md', how: 'changed' as const }],
  diffs: ['diff --git a/Boat.md b/Boat.md\n-sound\n+bent\n'],
};
const repository: Repository = { changes: () => Promise.resolve(succeed(changes)) };
const asked: string[] = [];

function outside(vault = fakeVault({}), parts: Partial<CommitOutside> = {}): CommitOutside {
  const model = scriptedModel([]);
  return {
    repository,
    chat: {
      ...{ vault, notes: new NoteCache(vault), tokenizer: roughTokenizer, agentFolder: () => 'Docent' },
      settings: () => ({ ...defaultSettings, model: 'test/scripted' }),
      model: () => succeed(model),
      hostState: { ...hostState, device: () => ({ ...hostState.device(), repository: true }) },
    },
    askOnce: (text) => {
      asked.push(text);
      return answer(say('add: a bent '), say('keel'), finish());
    },
    openSettings: () => undefined,
    allowAsked: () => false,
    ...parts,
  };
}

async function* answer(...events: ModelEvent[]): AsyncGenerator<ModelEvent, void> {
  for (const event of events) yield await Promise.resolve(event);
}

const buttons = (element: HTMLElement): HTMLButtonElement[] => [...element.querySelectorAll('button')];
/** While it looks or asks, the only button is that which stops it. */
const settled = (element: HTMLElement): Promise<void> =>
  eventually(() => buttons(element).some(({ textContent }) => textContent !== 'Stop'), 'the end of the work');
const usual: CommitPorts = {
  changes: (signal) => repository.changes(signal),
  ask: () => answer(say('add: a bent keel'), finish()),
  openSettings: () => undefined,
  allowAsked: () => false,
};

async function show(ports: Partial<CommitPorts>): Promise<HTMLElement> {
  const element = document.createElement('div');
  render(<CommitView ports={{ ...usual, ...ports }} />, element);
  await settled(element);
  return element;
}

beforeEach(() => void asked.splice(0));

it('R232 is offered in a vault that is a repository', () => {
  const app = {} as App;
  expect(openCommit(app, outside()).isOffered()).toBe(true);
  const { chat } = outside();
  expect(openCommit(app, outside(undefined, { chat: { ...chat, hostState } })).isOffered()).toBe(false);
});

it('R232 R263 asks for the message with the changes and commit.md as it is now', async () => {
  const vault = fakeVault({ 'Docent/commit.md': '---\na: b\n---\nWrite it in French.' });
  const ask = async (): Promise<string> => {
    for await (const _ of askFor(changes, { ...outside(vault), account: openAccount() }, new AbortController().signal));
    return asked.at(-1) ?? '';
  };
  expect(await ask()).toMatch(
    /^<review_context>\nchanged: Boat\.md\n[^]*\+bent\n<\/review_context>[^]*\n\nWrite it in French\.$/,
  );
  vault.remove('Docent/commit.md');
  expect(await ask()).toMatch(/Keep the first line within 50 characters/);
});

it('R232 says that the repository is read, until it is', async () => {
  const looks: (() => void)[] = [];
  const looking = new Promise<void>((resolve) => looks.push(resolve));
  const element = document.createElement('div');
  const waiting = { ...usual, changes: async (signal: AbortSignal) => looking.then(() => repository.changes(signal)) };
  await act(() => render(<CommitView ports={waiting} />, element));
  const status = element.querySelector('[role=status]')?.textContent;
  expect([status, buttons(element).map(({ textContent }) => textContent)]).toEqual([
    'Reading the repository…',
    ['Stop'],
  ]);
  await act(() => looks.forEach((look) => look()));
  await settled(element);
  expect(element.textContent).not.toContain('Reading the repository…');
});

it('R232 shows what is described and the message, to be changed and copied', async () => {
  const copied: string[] = [];
  Object.assign(navigator, { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } });
  const element = await show({});
  expect(element.textContent).toContain('Describes the staged file.');
  expect(element.textContent).toContain('One file is left out');
  const whole = await show({ changes: () => Promise.resolve(succeed({ ...changes, leftOut: 0 })) });
  expect(whole.querySelector('.docent-commit-left')).toBeNull();
  const box = element.querySelector('textarea');
  expect(box?.value).toBe('add: a bent keel');
  if (box !== null) box.value = 'fix: the keel';
  await act(() => void box?.dispatchEvent(new Event('input', { bubbles: true })));
  Object.defineProperty(element.ownerDocument.defaultView?.Element.prototype, 'win', {
    value: window,
    configurable: true,
  });
  element.querySelector<HTMLButtonElement>('button.mod-cta')?.click();
  await eventually(
    () => element.querySelector('button.mod-cta')?.textContent === 'Copied',
    'the word that it is copied',
  );
  expect(copied).toEqual(['fix: the keel']);
  // The next message has not been copied yet.
  buttons(element).at(-1)?.click();
  await eventually(() => element.querySelector('textarea')?.value === 'add: a bent keel', 'the next message');
  expect(element.querySelector('button.mod-cta')?.textContent).toBe('Copy');
});

it('R231 shows a notice about what the answers have cost, next to the message', async () => {
  const element = await show({
    ask: () => answer({ type: 'notice', words: 'It has cost a dollar.' }, say('add: a bent keel'), finish()),
  });
  const said = [...element.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent);
  expect(said).toEqual(['It has cost a dollar.']);
  expect(element.querySelector('textarea')?.value).toBe('add: a bent keel');
});

it('R232 says why there is no message, and tries again', async () => {
  const nothing = { ...changes, files: [], diffs: [], leftOut: 0 };
  expect((await show({ changes: () => Promise.resolve(succeed(nothing)) })).textContent).toContain('Nothing to commit');
  const failure = { kind: 'not-found', words: 'No git.', remedy: 'Install it.' } as const;
  const element = await show({ changes: () => Promise.resolve(fail(failure)) });
  expect(element.querySelector('[role="alert"]')?.textContent).toContain('No git. Install it.');
  expect((await show({ ask: () => answer(say('add: a'), finish('length')) })).textContent).toContain('was cut off');
  let tries = 0;
  const again = await show({ ask: () => answer(...(tries++ === 0 ? [finish()] : [say('add: b'), finish()])) });
  expect(again.textContent).toContain('The model wrote no message.');
  expect(buttons(again).at(-1)?.textContent).toBe(words.commit.retry);
  buttons(again).at(-1)?.click();
  await eventually(() => again.querySelector('textarea')?.value === 'add: b', 'the message of the second try');
});

it('R232 stops when it is told to, shows nothing of what comes later, and begins again', async () => {
  const signals: AbortSignal[] = [];
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const element = document.createElement('div');
  const ask: CommitPorts['ask'] = async function* (_changes, signal) {
    signals.push(signal);
    yield say('add: a bent ');
    if (signals.length === 1) await held;
    yield say('keel');
    yield finish();
  };
  render(<CommitView ports={{ ...usual, ask }} />, element);
  await eventually(() => element.querySelector('pre')?.textContent === 'add: a bent ', 'the beginning');
  await act(async () => buttons(element)[0]?.click());
  expect([signals[0]?.aborted, element.querySelector('pre, [role=status]')]).toEqual([true, null]);
  expect(buttons(element).map(({ textContent }) => textContent)).toEqual([words.commit.again]);
  await act(async () => goOn());
  expect(element.querySelector('textarea')).toBeNull();
  await act(async () => buttons(element)[0]?.click());
  await eventually(() => element.querySelector('textarea')?.value === 'add: a bent keel', 'the message');
});

it('R232 opens a window with the message, and with the built-in reader says what it needs instead', async () => {
  const app = await createTestApp();
  const modal = () => document.querySelector('.docent-commit-modal');
  const { chat } = outside();
  await openCommit(
    app as unknown as App,
    outside(undefined, { chat: { ...chat, settings: () => defaultSettings } }),
  ).run();
  const notices = [...document.querySelectorAll('.notice-message')].map(({ textContent }) => textContent);
  expect([notices, modal()]).toEqual([[words.commit.needsModel], null]);
  await openCommit(app as unknown as App, outside()).run();
  await eventually(() => modal()?.querySelector('textarea')?.value === 'add: a bent keel', 'the message');
  expect(modal()?.querySelector('.modal-title')?.textContent).toBe(words.commandNames['write-commit-message']);
  expect(asked).toEqual([expect.stringContaining('changed: Boat.md')]);
  await closeTestApps();
});

it('R232 says of changes of which none may be described that they are left out, not that there are none', async () => {
  const hidden = { ...changes, files: [], diffs: [], leftOut: 2 };
  const element = await show({ changes: () => Promise.resolve(succeed(hidden)) });
  expect(element.textContent).toContain(words.commit.leftOut(2));
  const alert = element.querySelector('[role="alert"]')?.textContent;
  expect(alert).toContain(words.commit.allLeftOut);
  expect(alert).not.toContain('Nothing to commit');
});

it('S6 offers to allow what a request asks, with exactly what was read, and sends it again', async () => {
  const failure = {
    kind: 'refused',
    words: 'Nothing was sent.',
    remedy: 'Allow it.',
    action: 'allow-sending',
  } as const;
  const allowed: string[] = [];
  const element = await show({
    ask: () =>
      allowed.length === 0 ? answer({ type: 'failure', failure }) : answer(say('add: a bent keel'), finish()),
    allowAsked: ({ words: asked }) => allowed.push(asked) > 0,
  });
  expect(element.querySelector('[role="alert"]')?.textContent).toContain('Nothing was sent. Allow it.');
  await act(async () =>
    buttons(element)
      .find(({ textContent }) => textContent === words.gate.allow)
      ?.click(),
  );
  await eventually(() => element.querySelector('textarea') !== null, 'the message');
  expect(allowed).toEqual(['Nothing was sent.']);
});
