/** @jest-environment jsdom */
/** Settings that are drawn rather than declared: providers, and the user's own side of the prompt. */
import { type App, Setting } from 'obsidian';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { Gate, openSending } from '../../../../src/core/gate/gate';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { defaultSettings, type ProviderSettings, type Settings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import type { SettingRow } from '../../../../src/ui/settings/setting-row';
import { compactionModelsRow } from '../../../../src/ui/settings/long-chats-page';
import { modelRow } from '../../../../src/ui/settings/model-page';
import { instructionFilesRow, journalRow, provenanceRow } from '../../../../src/ui/settings/notes-page';
import { startersRow } from '../../../../src/ui/settings/starters-page';
import { apiKeyRow, providersRow } from '../../../../src/ui/settings/providers-page';
import {
  instructionNotesRow,
  promptExportRow,
  sectionSwitchesRow,
  systemPromptRow,
  userTemplatesRow,
} from '../../../../src/ui/settings/system-prompt-page';
import type { SystemPromptPorts, SettingsPorts } from '../../../../src/ui/state/ports';
import { eventually } from '../../eventually';
import { memoryDevice } from '../../../support/memory-ports';
import { ownPromptPorts } from '../../../support/own-prompt-ports';

type Models = Outcome<readonly { readonly name: string; readonly contextWindow?: number }[]>;

interface Drawn {
  readonly name: string;
  readonly desc?: string;
  readonly type?: string;
  readonly items?: readonly Drawn[];
  readonly visible?: () => boolean;
  readonly displayValue?: () => string;
  readonly render?: (setting: Setting, group: { addSetting(draw: (setting: Setting) => void): void }) => void;
  readonly control?: {
    readonly placeholder?: string;
    readonly options?: object;
    readonly disabled?: () => boolean;
    readonly validate?: (value: string) => string | undefined;
  };
}

let settings: Settings;
let done: string[];
let device: ReturnType<typeof memoryDevice>;
let ports: SettingsPorts;
let tests: (() => Promise<Models>) | null;
let root: HTMLElement;

const providers = [
  { ...{ id: 'harbour', label: 'Harbour', baseUrl: 'https://harbour.example/v1', keyName: '' }, models: ['usual'] },
  { ...{ id: 'shed', label: 'Shed', baseUrl: 'http://localhost:1', keyName: '' }, models: [] },
].map((each) => ({
  ...{ ...each, keyNeeded: each.id === 'harbour', local: each.id === 'shed' },
  ...(each.id === 'harbour' && { keyPage: 'https://harbour.example/keys' }),
}));
const own = (changes: Partial<ProviderSettings> = {}): ProviderSettings => ({
  ...{ baseUrl: '', keyName: '', models: [] },
  ...changes,
});

async function open(changes: Partial<Settings> = {}, ownPrompt: Partial<SystemPromptPorts> = {}): Promise<void> {
  const app = await createTestApp({ secrets: { 'harbour-key': 'top-secret' } });
  settings = { ...defaultSettings, ...changes };
  done = [];
  device = memoryDevice();
  tests = null;
  root = document.body.createDiv();
  ports = {
    app: app as unknown as App,
    providers,
    settings: () => settings,
    change: (part: Partial<Settings>) => {
      settings = { ...settings, ...part };
      return Promise.resolve();
    },
    sending: openSending(new Gate({ device, secret: () => 'top-secret' }), (id) => {
      const { baseUrl, label } = providers.find((each) => each.id === id)!;
      const { baseUrl: address = '', keyName = '' } = settings.providers[id] ?? {};
      return { id, label, address: address || baseUrl, ownAddress: baseUrl, keyName, ownKeyName: '' };
    }),
    bindKey: (keyName: string, address: string) => void done.push(`bind ${keyName} to ${address}`),
    testConnection: (id: string) => {
      done.push(`test ${id}`);
      return tests?.() ?? Promise.resolve(succeed([]));
    },
    ownPrompt: ownPromptPorts(done, ownPrompt),
    refresh: () => void done.push('refresh'),
  } as unknown as SettingsPorts;
}
afterEach(closeTestApps);

const defined = (row: SettingRow): Drawn => row.define(ports) as unknown as Drawn;
const pageOf = (id: string): Drawn => defined(providersRow).items![providers.findIndex((each) => each.id === id)]!;
const itemOf = (page: Drawn, name: string): Drawn => page.items!.find((item) => item.name === name)!;
function draw(item: Drawn): HTMLElement {
  const group = {
    addSetting: (add: (setting: Setting) => void) => {
      add(new Setting(root));
    },
  };
  root.empty();
  const setting = new Setting(root);
  item.render?.(setting, group);
  return setting.settingEl;
}
const buttons = (): HTMLButtonElement[] => [...root.querySelectorAll('button')];
const press = (name: string): void =>
  buttons()
    .find(({ textContent }) => textContent === name)!
    .click();
const desc = (): string | undefined => root.querySelector('.setting-item-description')?.textContent;

describe('a provider', () => {
  const say = words.settings;

  it('R105 offers its own models for the chats, and another’s only as none', async () => {
    await open({ model: 'shed/small', providers: { harbour: own({ models: ['big', 'small'] }) } });
    const select = (): HTMLSelectElement =>
      draw(itemOf(pageOf('harbour'), say.useModel)).querySelector('select') as HTMLSelectElement;
    const options = (box: HTMLSelectElement): string[][] => [...box.options].map(({ value, text }) => [value, text]);
    const box = select();
    const its = [
      ['harbour/big', 'big'],
      ['harbour/small', 'small'],
    ];
    expect([options(box), box.value]).toEqual([[['', say.notUsed], ...its], '']);
    const choose = async (value: string): Promise<void> => {
      box.value = value;
      box.dispatchEvent(new Event('change', { bubbles: true }));
      await Promise.resolve();
    };
    await choose('');
    expect([settings.model, done]).toEqual(['shed/small', []]);
    await choose('harbour/small');
    expect([settings.model, done]).toEqual(['harbour/small', ['refresh']]);
    const chosen = select();
    expect([options(chosen), chosen.value]).toEqual([its, 'harbour/small']);
  });

  it('R130 H10 binds the key that is chosen to the address that this device allows, and to no other', async () => {
    await open({ providers: { harbour: own({ models: ['big'] }) } });
    const choose = async (): Promise<void> => {
      draw(itemOf(pageOf('harbour'), say.linkKey))
        .querySelector<HTMLElement>('.secret-component')
        ?.click();
      document.querySelector<HTMLElement>('[data-secret="harbour-key"]')?.click();
      await Promise.resolve();
    };
    await choose();
    expect(settings.providers['harbour']).toEqual(own({ keyName: 'harbour-key', models: ['big'] }));
    settings = {
      ...settings,
      providers: { harbour: own({ baseUrl: 'https://mine.example', keyName: 'harbour-key' }) },
    };
    await choose();
    expect(device.get('key-origin-harbour-key')).toBe('https://harbour.example');
    // The user entered this address here; the one before came by a sync.
    await providersRow.write('provider.harbour.baseUrl', 'https://mine.example', ports);
    await choose();
    expect(device.get('key-origin-harbour-key')).toBe('https://mine.example');
    expect(draw(itemOf(pageOf('harbour'), say.linkKey)).textContent).toContain('harbour-key');
  });

  it('R130 takes a key in a field that never shows it, says what the provider lists, and links to where keys are', async () => {
    await open({ model: 'harbour/big' });
    let outcome: Outcome<void> = succeed(undefined);
    const saved: string[][] = [];
    ports = { ...ports, saveKey: (id, key) => (saved.push([id, key]), Promise.resolve(outcome)) };
    tests = () => Promise.resolve(succeed([{ name: 'small' }, { name: 'big' }]));
    const field = (row: Drawn): HTMLInputElement => draw(row).querySelector('input')!;
    const enter = async (row: Drawn, key: string): Promise<void> => {
      const box = field(row);
      expect([box.type, box.value]).toEqual(['password', '']);
      box.value = key;
      box.dispatchEvent(new Event('change', { bubbles: true }));
      await eventually(() => done.includes('refresh') || key.trim() === '', 'the key is stored');
      done = [];
      expect(box.value.trim()).toBe('');
    };
    const page = itemOf(pageOf('harbour'), say.key);
    await enter(page, ' sk-1 ');
    expect([draw(page).textContent, desc()]).toEqual([
      expect.stringContaining(say.connected(2)),
      expect.not.stringContaining('sk-1'),
    ]);
    expect(settings.providers['harbour']?.models).toEqual(['small', 'big']);
    await enter(page, '  ');
    outcome = fail({ kind: 'storage', words: 'Full.', remedy: 'Free some.' });
    await enter(defined(apiKeyRow), 'sk-2');
    expect(draw(defined(apiKeyRow)).textContent).toContain('Full. Free some.');
    expect(saved).toEqual([
      ['harbour', ' sk-1 '],
      ['harbour', 'sk-2'],
    ]);
    const link = root.querySelector('a');
    expect([link?.textContent, link?.href]).toEqual([say.getKey, 'https://harbour.example/keys']);
  });

  it('R130 has the user choose whose key it is while no model of such a provider is used', async () => {
    await open({ model: 'shed/small' });
    const select = (): HTMLSelectElement => draw(defined(apiKeyRow)).querySelector('select')!;
    const shown = (box: HTMLSelectElement): unknown[] => [
      box.getAttribute('aria-label'),
      [...box.options].map(({ value, text }) => [value, text]),
      box.value,
      root.querySelector('input')?.getAttribute('aria-label'),
    ];
    const box = select();
    const harbour = ['harbour', 'Harbour'];
    expect(shown(box)).toEqual([say.chooseProvider, [['', say.chooseProvider], harbour], '', undefined]);
    expect(desc()).toBe(say.keyOfAny);
    const choose = (value: string): void => {
      box.value = value;
      box.dispatchEvent(new Event('change', { bubbles: true }));
    };
    choose('harbour');
    expect(done).toEqual(['refresh']);
    expect(shown(select())).toEqual([say.chooseProvider, [harbour], 'harbour', `Harbour: ${say.key}`]);
    choose('');
    expect(shown(select())[2]).toBe('');
  });

  it('promises no usual address for a server that has none', async () => {
    await open();
    Object.assign(ports, { providers: ports.providers.map((each) => ({ ...each, baseUrl: '' })) });
    expect(itemOf(pageOf('shed'), say.baseUrl).desc).toBe(say.ownUrlDesc);
  });

  it('says whether its key is needed, and refuses an address that is none', async () => {
    await open();
    expect(itemOf(pageOf('harbour'), say.key).desc).toBe(say.keyDesc('Harbour'));
    expect(itemOf(pageOf('shed'), say.key).desc).toBe(say.keyOptional);
    expect(itemOf(pageOf('shed'), say.baseUrl).desc).toBe(say.baseUrlDesc);
    const box = itemOf(pageOf('shed'), say.baseUrl).control;
    expect(box?.placeholder).toBe('http://localhost:1');
    const judged = [
      '',
      ' https://a.example ',
      'http://a',
      'ftp://a',
      'a.example',
      'https://',
      'https://me:x@a.example',
      'https://a.example/v1?api-version=1',
    ].map((address) => box?.validate?.(address));
    const bad = Array<string>(3).fill(say.baseUrlBad);
    expect(judged).toEqual([
      ...[undefined, undefined, words.gate.plain('Shed', 'a')],
      ...[...bad, words.gate.login('Shed'), words.models.addressTail('Shed')],
    ]);
    const { write, read } = providersRow;
    settings = { ...settings, ...write('provider.shed.baseUrl', ' http://a:1// ', ports) };
    expect(read('provider.shed.baseUrl', ports)).toBe('http://a:1');
    settings = { ...settings, ...write('provider.shed.models', 'one\n\n two ', ports) };
    expect(settings.providers['shed']).toEqual(own({ baseUrl: 'http://a:1', models: ['one', 'two'] }));
    expect(read('provider.shed.models', ports)).toBe('one\ntwo');
    expect([read('provider.gone.models', ports), write('provider.gone.models', 'x', ports)]).toEqual(['', {}]);
  });

  it('R105 tests the connection once at a time, and keeps what was said of its models', async () => {
    await open();
    let answer = (_models: Models): void => undefined;
    tests = () => new Promise((resolve) => (answer = resolve));
    const item = itemOf(pageOf('shed'), say.testConnection);
    draw(item);
    expect(desc()).toBe(say.testConnectionDesc);
    press(say.testConnection);
    expect([desc(), buttons()[0]?.disabled, done]).toEqual([say.testing, true, ['test shed']]);
    answer(succeed([{ name: 'small', contextWindow: 4_096 }, { name: 'big' }]));
    await eventually(() => done.includes('refresh'), 'the rows drawn anew');
    expect([desc(), buttons()[0]?.disabled]).toEqual([say.connected(2), false]);
    expect(settings.providers['shed']).toEqual(
      own({ models: ['small', 'big'], reported: { small: { contextWindow: 4_096 }, big: {} } }),
    );
    draw(item);
    expect(desc()).toBe(say.connected(2));
    draw(item);
    expect(desc()).toBe(say.testConnectionDesc);
  });

  it('R105 stores no models of an address that was edited during the test', async () => {
    await open();
    let answer = (_models: Models): void => undefined;
    tests = () => new Promise((resolve) => (answer = resolve));
    draw(itemOf(pageOf('shed'), say.testConnection));
    press(say.testConnection);
    settings = { ...settings, providers: { shed: own({ baseUrl: 'http://localhost:2' }) } };
    answer(succeed([{ name: 'small' }]));
    await eventually(() => buttons()[0]?.disabled === false, 'the end of the test');
    expect(settings.providers['shed']).toEqual(own({ baseUrl: 'http://localhost:2' }));
    expect(desc()).toBe(`${say.addressEdited} ${say.addressEditedRemedy}`);
  });

  it('R105 leaves the models alone that the user has named', async () => {
    await open({ providers: { shed: own({ models: ['big', 'mine'] }) } });
    tests = () => Promise.resolve(succeed([{ name: 'small' }, { name: 'big' }]));
    draw(itemOf(pageOf('shed'), say.testConnection));
    press(say.testConnection);
    await eventually(() => done.includes('refresh'), 'the rows drawn anew');
    expect(settings.providers['shed']).toEqual(own({ models: ['big', 'mine'], reported: { big: {} } }));
  });

  it.each<[string, Models, string]>([
    ['nothing is offered', succeed([]), words.settings.connected(0)],
    ['nobody answers', fail({ kind: 'network', words: 'No network.', remedy: 'Wait.' }), 'No network. Wait.'],
  ])('R105 says so where %s, and keeps what there was', async (_what, outcome, expected) => {
    await open();
    tests = () => Promise.resolve(outcome);
    draw(itemOf(pageOf('shed'), say.testConnection));
    press(say.testConnection);
    await eventually(() => desc() === expected, expected);
    expect([settings.providers, done, buttons()[0]?.disabled]).toEqual([{}, ['test shed'], false]);
  });
});

describe('what a provider may be sent', () => {
  const say = words.gate;
  /** The lines of the row, and its buttons. */
  const shown = (): string[][] => {
    const lines = [...draw(itemOf(pageOf('harbour'), say.row)).querySelectorAll('.setting-item-description > div')];
    return [lines.map(({ textContent }) => textContent), buttons().map(({ textContent }) => textContent)];
  };
  const provide = (changes: Partial<ProviderSettings>): void => {
    settings = { ...settings, providers: { harbour: own(changes) } };
  };

  it('goes to its own address unasked, and to another one only once it is allowed', async () => {
    await open();
    expect(shown()).toEqual([[say.goesTo('https://harbour.example'), say.noKey], []]);
    provide({ baseUrl: 'https://mine.example/v1' });
    expect(shown()).toEqual([[say.asksFirst('https://mine.example'), say.noKey], [say.allow]]);
    press(say.allow);
    expect([done.splice(0), shown()]).toEqual([
      ['refresh'],
      [[say.goesTo('https://mine.example'), say.noKey], [say.revoke]],
    ]);
    press(say.revoke);
    expect([done.splice(0), shown()[1]]).toEqual([['refresh'], [say.allow]]);
  });

  it('is its key only at the address at which that was allowed', async () => {
    await open();
    provide({ keyName: 'harbour-key' });
    const [unbound = [], offered] = shown();
    expect([unbound[1], offered]).toEqual([say.keyUnbound('harbour-key', 'https://harbour.example'), [say.allow]]);
    press(say.allow);
    const [bound = [], revocable] = shown();
    expect([bound[1], revocable]).toEqual([say.keyBound('harbour-key', 'https://harbour.example'), [say.revoke]]);
    provide({ keyName: 'harbour-key', baseUrl: 'https://mine.example' });
    expect(shown()[0]?.[1]).toBe(say.keyElsewhere('harbour-key', 'https://harbour.example'));
  });

  it('is nothing at an address that is none', async () => {
    await open();
    provide({ baseUrl: 'ftp://harbour.example' });
    expect(shown()).toEqual([[say.refusedAddress], []]);
  });

  it('is allowed from the connection test that asks for it', async () => {
    await open();
    const asked: string[] = [];
    ports = { ...ports, models: { allowAsked: ({ words: said }: { words: string }) => asked.push(said) > 0 } as never };
    const asks = (action?: 'allow-sending'): Models =>
      fail({ kind: 'refused', words: 'Send to mine?', remedy: '', ...(action && { action }) });
    const test = async (outcome: Models): Promise<string[]> => {
      tests = () => Promise.resolve(outcome);
      draw(itemOf(pageOf('harbour'), words.settings.testConnection));
      press(words.settings.testConnection);
      await eventually(() => desc()?.startsWith('Send to mine?') === true, 'why it failed');
      return buttons().map(({ textContent }) => textContent);
    };
    expect(await test(asks())).toEqual([words.settings.testConnection]);
    expect(await test(asks('allow-sending'))).toEqual([words.settings.testConnection, say.allow]);
    done = [];
    press(say.allow);
    expect([asked, done]).toEqual([['Send to mine?'], ['refresh']]);
  });
});

describe('the user’s own side of the prompt', () => {
  const say = words.ownPrompt;

  it('R263 makes a note of instructions that is missing, and opens one that is there', async () => {
    let path = 'Docent/system.md';
    const override = () => ({ place: { kind: 'vault' as const, path }, fromEnvironment: false });
    await open({}, { hasNote: (name) => name !== 'commit.md', override });
    const page = defined(instructionNotesRow);
    draw(itemOf(page, 'commit.md'));
    press(say.noteCreate);
    draw(itemOf(page, 'system.md'));
    press(say.noteOpen);
    expect(done).toEqual(['open commit.md', 'open system.md']);
    const { 'commit.md': commit, 'system.md': base, 'system-extra.md': extra } = say.noteNames;
    const descriptionOf = (name: string): string | undefined => itemOf(defined(instructionNotesRow), name).desc;
    expect([descriptionOf('commit.md'), descriptionOf('system.md'), descriptionOf('system-extra.md')]).toEqual([
      `${commit} ${say.noteMissing}`,
      `${base} ${say.noteThere}`,
      `${extra} ${say.noteThere}`,
    ]);
    path = 'Other.md';
    expect([descriptionOf('system.md'), descriptionOf('system-extra.md')]).toEqual([
      `${base} ${say.noteNotUsed}`,
      `${extra} ${say.noteThere}`,
    ]);
  });

  it('says of a note of instructions that is there why it is not used', async () => {
    let use: 'used' | 'empty' | 'waits' = 'empty';
    await open({}, { hasNote: () => true, noteUse: () => Promise.resolve(use) });
    const { 'system.md': base, 'system-extra.md': extra } = say.noteNames;
    const page = defined(instructionNotesRow);
    draw(itemOf(page, 'system-extra.md'));
    await eventually(() => desc() === `${extra} ${say.noteEmpty}`, 'that it has no text');
    use = 'waits';
    draw(itemOf(page, 'system-extra.md'));
    await eventually(() => desc() === `${extra} ${say.noteWaits}`, 'that it waits');
    use = 'used';
    draw(itemOf(page, 'system-extra.md'));
    await Promise.resolve();
    expect(desc()).toBe('');
    expect(itemOf(page, 'system.md').desc).toBe(`${base} ${say.noteNotUsed}`);
  });

  it('R101 makes the templates, chooses their mode, and opens those that are there', async () => {
    const states = [
      { tier: 1, path: 'T1.md', isThere: true, isOver: true, message: 'Too long' },
      { tier: 2, path: 'T2.md', isThere: false, isOver: false, message: 'Not there' },
    ] as const;
    await open({ mode: 'assistant' }, { templates: () => Promise.resolve(states) });
    const [item] = defined(userTemplatesRow).items!;
    draw(item!);
    await eventually(() => root.querySelectorAll('.setting-item').length === 3, 'a row for each template');
    const rows = [...root.querySelectorAll<HTMLElement>('.setting-item')].slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      `${say.templateTier(1)}Too long${say.templatesOpen}`,
      `${say.templateTier(2)}Not there`,
    ]);
    expect(rows.map((row) => row.hasClass('docent-over-budget'))).toEqual([true, false]);
    press(say.templatesOpen);
    press(say.templatesCreate);
    await eventually(() => done.includes('refresh'), 'the rows drawn anew');
    expect(done.splice(0)).toEqual(['open T1.md', 'create templates', 'refresh']);
    press(say.useMode);
    await eventually(() => done.includes('refresh'), 'the rows drawn anew');
    expect(settings.mode).toBe('user');
    draw(item!);
    expect(buttons().map(({ textContent }) => textContent)).toEqual([say.templatesCreate]);
  });

  it('R252 switches each part of the prompt, with what it costs beside it', async () => {
    let counted = 0;
    const costs: SystemPromptPorts['costs'] = () => {
      counted += 1;
      return Promise.resolve(
        counted < 3
          ? succeed([{ id: 'git', description: `${counted} tokens` }] as never)
          : fail({ kind: 'configuration', words: 'No model.', remedy: '' }),
      );
    };
    const variable = (section: string): string | null => (section === 'files' ? 'DOCENT_PROMPT_FILES' : null);
    const switchOf = (section: string) => ({ isOn: section === 'git', variable: variable(section) });
    await open({ sectionsOff: ['links'] }, { sections: ['git', 'files'], costs, switchOf });
    const page = defined(sectionSwitchesRow);
    expect(page.displayValue?.()).toBe(say.switchesOff(1));
    expect(page.items!.map(({ name }) => name)).toEqual([
      say.switchesIntro,
      words.sections['git']?.name,
      words.sections['files']?.name ?? 'files',
    ]);
    const [intro, git, files] = page.items!;
    const host = document.body.createDiv();
    const rows = [git, files].map((item) => {
      const setting = new Setting(host);
      item!.render?.(setting, { addSetting: () => undefined });
      return setting.settingEl;
    });
    const shown = (): string[] => [...host.querySelectorAll('.docent-section-cost')].map((each) => each.textContent);
    const toggles = rows.map((row) => row.querySelector<HTMLElement>('.checkbox-container')!);
    expect(shown()).toEqual([say.counting, say.counting]);
    expect(toggles.map((toggle) => [toggle.hasClass('is-enabled'), toggle.hasClass('is-disabled')])).toEqual([
      [true, false],
      [false, true],
    ]);
    draw(intro!);
    await eventually(() => shown()[0] === '1 tokens', 'the costs');
    expect(shown()[1]).toBe(say.notCounted);
    toggles[0]!.click();
    await eventually(() => shown()[0] === '2 tokens', 'the costs after the change');
    expect(settings.sectionsOff).toEqual(['links', 'git']);
    sectionSwitchesRow.changed?.(ports);
    await eventually(() => shown()[0] === say.notCounted, 'that nothing can be counted');
  });

  it('R252 counts the costs once more after quick switches, and shows no others', async () => {
    type Costs = Awaited<ReturnType<SystemPromptPorts['costs']>>;
    const answers: ((costs: Costs) => void)[] = [];
    const costs = () => new Promise<Costs>((resolve) => answers.push(resolve));
    await open({}, { sections: ['git'], costs });
    const [intro, git] = defined(sectionSwitchesRow).items!;
    draw(git!);
    intro!.render?.(new Setting(root), { addSetting: () => undefined });
    for (let flips = 0; flips < 3; flips += 1) sectionSwitchesRow.changed?.(ports);
    const answer = async (description: string): Promise<string | null | undefined> => {
      answers.shift()?.(succeed([{ id: 'git', description }] as never));
      await new Promise((resolve) => setTimeout(resolve, 0));
      return root.querySelector('.docent-section-cost')?.textContent;
    };
    expect([answers.length, await answer('older')]).toEqual([1, words.ownPrompt.counting]);
    expect([answers.length, await answer('newer')]).toEqual([1, 'newer']);
    expect(answers).toEqual([]);
    sectionSwitchesRow.changed?.(ports);
    expect([answers.length, await answer('newest')]).toEqual([1, 'newest']);
  });

  it.each([
    ['is read', systemPromptRow, 'systemPrompt', 'systemPromptPath', 'DOCENT_SYSTEM_MD'],
    ['is written', promptExportRow, 'promptExport', 'promptExportPath', 'DOCENT_WRITE_SYSTEM_MD'],
  ] as const)('R030 R044 where a prompt %s is chosen here, unless the environment says it', async (...given) => {
    const [, row, key, pathKey, variable] = given;
    let byVariable = false;
    await open(
      { [key]: 'path' },
      {
        override: () => ({ place: { kind: 'off' }, fromEnvironment: byVariable }),
        exportsByVariable: () => byVariable,
      },
    );
    const [choice, path] = defined(row).items!;
    expect(choice?.control?.options).toEqual(say.settingChoices);
    expect([choice?.control?.disabled?.(), path?.control?.disabled?.(), path?.visible?.()]).toEqual([
      false,
      false,
      true,
    ]);
    expect(choice?.desc).toContain(
      say.defaultFile(key === 'systemPrompt' ? 'Docent/system.md' : 'Docent/exports/system.md'),
    );
    expect([' a.MD ', 'a.txt', 'a.md.bak'].map((text) => path?.control?.validate?.(text))).toEqual([
      undefined,
      say.pathBad,
      say.pathBad,
    ]);
    expect(row.write(key, 'nonsense', ports)).toEqual({ [key]: 'off' });
    expect(row.write(pathKey, ' In/a.md ', ports)).toEqual({ [pathKey]: 'In/a.md' });
    row.changed?.(ports);
    expect(done).toEqual(['refresh']);
    settings = { ...settings, [key]: 'default' };
    expect(path?.visible?.()).toBe(false);
    byVariable = true;
    const [decided, elsewhere] = defined(row).items!;
    expect([decided?.control?.disabled?.(), elsewhere?.control?.disabled?.()]).toEqual([true, true]);
    expect(decided?.desc).toBe(say.byVariable(variable));
  });

  it('R031 asks at once whether a file outside the vault may be used', async () => {
    const place = { kind: 'outside', path: '/home/me/system.md' } as const;
    await open({}, { override: () => ({ place, fromEnvironment: false }) });
    systemPromptRow.changed?.(ports);
    expect(done).toEqual(['refresh', 'allow']);
  });

  it('R031 asks about a file outside the vault once its path is typed, and not at each key', async () => {
    const place = { kind: 'outside', path: '/home/me/system.md' } as const;
    await open({}, { override: () => ({ place, fromEnvironment: false }) });
    jest.useFakeTimers();
    for (let key = 0; key < 3; key += 1) {
      systemPromptRow.changed?.(ports, 'systemPromptPath');
      jest.advanceTimersByTime(500);
    }
    const whileTyping = [...done];
    jest.advanceTimersByTime(500);
    jest.useRealTimers();
    expect(whileTyping).toEqual([]);
    expect(done).toEqual(['allow']);
  });
});

