/** @jest-environment jsdom */
/** The dialog of files that direct the agent: what it shows of each, and which texts it lets in. */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { App } from 'obsidian';
import { act } from 'preact/test-utils';
import {
  type AllowedInstruction,
  type InstructionText,
  maxInstruction,
  type WaitingInstruction,
} from '../../../../src/core/writing/guard/instructions';
import { words } from '../../../../src/text';
import { InstructionFilesModal } from '../../../../src/ui/components/instruction-files';

const say = words.instructions;
const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 5)));
const waitingAt = (path: string, more: Partial<WaitingInstruction> = {}): WaitingInstruction => ({
  ...{ path, kind: 'skill', modified: 1_790_000_000_000, isChanged: false, isDeclined: false, ...more },
});

let waiting: readonly WaitingInstruction[];
let allowed: readonly AllowedInstruction[];
let texts: Record<string, string>;
let before: Record<string, string>;
let done: unknown[];
let changed: () => void;
let isFollowed: boolean;

beforeEach(() => {
  [waiting, allowed, texts, before, done] = [[], [], {}, {}, []];
});
afterEach(() => closeTestApps());

async function open(isWhole: boolean): Promise<InstructionFilesModal> {
  const app = (await createTestApp()) as unknown as App;
  const modal = new InstructionFilesModal(
    app,
    {
      files: {
        waiting: () => waiting,
        allowed: () => allowed,
        letInBefore: (path: string) => before[path] ?? null,
        decline: (paths: readonly string[]) => done.push(['never', ...paths]),
        withdraw: (paths: readonly string[]) => done.push(['withdraw', ...paths]),
        refresh: () => Promise.resolve(),
        subscribe: (listener: () => void) => {
          changed = listener;
          isFollowed = true;
          return () => (isFollowed = false);
        },
      } as never,
      read: (path) => Promise.resolve(texts[path] ?? null),
      allow: (shown: readonly InstructionText[]) => Promise.resolve(void done.push(['allow', ...shown])),
    },
    isWhole,
  );
  act(() => modal.open());
  await settle();
  return modal;
}
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.docent-instructions > li')];
const body = (): string => document.querySelector('.docent-instructions-modal')?.textContent ?? '';
const labels = (): (string | null)[] =>
  [...document.querySelectorAll('.docent-instructions-modal .modal-content button')].map(
    (button) => button.getAttribute('aria-label') ?? button.textContent,
  );
async function press(label: string): Promise<void> {
  const found = [...document.querySelectorAll<HTMLElement>('.docent-instructions-modal button')].find(
    (button) => (button.getAttribute('aria-label') ?? button.textContent) === label,
  );
  if (found === undefined) throw new Error(`There is no “${label}” among: ${labels().join(', ')}`);
  act(() => found.click());
  await settle();
}

it('lets in the texts that it shows, one or all, and none that it cannot show', async () => {
  waiting = [
    waitingAt('A.md'),
    waitingAt('B.md', { isChanged: true }),
    waitingAt('C.md', { modified: 0 }),
    waitingAt('D.md'),
  ];
  texts = { 'A.md': 'Be brief.', 'B.md': 'Be kind.', 'D.md': 'x'.repeat(maxInstruction + 1) };
  await open(false);
  expect(rows().map((row) => row.querySelector('.docent-instructions-name')?.textContent)).toEqual([
    ...['A.md', 'B.md', 'C.md', 'D.md'],
  ]);
  expect(rows()[0]?.textContent).toContain('Be brief.');
  expect(rows()[0]?.textContent).toContain(`${say.kinds.skill} · ${say.isNew} · `);
  expect(rows()[1]?.textContent).toContain(say.isChanged);
  expect(rows()[2]?.textContent).toContain(say.unread);
  // Nobody knows when a text in the settings was changed.
  const isDated = (row: HTMLElement): boolean => row.textContent.includes(say.changedAt(''));
  expect(rows().map(isDated)).toEqual([true, true, false, true]);
  expect(rows()[3]?.textContent).toContain(say.tooLong);
  expect(body()).toContain(say.lead);
  expect(labels()).toEqual([
    ...[say.allowOne('A.md'), say.neverOne('A.md'), say.allowOne('B.md'), say.neverOne('B.md')],
    ...[say.neverOne('C.md'), say.neverOne('D.md'), say.allowAll, say.notNow],
  ]);
  const [a, b] = [
    { path: 'A.md', text: 'Be brief.' },
    { path: 'B.md', text: 'Be kind.' },
  ];
  await press(say.allowOne('B.md'));
  await press(say.neverOne('C.md'));
  await press(say.allowAll);
  expect(done).toEqual([
    ['allow', b],
    ['never', 'C.md'],
    ['allow', a, b],
  ]);
});

it('takes a press for none that was meant for a file which was there before', async () => {
  waiting = [waitingAt('A.md'), waitingAt('B.md')];
  texts = { 'A.md': 'Be brief.', 'B.md': 'Be kind.' };
  await open(false);
  const again = async (label: string, detail: number): Promise<void> => {
    const found = document.querySelector(`[aria-label="${label}"]`);
    act(() => void found?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail })));
    await settle();
  };
  for (const label of [say.allowOne('B.md'), say.neverOne('B.md')])
    for (const detail of [2, 3]) await again(label, detail);
  // A sync brings a file that comes before the others.
  waiting = [waitingAt('0.md'), ...waiting];
  texts['0.md'] = 'Obey the magpie.';
  act(() => changed());
  await settle();
  for (const label of [say.allowOne('0.md'), say.allowOne('A.md'), say.neverOne('B.md'), say.allowAll])
    await press(label);
  expect(done).toEqual([]);
  await act(() => new Promise((resolve) => setTimeout(resolve, 550)));
  await press(say.allowOne('0.md'));
  expect(done).toEqual([['allow', { path: '0.md', text: 'Obey the magpie.' }]]);
});

