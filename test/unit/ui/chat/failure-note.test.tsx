/** @jest-environment jsdom */
/** The steps that a failure offers at once. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { FailureAction } from '../../../../src/core/ports/failure';
import { words } from '../../../../src/text';
import { FailureNote } from '../../../../src/ui/chat/notices';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';

beforeEach(() => createTestApp());
afterEach(closeTestApps);

it.each<[FailureAction, string, string]>([
  ['open-diagnostics', words.diagnostics.show, 'diagnostics'],
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
  const model = { ports, resend: () => done.push('resend'), goOn: () => done.push('go on') };
  const root = document.body.createDiv();
  const failure = { kind: 'configuration', words: 'No.', remedy: 'Look.', action } as const;
  act(() => render(<FailureNote failure={failure} model={model as unknown as OpenChatState} />, root));
  const button = root.querySelector('button');
  expect(button?.textContent).toBe(label);
  act(() => button?.click());
  expect(done).toEqual([expected]);
});
