/** @jest-environment jsdom */
import type { SettingDefinitionItem } from 'obsidian';
import { setPlatform } from '../../../src/obsidian/base/platform';
import { SettingPage } from '../../../src/obsidian/settings/setting-page';
import { getScreen } from '../../../src/obsidian/settings/setting-tab';
import { names, resetWorld, row, show, world } from './settings-tab-stage';
import { find, press, texts, type } from './stage';

beforeEach(resetWorld);

describe('rows', () => {
  test('a render row gets its setting and group, and its cleanup runs before it goes', () => {
    const cleanup = jest.fn();
    const tab = show(() => [
      {
        type: 'group',
        heading: 'G',
        items: [
          {
            name: 'Own',
            render: (setting, group) => {
              setting.addButton((button) => button.setButtonText('Press'));
              expect(group.listEl.contains(setting.settingEl)).toBe(true);
              return cleanup;
            },
          },
        ],
      },
    ]);
    expect(texts('.setting-item-control button')).toEqual(['Press']);
    tab.update();
    expect(cleanup).toHaveBeenCalledTimes(1);
    getScreen(tab).leave();
    expect(cleanup).toHaveBeenCalledTimes(2);
  });

  test('an action row answers click and Enter with its element and index, unless disabled', () => {
    const calls: [boolean, number][] = [];
    let off = false;
    const action = (el: HTMLElement, index: number) => calls.push([el.classList.contains('setting-item'), index]);
    const tab = show(() => [
      { name: 'Text only', desc: 'Words' },
      { name: 'Act', action, disabled: () => off },
    ]);
    row('Act').click();
    row('Act').focus();
    press('Enter');
    off = true;
    tab.refreshDomState();
    row('Act').click();
    expect(calls).toEqual([
      [true, 1],
      [true, 1],
    ]);
  });

  test('display is called only when there are no definitions', () => {
    expect(show(() => []).displayed).toBe(1);
    expect(show(() => [{ name: 'Row' }]).displayed).toBe(0);
  });

  test('one fragment as description survives drawing twice', () => {
    const desc = createFragment((text) => text.createEl('i', { text: 'slanted' }));
    const tab = show(() => [{ name: 'Row', desc }]);
    tab.update();
    expect(texts('.setting-item-description i')).toEqual(['slanted']);
  });
});

describe('groups and lists', () => {
  let entries: string[];
  const list = (): SettingDefinitionItem[] => [
    {
      type: 'list',
      heading: 'Entries',
      emptyState: 'Nothing here',
      addItem: { name: 'Add entry', action: () => entries.push('new') },
      onDelete: (index) => entries.splice(index, 1),
      onReorder: (from, to) => entries.splice(to, 0, ...entries.splice(from, 1)),
      items: entries.map((name) => ({ name })),
    },
  ];
  beforeEach(() => {
    entries = ['a', 'b', 'c'];
  });

  test('rows can be deleted by button and by key, with the index of the row', () => {
    const tab = show(list);
    find('.extra-setting-button', row('b')).click();
    tab.update();
    expect(names()).toEqual(['a', 'c']);
    row('c').focus();
    press('Delete');
    tab.update();
    expect(names()).toEqual(['a']);
  });

  test('a row dragged below another reports old and new index', () => {
    show(list);
    document.querySelectorAll('.setting-items > .setting-item').forEach((el, index) => {
      el.getBoundingClientRect = () => ({ top: index * 40, height: 40 }) as DOMRect;
    });
    const drag = (kind: string, clientY: number) => new MouseEvent(kind, { bubbles: true, clientY });
    find('.setting-drag-handle', row('a')).dispatchEvent(drag('pointerdown', 20));
    window.dispatchEvent(drag('pointermove', 70));
    window.dispatchEvent(drag('pointerup', 70));
    expect(entries).toEqual(['b', 'a', 'c']);
    find('.setting-drag-handle', row('a')).dispatchEvent(drag('pointerdown', 20));
    window.dispatchEvent(drag('pointermove', 70));
    window.dispatchEvent(drag('pointercancel', 70));
    expect(entries).toEqual(['b', 'a', 'c']);
  });

  test('adding is a button in the heading on desktop and a row on a phone; the empty state shows', () => {
    const tab = show(list);
    find('.setting-item-heading .extra-setting-button').click();
    expect(entries).toEqual(['a', 'b', 'c', 'new']);
    setPlatform({ phone: true });
    entries = [];
    tab.update();
    expect(texts('.setting-empty-state')).toEqual(['Nothing here']);
    expect(document.querySelector('.setting-item-heading .extra-setting-button')).toBeNull();
    find('.setting-add-item').click();
    expect(entries).toEqual(['new']);
  });

  test('a group search filters by its own predicate, spares unsearchable rows, and survives update', () => {
    const tab = show(() => [
      {
        type: 'group',
        heading: 'Found',
        search: { placeholder: 'Filter', match: (def, query) => def.name.startsWith(query) },
        items: [{ name: 'apple' }, { name: 'pear' }, { name: 'always', searchable: false }],
      },
    ]);
    type(find('input[placeholder=Filter]'), 'p');
    expect(names()).toEqual(['pear', 'always']);
    tab.update();
    expect(find<HTMLInputElement>('input[placeholder=Filter]').value).toBe('p');
    expect(names()).toEqual(['pear', 'always']);
    type(find('input[placeholder=Filter]'), '');
    expect(names()).toEqual(['apple', 'pear', 'always']);
  });
});

