/** @jest-environment jsdom */
/** What the chat view shows of an override, and the buttons next to a failure. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { installDom } from 'obsidian-workbench/jest';
import type { Failure } from '../../../../src/core/ports/failure';
import { words } from '../../../../src/text';
import { FailureNote, SystemPromptNotice } from '../../../../src/ui/chat/notices';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';
import type { SystemPromptPorts } from '../../../../src/ui/state/ports';
import { ownPromptPorts } from '../../../support/own-prompt-ports';

installDom(window);
const say = words.ownPrompt;

function modelWith(changes: Partial<SystemPromptPorts>): { model: OpenChatState; done: string[]; notify: () => void } {
  const done: string[] = [];
  const listeners = new Set<() => void>();
  const ports = {
    ownPrompt: ownPromptPorts(done, changes),
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    openNote: (path: string) => void done.push(`open ${path}`),
  };
  const model = { ports, resend: () => void done.push('resend') } as unknown as OpenChatState;
  return { model, done, notify: () => listeners.forEach((listener) => listener()) };
}

function show(view: preact.ComponentChild): HTMLElement {
  const root = document.body.createDiv();
  act(() => render(view, root));
  return root;
}

const buttons = (root: HTMLElement): HTMLButtonElement[] => [...root.querySelectorAll('button')];

describe('the badge', () => {
  it('R034 says nothing without an override, and follows its change', () => {
    let place: ReturnType<SystemPromptPorts['override']>['place'] = { kind: 'off' };
    const { model, notify } = modelWith({ override: () => ({ place, fromEnvironment: false }) });
    const root = show(<SystemPromptNotice model={model} />);
    expect(root.textContent).toBe('');
    place = { kind: 'vault', path: 'Docent/system.md' };
    act(notify);
    expect(root.textContent).toContain('Docent/system.md');
  });

  it('R034 opens the file, and offers to append instead of replacing', () => {
    const place = { kind: 'vault', path: 'Mine.md' } as const;
    const { model, done } = modelWith({ override: () => ({ place, fromEnvironment: false }) });
    for (const button of buttons(show(<SystemPromptNotice model={model} />))) button.click();
    expect(done).toEqual(['open Mine.md', 'append']);
  });

  it('R034 offers nothing that cannot be done: a file outside, decided by the environment', () => {
    const place = { kind: 'outside', path: '/home/ada/mine.md' } as const;
    const { model } = modelWith({ override: () => ({ place, fromEnvironment: true }) });
    const root = show(<SystemPromptNotice model={model} />);
    expect(root.textContent).toContain('/home/ada/mine.md');
    expect(buttons(root)).toEqual([]);
  });
});

it('R032 K8 shows every way out of a failure as a button', () => {
  const { model, done } = modelWith({});
  const failure: Failure = {
    kind: 'configuration',
    words: 'Not there.',
    remedy: 'Create it.',
    actions: ['create-system-prompt', 'turn-off-system-prompt', 'allow-outside-file', 'retry'],
  };
  const root = show(<FailureNote failure={failure} model={model} />);
  expect(buttons(root).map(({ textContent }) => textContent)).toEqual([
    ...Object.values(say.actions),
    words.chatView.sendAgain,
  ]);
  for (const button of buttons(root)) button.click();
  expect(done).toEqual(['create', 'turn-off', 'allow', 'resend']);
  expect(buttons(show(<FailureNote failure={failure} model={model} isPast />))).toEqual([]);
});
