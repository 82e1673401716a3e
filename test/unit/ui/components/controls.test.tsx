/** @jest-environment jsdom */
/** What the small controls share: the clipboard, a focus that is not lost, and what a text would run. */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { words } from '../../../../src/text';
import { describeActive } from '../../../../src/ui/components/dialogs';
import { copyText, fitHeight, restoreLostFocus } from '../../../../src/ui/components/controls';

const notices = (): string[] => [...document.querySelectorAll('.notice-message')].map(({ textContent }) => textContent);

beforeEach(() => createTestApp({ bare: true }));
afterEach(() => closeTestApps());

it('copies a text in the window in which it was asked, and says whether the system allowed it', async () => {
  const copied: string[] = [];
  const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
  const windowWith = (more: object): Window => ({ navigator: more }) as unknown as Window;
  expect(await copyText('Oak.', windowWith({ clipboard }))).toBe(true);
  expect([copied, notices()]).toEqual([['Oak.'], [words.chatView.copied]]);
  expect(await copyText('Ash.', windowWith({ clipboard }), false)).toBe(true);
  const denied = { writeText: () => Promise.reject(new Error('Document is not focused.')) };
  expect(await copyText('Elm.', windowWith({ clipboard: denied }))).toBe(false);
  // A window without a secure address has no clipboard.
  expect(await copyText('Yew.', windowWith({}))).toBe(false);
  const { copyFailed } = words.render;
  expect([copied, notices()]).toEqual([
    ['Oak.', 'Ash.'],
    [words.chatView.copied, copyFailed, copyFailed],
  ]);
});

it.each<[string, number[], boolean]>([
  ['a line of 5,000 characters', [5_000], false],
  ['a longer line', [5_001], true],
  ['many lines of that length', [5_000, 5_000, 5_000, 10], false],
  ['a longer line among others', [10, 5_001, 10], true],
  ['a longer line at the end', [10, 4_000, 5_001], true],
  ['no text', [0], false],
])('gives a box one direction for all lines if one is too long: %s', (_what, lengths, isLong) => {
  const box = document.body.createEl('textarea');
  box.value = lengths.map((length) => 'x'.repeat(length)).join('\n');
  fitHeight(box);
  expect(box.hasClass('has-long-line')).toBe(isLong);
});

it('makes a box as high as its text and its borders', () => {
  const box = document.body.createEl('textarea');
  const has = (height: Partial<Record<'scrollHeight' | 'clientHeight' | 'offsetHeight', number>>): string => {
    for (const [name, value] of Object.entries(height)) Object.defineProperty(box, name, { value, configurable: true });
    fitHeight(box);
    return box.style.getPropertyValue('--docent-text-height');
  };
  expect(has({ scrollHeight: 90, clientHeight: 40, offsetHeight: 44 })).toBe('94px');
  expect(has({ scrollHeight: 40, clientHeight: 40, offsetHeight: 42 })).toBe('42px');
  expect(() => fitHeight(null)).not.toThrow();
});

describe('the focus of a control that goes', () => {
  let root: HTMLElement;
  let release: () => void;
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
  const add = (parent: HTMLElement, label: string): HTMLButtonElement =>
    parent.createEl('button', { text: label, attr: { 'aria-label': label } });
  const focused = (): string | null | undefined => document.activeElement?.getAttribute('aria-label');

  beforeEach(() => {
    root = document.body.createDiv();
    release = (): void => undefined;
  });
  afterEach(() => {
    release();
    root.remove();
  });

  it('moves on to the control next to one that is removed or disabled', async () => {
    release = restoreLostFocus(root);
    const [one, two] = [root.createDiv(), root.createDiv()];
    const first = add(one, 'first');
    add(one, 'second');
    const third = add(two, 'third');
    add(two, 'fourth');
    third.focus();
    third.disabled = true;
    await settle();
    expect(focused()).toBe('fourth');
    first.focus();
    first.remove();
    await settle();
    expect(focused()).toBe('second');
    one.remove();
    await settle();
    expect(focused()).toBe('fourth');
  });

  it('moves to the row that follows the one that goes, to the one before the last, or to what is drawn instead', async () => {
    release = restoreLostFocus(root);
    const list = root.createDiv();
    const [, two, three, four] = ['one', 'two', 'three', 'four'].map((label) => add(list.createDiv(), label));
    two?.focus();
    two?.parentElement?.remove();
    await settle();
    expect(focused()).toBe('three');
    const drawn = createDiv();
    add(drawn, 'instead');
    three?.parentElement?.replaceWith(drawn);
    await settle();
    expect(focused()).toBe('instead');
    four?.focus();
    four?.parentElement?.remove();
    await settle();
    expect(focused()).toBe('instead');
  });

  it('moves to the control that is drawn instead under the same name', async () => {
    release = restoreLostFocus(root);
    add(root, 'other');
    const old = add(root, 'same');
    old.focus();
    old.replaceWith(add(root, 'same'));
    await settle();
    expect([focused(), document.activeElement === old]).toEqual(['same', false]);
  });

  it('waits for the next control where there is none', async () => {
    release = restoreLostFocus(root);
    const only = add(root, 'only');
    only.focus();
    only.remove();
    await settle();
    expect(document.activeElement).toBe(document.body);
    add(root, 'later');
    await settle();
    expect(focused()).toBe('later');
  });

  it('goes to the fallback outside of a group, and stays in a group', async () => {
    const box = add(root, 'box');
    release = restoreLostFocus(root, () => box);
    const lone = add(root, 'lone');
    add(root, 'next');
    lone.focus();
    lone.remove();
    await settle();
    expect(focused()).toBe('box');
    const item = root.createDiv('docent-item');
    const inside = add(item, 'inside');
    add(item, 'beyond');
    inside.focus();
    inside.remove();
    await settle();
    expect(focused()).toBe('beyond');
  });

  it('is left where the user took it, and everywhere once it is released', async () => {
    release = restoreLostFocus(root);
    const [one, two] = [add(root, 'one'), add(root, 'two')];
    one.focus();
    two.focus();
    one.remove();
    await settle();
    expect(focused()).toBe('two');
    add(root, 'three');
    release();
    two.remove();
    await settle();
    expect(document.activeElement).toBe(document.body);
  });
});

it('says of a text what it would run and load, and of one that could not be checked that alone', () => {
  const { badges, unknownRunner } = words.review;
  const image = { kind: 'remote-image', runner: 'a.example', passage: '' } as const;
  const code = { kind: 'code-block', runner: '', passage: '' } as const;
  const unchecked = { kind: 'unchecked', runner: '', passage: '' } as const;
  expect(describeActive([])).toEqual([]);
  expect(describeActive([image, image])).toEqual([badges.remoteImage(['a.example'])]);
  expect(describeActive([code, { ...code, runner: 'dataviewjs' }])).toEqual([
    badges.activeContent([unknownRunner, 'dataviewjs']),
  ]);
  expect(describeActive([code, image, unchecked])).toEqual([
    ...[badges.unchecked, badges.remoteImage(['a.example']), badges.activeContent([unknownRunner])],
  ]);
  expect(describeActive([unchecked])).toEqual([badges.unchecked]);
});
