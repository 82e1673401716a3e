/** @jest-environment jsdom */
/** The look at what a server offers: all of it, what changed of it, and the leave for exactly what is seen. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { FailureAction } from '../../../../src/core/ports/failure';
import type { McpCatalog, McpServerStatus } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { CatalogModal, CatalogView } from '../../../../src/ui/servers/catalog';
import type { SignInPorts } from '../../../../src/ui/state/ports';
import { type FakeServers, fakeServers, offerOf, statusOf, unreachable } from '../../../support/server-access';

const say = words.serverSettings.offer;
let root: HTMLElement;
let left: number;

function show(...statuses: McpServerStatus[]): FakeServers {
  const servers = fakeServers(...statuses);
  left = 0;
  root = document.body.createDiv();
  act(() => render(<CatalogView servers={servers} name="calendar" onLeave={() => (left += 1)} />, root));
  return servers;
}
const button = (name: string): HTMLButtonElement | undefined =>
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent === name);
const click = (name: string): void => void act(() => button(name)?.click());
const wait = (milliseconds: number): void => void act(() => void jest.advanceTimersByTime(milliseconds));
const unapproved = (offer: McpCatalog, approved: McpCatalog | null = null): McpServerStatus =>
  statusOf({ state: approved === null ? 'unapproved' : 'ready', offer, approved });

beforeEach(async () => {
  await createTestApp({ bare: true });
  jest.useFakeTimers();
});
afterEach(async () => {
  if (root.isConnected) act(() => render(null, root));
  jest.useRealTimers();
  await closeTestApps();
});

it('F34 shows every word of it: tools with their schema, prompts with their text, and resources', () => {
  show(
    unapproved(
      offerOf({
        prompts: [{ name: 'week', description: 'The week', text: 'List my\nweek.' }],
        resources: [{ name: 'log', uri: 'calendar://log' }],
        templates: [{ name: 'page of a day', uriTemplate: 'calendar://{day}' }],
      }),
    ),
  );
  for (const text of ['page of a day', 'calendar://{day}']) expect(root.textContent).toContain(text);
  for (const text of ['https://calendar.example/mcp', 'list_days', 'Lists the days that are free.', '"day"', 'week']) {
    expect(root.textContent).toContain(text);
  }
  expect(root.textContent).toContain('List my\nweek.');
  expect(root.textContent).toContain('calendar://log');
  expect(root.textContent).toContain(say.firstLook);
  expect(root.textContent).toContain('1 tool, 1 prompt, 1 resource');
});

it('runs schemas and addresses from left to right, and prose as its language does', () => {
  show(unapproved(offerOf({ resources: [{ name: 'log', uri: 'calendar://log' }] })));
  const directions = [...root.querySelectorAll('dt')].map((term) => [
    term.textContent,
    term.nextElementSibling?.getAttribute('dir'),
  ]);
  expect(directions).toEqual([
    [say.fields.description, 'auto'],
    [say.fields.schema, 'ltr'],
    [say.fields.uri, 'ltr'],
  ]);
});

it('shows what the server tells the model and the user: instructions, the shown name, hints and arguments', () => {
  const annotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
  const tool = { name: 'move', title: 'Move a day', description: 'Moves it.', inputSchema: {}, annotations };
  const day = { name: 'day', description: 'Which one', required: true };
  const tone = { name: 'tone', description: '', required: false };
  const prompt = { name: 'week', description: 'The week', text: '', arguments: [day, tone] };
  show(unapproved({ instructions: 'Be on time.', tools: [tool], prompts: [prompt], resources: [] }));
  const fieldsOf = (name: string): (string | undefined)[][] => {
    const part = [...root.querySelectorAll('.docent-offer-part')].find(
      (each) => each.querySelector('code')?.textContent === name,
    );
    return [...(part?.querySelectorAll('dt') ?? [])].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent,
    ]);
  };
  const { fields, hints } = say;
  expect(fieldsOf(say.whole)).toEqual([[fields.text, 'Be on time.']]);
  expect(fieldsOf('move')).toEqual([
    [fields.title, 'Move a day'],
    [fields.description, 'Moves it.'],
    [fields.says, [hints.readOnlyHint(false), hints.destructiveHint(true), hints.openWorldHint(false)].join(' ')],
    [fields.schema, '{}'],
  ]);
  expect(fieldsOf('week')).toEqual([
    [fields.description, 'The week'],
    [fields.takes, 'day: Which one\ntone (optional)'],
  ]);
});

it('says what was left out of it: five sentences, and how many there are besides', () => {
  const warnings = (count: number): string[] => {
    const omissions = Array.from({ length: count }, (_, index) => `Left out ${index}.`);
    show({ ...unapproved(offerOf({})), omissions });
    const said = [...root.querySelectorAll('p')].map(({ textContent }) => textContent);
    const lines = said.filter((text) => text.startsWith('Left out ') || text === say.more(0) || text === say.more(2));
    act(() => render(null, root));
    return lines;
  };
  const five = [0, 1, 2, 3, 4].map((index) => `Left out ${index}.`);
  expect([warnings(0), warnings(5), warnings(7)]).toEqual([[], five, [...five, say.more(2)]]);
});

it('F34 draws characters that cannot be seen, wherever the server puts them', () => {
  const hidden = 'a\u202eb\u{e0041}\u200b';
  const drawn = 'a{U+202E}b{U+E0041}{U+200B}';
  const tools = [{ name: hidden, description: hidden, inputSchema: { [hidden]: hidden } }];
  const prompts = [{ name: hidden, description: hidden, text: hidden }];
  show(unapproved({ tools, prompts, resources: [{ name: hidden, uri: hidden }] }));
  expect(root.textContent.split(drawn)).toHaveLength(10);
  expect(root.textContent).not.toMatch(/[\u202e\u200b]|\u{e0041}/u);
});

it('H5 shows markup of a server as text', () => {
  show(unapproved(offerOf({ tools: [{ name: 'x', description: '<img src=a> [b](c)', inputSchema: {} }] })));
  expect(root.querySelector('img, a')).toBeNull();
  expect(root.textContent).toContain('<img src=a> [b](c)');
});

it('F34 marks what is new, gone and changed against what was approved, word by word', () => {
  const inputSchema = {};
  const before = offerOf({
    tools: [
      { name: 'keep', description: 'Stays.', inputSchema },
      { name: 'lose', description: 'Goes.', inputSchema },
      { name: 'turn', description: 'Reads one day.', inputSchema },
    ],
  });
  const after = offerOf({
    tools: [
      { name: 'gain', description: 'Comes.', inputSchema },
      { name: 'keep', description: 'Stays.', inputSchema },
      { name: 'turn', description: 'Reads every note.', inputSchema },
    ],
  });
  show(unapproved(after, before));
  const marks = [...root.querySelectorAll('.docent-offer-name')].map(({ textContent }) => textContent);
  expect(marks).toEqual(['gainNew', 'turnChanged', 'loseRemoved', 'keep']);
  expect([...root.querySelectorAll('del')].map(({ textContent }) => textContent)).toContain('one day');
  expect([...root.querySelectorAll('ins')].map(({ textContent }) => textContent)).toEqual(['every note']);
  expect(root.textContent).toContain(say.marked);
});

it('F34 does not call another order of keys a change', () => {
  const tool = { name: 'x', description: '' };
  const one = offerOf({ tools: [{ ...tool, inputSchema: { a: 1, b: { c: 2, d: 3 } } }] });
  const other = offerOf({ tools: [{ ...tool, inputSchema: { b: { d: 3, c: 2 }, a: 1 } }] });
  show(statusOf({ state: 'ready', offer: one, approved: other }));
  expect(root.textContent).toContain(say.allowed);
  expect(root.querySelector('.docent-offer-mark, ins, del')).toBeNull();
  expect(button(say.allow)).toBeUndefined();
});

it('F34 allows exactly what is shown, and not within the first half second', () => {
  const offer = offerOf();
  const servers = show(unapproved(offer));
  expect([button(say.allow)?.disabled, button(say.notNow)?.disabled]).toEqual([true, true]);
  click(say.allow);
  wait(499);
  expect(button(say.allow)?.disabled).toBe(true);
  wait(1);
  expect(document.activeElement?.tagName).not.toBe('BUTTON');
  click(say.allow);
  expect(servers.approved).toEqual([offer]);
  expect(left).toBe(1);
});

it('F34 approves nothing stale: a server that changes meanwhile has to be looked at again', () => {
  const servers = show(unapproved(offerOf()));
  wait(500);
  const next = offerOf({ tools: [{ name: 'delete_all', description: 'Deletes.', inputSchema: {} }] });
  act(() => servers.become(unapproved(next)));
  expect(root.textContent).toContain(say.movedOn);
  expect(root.textContent).not.toContain('delete_all');
  wait(2_000);
  expect(button(say.allow)?.disabled).toBe(true);
  click(say.allow);
  expect(servers.done).toEqual([]);
  click(say.showNow);
  expect(root.textContent).toContain('delete_all');
  expect(root.textContent).not.toContain(say.movedOn);
  expect(button(say.allow)?.disabled).toBe(true);
  wait(500);
  click(say.allow);
  expect(servers.approved).toEqual([next]);
});

it('F34 says why the leave was refused, and stays open', () => {
  const servers = show(unapproved(offerOf()));
  servers.refusal = { kind: 'refused', words: 'It offers another by now.', remedy: 'Look again.' };
  wait(500);
  click(say.allow);
  expect(root.querySelector('[role="alert"]')?.textContent).toBe('It offers another by now. Look again.');
  expect(left).toBe(0);
});

it('F34 a server that dies meanwhile says so and can be tried again; nothing is allowed then', () => {
  const servers = show(unapproved(offerOf()));
  wait(500);
  act(() => servers.become(statusOf({ state: 'failed', failure: unreachable })));
  expect(root.textContent).toContain('Nobody answered. Start it.');
  expect(button(say.allow)?.disabled).toBe(true);
  click(words.serverSettings.tryAgain);
  expect(servers.done).toEqual(['connect calendar']);
  act(() => servers.become());
  expect(root.textContent).toContain(say.notInSettings);
});

it('shows an offer that comes while it is open', () => {
  const servers = show(statusOf({ state: 'connecting' }));
  expect(root.textContent).toContain('Connecting…');
  act(() => servers.become(unapproved(offerOf())));
  expect(root.textContent).toContain('list_days');
  click(say.notNow);
  expect(left).toBe(0);
  wait(500);
  click(say.notNow);
  expect([left, servers.done]).toEqual([1, []]);
});

it('opens in a window of the app whose focus is on no button', async () => {
  jest.useRealTimers();
  const app = await createTestApp();
  const modal = new CatalogModal(app, fakeServers(unapproved(offerOf())), 'calendar');
  act(() => modal.open());
  root = modal.contentEl;
  expect(modal.titleEl.textContent).toBe('Tools of calendar');
  expect(document.activeElement?.tagName).not.toBe('BUTTON');
  act(() => modal.close());
  expect(root.childElementCount).toBe(0);
});

describe('F34 of a server that has none', () => {
  const failing = (action: FailureAction): McpServerStatus =>
    statusOf({ state: 'failed', failure: { ...unreachable, action } });

  it('allows what it asks to send', () => {
    const servers = show(failing('allow-sending'));
    click(words.gate.allow);
    expect(servers.done).toEqual(['allow calendar']);
  });

  it.each([
    ['out', words.signIn.signIn],
    ['expired', words.signIn.signInAgain],
  ] as const)('leads to the sign-in of one that was signed %s', (state, name) => {
    const servers = fakeServers(failing('sign-in'));
    root = document.body.createDiv();
    const opened: string[] = [];
    const signIn: SignInPorts = {
      stateOf: () => state,
      signOut: () => undefined,
      subscribe: () => () => undefined,
      open: (server) => Promise.resolve(void opened.push(server.name)),
    };
    const view = <CatalogView {...{ servers, signIn }} name="calendar" onLeave={() => (left += 1)} />;
    act(() => render(view, root));
    click(name);
    expect([opened, servers.done]).toEqual([['calendar'], []]);
  });
});
