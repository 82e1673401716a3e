/** @jest-environment jsdom */
/** Signing in to a server as a person does it: in the dialog, in the row of the settings, and from the chat view. */
import type { App } from 'obsidian';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { describeFailure, fail, type Failure, type Outcome, succeed } from '../../../../src/core/ports/failure';
import {
  type OwnClient,
  redirects,
  type SignInPage,
  type SignIns,
  type SignInState,
} from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { ServerNotice } from '../../../../src/ui/chat/notices';
import { describeState, nextServerStep } from '../../../../src/ui/servers/server-status';
import { SignInModal } from '../../../../src/ui/servers/sign-in';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';
import { calendar, fakeServers, offerOf, statusOf, unreachable } from '../../../support/server-access';
import { eventually } from '../../eventually';

const say = words.signIn;
const page: SignInPage = {
  url: 'https://auth.example/authorize?x=1',
  host: 'auth.example',
  scopes: ['read', 'w\u202erite'],
  leadsBack: true,
};
const asks: Failure = {
  kind: 'refused',
  words: 'Sends you to https://auth.example.',
  remedy: 'Allow it.',
  action: 'allow-sending',
};
const wantsClient: Failure = {
  kind: 'authentication',
  words: 'Registers none.',
  remedy: 'Do.',
  action: 'enter-client',
};

