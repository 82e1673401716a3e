/** @jest-environment jsdom */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { Platform } from 'obsidian';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { act } from 'preact/test-utils';
import type { Candidate, MentionSource } from '../../../../src/core/mentions/mention-source';
import type { Mention } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { openerOf } from '../../../../src/ui/mentions/chips';
import type { TestPromptsPorts } from '../../../support/prompts-ports';
import { type OpenedComposer, openComposer } from './open-composer';

const files = {
  'Harbour.md': '# Pontoons\nText ^p1\n',
  'Boats/Heron.md': '# Keel\n#boat\n',
  'Birds/Heron.md': '# Nest\n',
  'Docent/prompts/Plan.md': '---\nname: Plan my week\ndescription: Seven days\n---\n',
  'Docent/workspaces/Boat.md': '',
};

let composer: OpenedComposer;

beforeEach(async () => {
  await createTestApp({ bare: true });
  composer = await openComposer(files);
});
afterEach(closeTestApps);
passTimeQuickly();

const popup = (): Element | null => composer.root.querySelector('.docent-popup');
const chipNamed = (name: string): Element | null =>
  [...composer.root.querySelectorAll('.docent-chip')].find((chip) => chip.textContent === name) ?? null;

it.each([
  ['in a window', false],
  ['but not on a phone, where it would open the keyboard', true],
])('takes the focus when it is shown %s', async (_where, isMobile) => {
  const platform = jest.replaceProperty(Platform, 'isMobile', isMobile);
  (document.activeElement as HTMLElement).blur();
  const { input } = await openComposer(files);
  expect(document.activeElement === input).toBe(!isMobile);
  platform.restore();
});

it('R175 attaches one of each kind, and each name takes its chip with it', async () => {
  const typed = [
    '[[harb',
    '[[boats/her',
    '[[Harbour#',
    '[[Harbour#^',
    '[[boats/',
    '[[#boat',
    '@plan',
    '#boa',
    '/search',
  ];
  const kinds = ['note', 'note', 'heading', 'block', 'folder', 'tag', 'prompt', 'workspace', 'tool'];
  for (const text of typed) {
    const at = text === '[[boats/' ? 'Boats/' : null;
    await composer.type(composer.input.value + text);
    if (at === null) await composer.press('Enter');
    else {
      const line = [...composer.root.querySelectorAll('.docent-popup-item')].find((one) =>
        one.textContent.startsWith(at),
      );
      await composer.click(line ?? null);
    }
    expect(popup()).toBeNull();
  }
  expect(composer.model.mentions.value.map(({ kind }) => kind)).toEqual(kinds);
  expect(composer.input.value).toBe(
    '[[Harbour]] [[Boats/Heron]] [[Harbour#Pontoons]] [[Harbour#^p1]] [[Boats/]] [[#boat]] @Plan my week #Boat /search_notes ',
  );
  expect(composer.model.mentions.value.map(({ id }) => id)).toEqual([
    'Harbour.md',
    'Boats/Heron.md',
    'Harbour.md#Pontoons',
    'Harbour.md#^p1',
    'Boats',
    '#boat',
    'Docent/prompts/Plan.md',
    'Docent/workspaces/Boat.md',
    'search_notes',
  ]);
  await composer.type(composer.input.value.replace('@Plan my week ', '').replace('#Boat ', ''));
  expect(composer.chips()).not.toContain('Plan my week');
  expect(composer.chips()).not.toContain('Boat');
  expect(composer.chips()).toHaveLength(7);
  await composer.click(chipNamed('#boat')?.querySelector('.docent-chip-remove') ?? null);
  expect(composer.input.value).not.toContain('[[#boat]]');
  expect(composer.chips()).toHaveLength(6);
});

