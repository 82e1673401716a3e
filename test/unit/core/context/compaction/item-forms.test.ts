/** Sections and notes that are always in the prompt: pinned, outlined or dropped, with the effect shown beforehand. */
import type { Chat } from '../../../../../src/core/chat/chat';
import type { ContextItem, ItemAct } from '../../../../../src/core/context/compaction/list-items';
import { withForms } from '../../../../../src/core/context/prepare-turn';
import type { RequestPlan } from '../../../../../src/core/ports/request-plan';
import type { Composed, RenderedBlock } from '../../../../../src/core/prompt/assemble-prompt';
import { section } from '../../../../../src/core/prompt/section';
import { layoutFor } from '../../../../../src/core/request/plan-request';
import { defaultSettings } from '../../../../../src/core/settings/settings';
import { ContextState } from '../../../../../src/ui/state/context-state';
import { fakeVault } from '../../../../support/fake-vault';
import { description } from '../../../../support/scripted-model';
import { ask, type LongBench, longBench, longModel } from './long-chat';

const never = new AbortController().signal;
const long = Array.from({ length: 30 }, (_, part) => `## Part ${part}\n\n${'The hull is sound. '.repeat(20)}`).join(
  '\n\n',
);
const files = { 'Hull.md': long, 'Sails.md': long.replaceAll('hull', 'sail'), 'AGENTS.md': 'Write British English.' };

const windows = {
  small: { contextWindow: 32_000 },
  large: { contextWindow: 200_000, cachesPrompts: true },
} as const;

function benchOf(size: keyof typeof windows, window: number = windows[size].contextWindow, more = {}): LongBench {
  const vault = fakeVault({ ...files, ...more });
  const bench = longBench(longModel({ ...windows[size], contextWindow: window }), { vault });
  bench.model.reply = () => 'Yes.';
  bench.settings = { ...defaultSettings, contextNotes: ['Hull.md', 'Sails.md'] };
  return bench;
}

async function preview(chat: Chat): Promise<RequestPlan> {
  const plan = await chat.preview('And now?', [], never);
  if (!plan.ok) throw new Error(plan.failure.words);
  return plan.value;
}

async function itemsOf(chat: Chat): Promise<readonly ContextItem[]> {
  return chat.contextEvents.items(await preview(chat), chat.choices);
}

async function act(chat: Chat, label: string, chosen: ItemAct): Promise<{ said: number | null; real: number }> {
  const before = await preview(chat);
  const item = chat.contextEvents.items(before, chat.choices).find((each) => each.label === label);
  const offered = item?.acts.find((each) => each.act === chosen);
  if (item === undefined || offered === undefined) throw new Error(`${chosen} is not offered for ${label}.`);
  const model = new ContextState(
    () => chat,
    (outcome) => expect(outcome.ok).toBe(true),
  );
  await model.act(item, chosen);
  const after = await preview(chat);
  return { said: offered.effect, real: after.totals.all - before.totals.all };
}

const formOf = async (chat: Chat, label: string) => (await itemsOf(chat)).find((each) => each.label === label)?.form;
const textOf = ({ system, messages }: RequestPlan): string => system + JSON.stringify(messages);

