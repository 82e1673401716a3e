/** @jest-environment jsdom */
import type { SettingDefinitionItem } from 'obsidian';
import { names, resetWorld, row, show, showTab, Tab, world } from './settings-tab-stage';
import { find, press, settle, texts, type } from './stage';

beforeEach(resetWorld);

describe('binding', () => {
  test('every control shows what plugin.settings holds, else its default', () => {
    Object.assign(world.settings, {
      note: 'two\nlines',
      many: 4,
      level: 30,
      mode: 'b',
      path: 'Inbox/First.md',
      tint: '#112233',
    });
    show(() => [
      { name: 'On', control: { type: 'toggle', key: 'on' } },
      { name: 'Word', control: { type: 'text', key: 'word' } },
      { name: 'Note', control: { type: 'textarea', key: 'note', rows: 5 } },
      { name: 'Many', control: { type: 'number', key: 'many', min: 1, max: 9 } },
      { name: 'Level', control: { type: 'slider', key: 'level', min: 0, max: 50, step: 10 } },
      { name: 'Mode', control: { type: 'dropdown', key: 'mode', options: { a: 'A', b: 'B' } } },
      { name: 'Path', control: { type: 'file', key: 'path' } },
      { name: 'Tint', control: { type: 'color', key: 'tint' } },
      { name: 'Unset', control: { type: 'text', key: 'unset', defaultValue: 'fallback', placeholder: 'Type' } },
    ]);
    const values = Array.from(
      document.querySelectorAll<HTMLInputElement>('input:not([type=checkbox]), textarea, select'),
    );
    expect(values.map((el) => el.value)).toEqual([
      'seven',
      'two\nlines',
      '4',
      '30',
      'b',
      'Inbox/First.md',
      '#112233',
      'fallback',
    ]);
    expect(find('.checkbox-container').classList.contains('is-enabled')).toBe(true);
    expect(find<HTMLTextAreaElement>('textarea').rows).toBe(5);
    expect(find<HTMLInputElement>('input[type=number]').max).toBe('9');
  });

  test('a change is written to plugin.settings and saved', async () => {
    show(() => [{ name: 'Word', control: { type: 'text', key: 'word' } }]);
    type(find('input'), 'eight');
    await settle();
    expect(world.settings['word']).toBe('eight');
    expect(world.saved).toEqual([{ on: true, word: 'eight' }]);
  });

  test('a number that cannot be read falls back to the default, else 0', async () => {
    show(() => [
      { name: 'A', control: { type: 'number', key: 'a', defaultValue: 5 } },
      { name: 'B', control: { type: 'number', key: 'b' } },
    ]);
    type(find('input', row('A')), '');
    type(find('input', row('B')), '');
    await settle();
    expect([world.settings['a'], world.settings['b']]).toEqual([5, 0]);
    type(find('input', row('B')), '2.5');
    await settle();
    expect(world.settings['b']).toBe(2.5);
  });

  test('getControlValue and setControlValue can be overridden', async () => {
    const tab = new Tab();
    const store: Record<string, unknown> = { 'deep.key': 'from below' };
    tab.getControlValue = (key) => store[key];
    tab.setControlValue = async (key, value) => void (store[key] = value);
    tab.define = () => [{ name: 'Deep', control: { type: 'text', key: 'deep.key' } }];
    showTab(tab);
    expect(find<HTMLInputElement>('input').value).toBe('from below');
    type(find('input'), 'new');
    await settle();
    expect(store).toEqual({ 'deep.key': 'new' });
    expect(world.saved).toEqual([]);
  });

  test('a plugin that never assigned its settings gets a clear error instead of a silent loss', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const tab = new Tab();
    tab.plugin.settings = undefined;
    tab.define = () => [{ name: 'Word', control: { type: 'text', key: 'word' } }];
    showTab(tab);
    type(find('input'), 'x');
    await settle();
    expect(String(error.mock.calls[0]?.[1])).toContain('plugin.settings');
    error.mockRestore();
  });

  test('file and folder inputs suggest filtered paths of the vault and save the one chosen', async () => {
    show(() => [
      { name: 'File', control: { type: 'file', key: 'file', filter: (file) => file.path.endsWith('.md') } },
      { name: 'Folder', control: { type: 'folder', key: 'folder', includeRoot: true } },
    ]);
    type(find('input', row('File')), 'plan');
    expect(texts('.suggestion-item')).toEqual(['Projects/Plan.md']);
    press('Enter', {}, document);
    find('input', row('File')).focus();
    type(find('input', row('File')), 'plan');
    press('Enter');
    await settle();
    expect(world.settings['file']).toBe('Projects/Plan.md');
    find('input', row('Folder')).focus();
    expect(texts('.suggestion-item')).toEqual(['/', 'Inbox', 'Projects']);
  });
});