it('R175 moves by arrows around the list, over all its groups', async () => {
  await composer.type('[[boat');
  expect(composer.lines()).toEqual(['[Boat]', 'Boats/', 'Heron', 'Boat', '#boat']);
  const headings = [...composer.root.querySelectorAll('.docent-popup-heading')].map((one) => one.textContent);
  expect(headings).toEqual(['Workspaces', 'Folders', 'Notes', 'Tags']);
  await composer.press('ArrowUp');
  expect(composer.lines().at(-1)).toBe('[#boat]');
  expect(composer.input.getAttribute('aria-activedescendant')).toBe('docent-suggestion-4');
  for (let presses = 0; presses < 3; presses += 1) await composer.press('ArrowDown');
  await composer.press('Tab');
  expect(composer.input.value).toBe('[[Boats/Heron]] ');
});

it('R175 shows second lines and what is typed for a tool', async () => {
  await composer.type('[[boat');
  const details = [...composer.root.querySelectorAll('.docent-popup-detail')].map((one) => one.textContent);
  expect(details).toEqual(['Folder, 1 note', 'Boats', 'Docent/workspaces', 'Tag, 1 note']);
  await composer.type('@plan');
  expect(composer.root.querySelector('.docent-popup-detail')?.textContent).toBe('Seven days');
  await composer.type('/search');
  expect(composer.root.querySelector('.docent-popup-typed')?.textContent).toBe('/search_notes');
});

it('R175 attaches the note of a link that is typed to its end, as one that was chosen', async () => {
  const { type, chips, press, model } = await openComposer({ 'Heron.md': '', 'Tern.md': '' });
  await type('See [[Heron]');
  expect(chips()).toEqual([]);
  await type('See [[Heron]]');
  expect(model.mentions.value).toEqual([{ kind: 'note', id: 'Heron.md', label: 'Heron' }]);
  await type('See [[Heron]] and [[Heron]] and ');
  await type('See [[Heron]] and [[Heron]] and [[Tern]]');
  expect(model.mentions.value.map(({ id }) => id)).toEqual(['Heron.md', 'Tern.md']);
  await type('See [[Tern]]');
  expect(model.mentions.value.map(({ id }) => id)).toEqual(['Tern.md']);
  await press('Enter');
  expect(model.state.value?.items[0]).toMatchObject({ text: 'See [[Tern]]', mentions: [{ id: 'Tern.md' }] });
});

it('R175 attaches the note of a link with another text to show, under its own name', async () => {
  const { type, chips, press, model, root } = await openComposer({ 'Heron.md': '' });
  await type('See [[Heron|the boat]|');
  await type('See [[Heron|the boat]]|');
  expect(chips()).toEqual(['Heron']);
  await type('See [[her|the boat|');
  expect(chips()).toEqual([]);
  await press('Enter');
  expect([chips(), model.text.value]).toEqual([['Heron'], 'See [[Heron|the boat]] ']);
  const remove = root.querySelector('.docent-chip-remove:last-child');
  expect(remove?.getAttribute('aria-label')).toBe(words.chatView.removeAttachment('Heron'));
  await press('Enter');
  expect(model.state.value?.items[0]).toMatchObject({
    text: 'See [[Heron|the boat]]',
    mentions: [{ kind: 'note', id: 'Heron.md' }],
  });
});

it('keeps the rest of the text, and the brackets that an editor closed', async () => {
  await composer.type('see [[harb|]] and more');
  await composer.press('Enter');
  expect(composer.input.value).toBe('see [[Harbour]] and more');
  expect(composer.input.selectionStart).toBe('see [[Harbour]] '.length);
});

it('puts a prompt with its arguments only into the text in which it was chosen', async () => {
  const { model, input } = composer;
  const name = { id: 'mail/sort', name: 'Sort', source: 'mcp', serverName: 'mail', content: '' } as const;
  const days = { name: 'days', description: '', required: true };
  (model.ports.prompts as TestPromptsPorts).registry.register({ ...name, arguments: [days], registeredAt: 0 });
  let fill = (): void => {};
  const fillPrompt = () =>
    new Promise((resolve) => (fill = () => resolve({ kind: 'prompt', id: 'mail/sort', label: 'Sort' })));
  Object.assign(model.ports, { fillPrompt });
  await composer.type('/sort');
  expect(composer.lines()).toEqual(['[Sort]']);
  await composer.press('Enter');
  await composer.type('/sort| by day');
  fill();
  await composer.vaultChanged();
  expect([input.value, composer.chips()]).toEqual(['/Sort by day', ['Sort']]);
  await composer.type('Then /sort');
  await composer.press('Enter');
  await composer.type('In another chat');
  fill();
  await composer.vaultChanged();
  expect([input.value, composer.chips()]).toEqual(['In another chat', []]);
});

