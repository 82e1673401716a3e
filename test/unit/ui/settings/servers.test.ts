/** @jest-environment jsdom */
/** The servers in the settings, as a person sees and changes them. */
import { type App, type Plugin, PluginSettingTab, type SettingDefinitionItem } from 'obsidian';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { McpServerChoice, McpServerStatus, SignInState } from '../../../../src/core/ports/network';
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../../../src/ui/state/ports';
import { eventually } from '../../eventually';
import {
  calendar,
  type FakeServers,
  fakeServers,
  offerOf,
  statusOf,
  unreachable,
} from '../../../support/server-access';

const say = words.serverSettings;
let servers: FakeServers;
let settings: Settings;
let bound: string[];
let signIn: SettingsPorts['signIn'];
/** Settles once changed settings are on disk. */
let written: Promise<void> = Promise.resolve();

class Tab extends PluginSettingTab {
  constructor(
    app: App,
    private readonly ports: Omit<SettingsPorts, 'refresh'>,
  ) {
    super(app, { manifest: { id: 'docent', name: 'Docent' } } as Plugin);
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    const ports = { ...this.ports, refresh: () => this.update() };
    return settingRows.filter(({ group }) => group === 'servers').map((row) => row.define(ports));
  }
}

async function open(...statuses: McpServerStatus[]): Promise<void> {
  servers = fakeServers(...statuses);
  bound = [];
  settings = { ...defaultSettings, mcpServers: statuses.map(({ choice }) => ({ ...choice })) };
  const app = await createTestApp({ secrets: { 'calendar-key': 'top-secret' } });
  const ports = {
    app: app as unknown as App,
    servers,
    settings: () => settings,
    change: (part: Partial<Settings>) => {
      settings = { ...settings, ...part };
      return written;
    },
    bindKey: (keyName: string, address: string) => void bound.push(`${keyName} to ${address}`),
    showCatalog: (name: string) => void servers.done.push(`look at ${name}`),
    signIn,
  } as unknown as SettingsPorts;
  const window = app.setting as unknown as {
    addSettingTab(tab: unknown): void;
    open(): void;
    openTabById(id: string): void;
  };
  window.addSettingTab(new Tab(app as unknown as App, ports));
  window.open();
  window.openTabById('docent');
}