describe('a row with a button', () => {
  const notices = (): string[] =>
    [...document.querySelectorAll('.notice-message')].map(({ textContent }) => textContent);
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  const suggestions = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.suggestion-item')];

  it('takes back what the user said of a note, and counts what is left', async () => {
    const say = words.keeping;
    await open();
    let said = [
      { path: 'Own.md', is: 'own' },
      { path: 'Web', is: 'others' },
      { path: 'Mail', is: 'others' },
    ];
    Object.assign(ports, {
      provenance: {
        get said() {
          return said;
        },
        refresh: () => Promise.resolve(void done.push('refresh')),
        say: (path: string, is: string | null) => {
          done.push(`${path} is ${is}`);
          said = said.filter((each) => each.path !== path);
        },
      },
    });
    draw(defined(provenanceRow));
    expect(defined(provenanceRow).desc).toBe(say.saidDesc(1, 2));
    press(say.saidChange);
    await settle();
    expect(suggestions().map(({ textContent }) => textContent)).toEqual([
      ...[say.saidItem.own('Own.md'), say.saidItem.others('Web'), say.saidItem.others('Mail')],
    ]);
    suggestions()[1]?.click();
    await settle();
    expect([done, desc()]).toEqual([['refresh', 'refresh', 'Web is null'], say.saidDesc(1, 1)]);
    press(say.saidChange);
    await settle();
    document.querySelector<HTMLElement>('.modal-bg')?.click();
    await settle();
    expect(done).toEqual(['refresh', 'refresh', 'Web is null', 'refresh']);
    Object.assign(ports, { provenance: undefined });
    expect(defined(provenanceRow).desc).toBe(say.saidDesc(0, 0));
  });

  it('offers to take something back only once the user said something, also on another device', async () => {
    const say = words.keeping;
    await open();
    const said: object[] = [];
    let read = (): void => {};
    const refresh = (): Promise<null> => new Promise((resolve) => (read = () => resolve(null)));
    Object.assign(ports, { provenance: { said, refresh, say: () => undefined } });
    draw(defined(provenanceRow));
    const isDisabled = (): boolean | undefined =>
      buttons().find((each) => each.textContent === say.saidChange)?.disabled;
    expect(isDisabled()).toBe(true);
    said.push({ path: 'Own.md', is: 'own' });
    read();
    await settle();
    expect([isDisabled(), desc()]).toEqual([false, say.saidDesc(1, 0)]);
  });

  it('tidies up the journal, says what went wrong, and removes what other devices left once it is confirmed', async () => {
    const say = words.diagnostics.writes;
    await open();
    const refused = { kind: 'storage', words: 'No room.', remedy: '' } as const;
    let pruned: Outcome<unknown> = fail(refused);
    let retired: Outcome<unknown> = succeed({ devices: 0, bytes: 0 });
    const measured = { operations: 2, bytes: 0, oldest: null, limitDays: 30, limitBytes: 1, otherBytes: 0 };
    const journal = {
      usage: () => null,
      measure: () => Promise.resolve(measured),
      prune: () => Promise.resolve(pruned),
      retired: (removes: boolean) => {
        done.push(`retired ${removes}`);
        return Promise.resolve(retired);
      },
    };
    Object.assign(ports, { journal });
    draw(defined(journalRow));
    expect(defined(journalRow).desc).toBe(say.usage(null));
    const labels = (): (string | null)[] => buttons().map(({ textContent }) => textContent);
    await settle();
    // What was measured last is old once a change was written.
    expect(desc()).toBe(say.usage(measured));
    press(words.keeping.prune);
    await settle();
    expect([labels(), notices(), done]).toEqual([[words.keeping.prune], ['No room.'], ['retired false']]);
    const usage = { entries: 3, bytes: 4_000, oldest: null } as never;
    pruned = succeed(usage);
    retired = succeed({ devices: 2, bytes: 9 });
    press(words.keeping.prune);
    await settle();
    press(words.keeping.prune);
    await settle();
    const remove = words.keeping.removeRetired(2);
    expect([labels(), desc(), notices().length]).toEqual([[words.keeping.prune, remove], say.usage(usage), 1]);
    done.length = 0;
    const question = words.keeping.removeRetiredQuestion({ devices: 2, bytes: 9 });
    const answer = async (label: string): Promise<void> => {
      press(remove);
      await settle();
      const choices = [...document.querySelectorAll<HTMLElement>('.modal button')];
      choices.find(({ textContent }) => textContent === label)?.click();
      await settle();
    };
    await answer(words.prompts.cancel);
    expect([done, labels().length]).toEqual([[], 2]);
    retired = fail(refused);
    await answer(question.action);
    expect([done, labels().length, notices().length]).toEqual([['retired true'], 2, 2]);
    retired = succeed({ devices: 0, bytes: 0 });
    await answer(question.action);
    expect([done, labels()]).toEqual([['retired true', 'retired true', 'retired false'], [words.keeping.prune]]);
  });

  it('shows the files that direct Docent, and counts them as they are by now', async () => {
    await open();
    let allowed = 1;
    const files = {
      allowed: () => Array.from({ length: allowed }),
      waiting: () => [{ isDeclined: false }, { isDeclined: true }],
      refresh: () => Promise.resolve(void (allowed = 2)),
    };
    Object.assign(ports, { instructions: { files, review: (isWhole: boolean) => done.push(`review ${isWhole}`) } });
    const say = words.instructions;
    const row = defined(instructionFilesRow);
    expect(row.desc).toBe(say.desc(1, 1));
    draw(row);
    await settle();
    expect(desc()).toBe(say.desc(2, 1));
    press(say.show);
    expect(done).toEqual(['review true']);
    Object.assign(ports, { instructions: undefined });
    expect(defined(instructionFilesRow).desc).toBe(say.desc(0, 0));
  });

  it('searches for a model where they are many, and changes nothing if none is chosen', async () => {
    const models = Array.from({ length: 2_000 }, (_, at) => `model-${at}`);
    await open({ model: 'harbour/model-7', providers: { harbour: own({ models }) } });
    let chosen: string | null = null;
    Object.assign(ports, { searchModels: () => Promise.resolve(chosen) });
    draw(defined(modelRow));
    const [button] = buttons();
    expect(button?.textContent).toContain('model-7');
    button?.click();
    await settle();
    expect([settings.model, done]).toEqual(['harbour/model-7', []]);
    chosen = 'harbour/model-8';
    button?.click();
    await settle();
    expect([settings.model, done]).toEqual(['harbour/model-8', ['refresh']]);
  });

  it('R249 has a searched model for the provider of many, and for those of its models that are in use', async () => {
    const models = Array.from({ length: 2_000 }, (_, at) => `model-${at}`);
    const compactionModels = { 'harbour/model-3': 'harbour/model-9', 'harbour/missing': 'harbour/model-9' };
    await open({ model: 'harbour/model-7', providers: { harbour: own({ models }) }, compactionModels });
    const say = words.status.settings;
    const lines = (): readonly Drawn[] => defined(compactionModelsRow).items ?? [];
    const line = (name: string): void => {
      root.empty();
      const found = lines().find((each) => each.name === name);
      if (found === undefined) throw new Error(`There is no line ${name}.`);
      draw(found);
    };
    expect(lines().map(({ name }) => name)).toEqual([say.modelsOf('Harbour'), 'Harbour: model-3', 'Harbour: model-7']);
    let chosen: string | null = null;
    Object.assign(ports, { searchModels: () => Promise.resolve(chosen) });
    line(say.modelsOf('Harbour'));
    expect(buttons().map(({ textContent }) => textContent)).toEqual([say.modelsSame]);
    buttons()[0]?.click();
    await settle();
    expect([settings.compactionModels, done]).toEqual([compactionModels, []]);
    chosen = 'harbour/model-8';
    buttons()[0]?.click();
    await settle();
    expect([settings.compactionModels, done]).toEqual([{ ...compactionModels, harbour: chosen }, ['refresh']]);
    line('Harbour: model-3');
    expect(buttons()[0]?.textContent).toBe('Harbour: model-9');
    root.querySelector<HTMLElement>('.extra-setting-button')?.click();
    await settle();
    expect(Object.keys(settings.compactionModels)).toEqual(['harbour/missing', 'harbour']);
  });

  it('makes a note to begin with, or opens the one that is there', async () => {
    await open();
    const say = words.starters;
    const starters = {
      isThere: (kind: string) => kind === 'memory',
      start: (kind: string) => Promise.resolve(void done.push(`start ${kind}`)),
    };
    Object.assign(ports, { starters });
    for (const [name, label, kind] of [
      [say.rows.memory.name, say.open, 'memory'],
      [say.rows['context-file'].name, say.create, 'context-file'],
    ] as const) {
      draw(itemOf(defined(startersRow), name));
      press(label);
      expect(done.pop()).toBe(`start ${kind}`);
    }
  });
});