it('R084 runs a command and takes its text away', async () => {
  await composer.type('keep this /prom| and that');
  await composer.press('Enter');
  expect(composer.done).toEqual(['prompt']);
  expect(composer.input.value).toBe('keep this and that');
  expect(composer.chips()).toEqual([]);
  for (const text of ['/new', '/settings', '/bug']) {
    await composer.type(text);
    await composer.press('Enter');
  }
  expect(composer.done).toEqual(['prompt', 'new chat', 'settings', 'diagnostics']);
});

it('R084 puts a command that takes words into the box, offers what may follow, and says what was chosen', async () => {
  await composer.type('keep this /mod');
  await composer.press('Enter');
  expect(composer.input.value).toBe('/mode ');
  expect(document.activeElement).toBe(composer.input);
  expect(composer.input.selectionStart).toBe('/mode '.length);
  expect(composer.lines().length).toBeGreaterThan(1);
  const notices = (): string[] => [...document.querySelectorAll('.notice-message')].map((each) => each.textContent);
  const choose = jest.spyOn(composer.model, 'choose').mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  for (const expected of [[], [words.chatView.modeNow(words.settings.modes.assistant)]]) {
    await composer.type('/mode assistant');
    await composer.press('Escape');
    await composer.press('Enter');
    expect([notices(), composer.input.value]).toEqual([expected, '']);
  }
  expect(choose.mock.calls).toEqual([[{ mode: 'assistant' }], [{ mode: 'assistant' }]]);
});

it('R084 shows help until Escape, which gives the focus back', async () => {
  await composer.type('/help');
  await composer.press('Enter');
  const help = composer.root.querySelector('.docent-help');
  expect(help?.textContent).toContain('/settings');
  expect(document.activeElement).toBe(help);
  await composer.press('Escape');
  expect(composer.root.querySelector('.docent-help')).toBeNull();
  expect(document.activeElement).toBe(composer.input);
});

it('closes help when another chat is opened', async () => {
  await composer.type('/help');
  await composer.press('Enter');
  await act(() => composer.model.open('c2'));
  expect(composer.root.querySelector('.docent-help')).toBeNull();
});

it('R175 stays closed after Escape until another mention is begun', async () => {
  await composer.type('a #bo');
  expect(await composer.press('Escape')).toBe(true);
  expect(popup()).toBeNull();
  await composer.type('a #boa');
  expect(popup()).toBeNull();
  await composer.type('a #boa [[');
  expect(popup()).not.toBeNull();
  await composer.type('a');
  await composer.type('a #b');
  expect(popup()).not.toBeNull();
});

it('keeps Escape from the app only where it closes something', async () => {
  const heard: string[] = [];
  composer.root.addEventListener('keydown', ({ key }) => void heard.push(key));
  await composer.type('a #bo');
  await composer.press('Escape');
  expect([popup(), heard]).toEqual([null, []]);
  expect(await composer.press('Escape')).toBe(false);
  expect(heard).toEqual(['Escape']);
  await composer.type('/help');
  await composer.press('Enter');
  heard.splice(0);
  expect(await composer.press('a')).toBe(false);
  expect(composer.root.querySelector('.docent-help')).not.toBeNull();
  expect(await composer.press('Escape')).toBe(true);
  expect(heard).toEqual(['a']);
  await composer.type('/help');
  await composer.press('Enter');
  await composer.type('and on');
  expect(composer.root.querySelector('.docent-help')).toBeNull();
});

