/** @jest-environment jsdom */
/** The view of usage: what it shows of many and of no requests, how its bars are scaled, and what it saves. */
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { ChatIndex } from '../../../../src/core/chat/chat-index';
import type { UsageRow, UsedChat } from '../../../../src/core/chat/usage';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { words } from '../../../../src/text';
import { mountUsage } from '../../../../src/ui/usage/usage';

const say = words.usage;
const today = '2026-11-27';
const dayLength = 86_400_000;

let root: HTMLElement;
let unmount: () => void;
let saved: string[];
let opened: string[];
let outcome: Outcome<string>;

/** The day of a time where the test runs. */
function dayOf(time: number): string {
  const date = new Date(time);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

interface Shown {
  readonly limit?: number | null;
  readonly parts?: Partial<Pick<ChatIndex, 'failure' | 'progress' | 'subscribe' | 'show'>>;
  readonly onChange?: (changed: () => void) => () => void;
}

type Chat = UsedChat & { readonly isDeleted?: boolean };

function show(chats: readonly Chat[], { limit = null, parts = {}, onChange }: Shown = {}): void {
  const index = {
    used: chats,
    failure: null,
    progress: null,
    subscribe: () => () => undefined,
    show: () => () => undefined,
    find: (id: string) => chats.find((chat) => chat.id === id) ?? null,
    ...parts,
  } as unknown as ChatIndex;
  root = document.body.createDiv();
  act(() => {
    unmount = mountUsage(root, {
      index,
      day: dayOf,
      limit: () => limit,
      onChange: onChange ?? (() => () => undefined),
      openChat: (chat) => void opened.push(chat),
      save: (table) => {
        saved.push(table);
        return Promise.resolve(outcome);
      },
    });
  });
}

const used = (id: string, row: Partial<UsageRow> = {}): Chat => ({
  ...{ id, title: `Chat ${id}` },
  usage: [{ day: today, model: 'openai/scripted', requests: 1, input: 100, output: 10, cost: 1, ...row }],
});
const texts = (selector: string): string[] =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
const button = (name: string): HTMLButtonElement | undefined =>
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent === name);
function choose(label: string, value: string): void {
  const select = root.querySelector<HTMLSelectElement>(`[aria-label="${label}"]`);
  if (select === null) throw new Error(`There is no choice ${label}.`);
  select.value = value;
  act(() => void select.dispatchEvent(new Event('change', { bubbles: true })));
}
/** The widths of the parts of each bar, and where the limit is drawn in it. */
const bars = (): (string | null)[][] =>
  [...root.querySelectorAll('.docent-usage-bar')].map((bar) =>
    [...bar.querySelectorAll('rect')].map((rect) =>
      rect.classList.contains('is-limit') ? `limit at ${rect.getAttribute('x')}` : rect.getAttribute('width'),
    ),
  );

beforeEach(async () => {
  await createTestApp({ bare: true });
  jest.useFakeTimers({ now: Date.parse(`${today}T12:00:00`), doNotFake: ['setTimeout', 'queueMicrotask'] });
  saved = [];
  opened = [];
  outcome = succeed('Docent/exports/Usage.csv');
});
afterEach(async () => {
  act(unmount);
  root.remove();
  jest.useRealTimers();
  await closeTestApps();
});

it('shows neither a table nor a way to save it without any request', () => {
  show([]);
  expect(texts('.docent-usage-total p')).toEqual([say.none]);
  expect([root.querySelector('table'), button(say.save), button(say.more)]).toEqual([null, undefined, undefined]);
  expect(root.textContent).toContain(say.notCounted);
});

it('shows 60 rows, more when asked, and 60 again when another group is chosen', () => {
  show(Array.from({ length: 121 }, (_, at) => used(`${at}`)));
  choose(say.by, 'chat');
  expect(texts('th[scope=row]')).toHaveLength(60);
  act(() => button(say.more)?.click());
  expect([texts('th[scope=row]').length, button(say.more) === undefined]).toEqual([120, false]);
  act(() => button(say.more)?.click());
  expect([texts('th[scope=row]').length, button(say.more)]).toEqual([121, undefined]);
  choose(say.measure, 'tokens');
  expect(texts('th[scope=row]')).toHaveLength(60);
});

