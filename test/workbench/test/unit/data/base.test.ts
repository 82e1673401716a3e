/** @jest-environment jsdom */
import { Component } from '../../../src/obsidian/base/component';
import { installDom, notifyWindowMigrated } from '../../../src/obsidian/base/dom';
import { Events } from '../../../src/obsidian/base/events';
import { Platform, setPlatform } from '../../../src/obsidian/base/platform';
import { Keymap, Scope } from '../../../src/obsidian/base/scope';
import { fillLayoutGaps } from '../../../src/obsidian/jest';

beforeAll(() => {
  installDom(window);
  installDom(window);
});

it('scrolls nowhere, and throws for a place that a browser does not know', () => {
  fillLayoutGaps(window as Window & typeof globalThis);
  const element = document.body.createDiv();
  for (const to of [undefined, true, {}, { block: 'nearest' }, { block: 'end', inline: 'center' }] as const)
    expect(() => element.scrollIntoView(to)).not.toThrow();
  for (const to of [{ block: '' }, { inline: 'middle' }])
    expect(() => element.scrollIntoView(to as unknown as ScrollIntoViewOptions)).toThrow(TypeError);
});

describe('document helpers', () => {
  it('creates elements with everything a description may hold', () => {
    const root = document.body.createDiv('one two');
    const input = root.createEl('input', {
      cls: ['a', 'b c'],
      type: 'text',
      value: 'v',
      placeholder: 'p',
      title: 't',
      attr: { 'data-x': 1, hidden: null, 'aria-busy': true },
      prepend: true,
    });
    const link = root.createEl('a', { text: 'go', href: '#x' }, (element) => element.addClass('called'));
    const svg = root.createSvg('svg', { cls: 's', attr: { viewBox: '0 0 1 1' } });
    expect(root.className).toBe('one two');
    expect(root.firstChild).toBe(input);
    expect(input.outerHTML).toBe(
      '<input class="a b c" data-x="1" aria-busy="true" title="t" type="text" placeholder="p">',
    );
    expect(input.value).toBe('v');
    expect(link.outerHTML).toBe('<a href="#x" class="called">go</a>');
    expect(svg.namespaceURI).toContain('svg');
    expect(createFragment((fragment) => fragment.createSpan({ text: 'x' })).textContent).toBe('x');
    expect(createDiv({ parent: root }).parentNode).toBe(root);
    root.empty();
    expect(root.childNodes).toHaveLength(0);
    root.detach();
    expect(root.isConnected).toBe(false);
  });

  it('changes classes, attributes, text and place', () => {
    const element = document.body.createDiv();
    element.addClasses(['a', 'b']);
    element.toggleClass(['b', 'c'], false);
    element.toggleClass('d', true);
    expect([...element.classList]).toEqual(['a', 'd']);
    expect(element.hasClass('d')).toBe(true);
    element.setAttrs({ id: 'x', title: null, tabindex: 0 });
    expect([element.getAttr('id'), element.getAttr('title'), element.getAttr('tabindex')]).toEqual(['x', null, '0']);
    element.setText('hello');
    element.appendText('!');
    expect(element.getText()).toBe('hello!');
    const [first, second] = [element.createSpan(), element.createSpan()];
    element.insertAfter(second, null);
    expect(element.indexOf(second)).toBe(0);
    element.setChildrenInPlace([first, second]);
    expect([...element.childNodes]).toEqual([first, second]);
    expect(first.matchParent('div', element)).toBe(element);
    expect(first.matchParent('body', element)).toBeNull();
    expect(element.find('span')).toBe(first);
    expect(element.findAllSelf('*')).toEqual([element, first, second]);
    expect(first.doc).toBe(document);
    expect(first.win).toBe(window);
    expect(first.instanceOf(HTMLElement)).toBe(true);
    expect(first.instanceOf(SVGElement)).toBe(false);
  });

  it('shows and hides', () => {
    const outer = document.body.createDiv();
    const inner = outer.createDiv();
    expect(inner.isShown()).toBe(true);
    outer.hide();
    expect(inner.isShown()).toBe(false);
    outer.toggle(true);
    inner.setCssStyles({ color: 'red' });
    inner.setCssProps({ '--x': '1' });
    expect(inner.getAttribute('style')).toBe('color: red; --x: 1;');
    inner.toggleVisibility(false);
    expect(inner.style.visibility).toBe('hidden');
  });

  it('delegates events and stops on off', () => {
    const root = document.body.createDiv();
    const button = root.createEl('button', { cls: 'hit' });
    const heard: unknown[] = [];
    const listener = (_event: MouseEvent, target: HTMLElement): void => void heard.push(target);
    root.on('click', '.hit', listener);
    button.createSpan().click();
    root.click();
    root.off('click', '.hit', listener);
    button.click();
    expect(heard).toEqual([button]);
    const moved = jest.fn();
    const stop = button.onWindowMigrated(moved);
    notifyWindowMigrated(root, window);
    stop();
    notifyWindowMigrated(root, window);
    expect(moved.mock.calls).toEqual([[window]]);
  });

  it('tells of insertion', async () => {
    const element = createDiv();
    const inserted = jest.fn();
    element.onNodeInserted(inserted, true);
    document.body.createDiv().append(element);
    await sleep(0);
    element.detach();
    document.body.append(element);
    await sleep(0);
    expect(inserted).toHaveBeenCalledTimes(1);
  });

  it('adds to the language without showing up in loops', () => {
    const list = [3, 1, 3];
    list.remove(3);
    expect(list).toEqual([1]);
    expect([[1, 2].first(), [1, 2].last(), [1, 1].unique(), [1].contains(1)]).toEqual([1, 2, [1], true]);
    expect(Object.isEmpty({})).toBe(true);
    expect(Math.clamp(5, 1, 3)).toBe(3);
    expect('a {0} {1}'.format('b')).toBe('a b {1}');
    expect(Array.combine([[1], [2]])).toEqual([1, 2]);
    const keys: string[] = [];
    for (const key in [1]) keys.push(key);
    expect(keys).toEqual(['0']);
    expect(activeDocument).toBe(document);
    expect(isBoolean(false)).toBe(true);
  });
});

