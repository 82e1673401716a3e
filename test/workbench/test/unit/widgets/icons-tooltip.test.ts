/** @jest-environment jsdom */
import { addIcon, getIcon, getIconIds, removeIcon, setIcon } from '../../../src/obsidian/controls/icons';
import { oldIcons } from '../../../src/obsidian/controls/old-icons';
import { displayTooltip, setTooltip } from '../../../src/obsidian/windows/tooltip';
import { createSecondDocument, createStage, texts } from './stage';

beforeEach(() => createStage());

describe('icons', () => {
  test.each(['bot', 'lucide-bot', 'arrow-down-0-1', 'grid-3x3', 'building-2', 'axis-3d', 'file-text', 'a-large-small'])(
    '%s is a Lucide icon',
    (id) => {
      const icon = getIcon(id);
      expect(icon?.classList.contains('svg-icon')).toBe(true);
      expect(icon?.classList.contains(`lucide-${id.replace('lucide-', '')}`)).toBe(true);
      expect(icon?.getAttribute('viewBox')).toBe('0 0 24 24');
      expect(icon?.childElementCount).toBeGreaterThan(0);
    },
  );

  test('every old Obsidian id draws something', () => {
    const empty = Object.keys(oldIcons).filter((id) => !getIcon(id)?.childElementCount);
    expect(empty).toEqual([]);
  });

  test('an unknown id is null and reported, and setIcon leaves the element empty', () => {
    const reported: string[] = [];
    Object.assign(globalThis, { reportMissingIcon: (id: string) => reported.push(id) });
    expect(getIcon('no-such-icon')).toBeNull();
    const el = document.body.createDiv({ text: 'old' });
    setIcon(el, 'no-such-icon');
    expect(el.childNodes).toHaveLength(0);
    setIcon(el, 'x');
    setIcon(el, 'check');
    expect(el.querySelectorAll('svg')).toHaveLength(1);
    expect(reported).toEqual(['no-such-icon']);
  });

  test('an added icon has a 100 by 100 canvas, wins over Lucide, and can be removed', () => {
    addIcon('bot', '<circle cx="50" cy="50" r="40"/>');
    expect(getIcon('bot')?.getAttribute('viewBox')).toBe('0 0 100 100');
    expect(getIcon('bot')?.firstElementChild?.getAttribute('r')).toBe('40');
    removeIcon('bot');
    expect(getIcon('bot')?.getAttribute('viewBox')).toBe('0 0 24 24');
  });

  test('the list of ids has prefixed Lucide ids and added ones', () => {
    addIcon('my-own', '<path d="M0 0"/>');
    expect(getIconIds()).toEqual(expect.arrayContaining(['lucide-bot', 'dice', 'my-own']));
    removeIcon('my-own');
    expect(getIconIds()).not.toContain('my-own');
  });
});

describe('tooltips', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const over = (el: Element) => el.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));

  test('setTooltip labels the element, and hovering shows it after its delay', () => {
    const el = document.body.createEl('button');
    const inner = el.createSpan({ text: 'x' });
    setTooltip(el, 'Send now', { placement: 'top', delay: 50, classes: ['mine'] });
    expect(el.getAttribute('aria-label')).toBe('Send now');
    over(inner);
    expect(texts('.tooltip')).toEqual([]);
    jest.advanceTimersByTime(50);
    expect(texts('.tooltip.mod-top.mine')).toEqual(['Send now']);
    over(document.body);
    expect(texts('.tooltip')).toEqual([]);
  });

  test('an empty tooltip takes the label away', () => {
    const el = document.body.createDiv();
    setTooltip(el, 'Words');
    setTooltip(el, '');
    expect(el.hasAttribute('aria-label')).toBe(false);
  });

  test('displayTooltip shows at once in the window of its element, one at a time', () => {
    const second = createSecondDocument();
    const el = second.body.createDiv();
    displayTooltip(el, 'First');
    displayTooltip(
      el,
      createFragment((text) => text.createEl('b', { text: 'Second' })),
    );
    expect(texts('.tooltip b', second)).toEqual(['Second']);
    expect(texts('.tooltip', second)).toHaveLength(1);
    expect(texts('.tooltip')).toEqual([]);
  });
});