it('leaves Enter to an input method, and to sending when nothing matches', async () => {
  await composer.type('[[harb');
  expect(await composer.press('Enter', { isComposing: true })).toBe(false);
  expect(await composer.press('Process')).toBe(false);
  // Safari says of the Enter that ends a composition only this, and that it has ended.
  expect(await composer.press('Enter', { keyCode: 229 })).toBe(false);
  expect(composer.input.value).toBe('[[harb');
  await composer.type('tell me about #nothing');
  expect(popup()?.textContent).toContain('No workspace matches.');
  await composer.press('Enter');
  expect(composer.model.state.value?.items[0]).toMatchObject({ type: 'user', text: 'tell me about #nothing' });
});

it('begins a line at Shift+Enter even while a list is open', async () => {
  await composer.type('[[harb');
  expect(await composer.press('Enter', { shiftKey: true })).toBe(false);
  expect(composer.chips()).toEqual([]);
});

it('begins a line at Return on a phone once that is chosen, and sends by its button, also while an answer runs', async () => {
  const { input, model, press, root, click, type } = composer;
  const { settings } = model.ports;
  const chosen = jest.spyOn(model.ports, 'settings').mockImplementation(() => ({ ...settings(), phoneNewLine: true }));
  const buttons = (): string[] =>
    [...root.querySelectorAll('.docent-send')].map((button) => button.getAttribute('aria-label') ?? '');
  await type('One');
  expect(input.getAttribute('enterkeyhint')).toBe('send');
  const phone = jest.replaceProperty(Platform, 'isPhone', true);
  await type('Two');
  expect(input.getAttribute('enterkeyhint')).toBe('enter');
  expect(await press('Enter')).toBe(false);
  expect(model.state.value?.items).toEqual([]);
  await click(root.querySelector('.docent-send'));
  expect(model.state.value?.items[0]).toMatchObject({ type: 'user', text: 'Two' });
  const state = model.state.value;
  act(() => void (model.state.value = state && { ...state, running: true }));
  expect(buttons()).toEqual([words.chatView.stop]);
  await type('Three');
  expect(buttons()).toEqual([words.chatView.stop, words.chatView.send]);
  chosen.mockRestore();
  await type('Four');
  expect(buttons()).toEqual([words.chatView.stop]);
  phone.restore();
});

it('names in its help the keys that there are', async () => {
  const { helpKeys, helpReturn } = words.chatView;
  const keys = async (): Promise<string[]> => {
    await composer.type('/help');
    await composer.press('Enter');
    const shown = [...composer.root.querySelectorAll('.docent-help kbd')].map(({ textContent }) => textContent);
    await composer.press('Escape');
    return shown.filter((key) => [...helpKeys, helpReturn].some((row) => row.keys === key));
  };
  expect(await keys()).toEqual(helpKeys.map((row) => row.keys));
  const phone = jest.replaceProperty(Platform, 'isPhone', true);
  expect(await keys()).toEqual([helpReturn.keys]);
  phone.restore();
});

it('R175 attaches again what comes back into the box, until its message is sent', async () => {
  const { type, chips, press, click, root } = composer;
  await type('@plan');
  await press('Enter');
  await type('Now ');
  expect(chips()).toEqual([]);
  await type('Now @Plan my week ');
  expect(chips()).toEqual(['Plan my week']);
  await click(root.querySelector('.docent-chip-remove'));
  await type('Now @Plan my week ');
  expect(chips()).toEqual([]);
  await type('@plan');
  await press('Enter');
  await press('Enter');
  await type('@Plan my week ');
  expect(chips()).toEqual([]);
});

it('R175 shows what has gone, and does not make it anew', async () => {
  await composer.type('[[harb');
  await composer.press('Enter');
  await composer.click(chipNamed('Harbour')?.querySelector('.docent-chip-name') ?? null);
  expect(composer.done).toEqual(['open Harbour.md']);
  expect(chipNamed('Harbour')?.getAttribute('title')).toBe('Harbour.md');
  composer.vault.remove('Harbour.md');
  await composer.vaultChanged();
  const chip = chipNamed('Harbour');
  expect(chip?.hasClass('is-missing')).toBe(true);
  expect(chip?.getAttribute('title')).toBe('Harbour was deleted, renamed, or moved.');
  expect(chip?.querySelector<HTMLButtonElement>('.docent-chip-name')?.disabled).toBe(true);
  const mention = composer.model.mentions.value[0];
  if (mention !== undefined) openerOf(mention, composer.model.ports)?.();
  expect(composer.done).toEqual(['open Harbour.md']);
  expect(document.body.textContent).toContain('Harbour was deleted, renamed, or moved.');
  composer.vault.put('Harbour.md', '');
  await composer.vaultChanged();
  expect(chipNamed('Harbour')?.hasClass('is-missing')).toBe(false);
});