describe('Component', () => {
  it('loads and unloads in order, once', () => {
    const log: string[] = [];
    class Part extends Component {
      constructor(private name: string) {
        super();
      }
      override onload(): void {
        log.push(`load ${this.name}`);
      }
      override onunload(): void {
        log.push(`unload ${this.name}`);
      }
    }
    const parent = new Part('parent');
    const child = parent.addChild(new Part('child'));
    const events = new Events();
    const heard = jest.fn();
    void parent.load();
    void parent.load();
    const late = parent.addChild(new Part('late'));
    parent.register(() => log.push('first'));
    parent.register(() => log.push('second'));
    parent.registerEvent(events.on('x', heard));
    parent.registerDomEvent(document.body, 'click', heard);
    parent.removeChild(late);
    parent.unload();
    events.trigger('x');
    document.body.click();
    void child.load();
    expect(heard).not.toHaveBeenCalled();
    expect(log).toEqual([
      'load parent',
      'load child',
      'load late',
      'unload late',
      'unload child',
      'second',
      'first',
      'unload parent',
      'load child',
    ]);
  });
});

describe('keys', () => {
  const press = (key: string, init: KeyboardEventInit = {}): KeyboardEvent => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...init });
    document.body.dispatchEvent(event);
    return event;
  };

  it('asks the top scope, then its parents, and only false prevents', () => {
    const root = new Scope();
    const keymap = new Keymap(root);
    const stop = keymap.listen(window);
    const log: string[] = [];
    root.register(['Mod'], 'p', () => {
      log.push('root');
      return false;
    });
    const modal = new Scope(root);
    modal.register([], 'Escape', () => void log.push('modal'));
    keymap.pushScope(modal);
    expect(press('p', { ctrlKey: true }).defaultPrevented).toBe(true);
    expect(press('Escape').defaultPrevented).toBe(false);
    press('Escape', { shiftKey: true });
    keymap.pushScope(new Scope());
    press('p', { ctrlKey: true });
    keymap.popScope(modal);
    stop();
    expect(log).toEqual(['root', 'modal']);
  });

  it('reads pane types from modifiers', () => {
    const event = (init: MouseEventInit): MouseEvent => new MouseEvent('click', init);
    expect(
      [
        {},
        { ctrlKey: true },
        { ctrlKey: true, altKey: true },
        { ctrlKey: true, altKey: true, shiftKey: true },
        { button: 1 },
      ]
        .map(event)
        .map((click) => Keymap.isModEvent(click)),
    ).toEqual([false, 'tab', 'split', 'window', 'tab']);
  });

  it('pretends a phone and back', () => {
    setPlatform({ phone: true });
    expect(Platform).toMatchObject({ isPhone: true, isMobileApp: true, isDesktopApp: false, isDesktop: false });
    setPlatform({ phone: false, macOS: true });
    expect(Keymap.isModifier(new MouseEvent('click', { metaKey: true }), 'Mod')).toBe(true);
    setPlatform({ phone: false });
    expect(Platform).toMatchObject({ isPhone: false, isDesktopApp: true, isLinux: true });
  });
});