describe('validation', () => {
  const long = (value: string) => (value.length < 3 ? 'Too short' : undefined);

  test('a rejected value shows inline and is not world.saved, an accepted one clears the message', async () => {
    show(() => [{ name: 'Word', control: { type: 'text', key: 'word', validate: long } }]);
    type(find('input'), 'ab');
    await settle();
    expect(texts('.setting-item-error')).toEqual(['Too short']);
    expect(world.saved).toEqual([]);
    type(find('input'), 'abc');
    await settle();
    expect(texts('.setting-item-error')).toEqual([]);
    expect(world.settings['word']).toBe('abc');
  });

  test('an invalid stored value shows at once and is left as it is', () => {
    world.settings['word'] = 'x';
    show(() => [{ name: 'Word', control: { type: 'text', key: 'word', validate: long } }]);
    expect(texts('.setting-item.is-invalid .setting-item-error')).toEqual(['Too short']);
    expect(world.settings['word']).toBe('x');
  });

  test('a slow verdict on an older value changes nothing', async () => {
    const verdicts: ((message: string) => void)[] = [];
    show(() => [
      {
        name: 'Word',
        control: { type: 'text', key: 'word', validate: () => new Promise<string>((done) => verdicts.push(done)) },
      },
    ]);
    type(find('input'), 'older');
    type(find('input'), 'newer');
    verdicts[2]?.('');
    await settle();
    verdicts[1]?.('Bad');
    await settle();
    expect(world.settings['word']).toBe('newer');
    expect(texts('.setting-item-error')).toEqual([]);
  });
});

describe('visible and disabled', () => {
  const define = (): SettingDefinitionItem[] => [
    { name: 'On', control: { type: 'toggle', key: 'on' } },
    { name: 'Word', visible: () => world.settings['on'] === true, control: { type: 'text', key: 'word' } },
    { name: 'Fixed', control: { type: 'text', key: 'fixed', disabled: () => world.settings['on'] === true } },
    { type: 'group', heading: 'More', visible: () => world.settings['on'] === true, items: [{ name: 'In group' }] },
    { name: 'Never', visible: false },
  ];

  test('are asked again after each change of a control', async () => {
    show(define);
    expect(names()).toEqual(['On', 'Word', 'Fixed', 'In group']);
    expect(find<HTMLInputElement>('input', row('Fixed')).disabled).toBe(true);
    find('.checkbox-container').click();
    await settle();
    expect(names()).toContain('Fixed');
    expect(names()).not.toContain('Word');
    expect(find<HTMLInputElement>('input', row('Fixed')).disabled).toBe(false);
    expect((row('In group').closest('.setting-group') as HTMLElement).style.display).toBe('none');
  });

  test('refreshDomState asks again without drawing anew', () => {
    const tab = show(define);
    const before = row('Word');
    world.settings['on'] = false;
    expect(names()).toContain('Word');
    tab.refreshDomState();
    expect(names()).not.toContain('Word');
    expect(row('Word')).toBe(before);
  });
});