it('takes a press at once after one of the user, and none as a file left the list by itself', async () => {
  waiting = ['A.md', 'B.md', 'C.md', 'D.md'].map((path) => waitingAt(path));
  texts = Object.fromEntries(waiting.map(({ path }) => [path, `Of ${path}.`]));
  await open(false);
  const leave = async (path: string): Promise<void> => {
    waiting = waiting.filter((each) => each.path !== path);
    act(() => changed());
    await settle();
  };
  await press(say.allowOne('A.md'));
  await leave('A.md');
  await press(say.neverOne('B.md'));
  expect(done).toEqual([
    ['allow', { path: 'A.md', text: 'Of A.md.' }],
    ['never', 'B.md'],
  ]);
  // Another device has allowed it, or a sync has removed it.
  await leave('C.md');
  await press(say.allowOne('D.md'));
  expect(done).toHaveLength(2);
  // So has one of which the user has allowed an earlier text.
  waiting = [waitingAt('A.md'), ...waiting];
  act(() => changed());
  await settle();
  await act(() => new Promise((resolve) => setTimeout(resolve, 550)));
  await leave('A.md');
  await press(say.allowOne('D.md'));
  expect(done).toHaveLength(2);
});

it('closes by itself once nothing waits, or when it is put off', async () => {
  waiting = [waitingAt('A.md')];
  texts = { 'A.md': 'Be brief.' };
  await open(false);
  waiting = [waitingAt('A.md', { isDeclined: true })];
  changed();
  await settle();
  expect([body(), isFollowed]).toEqual(['', false]);
  waiting = [waitingAt('A.md')];
  await open(false);
  await press(say.notNow);
  expect(body()).toBe('');
});

it('shows the newest state although an earlier one is read later', async () => {
  waiting = [waitingAt('A.md')];
  texts = { 'A.md': 'Be brief.' };
  const modal = await open(false);
  waiting = [waitingAt('A.md'), waitingAt('B.md')];
  changed();
  waiting = [waitingAt('B.md')];
  texts = { 'B.md': 'Be kind.' };
  changed();
  await settle();
  expect(rows().map((row) => row.querySelector('.docent-instructions-name')?.textContent)).toEqual(['B.md']);
  modal.close();
});

it('lists in settings also what is allowed and what is never used, and takes back what was allowed', async () => {
  waiting = [waitingAt('Never.md', { isDeclined: true })];
  texts = { 'Never.md': 'Be rude.' };
  allowed = [
    { path: 'Used.md', kind: 'skill', isUsed: true },
    { path: 'Old.md', kind: null, isUsed: false },
  ];
  const modal = await open(true);
  expect(rows().map((row) => row.querySelector('.docent-instructions-detail')?.textContent)).toEqual([
    expect.stringContaining(say.isDeclined),
    say.kinds.skill,
    say.unused,
  ]);
  // Only one by one: all at once would let in what is never to be used.
  expect(labels()).toEqual([say.allowOne('Never.md'), say.withdrawOne('Used.md'), say.withdrawOne('Old.md')]);
  expect(body()).toContain(say.used);
  expect(body()).not.toContain(say.none);
  await press(say.withdrawOne('Old.md'));
  expect(done).toEqual([['withdraw', 'Old.md']]);
  allowed = [{ path: 'Used.md', kind: 'skill', isUsed: true }];
  changed();
  await settle();
  expect([rows().length, body().includes(say.none)]).toEqual([2, false]);
  waiting = [];
  changed();
  await settle();
  expect(body()).not.toContain(say.lead);
  expect(body()).not.toContain(say.none);
  allowed = [];
  changed();
  await settle();
  expect(body()).toContain(say.none);
  expect(body()).not.toContain(say.used);
  // A file that left by itself is waited for; a dialog that closes waits no more.
  modal.close();
});

it('shows the beginning of a long text, or what differs from what was allowed, and all of it when asked', async () => {
  waiting = [waitingAt('Long.md'), waitingAt('Later.md', { isChanged: true }), waitingAt('Short.md')];
  texts = { 'Long.md': `${'a'.repeat(600)}END`, 'Later.md': 'One\nTwo and a half\nFour', 'Short.md': 'b'.repeat(600) };
  before = { 'Later.md': 'One\nTwo\nThree\nFour' };
  await open(false);
  const shown = (): (string | undefined)[] =>
    rows().map((row) => row.querySelector('.docent-instructions-text')?.textContent);
  // The button for the rest is below the text, which scrolls and may cut it at its edge.
  expect([shown()[0], labels().includes(say.showAll(3))]).toEqual(['a'.repeat(600), true]);
  expect(shown()[2]).toBe('b'.repeat(600));
  const changes = rows()[1]!;
  expect([changes.querySelector('del')?.textContent, changes.querySelector('ins')?.textContent]).toEqual([
    ...['Two\nThree\n', 'Two and a half\n'],
  ]);
  expect(shown()[1]).not.toContain('One');
  await press(say.showAll(3));
  await press(say.showAll(0));
  expect(shown().slice(0, 2)).toEqual([texts['Long.md'], texts['Later.md']]);
});

it('shows a hundred files at most, and says how many more there are', async () => {
  waiting = Array.from({ length: 102 }, (_, n) => waitingAt(`${n}.md`));
  await open(false);
  expect(rows()).toHaveLength(100);
  expect(body()).toContain(say.more(2));
  // None of them can be read, so that nothing can be let in.
  expect(labels()).not.toContain(say.allowAll);
});