describe('pages', () => {
  const define = (): SettingDefinitionItem[] => [
    { name: 'Front', control: { type: 'text', key: 'word' } },
    {
      type: 'page',
      name: 'Outer',
      desc: 'Opens',
      displayValue: () => String(world.settings['word']),
      status: () => 'warning' as const,
      items: [
        { name: 'Inside', control: { type: 'text', key: 'word' } },
        { type: 'group', heading: 'G', items: [{ type: 'page', name: 'Inner', items: [{ name: 'Deepest' }] }] },
      ],
    },
  ];

  test('an entry shows its value, opens its rows under a title, and goes back', () => {
    show(define);
    expect(texts('.setting-display-value')).toEqual(['seven']);
    expect(document.querySelector('.setting-display-status.mod-warning')).not.toBeNull();
    row('Outer').click();
    expect(texts('.setting-page-title')).toEqual(['Outer']);
    expect(names()).toEqual(['Inside', 'Inner']);
    row('Inner').click();
    expect(names()).toEqual(['Deepest']);
    find('.setting-page-back-button').click();
    expect(names()).toEqual(['Inside', 'Inner']);
    find('.setting-page-back-button').click();
    expect(names()).toEqual(['Front', 'Outer']);
  });

  test('update keeps the open page, and returns to what is left when it is gone', () => {
    let present = true;
    const tab = show(() => (present ? define() : [{ name: 'Front' }]));
    row('Outer').click();
    world.settings['word'] = 'changed';
    tab.update();
    expect(find<HTMLInputElement>('input').value).toBe('changed');
    expect(texts('.setting-page-title')).toEqual(['Outer']);
    present = false;
    tab.update();
    expect(names()).toEqual(['Front']);
    expect(document.querySelector('.setting-page')).toBeNull();
  });

  test('a page of its own class is made at each opening, displayed, and hidden when left', () => {
    const log: string[] = [];
    class Own extends SettingPage {
      override title = 'My page';
      display(): void {
        log.push('display');
        this.containerEl.createEl('p', { text: 'Own content' });
      }
      override hide(): void {
        log.push('hide');
        super.hide();
      }
    }
    const tab = show(() => [{ type: 'page', name: 'Custom', page: () => new Own() }]);
    row('Custom').click();
    expect(texts('.setting-page-title')).toEqual(['My page']);
    expect(texts('.setting-page-content p')).toEqual(['Own content']);
    find('.setting-page-back-button').click();
    row('Custom').click();
    getScreen(tab).leave();
    expect(log).toEqual(['display', 'hide', 'display', 'hide']);
  });
});