it('offers no more rows when there are just as many as are drawn', () => {
  show(Array.from({ length: 60 }, (_, at) => used(`${at}`)));
  choose(say.by, 'chat');
  expect([texts('th[scope=row]').length, button(say.more)]).toEqual([60, undefined]);
});

it('counts the days of a week, of a month, and all of them by month', () => {
  const before = (days: number): string => dayOf(Date.parse(`${today}T12:00:00`) - days * dayLength);
  show([0, 6, 7, 29, 30].map((days) => used(`${days}`, { day: before(days) })));
  const total = (): string | undefined => texts('.docent-usage-total p')[0];
  expect(total()).toContain(say.total(400, 40, 4));
  const firstGroup = (): string | undefined => texts(`[aria-label="${say.by}"] option`)[0];
  expect(firstGroup()).toBe(say.groups.day);
  expect(texts('th[scope=row]')[0]).toBe(say.day(today));
  choose(say.range, 'week');
  expect(total()).toContain(say.total(200, 20, 2));
  choose(say.range, 'all');
  expect(total()).toContain(say.total(500, 50, 5));
  expect(texts('th[scope=row]')).toEqual([say.month('2026-11'), say.month('2026-10')]);
  expect([texts('thead th')[0], firstGroup()]).toEqual([say.groups.month, say.groups.month]);
});

it('says what is not priced, not reported and read from a cache, and only that', () => {
  show([used('a')]);
  expect(texts('.docent-usage-total p')).toEqual([`${say.total(100, 10, 1)} ${say.totalCost('$1.00')}`]);
  expect(texts('td')).toEqual(['$1.00', say.short(100), say.short(10), '–', '']);
  act(unmount);
  show([used('a', { cached: 50, cacheable: 100, unpriced: 1, unreported: 2 })]);
  expect(texts('.docent-usage-total p')).toEqual([
    [
      say.total(100, 10, 1),
      say.totalCost('$1.00'),
      say.totalCached('50%'),
      say.totalUnpriced(1),
      say.totalUnreported(2),
    ].join(' '),
  ]);
  expect(texts('td')[0]).toBe(`$1.00${say.partUnknown(1)}`);
  expect(texts('td')[3]).toBe('50%');
});

it('says of a row without a cost whether its price is unknown', () => {
  const { cost: _cost, ...row } = used('a').usage[0] as UsageRow;
  show([
    { ...used('a'), usage: [{ ...row, unpriced: 1 }] },
    { ...used('b'), usage: [{ ...row, model: '', input: 1 }] },
  ]);
  choose(say.by, 'model');
  expect(texts('th[scope=row]')).toEqual(['scripted', say.unknownModel]);
  expect(texts('td:first-of-type').filter((text) => text !== '')).toEqual([say.priceUnknown, say.unknown]);
});

it('draws the cost against the longest bar, or against a limit that is not far above it', () => {
  const chats = [used('a', { cost: 2 }), used('b', { cost: 1 })];
  show(chats);
  choose(say.by, 'chat');
  expect([bars(), texts('.docent-usage-legend')]).toEqual([[['1000'], ['500']], []]);
  act(unmount);
  show(chats, { limit: 8 });
  choose(say.by, 'chat');
  expect(bars()).toEqual([
    ['250', 'limit at 996'],
    ['125', 'limit at 996'],
  ]);
  expect(texts('.docent-usage-legend')).toEqual([say.limit('$8.00')]);
  act(unmount);
  show(chats, { limit: 1 });
  choose(say.by, 'chat');
  expect(bars()).toEqual([
    ['1000', 'limit at 500'],
    ['500', 'limit at 500'],
  ]);
  act(unmount);
  show(chats, { limit: 8.01 });
  choose(say.by, 'chat');
  expect(bars()).toEqual([['1000'], ['500']]);
  expect(texts('.docent-usage-legend')).toEqual([say.limitBeyond('$8.01')]);
});