describe.each(['small', 'large'] as const)('in a %s window', (size) => {
  it('R243 K36 a note that always stands can be outlined, pinned, sent whole again and left out', async () => {
    const bench = benchOf(size);
    const chat = await bench.open();
    await ask(chat, 'Hello');
    const steps: [ItemAct, string | undefined][] = [
      ['outline', 'outline'],
      ['pinned', 'pinned'],
      ['unpin', 'whole'],
      ['outline', 'outline'],
      ['whole', 'whole'],
      ['dropped', undefined],
    ];
    for (const [chosen, form] of steps) {
      const { said, real } = await act(chat, 'Hull.md', chosen);
      // Allows 80 tokens: the vault map says more about a note that is not in the prompt, and groups have headers.
      expect([chosen, said, real, Math.abs((said ?? NaN) - real) <= 80]).toEqual([chosen, said, real, true]);
      expect([chosen, await formOf(chat, 'Hull.md')]).toEqual([chosen, form]);
      if (chosen === 'outline') expect(real).toBeLessThan(-1_000);
    }
    await ask(chat, 'Go on');
    const sent = textOf(bench.model.plans.at(-1) as RequestPlan);
    expect(sent).not.toContain('The hull is sound.');
    expect(sent).toContain('The sail is sound.');
  });

  it('R243 an outlined note is sent as its headings, from the next message on and after a reload', async () => {
    const bench = benchOf(size);
    const chat = await bench.open();
    await ask(chat, 'Hello');
    expect(textOf(bench.model.plans.at(-1) as RequestPlan)).toContain('The hull is sound.');
    await act(chat, 'Hull.md', 'outline');
    const again = await bench.open();
    await ask(again, 'Go on');
    const sent = textOf(bench.model.plans.at(-1) as RequestPlan);
    expect(sent).toContain('## Part 29');
    expect(sent).toContain('Call read_note for its text');
    expect(sent).not.toContain('The hull is sound.');
    const before = bench.model.plans.at(-1);
    await ask(again, 'And on');
    // Nothing is rewritten a second time: the next request only adds to this one.
    const last = bench.model.plans.at(-1);
    expect(last?.system).toBe(before?.system);
    expect(last?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
  });

  it('R243 R252 a section can be outlined, pinned, left out and sent again; the effect of the last is told by the request', async () => {
    const bench = benchOf(size);
    const chat = await bench.open();
    await ask(chat, 'Hello');
    const items = (await itemsOf(chat)).filter(({ kind }) => kind === 'section');
    expect(new Set(items.map(({ target }) => target)).size).toBe(items.length);
    const label = 'core-mandates';
    for (const chosen of ['outline', 'whole', 'pinned', 'unpin', 'dropped'] as const) {
      const { said, real } = await act(chat, label, chosen);
      expect([chosen, said, real, Math.abs((said ?? NaN) - real) <= 10]).toEqual([chosen, said, real, true]);
    }
    expect(await formOf(chat, label)).toBe('dropped');
    const { said, real } = await act(chat, label, 'whole');
    expect([said, real > 0, await formOf(chat, label)]).toEqual([null, true, 'whole']);
  });
});

it('R243 a pinned note goes in whole before the others get their shares', async () => {
  const bench = benchOf('small', 16_000);
  const chat = await bench.open();
  await ask(chat, 'Hello');
  const count = async (text: string): Promise<number> => textOf(await preview(chat)).split(text).length - 1;
  const whole = long.split('The hull is sound.').length - 1;
  expect(await count('The hull is sound.')).toBeLessThan(whole);
  await act(chat, 'Hull.md', 'pinned');
  expect(await count('The hull is sound.')).toBe(whole);
  expect(await count('The sail is sound.')).toBeLessThan(whole / 2);
});

it('R243 a pinned note that has only its name in a small window is listed, and pinning brings its text', async () => {
  const many = Array.from({ length: 30 }, (_, at) => [`Boat ${at}.md`, 'The boat is sound. '.repeat(20)] as const);
  const bench = benchOf('small', 8_192, Object.fromEntries(many));
  bench.settings = { ...defaultSettings, contextNotes: many.map(([path]) => path) };
  const chat = await bench.open();
  await ask(chat, 'Hello');
  expect(textOf(await preview(chat))).not.toContain('The boat is sound.');
  const notes = (await itemsOf(chat)).filter(({ kind }) => kind === 'note');
  expect(notes.map(({ label }) => label)).toEqual(many.map(([path]) => path));
  const { said, real } = await act(chat, 'Boat 7.md', 'pinned');
  expect(said).toBeGreaterThan(90);
  expect(real).toBeGreaterThan(0);
  const texts = (await preview(chat)).blocks.map(({ text }) => text).join('\n');
  expect(texts).toContain(`<note path="Boat 7.md">\n${'The boat is sound. '.repeat(20).trimEnd()}`);
});

describe('withForms', () => {
  const rendered = (id: string, tokens: number, outcome: RenderedBlock['outcome'] = 'full'): RenderedBlock => ({
    section: id,
    zone: 'turn',
    text: 'x'.repeat(tokens),
    tokens,
    outcome,
    madeVisible: 0,
  });
  const composed = (id: string, priority: number, tokens: number): Composed => ({
    section: section({
      id,
      zone: 'turn',
      buildOrder: 1,
      priority,
      trim: 'never',
      needs: {},
      when: () => true,
      full: () => [],
    }),
    block: rendered(id, tokens),
    brief: () => rendered(id, 10, 'brief'),
    trimmed: () => null,
  });
  const layout = layoutFor({ ...description, contextWindow: 4_096 }, 1);
  const outcomes = (forms: Parameters<typeof withForms>[1]) =>
    withForms(layout, forms)
      .fit([composed('high', 90, 600), composed('low', 10, 600)])
      .map(({ section: { id, priority }, block }) => [id, priority, block.outcome]);

  it('R243 what is pinned stays whole while what matters more gives way, and keeps its own place', () => {
    expect(outcomes({})).toEqual([
      ['high', 90, 'full'],
      ['low', 10, 'brief'],
    ]);
    expect(outcomes({ low: 'pinned' })).toEqual([
      ['high', 90, 'brief'],
      ['low', 10, 'full'],
    ]);
    expect(outcomes({ high: 'outline' })).toEqual([
      ['high', 90, 'brief'],
      ['low', 10, 'full'],
    ]);
  });

  it('R243 what is pinned stays whole even where it is more than its share', () => {
    const [only] = withForms(layout, { big: 'pinned' }).fit([composed('big', 1, 50_000)]);
    expect(only?.block.outcome).toBe('full');
  });
});

it('R243 K36 what a budget left out or shortened stands in the list, and pinning brings it back', async () => {
  const workspaces = Array.from({ length: 200 }, (_, at) => [`Docent/workspaces/Boat ${at}.md`, '# Boat'] as const);
  const bench = benchOf('small', 8_192, Object.fromEntries(workspaces));
  bench.settings = defaultSettings;
  const chat = await bench.open();
  await ask(chat, 'Hello');
  const items = await itemsOf(chat);
  const given = items.filter(({ kind, form }) => kind === 'section' && form !== 'whole');
  expect(given.length).toBeGreaterThan(0);
  const [{ label } = { label: '' }] = given;
  const { said, real } = await act(chat, label, 'pinned');
  expect(said ?? 0).toBeGreaterThan(0);
  expect(real).toBeGreaterThan(0);
  expect(await formOf(chat, label)).toBe('pinned');
});

it('R243 no act on a section seems to free or add what a later count of its text differs by', async () => {
  const bench = benchOf('large');
  // Estimates at first, then exact counts, which are lower.
  let surplus = 1.1;
  const count = (text: string): number => Math.ceil((text.length / 4) * surplus);
  Object.assign(bench.ports, { tokenizer: { count, exact: false } });
  const chat = await bench.open();
  await ask(chat, 'Hello');
  const plan = await preview(chat);
  surplus = 1;
  const sections = chat.contextEvents.items(plan, chat.choices).filter(({ kind }) => kind === 'section');
  const pins = sections.flatMap(({ acts }) => acts.filter(({ act: each }) => each === 'pinned'));
  expect(pins.length).toBeGreaterThan(3);
  expect(pins.filter(({ effect }) => effect !== 0)).toEqual([]);
});
