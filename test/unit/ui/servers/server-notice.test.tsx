/** @jest-environment jsdom */
/** The notice about servers in the chat view: only for servers that are on, and never blocking. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { bufferedQuestion } from '../../../../src/core/gate/gate';
import type { McpServerStatus } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { ServerNotice } from '../../../../src/ui/chat/notices';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';
import { calendar, fakeServers, offerOf, statusOf, unreachable } from '../../../support/server-access';

let root: HTMLElement;
let done: string[];

function show(...statuses: McpServerStatus[]) {
  const servers = fakeServers(...statuses);
  done = [];
  const ports = {
    servers,
    showCatalog: (name: string) => void done.push(`look at ${name}`),
    openSettings: () => void done.push('settings'),
  };
  root = document.body.createDiv();
  act(() => render(<ServerNotice model={{ ports } as unknown as OpenChatState} />, root));
  return servers;
}
const click = (): void => void act(() => root.querySelector('button')?.click());
const failed = statusOf({ state: 'failed', failure: unreachable });
const changed = statusOf({ state: 'ready', offer: offerOf(), approved: offerOf({ tools: [] }) });

beforeEach(() => createTestApp({ bare: true }));
afterEach(async () => {
  act(() => render(null, root));
  await closeTestApps();
});

it.each([
  ['is ready', statusOf({ state: 'ready', offer: offerOf(), approved: offerOf() })],
  ['was never allowed here', statusOf()],
  ['is being asked', statusOf({ state: 'connecting' })],
  ['was not looked at yet', statusOf({ state: 'unapproved', offer: offerOf() })],
  ['is off', { ...failed, choice: { ...calendar, isOn: false } }],
])('says nothing of a server that %s', (_how, status) => {
  show(status);
  expect(root.textContent).toBe('');
});

it('F34 says that a server offers something else by now, and leads to the look', () => {
  const servers = show(statusOf());
  act(() => servers.become(changed));
  expect(root.textContent).toContain('calendar has changed since you allowed it');
  click();
  expect(done).toEqual(['look at calendar']);
});

it('F34 says why a server cannot be used, and leads to the settings', () => {
  show(failed);
  expect(root.textContent).toContain('calendar isn’t available');
  expect(root.textContent).toContain('Nobody answered. Start it.');
  click();
  expect(done).toEqual(['settings']);
});

it('counts several in one line', () => {
  show(failed, changed);
  expect(root.textContent).toBe('2 MCP servers need your review');
  click();
  expect(done).toEqual(['settings']);
});

it('asks in place about a server whose redirects would be followed unseen, and allows just that one', () => {
  const failure = bufferedQuestion('The server calendar', 'https://calendar.example', true);
  const other = statusOf({ choice: { ...calendar, name: 'other' }, state: 'failed', failure: unreachable });
  const servers = show(statusOf({ state: 'failed', failure }), other);
  const card = root.querySelector('.docent-failure');
  expect(card?.textContent).toContain(failure.words);
  const buttons = [...(card?.querySelectorAll('button') ?? [])];
  expect(buttons.map(({ textContent }) => textContent)).toEqual([words.gate.allow, words.chatView.openSettings]);
  act(() => buttons[0]?.click());
  expect(servers.done).toEqual(['allow calendar']);
  act(() => buttons[1]?.click());
  expect(done).toEqual(['settings']);
  expect(root.querySelector('.docent-server-notice')?.textContent).toContain('other isn’t available');
});