it('draws no bar for a chat whose price is unknown, and none of the others against it', () => {
  const unpriced = { day: today, model: 'local/scripted', requests: 1, input: 100, output: 10, unpriced: 1 };
  show([used('a', { cost: 0.5 }), used('b', { cost: 0.25 }), { ...used('c'), usage: [unpriced] }]);
  choose(say.by, 'chat');
  expect(bars().slice(0, 2)).toEqual([['1000'], ['500']]);
  expect(
    bars()
      .slice(2)
      .flat()
      .filter((width) => width !== '0'),
  ).toEqual([]);
});

it('draws tokens by where they come from, without a limit of money', () => {
  show([used('a', { cached: 40, cacheable: 100, output: 100 })], { limit: 1 });
  choose(say.measure, 'tokens');
  expect(bars()).toEqual([['200', '300', '500']]);
  expect(texts('.docent-usage-key')).toEqual([say.parts.cached, say.parts.input, say.parts.output]);
});

it('opens a chat from its row, and says that one is deleted', () => {
  show([used('a'), { ...used('b', { cost: 0.5 }), isDeleted: true }, { ...used('c', { cost: 0.1 }), title: '' }]);
  choose(say.by, 'chat');
  expect(texts('.docent-usage-chat')).toEqual(['Chat a', say.deleted('Chat b'), words.chats.untitled]);
  act(() => button('Chat a')?.click());
  expect(opened).toEqual(['a']);
});

it('says how far the reading is, and why chats cannot be read', () => {
  const failure = { kind: 'unreadable', words: 'The folder is missing.', remedy: 'Make it.' } as const;
  show([used('a')], { parts: { failure, progress: { read: 1, all: 3 } } });
  expect(texts('.docent-usage-total p').slice(0, 2)).toEqual([
    'The folder is missing. Make it.',
    words.chats.reading(1, 3),
  ]);
});

it('saves the table of the time that is shown once, however often its button is pressed', async () => {
  show([used('a'), used('b', { day: '2020-01-01' })]);
  act(() => {
    button(say.save)?.click();
    button(say.save)?.click();
  });
  await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  expect(saved).toHaveLength(1);
  expect(saved[0]).toContain('Chat a');
  expect(saved[0]).not.toContain('Chat b');
  expect(document.querySelector('.notice')?.textContent).toContain(say.saved('Docent/exports/Usage.csv'));
  outcome = fail({ kind: 'unreadable', words: 'The disk is full.', remedy: 'Free some.' });
  act(() => button(say.save)?.click());
  await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  expect([...document.querySelectorAll('.notice')].at(-1)?.textContent).toContain('The disk is full. Free some.');
});

it('shows what was used since as soon as the index or the settings say so, and listens no more once it is closed', () => {
  const [indexed, settled] = [new Set<() => void>(), new Set<() => void>()];
  const listen = (listeners: Set<() => void>) => (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  let watched = 0;
  const watch = () => {
    watched += 1;
    return () => void (watched -= 1);
  };
  const chats = [used('a')];
  show(chats, { parts: { subscribe: listen(indexed), show: watch }, onChange: listen(settled) });
  const total = (): string | undefined => texts('.docent-usage-total p')[0];
  expect([total(), watched]).toEqual([`${say.total(100, 10, 1)} ${say.totalCost('$1.00')}`, 1]);
  for (const [at, listeners] of [indexed, settled].entries()) {
    // The index has one list, which it replaces or adds to.
    chats.push(used(`more ${at}`));
    act(() => listeners.forEach((changed) => changed()));
    const count = at + 2;
    expect(total()).toBe(`${say.total(100 * count, 10 * count, count)} ${say.totalCost(`$${count}.00`)}`);
  }
  act(unmount);
  expect([indexed.size, settled.size, watched]).toEqual([0, 0, 0]);
});

it('begins with the longest bar, whether it shows cost or tokens', () => {
  show([
    used('cheap', { input: 9_000, cost: 1 }),
    used('dear', { input: 100, cost: 5 }),
    used('free', { input: 500, cost: 0 }),
  ]);
  choose(say.by, 'chat');
  expect(texts('.docent-usage-chat')).toEqual(['Chat dear', 'Chat cheap', 'Chat free']);
  choose(say.measure, 'tokens');
  expect(texts('.docent-usage-chat')).toEqual(['Chat cheap', 'Chat free', 'Chat dear']);
  choose(say.by, 'day');
  expect(bars()).toHaveLength(1);
});