it('R175 opens places in notes, and nothing for folders, tags and tools', () => {
  const opener = (kind: 'heading' | 'block' | 'folder' | 'tag' | 'tool', id: string) =>
    openerOf({ kind, id, label: id }, composer.model.ports);
  opener('heading', 'Harbour.md#Pontoons')?.();
  opener('block', 'Harbour.md#^p1')?.();
  expect(composer.done).toEqual(['open Harbour.md#Pontoons', 'open Harbour.md#^p1']);
  expect([opener('folder', 'Boats'), opener('tag', '#boat'), opener('tool', 'search_notes')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('R218 opens the sent copy of an image that was pasted, or that is not in the vault any more', () => {
  const { ports } = composer.model;
  const image = { digest: 'ab', mimeType: 'image/png', width: 1, height: 1, bytes: 1 } as unknown as Mention['image'];
  const open = (id: string): void =>
    openerOf({ kind: 'image', id, label: 'boat', ...(image && { image }) }, {
      ...ports,
      images: { ...ports.images, pathOf: ({ digest }: { digest: string }) => `Docent/images/${digest}.png` },
    } as typeof ports)?.();
  open('Harbour.md');
  open('Gone.png');
  expect(composer.done).toEqual(['open Harbour.md', 'open Docent/images/ab.png']);
});

it('R175 chooses what fits the text even before the list is drawn', async () => {
  const { input } = composer;
  for (const text of ['[[', '[[h', '[[harb']) {
    input.value = text;
    input.setSelectionRange(text.length, text.length);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  expect(await composer.press('Enter')).toBe(true);
  expect(input.value).toBe('[[Harbour]] ');
  expect(composer.chips()).toEqual(['Harbour']);
});

it('says to those who hear the box whether a list is open, and which line is selected', async () => {
  const status = composer.root.querySelector('.docent-composer > [role=status]');
  const state = (): (string | null | undefined)[] => [
    status?.textContent,
    ...['aria-controls', 'aria-activedescendant'].map((name) => composer.input.getAttribute(name)),
  ];
  expect(state()).toEqual(['', null, null]);
  // A box of several lines must not be a combobox, nor expanded.
  expect([composer.input.role, composer.input.getAttribute('aria-expanded')]).toEqual([null, null]);
  await composer.type('[[her');
  const selected = composer.root.querySelector('[role=option][aria-selected=true]');
  const count = composer.root.querySelectorAll('[role=option]').length;
  expect(state()).toEqual([words.chatView.suggestionCount(count), 'docent-suggestions', selected?.id]);
  expect(composer.root.querySelector('#docent-suggestions')?.getAttribute('role')).toBe('listbox');
  await composer.press('Escape');
  expect(state()).toEqual(['', null, null]);
});

it('says how a link goes on, and marks the hint that is about keys alone, which a phone has none of', async () => {
  const hint = (): Element | null => composer.root.querySelector('.docent-popup-hint');
  await composer.type('[[her');
  expect([hint()?.textContent.includes(words.chatView.linkHint), hint()?.hasClass('is-keys-only')]).toEqual([
    true,
    false,
  ]);
  await composer.type('');
  await composer.type('/plan');
  expect([hint()?.textContent.includes(words.chatView.linkHint), hint()?.hasClass('is-keys-only')]).toEqual([
    false,
    true,
  ]);
  await composer.type('');
  await composer.type('[[nothing at all');
  expect([composer.root.querySelector('.docent-popup-empty')?.textContent, hint()]).toEqual(['No results.', null]);
});

it('says that there is nothing once it has looked', async () => {
  const empty = await openComposer({});
  await empty.type('[[');
  const said = ['.docent-popup-empty', '.docent-composer > [role=status]'].map(
    (where) => empty.root.querySelector(where)?.textContent,
  );
  expect(said).toEqual(['No notes yet.', 'No notes yet.']);
});

it('leaves the box as it is when the arguments of a prompt are not given, with the focus in it', async () => {
  const { model, input } = composer;
  const name = { id: 'mail/sort', name: 'Sort', source: 'mcp', serverName: 'mail', content: '' } as const;
  const days = { name: 'days', description: '', required: true };
  (model.ports.prompts as TestPromptsPorts).registry.register({ ...name, arguments: [days], registeredAt: 0 });
  Object.assign(model.ports, { fillPrompt: () => Promise.resolve(null) });
  await composer.type('/sort');
  input.blur();
  await composer.type('/sort');
  await composer.click(composer.root.querySelector('.docent-popup-item'));
  expect([input.value, composer.chips(), document.activeElement]).toEqual(['/sort', [], input]);
});

it('goes past the end of the list to its start, and leaves Tab with Shift to the app', async () => {
  await composer.type('[[her');
  const { length } = composer.lines();
  expect(length).toBeGreaterThan(1);
  for (let presses = 0; presses < length; presses += 1) await composer.press('ArrowDown');
  expect(composer.lines()[0]).toMatch(/^\[/);
  expect(await composer.press('Tab', { shiftKey: true })).toBe(false);
  expect([composer.input.value, composer.chips()]).toEqual(['[[her', []]);
});

it('takes one space after the cursor along, so that none is doubled', async () => {
  await composer.type('see [[harb| and more');
  await composer.press('Enter');
  expect(composer.input.value).toBe('see [[Harbour]] and more');
  await composer.type('with #boa| and more');
  await composer.press('Enter');
  expect(composer.input.value).toBe('with #Boat and more');
});

it('does not take the focus from the box at a press on a line, which would close the list', async () => {
  await composer.type('[[harb');
  const line = composer.root.querySelector('.docent-popup-item');
  const press = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
  line?.dispatchEvent(press);
  expect(press.defaultPrevented).toBe(true);
  await composer.click(line);
  expect(composer.chips()).toEqual(['Harbour']);
});

describe('a source that is prepared while the user types', () => {
  const offered: Candidate[] = [];
  let prepared: () => void;
  const lineOf = (label: string): Candidate => ({ mention: { kind: 'tag', id: label, label }, detail: '' });
  const source: MentionSource = {
    ...{ id: 'tag', kind: 'tag', triggers: ['#'] },
    prepare: () => new Promise<boolean>((resolve) => (prepared = () => resolve(false))),
    offer: () => ({ candidates: [...offered], query: '' }),
  } as unknown as MentionSource;

  beforeEach(() => {
    offered.splice(0, offered.length, lineOf('b'), lineOf('c'));
    Object.assign(composer.model.ports, { mentionSources: [source] });
  });

  it('keeps the line selected as others appear around it', async () => {
    await composer.type('#');
    await composer.press('ArrowDown');
    expect(composer.lines()).toEqual(['b', '[c]']);
    offered.unshift(lineOf('a'));
    prepared();
    await composer.vaultChanged();
    expect(composer.lines()).toEqual(['a', 'b', '[c]']);
  });

  it('stays closed if it was closed before the source was ready', async () => {
    await composer.type('#');
    await composer.press('Escape');
    prepared();
    await composer.vaultChanged();
    expect(popup()).toBeNull();
  });

  it('says that it is being looked for while there is nothing yet', async () => {
    offered.splice(0);
    await composer.type('#');
    const said = (): string | undefined => composer.root.querySelector('.docent-popup-empty')?.textContent;
    expect(said()).toBe(words.chatView.suggestionsPrepared);
    prepared();
    await composer.vaultChanged();
    expect(said()).toBe(words.chatView.nothingToSuggest.tag());
  });
});
