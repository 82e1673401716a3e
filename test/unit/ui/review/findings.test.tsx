/** @jest-environment jsdom */
/** The findings of a change: which are shown at first, and that all of them and all their passages can be reached. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { Badge } from '../../../../src/core/writing/guard/policy';
import { words } from '../../../../src/text';
import { type Finding, findingsOf, FindingsView } from '../../../../src/ui/review/findings';
import { changeOf, createOf, editOf, moveOf } from './fake-reviews';

let root: HTMLElement;

beforeEach(async () => {
  await createTestApp({ bare: true });
  root = document.body.createDiv();
});
afterEach(async () => {
  act(() => render(null, root));
  root.remove();
  await closeTestApps();
});

const show = (...findings: readonly Finding[]): void =>
  void act(() => render(<FindingsView findings={findings} />, root));
const findingOf = (words: string, passages: number): Finding => ({
  severity: 'error',
  words,
  passages: Array.from({ length: passages }, (_, at) => ({ words: 'Runs:', passage: `passage ${at + 1}` })),
});
const texts = (selector: string): string[] => [...root.querySelectorAll(selector)].map((each) => each.textContent);
const passages = (): string[] => texts('.docent-review-passage code');
const press = (name: string): void => {
  const button = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === name);
  if (button === undefined) throw new Error(`Nothing is named “${name}”.`);
  void act(() => button.click());
};

it('shows five passages of a finding, and all of them once the button is pressed', () => {
  show(findingOf('Contains what may run', 7), findingOf('Loads images', 6));
  expect(passages()).toHaveLength(10);
  expect(texts('button')).toEqual(['Show 2 more passages', 'Show 1 more passage']);
  press('Show 2 more passages');
  expect(passages().slice(0, 7).at(-1)).toBe('passage 7');
  expect(passages()).toHaveLength(12);
  expect(texts('button')).toEqual(['Show 1 more passage']);
});

it('adds at most a hundred passages at a press, and shows no button for exactly five', () => {
  show(findingOf('Contains what may run', 108), findingOf('Loads images', 5));
  press('Show 100 more passages');
  expect(passages()).toHaveLength(110);
  press('Show 3 more passages');
  expect(passages()).toHaveLength(113);
  expect(texts('button')).toEqual([]);
});

it('shows five findings, and the others once the button is pressed', () => {
  show(...['a', 'b', 'c', 'd', 'e', 'f'].map((words) => findingOf(words, 0)));
  expect(texts('li')).toHaveLength(6);
  press('1 more');
  expect(texts('li').at(-1)).toBe('Danger: f');
  expect(texts('button')).toEqual([]);
  show(...['a', 'b', 'c', 'd', 'e'].map((words) => findingOf(words, 0)));
  expect(texts('button')).toEqual([]);
});

describe('what a finding says', () => {
  const say = words.review;
  const said = (...changed: Parameters<typeof findingsOf>): string[] =>
    findingsOf(...changed).map(({ severity, words: text }) => `${severity}: ${text}`);
  const edited = (...badges: readonly Badge[]) => editOf('a', 'b', { badges });

  it('names what could not be checked apart from what may run, each with its passage', () => {
    const items = [
      { kind: 'unchecked', runner: '', passage: 'deep' },
      { kind: 'html', runner: 'iframe', passage: '<iframe>' },
      { kind: 'code-block', runner: '', passage: '```x' },
    ] as const;
    const change = edited({ kind: 'active-content', items });
    expect(said(change)).toEqual([
      `error: ${say.badges.unchecked}`,
      `error: ${say.badges.activeContent(['iframe', say.unknownRunner])}`,
    ]);
    expect(findingsOf(change).map(({ passages: all }) => all)).toEqual([
      [{ words: say.active.unchecked(''), passage: 'deep' }],
      [
        { words: say.active.html('iframe'), passage: '<iframe>' },
        { words: say.active['code-block'](say.unknownRunner), passage: '```x' },
      ],
    ]);
    expect(said(edited({ kind: 'active-content', items: [items[1]] }))).toEqual([
      `error: ${say.badges.activeContent(['iframe'])}`,
    ]);
  });

  it('names eight hosts at the most, each once, and lists the others below', () => {
    const hosts = Array.from({ length: 10 }, (_, at) => `h${at}.example`);
    const first = hosts.slice(0, 8);
    expect(said(edited({ kind: 'new-host', hosts }))).toEqual([
      `warning: ${say.badges.newHost([...first, say.moreFindings(2)])}`,
    ]);
    expect(said(edited({ kind: 'remote-image', hosts: [...first, 'h0.example'] }))).toEqual([
      `error: ${say.badges.remoteImage(first)}`,
    ]);
    const [finding] = findingsOf(edited({ kind: 'new-host', hosts: [...hosts, 'h0.example'] }));
    show(finding!);
    expect(passages()).toEqual(['h8.example', 'h9.example']);
  });

  it('says what leaves with a link, and from where it was written', () => {
    const change = edited(
      { kind: 'outside-mentioned' },
      { kind: 'tainted', source: 'yard.example' },
      { kind: 'large-removal', share: 0.456 },
      { kind: 'carried-text', passages: ['the keel bolts'] },
    );
    expect(said(change)).toEqual([
      `error: ${say.badges.carriedText}`,
      `warning: ${say.badges.tainted('yard.example')}`,
      `warning: ${say.badges.largeRemoval(46)}`,
      `note: ${say.badges.outsideMentioned}`,
    ]);
    expect(findingsOf(change)[0]?.passages).toEqual([{ words: say.carried, passage: 'the keel bolts' }]);
  });

  it('says why a change waits: for its note, or for the folder of its new place', () => {
    const outside = (...paths: readonly string[]): Badge[] => [{ kind: 'outside-scope', paths }];
    const from = 'Boats/Whimbrel.md';
    expect(said(editOf('a', 'b', { badges: outside(from) }))).toEqual([`note: ${say.badges.outsideNote}`]);
    const { outsideFolder } = say.badges;
    expect(said(createOf('In/New/A.md', 'a', { badges: outside('In/New/A.md') }))).toEqual([
      `note: ${outsideFolder('In/New')}`,
    ]);
    expect(said(createOf('A.md', 'a', { badges: outside('A.md') }))).toEqual([`note: ${outsideFolder(null)}`]);
    expect(said(moveOf(from, 'Old/A.md', { badges: outside('Old/A.md') }))).toEqual([`note: ${outsideFolder('Old')}`]);
  });

  it('says what other versions of a note there are, and where it was before', () => {
    const problems = [
      { kind: 'case-twin', path: 'a.md', twin: 'A.md' },
      { kind: 'conflict-copy', path: 'a.md', copy: 'a (2).md' },
    ] as const;
    expect(said(createOf('a.md', 'a', { badges: [], problems }))).toEqual([
      `warning: ${say.problems.caseTwin('A.md')}`,
      `warning: ${say.problems.conflictCopy('a (2).md')}`,
    ]);
    const moved = editOf('a', 'b', { badges: [] });
    const change = { ...moved.change, movedFrom: 'Old.md' };
    expect(said({ ...moved, change })).toEqual([`note: ${say.movedSince('Old.md')}`]);
  });

  it('says of a link whether it is in the note itself, by its old or its new place', () => {
    const linkIn = (path: string) => {
      const links = (['broken-link', 'broken-embed'] as const).map((kind) => ({ kind, path, target: 'Keel', line: 3 }));
      return said(changeOf({ from: 'A.md', to: 'B.md', before: 'a', text: 'b', badges: [], problems: links }));
    };
    const { brokenLink, brokenLinkIn, brokenEmbed, brokenEmbedIn } = say.problems;
    const here = [`warning: ${brokenLink(3, 'Keel')}`, `warning: ${brokenEmbed(3, 'Keel')}`];
    expect([linkIn('A.md'), linkIn('B.md')]).toEqual([here, here]);
    expect(linkIn('C.md')).toEqual([
      `warning: ${brokenLinkIn('C.md', 3, 'Keel')}`,
      `warning: ${brokenEmbedIn('C.md', 3, 'Keel')}`,
    ]);
  });
});