function fakeSignIns(...answers: Outcome<SignInPage>[]) {
  let state: SignInState = 'out';
  const listeners = new Set<() => void>();
  const done: unknown[] = [];
  const become = (next: SignInState): void => {
    state = next;
    for (const listener of [...listeners]) listener();
  };
  const signIns: SignIns = {
    stateOf: () => state,
    begin: (_server, _signal, isFresh) => {
      done.push(isFresh === true ? 'begin again' : 'begin');
      return Promise.resolve(
        answers.length > 1 ? (answers.shift() as Outcome<SignInPage>) : (answers[0] ?? succeed(page)),
      );
    },
    allow: (_server, asked) => void done.push(['allow', asked.words]),
    enterClient: (_server, client: OwnClient) => {
      done.push(client);
      return client.id === 'unstored' ? fail(unreachable) : succeed(undefined);
    },
    finish: (parameters) => {
      done.push(parameters);
      if (parameters['code'] === 'old') return Promise.resolve(fail(unreachable));
      become('in');
      return Promise.resolve(succeed('calendar'));
    },
    signOut: () => void done.push('sign out'),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { signIns, done, become, opened: [] as string[] };
}

async function openDialog(...answers: Outcome<SignInPage>[]) {
  const fake = fakeSignIns(...answers);
  const app = await createTestApp();
  const ports = { signIns: fake.signIns, openExternal: (url: string) => void fake.opened.push(url) };
  const modal = new SignInModal(app as unknown as App, ports, calendar);
  modal.open();
  await eventually(() => dialog().querySelector('.modal-button-container') !== null, 'the first step');
  return { ...fake, modal };
}

const dialog = (): HTMLElement => document.querySelector<HTMLElement>('.docent-sign-in') as HTMLElement;
const isOpen = (): boolean => document.querySelector('.docent-sign-in') !== null;
function press(name: string): void {
  const button = [...dialog().querySelectorAll('button')].find(({ textContent }) => textContent === name);
  if (button === undefined) throw new Error(`There is no button ${name}.`);
  button.click();
}
function enter(label: string, text: string): void {
  const input = dialog().querySelector<HTMLInputElement>(`[aria-label="${label}"]`) as HTMLInputElement;
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

afterEach(() => closeTestApps());

describe('the dialog', () => {
  it('asks about a new address before it is used, and then opens the page', async () => {
    const { done, opened } = await openDialog(fail(asks), succeed(page));
    expect(dialog().textContent).toContain(asks.words);
    press(words.gate.allow);
    await eventually(() => dialog().textContent.includes(say.lead), 'the page');
    expect(done).toEqual(['begin', ['allow', asks.words], 'begin']);
    expect(opened).toEqual([]);
    expect(dialog().textContent).toContain('auth.example');
    expect(dialog().textContent).toContain('w{U+202E}rite');
    press(say.open);
    expect(opened).toEqual([page.url]);
  });

  it('takes the final address by hand, and says what is wrong with another one', async () => {
    const { done } = await openDialog();
    enter(say.paste, 'https://auth.example/done');
    press(say.done);
    expect(dialog().textContent).toContain(say.pasteBad(redirects.obsidian));
    enter(say.paste, `${redirects.obsidian}?code=a&state=b`);
    press(say.done);
    await eventually(() => !isOpen(), 'the end');
    expect(done).toEqual(['begin', { code: 'a', state: 'b' }]);
    const notices = [...document.querySelectorAll('.notice-message')];
    expect(notices.at(-1)?.textContent).toBe(say.signedIn('calendar'));
  });

  it('goes on by Enter, which ends a word of an input method first, and says why the address counts no more', async () => {
    const { done } = await openDialog();
    const type = (key: string, more: KeyboardEventInit = {}): KeyboardEvent => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
      dialog().querySelector('input')?.dispatchEvent(event);
      return event;
    };
    enter(say.paste, `${redirects.obsidian}?code=old&state=b`);
    expect(type('a').defaultPrevented).toBe(false);
    expect(type('Enter', { isComposing: true }).defaultPrevented).toBe(false);
    expect(done).toEqual(['begin']);
    expect(type('Enter').defaultPrevented).toBe(true);
    await eventually(() => dialog().textContent.includes(unreachable.words), 'the failure');
    expect(done).toEqual(['begin', { code: 'old', state: 'b' }]);
    press(say.tryAgain);
    await eventually(() => done.length === 3, 'another page');
    expect(done.at(-1)).toBe('begin');
  });

  it('says what to expect where the browser can’t come back', async () => {
    await openDialog(succeed({ ...page, leadsBack: false }));
    expect(dialog().textContent).toContain(say.isPasted);
    const input = dialog().querySelector('input');
    expect(input?.placeholder.startsWith(redirects.pasted)).toBe(true);
    expect(input?.getAttribute('autocomplete')).toBe('off');
  });

  it('keeps the focus from one step to the next', async () => {
    await openDialog(fail(asks), succeed(page));
    const allow = [...dialog().querySelectorAll('button')].find(({ textContent }) => textContent === words.gate.allow);
    allow?.focus();
    allow?.click();
    await eventually(() => dialog().textContent.includes(say.lead), 'the page');
    await eventually(() => document.activeElement?.textContent === say.open, 'the focus');
  });

  it('closes when the browser ends the sign-in', async () => {
    const { become } = await openDialog();
    become('in');
    expect(isOpen()).toBe(false);
  });

  it('asks how the user is known where nobody can register', async () => {
    const { done } = await openDialog(fail(wantsClient), succeed(page));
    enter(say.client, 'mine');
    enter(say.clientSecret, 'hush');
    expect(dialog().querySelector(`[aria-label="${say.clientSecret}"]`)?.getAttribute('type')).toBe('password');
    const menu = dialog().querySelector('select') as HTMLSelectElement;
    expect([...menu.options].map(({ text }) => text)).toEqual([redirects.obsidian, redirects.pasted]);
    menu.value = 'pasted';
    menu.dispatchEvent(new Event('change', { bubbles: true }));
    press(say.next);
    await eventually(() => dialog().textContent.includes(say.open), 'the page');
    expect(done).toEqual(['begin', { id: 'mine', secret: 'hush', leadsBack: false }, 'begin']);
  });

  it('says why it cannot keep how the user is known, and asks on', async () => {
    const { done } = await openDialog(fail(wantsClient));
    enter(say.client, 'unstored');
    press(say.next);
    const notices = [...document.querySelectorAll('.notice-message')].map(({ textContent }) => textContent);
    expect(notices.at(-1)).toBe(describeFailure(unreachable));
    expect(done).toEqual(['begin', { id: 'unstored', secret: '', leadsBack: true }]);
    expect(dialog().querySelector(`[aria-label="${say.client}"]`)).not.toBeNull();
  });

  it('starts over, tries again, and is left by Cancel', async () => {
    const { done } = await openDialog(fail(unreachable), succeed(page));
    expect(dialog().textContent).toContain('Nobody answered.');
    press(say.tryAgain);
    await eventually(() => dialog().textContent.includes(say.open), 'the page');
    press(say.startOver);
    await eventually(() => done.length === 3, 'another page');
    expect(done).toEqual(['begin', 'begin', 'begin again']);
    await eventually(() => dialog().textContent.includes(say.cancel), 'the page');
    press(say.cancel);
    expect(isOpen()).toBe(false);
  });
});

describe('the state of a server', () => {
  const wants: Failure = { kind: 'authentication', words: 'It asks you to sign in.', remedy: 'Do.', action: 'sign-in' };
  const refused = statusOf({ state: 'failed', failure: wants });
  const ready = statusOf({ state: 'ready', offer: offerOf(), approved: offerOf() });

  it('has the step that fits', () => {
    expect(nextServerStep(refused)).toBe('sign-in');
    expect(nextServerStep(refused, 'expired')).toBe('sign-in-again');
    expect(nextServerStep(ready, 'in')).toBe('look');
    expect(nextServerStep(ready, 'more')).toBe('sign-in-again');
    expect(describeState(ready, 'in')).toBe('Ready: 1 tool, 0 prompts. Signed in.');
    expect(describeState(ready, 'more')).toContain(say.states.more);
    expect(describeState(refused, 'expired')).toBe('It asks you to sign in. Do.');
  });

  it('leads from the chat view to the dialog', () => {
    const fake = fakeSignIns();
    const opened: string[] = [];
    const signIn = { ...fake.signIns, open: ({ name }: typeof calendar) => Promise.resolve(void opened.push(name)) };
    const ports = { servers: fakeServers(ready), signIn, openSettings: () => void opened.push('settings') };
    const root = document.body.createDiv();
    act(() => render(<ServerNotice model={{ ports } as unknown as OpenChatState} />, root));
    expect(root.textContent).toBe('');
    act(() => fake.become('more'));
    expect(root.textContent).toBe(`${say.notice('calendar')}${say.states.more}`);
    act(() => root.querySelector('button')?.click());
    expect(opened).toEqual(['calendar']);
    act(() => ports.servers.become(refused));
    act(() => root.querySelector('button')?.click());
    expect(opened).toEqual(['calendar', 'calendar']);
    act(() => render(null, root));
  });
});
