/** @jest-environment jsdom */
/** The steps that a failure offers at once. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { Failure, FailureAction, FailureKind } from '../../../../src/core/ports/failure';
import { words } from '../../../../src/text';
import { FailureNote, usualActs } from '../../../../src/ui/chat/notices';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';

beforeEach(() => createTestApp({ bare: true }));
afterEach(closeTestApps);

it.each<[FailureAction, string, string]>([
  ['open-diagnostics', words.commandNames['show-diagnostics'], 'diagnostics'],
  ['open-settings', words.chatView.openSettings, 'settings'],
  ['retry', words.chatView.sendAgain, 'resend'],
  ['go-on', words.chatView.goOn, 'go on'],
])('R259 %s is a button', (action, label, expected) => {
  const done: string[] = [];
  const ports = {
    showDiagnostics: () => done.push('diagnostics'),
    openSettings: () => done.push('settings'),
    ownPrompt: { carryOut: () => done.push('step') },
  };
  const model = { ports, choices: null, resend: () => done.push('resend'), goOn: () => done.push('go on') };
  const root = document.body.createDiv();
  const failure = { kind: 'configuration', words: 'No.', remedy: 'Look.', action } as const;
  act(() => render(<FailureNote failure={failure} model={model as unknown as OpenChatState} />, root));
  const button = root.querySelector('button');
  expect(button?.textContent).toBe(label);
  act(() => button?.click());
  expect(done).toEqual([expected]);
});

/** A failed answer in a chat that has two models; what each step does is noted. */
function failed(
  failure: Failure,
  more: object = {},
  models: Record<string, string> = { 'p/one': 'One', 'p/two': 'Two' },
) {
  const done: string[] = [];
  const model = {
    ports: {
      showDiagnostics: () => done.push('diagnostics'),
      openSettings: () => done.push('settings'),
      ownPrompt: { carryOut: () => done.push('step') },
      instructions: { review: () => done.push('review') },
      prompts: { modelChoices: () => models },
    },
    choices: { model: 'p/one' },
    context: { windows: { showList: () => done.push('list') } },
    resend: () => done.push('resend'),
    resendWith: (id: string) => done.push(`resend with ${id}`),
    goOn: () => done.push('go on'),
    startOver: () => done.push('new chat'),
    callToolsInText: () => done.push('in text'),
    allowSending: () => done.push('allow'),
    againAfter: () => () => done.push('again'),
  };
  const root = document.body.createDiv();
  act(() => render(<FailureNote failure={failure} model={model as unknown as OpenChatState} {...more} />, root));
  const buttons = [...root.querySelectorAll('button')];
  return { done, buttons, labels: buttons.map(({ textContent }) => textContent) };
}

const kinds = Object.keys(usualActs) as FailureKind[];

it.each(kinds)('offers what helps after every kind of failed answer, whatever it names: %s', (kind) => {
  const failure = { kind, words: 'No.', remedy: 'Look.' };
  const { buttons, done } = failed(failure);
  expect(buttons.length).toBeGreaterThan(0);
  for (const button of buttons) {
    act(() => button.click());
    document.querySelector<HTMLElement>('.menu-item')?.click();
  }
  // One of them gets an answer: the same request again, or by another model, or a chat in which it fits.
  expect(done.some((each) => /^resend|^new chat/.test(each))).toBe(true);
  expect(done).toHaveLength(buttons.length);
});

it.each(kinds)('repeats what failed outside an answer, or takes the words away: %s', (kind) => {
  const dismissed: string[] = [];
  const failure: Failure = { kind, words: 'No.', remedy: 'Look.', action: 'retry' };
  const { buttons, labels, done } = failed(failure, { onDismiss: () => dismissed.push('dismissed') });
  expect(labels).toEqual([words.chatView.tryAgain, words.prompts.letGo]);
  for (const button of buttons) act(() => button.click());
  expect([done, dismissed]).toEqual([['again'], ['dismissed']]);
});

it('offers to send again beside the settings after a key was refused, and another model if there is one', () => {
  const refused: Failure = { kind: 'authentication', words: 'No.', remedy: 'Look.', action: 'open-settings' };
  const { openSettings, sendAgain } = words.chatView;
  expect(failed(refused).labels).toEqual([openSettings, sendAgain, words.branches.againOther]);
  expect(failed(refused, {}, { 'p/one': 'One' }).labels).toEqual([openSettings, sendAgain]);
});

it('asks only what has to be allowed, and offers nothing once the chat has gone on', () => {
  const asked: Failure = {
    kind: 'refused',
    words: 'No.',
    remedy: '',
    action: 'allow-sending',
    actions: ['open-settings'],
  };
  expect(failed(asked).labels).toEqual([words.gate.allow, words.chatView.openSettings]);
  expect(failed(asked, { isPast: true }).labels).toEqual([]);
});