const row = (name = 'calendar'): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>('.setting-item')].find(
    (each) => each.querySelector('.setting-item-name')?.textContent === name,
  );
  if (found === undefined) throw new Error(`There is no row ${name}.`);
  return found;
};
const isShown = (element: HTMLElement): boolean => element.style.display !== 'none';
const buttonsOf = (element: ParentNode): HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>('button, .clickable-icon')].filter(isShown);
const nameOf = (element: HTMLElement): string => element.getAttribute('aria-label') ?? element.textContent;
function press(name: string, within: ParentNode = document): void {
  const button = buttonsOf(within).find((each) => nameOf(each) === name);
  if (button === undefined) throw new Error(`There is no button ${name}.`);
  button.click();
}
const form = (): HTMLElement => document.querySelector<HTMLElement>('.docent-server-modal') as HTMLElement;
function enter(label: string, text: string): void {
  const input = [...form().querySelectorAll('input')].find((each) => each.getAttribute('aria-label') === label);
  if (input === undefined) throw new Error(`There is no box ${label}.`);
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
const problems = (): string[] => [...form().querySelectorAll('.setting-item-error')].map((each) => each.textContent);

afterEach(async () => {
  // An offer that is still open would begin its pause before a yes after the test.
  document.querySelectorAll<HTMLElement>('.modal-close-button').forEach((button) => button.click());
  await closeTestApps();
});

it('R130 says what leaves the vault, that each call is asked, and what a sync does not bring', async () => {
  await open();
  const text = row(say.intro).textContent;
  expect(text).toContain('text leaves your vault');
  expect(text).toContain('Docent first shows you what would be sent and asks you');
  expect(text).toContain('Syncing your vault doesn’t copy this permission');
});

it.each([
  ['off', statusOf({ state: 'off' }), 'Off.', null],
  ['unknown', statusOf(), 'Not allowed on this device yet.', 'Connect'],
  ['idle', statusOf({ state: 'idle' }), 'Allowed on this device. Connects when you open a chat.', 'Connect'],
  ['connecting', statusOf({ state: 'connecting' }), 'Connecting…', null],
  ['failed', statusOf({ state: 'failed', failure: unreachable }), 'Nobody answered. Start it.', 'Try again'],
  [
    'new',
    statusOf({ state: 'unapproved', offer: offerOf() }),
    'Provides 1 tool that you haven’t reviewed.',
    'Review tools',
  ],
  [
    'changed',
    statusOf({ state: 'ready', offer: offerOf(), approved: offerOf({ tools: [] }) }),
    'Changed since you allowed it',
    'Review tools',
  ],
  [
    'ready',
    statusOf({ state: 'ready', offer: offerOf(), approved: offerOf() }),
    'Ready: 1 tool, 0 prompts.',
    'Review tools',
  ],
])(
  'R130 F34 says of a server that is %s how it stands, with the button that fits',
  async (name, status, expected, step) => {
    await open(status);
    expect(row().textContent).toContain(expected);
    const warnings = [...row().querySelectorAll('.is-warning')].map(({ textContent }) => textContent);
    expect(warnings.some((text) => text.includes(expected))).toBe(['failed', 'new', 'changed'].includes(name));
    const steps = buttonsOf(row()).map(nameOf);
    expect(steps.filter((name) => ['Connect', 'Try again', 'Review tools'].includes(name))).toEqual(
      step === null ? [] : [step],
    );
  },
);

it('R130 counts the resources of a server that offers some', async () => {
  const offer = offerOf({ tools: [], resources: [{ name: 'Tide table', uri: 'tides://skerry' }] });
  await open(statusOf({ state: 'ready', offer, approved: offer }));
  expect(row().textContent).toContain('Ready: 0 tools, 0 prompts, 1 resource.');
});

it.each([
  [{ tools: [], resources: [{ name: 'Tide table', uri: 'tides://skerry' }] }, '1 resource'],
  [{ tools: [] }, '0 tools'],
])('R130 says what a server offers that nobody has reviewed: %j', async (offer, counted) => {
  await open(statusOf({ state: 'unapproved', offer: offerOf(offer) }));
  expect(row().textContent).toContain(`Provides ${counted} that you haven’t reviewed.`);
});

it('R130 names the tools that another name keeps out', async () => {
  await open(statusOf({ state: 'ready', offer: offerOf(), approved: offerOf(), leftOut: ['list_days'] }));
  expect(row().textContent).toContain(
    'Ready: 0 tools, 0 prompts. Left out, because another tool has the same name: list_days.',
  );
});

it('F34 draws what cannot be seen in the words of a server', async () => {
  await open(statusOf({ state: 'failed', failure: { ...unreachable, words: 'It said \u202edab.' } }));
  expect(row().textContent).toContain('It said {U+202E}dab.');
});

it('R130 connects, follows the state, opens the look, and forgets', async () => {
  await open(statusOf());
  expect(buttonsOf(row()).map(nameOf)).not.toContain(say.forget('calendar'));
  press('Connect', row());
  servers.become(statusOf({ state: 'unapproved', offer: offerOf() }));
  expect(row().textContent).toContain('Provides 1 tool');
  press(say.look, row());
  press(say.forget('calendar'), row());
  expect(servers.done).toEqual(['connect calendar', 'look at calendar', 'forget calendar']);
});

it('R130 adds a server, which is on and not asked before the user connects it', async () => {
  await open();
  press(say.add);
  enter('Name', ' calendar ');
  enter('Address', 'https://calendar.example/mcp ');
  press('Save', form());
  await eventually(() => settings.mcpServers.length === 1, 'the server');
  expect(settings.mcpServers).toEqual([calendar]);
  expect(servers.done).toEqual([]);
  expect(form()).toBeNull();
  expect(row().textContent).toContain('https://calendar.example/mcp');
});

it('R130 adds a server once, and says nothing is wrong with it, when its button is pressed twice', async () => {
  await open();
  let end = (): void => undefined;
  written = new Promise((resolve) => (end = resolve));
  press(say.add);
  enter('Name', 'calendar');
  enter('Address', 'https://calendar.example/mcp');
  const save = buttonsOf(form()).find((button) => nameOf(button) === 'Save');
  save?.click();
  save?.click();
  expect([form(), settings.mcpServers]).toEqual([null, [calendar]]);
  end();
  written = Promise.resolve();
  await eventually(() => document.body.textContent.includes('https://calendar.example/mcp'), 'the row');
});

it.each([
  ['', say.form.nameBad],
  ['my calendar', say.form.nameBad],
  ['a'.repeat(25), say.form.nameBad],
  ['kalender\u200b', say.form.nameBad],
  ['Calendar', say.form.nameTaken],
])('R130 refuses the name “%s”, and loses nothing of what was entered', async (name, problem) => {
  await open(statusOf());
  press(say.add);
  enter('Name', name);
  enter('Address', 'https://other.example');
  press('Save', form());
  await eventually(() => problems().length > 0, 'the problem');
  expect(problems()).toEqual([problem]);
  expect(document.activeElement).toBe(form().querySelectorAll('input')[0]);
  expect([...form().querySelectorAll('input')].map(({ value }) => value)).toEqual([name, 'https://other.example']);
  expect(settings.mcpServers).toHaveLength(1);
});

it.each([
  ['calendar.example', say.form.urlBad],
  ['file:///etc/passwd', say.form.urlBad],
  ['javascript:alert(1)', say.form.urlBad],
  ['https://', say.form.urlBad],
  ['http://calendar.example/mcp', say.form.urlPlain],
  ['http://localhost.evil.example', say.form.urlPlain],
  ['https://fritz.box/mcp', say.form.urlPrivate('fritz.box')],
  ['https://3232235777/mcp', say.form.urlPrivate('192.168.1.1')],
  ['https://me:pass@calendar.example', say.form.urlCredentials],
  ['http://localhost@evil.example', say.form.urlCredentials],
])('R130 refuses the address %s', async (url, problem) => {
  await open();
  press(say.add);
  enter('Name', 'calendar');
  enter('Address', url);
  press('Save', form());
  await eventually(() => problems().length > 0, 'the problem');
  expect(problems()).toEqual([problem]);
  expect(document.activeElement).toBe(form().querySelectorAll('input')[1]);
  expect(settings.mcpServers).toEqual([]);
});

it.each(['https://calendar.example:8443/mcp?x=1', 'http://localhost:3000', 'http://127.0.0.1:1/mcp', 'http://[::1]/'])(
  'R130 takes the address %s',
  async (url) => {
    await open();
    press(say.add);
    enter('Name', 'calendar');
    enter('Address', url);
    press('Save', form());
    await eventually(() => settings.mcpServers.length === 1, 'the server');
    expect(settings.mcpServers[0]?.url).toBe(url);
  },
);

it('R130 binds a key that was chosen to the address, and one that a sync brought to none', async () => {
  await open(statusOf({ choice: { ...calendar, keyName: 'calendar-key', url: 'https://evil.example' } }));
  press(say.edit('calendar'), row());
  press('Save', form());
  await eventually(() => form() === null, 'the end of the form');
  expect(bound).toEqual([]);
  press(say.edit('calendar'), row());
  form().querySelector<HTMLElement>('.secret-component')?.click();
  document.querySelector<HTMLElement>('[data-secret="calendar-key"]')?.click();
  press('Save', form());
  await eventually(() => form() === null, 'the end of the form');
  expect(bound).toEqual(['calendar-key to https://evil.example']);
  expect(JSON.stringify(settings)).not.toContain('top-secret');
});

it('R130 a server under another name needs a new leave, and keeps what a newer version stored of it', async () => {
  await open(statusOf());
  settings = { ...settings, mcpServers: [{ ...calendar, later: 1 }] };
  press(say.edit('calendar'), row());
  enter('Name', 'diary');
  press('Save', form());
  await eventually(() => form() === null, 'the end of the form');
  expect(servers.done).toEqual(['forget calendar']);
  expect(settings.mcpServers).toEqual([{ ...calendar, name: 'diary', later: 1 }]);
});

it('R130 what is entered for a server that a sync removed meanwhile is not lost', async () => {
  await open(statusOf());
  press(say.edit('calendar'), row());
  settings = { ...settings, mcpServers: [] };
  enter('Address', 'https://new.example');
  press('Save', form());
  await eventually(() => form() === null, 'the end of the form');
  expect(settings.mcpServers).toEqual([{ ...calendar, url: 'https://new.example' }]);
});

it('R130 switches a server off', async () => {
  await open(statusOf());
  row().querySelector<HTMLElement>('.checkbox-container')?.click();
  await eventually(() => settings.mcpServers[0]?.isOn === false, 'the switch');
});

it('R130 changes a server as a sync has left it, not as its row was drawn', async () => {
  await open(statusOf());
  const url = 'https://new.example/mcp';
  settings = { ...settings, mcpServers: [{ ...calendar, url }] };
  row().querySelector<HTMLElement>('.checkbox-container')?.click();
  await eventually(() => settings.mcpServers[0]?.isOn === false, 'the switch');
  expect(settings.mcpServers).toEqual([{ ...calendar, url, isOn: false }]);
  const newer = 'https://newer.example/mcp';
  settings = { ...settings, mcpServers: [{ ...calendar, url: newer }] };
  press(say.edit('calendar'), row());
  enter('Name', 'diary');
  press('Save', form());
  await eventually(() => form() === null, 'the end of the form');
  expect(settings.mcpServers).toEqual([{ ...calendar, url: newer, name: 'diary' }]);
});

it('R130 removes a server and the leave of this device, once the user confirms it', async () => {
  const other: McpServerChoice = { ...calendar, name: 'other' };
  await open(statusOf(), statusOf({ choice: other }));
  press(say.remove('calendar'), row());
  expect(servers.done).toEqual([]);
  press(say.removeAction, document.querySelector('.mod-confirmation') ?? document);
  await eventually(() => settings.mcpServers.length === 1, 'the removal');
  expect(servers.done).toEqual(['forget calendar']);
  expect(settings.mcpServers).toEqual([other]);
});

it('R130 leaves the approval of a server alone when another one of its name is removed or gets a name', async () => {
  const other: McpServerChoice = { ...calendar, url: 'https://other.example' };
  const two = [statusOf({ approved: offerOf() }), statusOf({ choice: other, state: 'failed', failure: unreachable })];
  const second = (): HTMLElement => document.querySelectorAll<HTMLElement>('.docent-server')[2] as HTMLElement;
  await open(...two);
  press(say.edit('calendar'), second());
  enter('Name', 'diary');
  press('Save', form());
  await eventually(() => settings.mcpServers[1]?.name === 'diary', 'the name');
  expect(servers.done).toEqual([]);
  await closeTestApps();
  await open(...two);
  press(say.remove('calendar'), second());
  press(say.removeAction, document.querySelector('.mod-confirmation') ?? document);
  await eventually(() => settings.mcpServers.length === 1, 'the removal');
  expect([servers.done, settings.mcpServers]).toEqual([[], [calendar]]);
  await closeTestApps();
  await open(...two);
  press(say.remove('calendar'), row());
  press(say.removeAction, document.querySelector('.mod-confirmation') ?? document);
  await eventually(() => settings.mcpServers.length === 1, 'the removal');
  expect([servers.done, settings.mcpServers]).toEqual([['forget calendar'], [other]]);
});

describe('the form of a server', () => {
  const pressEnter = (label: string, init: KeyboardEventInit = {}): boolean => {
    const input = [...form().querySelectorAll('input')].find((each) => each.getAttribute('aria-label') === label);
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
    input?.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it('R130 is saved with Enter, but not while an input method composes or by another key', async () => {
    await open();
    press(say.add);
    enter('Name', 'calendar');
    enter('Address', 'https://calendar.example/mcp');
    expect([pressEnter('Name', { isComposing: true }), pressEnter('Address', { key: 'a' })]).toEqual([false, false]);
    expect([form() === null, settings.mcpServers]).toEqual([false, []]);
    expect(pressEnter('Address')).toBe(true);
    await eventually(() => settings.mcpServers.length === 1, 'the server');
    // The key, also none, is bound to the new address.
    expect(bound).toEqual([' to https://calendar.example/mcp']);
  });

  it('R130 takes a key away again, and is left without a change by Cancel', async () => {
    await open(statusOf({ choice: { ...calendar, keyName: 'calendar-key' } }));
    press(say.edit('calendar'), row());
    press(say.form.noKey, form());
    press(say.form.cancel, form());
    expect([form(), settings.mcpServers[0]?.keyName, bound]).toEqual([null, 'calendar-key', []]);
    press(say.edit('calendar'), row());
    press(say.form.noKey, form());
    press('Save', form());
    await eventually(() => settings.mcpServers[0]?.keyName === '', 'the change');
    expect(bound).toEqual([` to ${calendar.url}`]);
  });

  it('R130 has the name that the server has, and says which name another one has', async () => {
    const other: McpServerChoice = { ...calendar, name: 'other' };
    await open(statusOf(), statusOf({ choice: other }));
    press(say.edit('other'), row('other'));
    expect([...form().querySelectorAll('input')].map(({ value }) => value).slice(0, 2)).toEqual([
      'other',
      calendar.url,
    ]);
    enter('Name', 'CALENDAR');
    press('Save', form());
    await eventually(() => problems().length > 0, 'the problem');
    expect(problems()).toEqual([say.form.nameTaken]);
    enter('Name', 'Other');
    press('Save', form());
    await eventually(() => form() === null, 'the end of the form');
    expect(settings.mcpServers.map(({ name }) => name)).toEqual(['calendar', 'Other']);
  });
});

describe('a server to which the user signs in', () => {
  const ready = statusOf({ state: 'ready', offer: offerOf(), approved: offerOf() });
  const { signOut, signedOut } = words.signIn;
  const listeners = new Set<() => void>();
  let state: SignInState;

  beforeEach(() => {
    state = 'in';
    listeners.clear();
    signIn = {
      stateOf: () => state,
      signOut: ({ name, url }) => void servers.done.push(`sign out of ${name} at ${url}`),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      open: ({ name }) => Promise.resolve(void servers.done.push(`sign in to ${name}`)),
    };
  });
  afterEach(() => (signIn = undefined));

  const canSignOut = (): boolean => buttonsOf(row()).map(nameOf).includes(signOut('calendar'));
  const warns = (): boolean => row().querySelector('.docent-server-state')?.classList.contains('is-warning') === true;

  it.each<[SignInState, boolean, boolean]>([
    ['out', false, false],
    ['in', true, false],
    ['more', true, true],
    ['expired', false, true],
  ])('R130 offers where the user is signed %s to sign out: %s, and warns: %s', async (at, isOffered, isWarning) => {
    await open(ready);
    state = at;
    listeners.forEach((listener) => listener());
    expect([canSignOut(), warns()]).toEqual([isOffered, isWarning]);
  });

  it('R130 is asked again at once after the user has signed out, and says so', async () => {
    await open(ready);
    press(signOut('calendar'), row());
    expect(servers.done).toEqual([`sign out of calendar at ${calendar.url}`, 'connect calendar']);
    expect(document.body.textContent).toContain(signedOut('calendar'));
  });

  it('R130 is signed out of before it is forgotten', async () => {
    await open(ready);
    press(say.forget('calendar'), row());
    expect(servers.done).toEqual([`sign out of calendar at ${calendar.url}`, 'forget calendar']);
  });

  it('R130 is signed out of when it gets another address, and not with another name alone', async () => {
    await open(ready);
    press(say.edit('calendar'), row());
    enter('Name', 'diary');
    press('Save', form());
    await eventually(() => settings.mcpServers[0]?.name === 'diary', 'the name');
    expect(servers.done).toEqual(['forget calendar']);
    await closeTestApps();
    await open(ready);
    press(say.edit('calendar'), row());
    enter('Address', 'https://new.example');
    press('Save', form());
    await eventually(() => settings.mcpServers[0]?.url === 'https://new.example', 'the address');
    expect(servers.done).toEqual([`sign out of calendar at ${calendar.url}`]);
  });

  it('R130 stays signed in to for another server at the address that one of them leaves', async () => {
    await open(ready, statusOf({ choice: { ...calendar, name: 'diary' } }));
    press(say.edit('calendar'), row());
    enter('Address', 'https://new.example');
    press('Save', form());
    await eventually(() => settings.mcpServers[0]?.url === 'https://new.example', 'the address');
    expect(servers.done).toEqual([]);
  });

  it('R130 is signed out of when it is removed, unless another server has its address', async () => {
    const remove = async (...others: McpServerChoice[]): Promise<readonly string[]> => {
      await open(ready, ...others.map((choice) => statusOf({ choice })));
      press(say.remove('calendar'), row());
      press(say.removeAction, document.querySelector('.mod-confirmation') ?? document);
      await eventually(() => settings.mcpServers.length === others.length, 'the removal');
      const { done } = servers;
      await closeTestApps();
      return done;
    };
    const out = [`sign out of calendar at ${calendar.url}`, 'forget calendar'];
    expect(await remove()).toEqual(out);
    expect(await remove({ ...calendar, name: 'other', url: 'https://other.example' })).toEqual(out);
    expect(await remove({ ...calendar, name: 'other' })).toEqual(['forget calendar']);
  });
});
