/** @jest-environment jsdom */
/** The windows about what is sent: the list of it with its acts, and summaries to be read and changed. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp, type TestApp } from 'obsidian-workbench/jest';
import type { SummaryItem } from '../../../../src/core/chat/transcript';
import { type ContextItem, plainItem } from '../../../../src/core/context/compaction/list-items';
import type { Prices } from '../../../../src/core/ports/model';
import { type Snapshot, snapshotParts } from '../../../../src/core/session/entry';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { ContextListModal } from '../../../../src/ui/context/context-list';
import { editSummary, SummaryDivider } from '../../../../src/ui/context/summary';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';

const say = words.status;
let app: TestApp;
let done: unknown[];

const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
const texts = (selector: string): string[] => all(selector).map(({ textContent }) => textContent);
const button = (name: string): HTMLButtonElement | undefined =>
  all('button').find((each) => each.textContent === name || each.ariaLabel === name) as HTMLButtonElement | undefined;
const click = (name: string): void => {
  const found = button(name);
  if (found === undefined) throw new Error(`There is no button ${name}.`);
  act(() => found.click());
};

beforeEach(async () => {
  app = await createTestApp();
  done = [];
});
afterEach(closeTestApps);

describe('the list of what is in the window', () => {
  const items: readonly ContextItem[] = [
    plainItem({
      ...{ kind: 'section', target: 'section:git', label: 'git', tokens: 100, form: 'whole' },
      acts: [
        { act: 'pinned', effect: 0 },
        { act: 'dropped', effect: -100 },
      ],
    }),
    plainItem({ kind: 'section', target: 'section:of-others', label: 'of-others', tokens: 0, form: 'dropped' }),
    plainItem({ kind: 'note', target: 'note:A.md', label: 'A.md', tokens: 1_200, form: 'pinned' }),
    plainItem({
      ...{ kind: 'exchange', target: 'exchange:s1', label: 'Which?', tokens: 40, form: 'whole', messages: 2 },
      acts: [{ act: 'summarise', effect: null }],
    }),
    plainItem({ kind: 'round', target: 'round:s2', label: 'Which?', tokens: 0, form: 'dropped' }),
    plainItem({
      ...{ kind: 'result', target: 'result:r1', label: 'read_note', tokens: 7, form: 'masked', detail: 'Oak.' },
      acts: [{ act: 'whole', effect: 900 }],
    }),
    plainItem({ kind: 'image', target: 'image:i1', label: 'a.png', tokens: 3, form: 'whole' }),
  ];
  const plan = { modelId: 'test/big', system: 'Be calm.', totals: { exact: true, all: 1_000_000 } };

  interface Opened {
    readonly state?: object | null;
    readonly plan?: object | null;
    readonly listed?: readonly ContextItem[] | ReadonlySignal<readonly ContextItem[]>;
    readonly prices?: Prices;
  }

  function open({ state = {}, listed = items, prices, ...rest }: Opened = {}): ContextListModal {
    const planned = 'plan' in rest ? rest.plan : plan;
    const model = {
      preview: signal(planned),
      state: signal(state),
      context: {
        items: (given: unknown) => (given === planned ? ('value' in listed ? listed.value : listed) : []),
        act: (item: ContextItem, chosen: string) => Promise.resolve(void done.push(`${chosen} ${item.target}`)),
        summarise: (instructions: object) => Promise.resolve(void done.push(instructions)),
      },
      ports: {
        models: { described: (id: string) => (id === 'test/big' && prices ? { prices } : null) },
        openUsage: () => done.push('usage'),
        settings: () => defaultSettings,
      },
    } as unknown as OpenChatState;
    const modal = new ContextListModal(app, model, () => done.push('inspect'));
    act(() => modal.open());
    return modal;
  }

  it('keeps the focus when the row that has it goes', async () => {
    const listed = signal(items);
    open({ listed });
    button(words.status.actOn(say.actUncounted(say.acts.summarise), say.exchangeOf('Which?', 2)))?.focus();
    expect(document.activeElement?.tagName).toBe('BUTTON');
    await act(async () => {
      listed.value = items.filter(({ kind }) => kind !== 'exchange');
      await Promise.resolve();
    });
    expect(document.querySelector('.docent-list-modal')?.contains(document.activeElement)).toBe(true);
    expect(document.activeElement?.tagName).toBe('BUTTON');
  });

  it('leads to the usage of all chats, and is out of its way', () => {
    open();
    click(words.commandNames['show-usage']);
    expect([done, texts('.modal-title')]).toEqual([['usage'], []]);
  });

  it('R243 shows each kind with its sum, and each item with its form and what an act does', () => {
    const modal = open();
    expect(texts('.modal-title')).toEqual([say.list]);
    expect(texts('.docent-list-group h3')).toEqual([
      `${say.parts.exchange}40`,
      `${say.parts.result}7`,
      `${say.parts.section}100`,
      `${say.parts.round}0`,
      `${say.parts.image}3`,
      `${say.parts.note}1,200`,
    ]);
    expect(texts('.docent-list-row .docent-list-name')).toEqual([
      say.exchangeOf('Which?', 2),
      say.resultOf('read_note', 'Oak.'),
      words.sections['git']?.name,
      'Of others',
      say.roundOf('Which?'),
      'a.png',
      'A.md',
    ]);
    expect(texts('.docent-list-row > .docent-list-tokens')).toEqual([
      say.tokensOf('40'),
      `${say.forms.masked} · ${say.tokensOf('7')}`,
      say.tokensOf('100'),
      say.forms.dropped,
      say.forms.dropped,
      say.tokensOf('3'),
      `${say.forms.pinned} · ${say.tokensOf('1,200')}`,
    ]);
    expect(all('.docent-list-row.is-masked')).toHaveLength(1);
    // One act is a button: the way back, or else what frees tokens; the others are in a menu.
    expect(texts('.docent-list-row button')).toEqual([
      say.actUncounted(say.acts.summarise),
      say.act(say.acts.whole, 900),
      say.act(say.acts.dropped, -100),
      '',
    ]);
    const git = words.sections['git']?.name ?? '';
    expect(all('.docent-list-row .docent-icon-button').map((each) => each.getAttribute('aria-label'))).toEqual([
      say.moreActs(git),
    ]);
    expect(texts('.docent-list')[0]).not.toContain(say.nothingListed);
    modal.close();
    expect(modal.contentEl.childElementCount).toBe(0);
  });

  it('R243 offers at once what frees tokens and loses least, or the way back, and a summary only where nothing else is', () => {
    const row = (target: string, form: ContextItem['form'], acts: ContextItem['acts']): ContextItem =>
      plainItem({ kind: 'result', target, label: target, tokens: 40, form, acts });
    open({
      listed: [
        row('a', 'whole', [
          { act: 'summarise', effect: -30 },
          { act: 'dropped', effect: -40 },
        ]),
        row('b', 'pinned', [
          { act: 'dropped', effect: -40 },
          { act: 'unpin', effect: 0 },
        ]),
        row('c', 'whole', [
          { act: 'summarise', effect: -30 },
          { act: 'pinned', effect: 0 },
        ]),
        row('d', 'masked', [
          { act: 'dropped', effect: -40 },
          { act: 'whole', effect: 90 },
        ]),
      ],
    });
    expect(texts('.docent-list-row button')).toEqual([
      ...[say.act(say.acts.dropped, -40), ''],
      ...[say.act(say.acts.unpin, 0), ''],
      ...[say.act(say.acts.summarise, -30), ''],
      ...[say.act(say.acts.whole, 90), ''],
    ]);
  });

  it('R243 stays open for an act, and makes way for a summary or the prompt', () => {
    open();
    const git = words.sections['git']?.name ?? '';
    click(say.actOn(say.act(say.acts.dropped, -100), git));
    click(say.moreActs(git));
    const menu = [...activeDocument.querySelectorAll<HTMLElement>('.menu-item')];
    expect(menu.map(({ textContent }) => textContent)).toEqual([say.acts.pinned]);
    menu[0]?.click();
    expect([done, all('.docent-list').length]).toEqual([['dropped section:git', 'pinned section:git'], 1]);
    click(say.actUncounted(say.acts.summarise));
    expect([done.splice(0).at(-1), all('.docent-list').length]).toEqual(['summarise exchange:s1', 0]);
    open();
    click(say.summarise);
    expect([done.splice(0), all('.docent-list').length]).toEqual([[{}], 0]);
    open();
    click(say.showPrompt);
    expect([done, all('.docent-list').length]).toEqual([['inspect'], 0]);
  });

  it('lets nothing be changed while an answer comes, and marks what is only estimated', () => {
    open({ state: { running: true }, plan: { ...plan, totals: { exact: false, all: 1 } } });
    expect(button(say.summarise)?.disabled).toBe(true);
    expect(all('.docent-list-row button').every((each) => (each as HTMLButtonElement).disabled)).toBe(true);
    expect(button(say.showPrompt)?.disabled).toBe(false);
    expect(texts('.docent-list-group h3')[0]).toBe(`${say.parts.exchange}≈40`);
    expect(texts('.docent-list-row > .docent-list-tokens')[0]).toBe(say.tokensOf('≈40'));
  });

  it.each<[string, Opened]>([
    ['no chat is open', { state: null }],
    ['nothing is sent', { listed: [] }],
  ])('says so where %s', (_what, given) => {
    open(given);
    expect(texts('.docent-list')[0]).toContain(say.nothingListed);
    expect(all('.docent-list-group')).toEqual([]);
  });

  const prices: Prices = { input: 2, output: 10, cacheRead: 0.2, date: '2026-11-20', source: 'docs.example' };
  const { next, chat, listPrices, ownPrices } = words.spending;
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 300_000, cacheWriteTokens: 200_000 };
  const request = (changes: object = {}) => ({ plan: { ...plan, ...changes }, usage });

  it.each<[string, Opened, string | undefined]>([
    ['nothing where no price is known and nothing was spent', {}, undefined],
    ['what was spent on another model', { state: { spent: 0.5 } }, `${chat(0.5)} `],
    ['what sending costs', { prices }, `${next(2)} ${listPrices(prices)}`],
    ['where a price of the user’s own comes from', { prices: { ...prices, date: null } }, `${next(2)} ${ownPrices}`],
    [
      'that a price is old',
      { prices: { ...prices, isOld: true } },
      `${next(2)} Price as of 2026-11-20, from docs.example. It is more than 90 days old.`,
    ],
    ['both', { prices, state: { spent: 0.25 } }, `${next(2)} ${chat(0.25)} ${listPrices(prices)}`],
    ['no next request without a plan', { prices, plan: null, state: { spent: 0.25 } }, `${chat(0.25)} `],
    [
      'what the provider has kept as cheaper',
      { prices, state: { requests: [{ plan, usage: null }, request()] } },
      `${next(1.1)} ${listPrices(prices)}`,
    ],
    [
      'the full price after another beginning',
      { prices, state: { requests: [request({ system: 'Be quick.' })] } },
      `${next(2)} ${listPrices(prices)}`,
    ],
    [
      'the full price after another model',
      { prices, state: { requests: [request({ modelId: 'test/small' })] } },
      `${next(2)} ${listPrices(prices)}`,
    ],
    [
      'the full price while nothing was reported',
      { prices, state: { requests: [request(), { plan, usage: null }] } },
      `${next(2)} ${listPrices(prices)}`,
    ],
  ])('R231 tells %s', (_what, given, expected) => {
    open(given);
    expect(texts('.docent-list-price')[0]).toBe(expected);
  });
});

const parts = Object.keys(snapshotParts) as (keyof Snapshot)[];
const snapshot = Object.fromEntries(parts.map((name) => [name, `${name}.`])) as unknown as Snapshot;

describe('a summary before it holds', () => {
  const boxes = (): HTMLTextAreaElement[] => all('.docent-snapshot textarea') as HTMLTextAreaElement[];
  const ask = (shown: Partial<Parameters<typeof editSummary>[1]> = {}): Promise<Snapshot | null> => {
    let asked: Promise<Snapshot | null> = Promise.resolve(null);
    act(() => {
      asked = editSummary(app, { snapshot, effect: { before: 9_000, after: 1_000 }, notices: [], ...shown });
    });
    return asked;
  };

  it('is shown part by part, with what it saves, and kept in the words that the user leaves it', async () => {
    const asked = ask({ notices: ['Created without a model.'] });
    expect(texts('.modal-title')).toEqual([say.snapshotTitle]);
    expect(texts('.docent-snapshot p')).toEqual([
      `${say.snapshotLead} ${say.snapshotEffect(9_000, 1_000)}`,
      'Created without a model.',
    ]);
    expect(texts('.docent-snapshot label span')).toEqual(parts.map((name) => say.snapshotParts[name]));
    expect(boxes().map(({ value }) => value)).toEqual(parts.map((name) => `${name}.`));
    const box = boxes()[1]!;
    box.value = 'Metric units.';
    act(() => void box.dispatchEvent(new InputEvent('input', { bubbles: true })));
    const submit = new SubmitEvent('submit', { bubbles: true, cancelable: true });
    expect(button(say.accept)?.type).toBe('submit');
    act(() => void box.form?.dispatchEvent(submit));
    expect(submit.defaultPrevented).toBe(true);
    expect(await asked).toEqual({ ...snapshot, [parts[1]!]: 'Metric units.' });
    expect(all('.docent-snapshot')).toEqual([]);
  });

  it('is left by its button', async () => {
    const asked = ask();
    click(say.discard);
    expect(await asked).toBeNull();
    expect(all('.docent-snapshot')).toEqual([]);
  });

  it('is saved rather than accepted once it holds', async () => {
    const asked = ask({ effect: null });
    expect([button(say.accept), texts('.docent-snapshot p')]).toEqual([undefined, []]);
    click(say.save);
    expect(await asked).toEqual(snapshot);
  });

  it('has room for what each part says, from two lines to eight', () => {
    const [short, lines, long, most] = ['a', 'a\nb\nc', `${'x'.repeat(130)}\ny`, '\n'.repeat(20)];
    const given = [short, lines, long, most, 'x'.repeat(60), 'x'.repeat(120), ''];
    const measured = Object.fromEntries(parts.map((name, index) => [name, given[index]])) as unknown as Snapshot;
    void ask({ snapshot: measured });
    expect(boxes().map(({ rows }) => rows)).toEqual([2, 3, 4, 8, 2, 3, 2]);
    click(say.discard);
  });
});

describe('a summary in the chat', () => {
  const usual: SummaryItem = {
    ...{ type: 'summary', id: 'sum', undone: false },
    summary: {
      ...{ snapshot, by: 'model', trigger: 'automatic', focus: '', before: 9_000, after: 1_000 },
      ...{ removed: 12, kept: 4, paths: [] },
    },
  };
  let root: HTMLElement;

  function draw(
    changes: { undone?: boolean; summary?: Partial<SummaryItem['summary']> } = {},
    given: { running?: boolean; inForce?: boolean; isLast?: boolean } = {},
  ): void {
    const item = { ...usual, ...changes, summary: { ...usual.summary, ...changes.summary } };
    const context = {
      edit: (id: string) => Promise.resolve(void done.push(`edit ${id}`)),
      undo: (id: string) => Promise.resolve(void done.push(`undo ${id}`)),
    };
    const model = { context } as unknown as OpenChatState;
    const { running = false, inForce = true, isLast = false } = given;
    act(() => {
      render(<SummaryDivider item={item} model={model} running={running} inForce={inForce} isLast={isLast} />, root);
    });
  }
  const about = (): string | undefined => texts('.docent-summary-about')[0];

  beforeEach(() => {
    root = document.body.createDiv();
  });
  afterEach(() => act(() => render(null, root)));

  it('says how much it stands for, and lets itself be read, changed and taken back', () => {
    draw();
    expect(texts('.docent-summary-line span')).toEqual([say.divider(12, 4), say.dividerTokens(9_000, 1_000)]);
    expect(about()).toBe(say.retainedParts);
    expect([button(say.showSnapshot)?.ariaExpanded, texts('dd')]).toEqual(['false', []]);
    click(say.showSnapshot);
    expect(button(say.showSnapshot)?.ariaExpanded).toBe('true');
    expect(texts('dd')).toEqual(parts.map((name) => `${name}.`));
    click(say.showSnapshot);
    expect(texts('dd')).toEqual([]);
    click(say.editSnapshot);
    click(say.undo);
    expect(done).toEqual(['edit sum', 'undo sum']);
  });

  it('says what it kept in view, where it ends, and how it was made', () => {
    draw({ summary: { focus: 'the keel', topic: 'Paint', by: 'extraction', notices: ['One.', 'Two.'] } });
    // Each on a line of its own: the user’s words may end without a period.
    expect(texts('.docent-summary-about > div')).toEqual([
      ...[say.retainedParts, say.retainedFocus('the keel'), say.remainingTopic('Paint'), say.byExtraction],
      ...['One.', 'Two.'],
    ]);
  });

  it('cannot be changed while an answer comes, once it was taken back, or behind a newer one', () => {
    draw({}, { running: true });
    expect([button(say.editSnapshot)?.disabled, button(say.undo)?.disabled]).toEqual([true, true]);
    draw({ undone: true });
    expect([button(say.editSnapshot), button(say.undo), about()]).toEqual([undefined, undefined, say.dividerUndone]);
    expect(all('.docent-summary.is-undone')).toHaveLength(1);
    draw({}, { inForce: false });
    expect([button(say.editSnapshot), button(say.undo), about()]).toEqual([undefined, undefined, say.retainedParts]);
    expect(all('.docent-summary.is-undone')).toEqual([]);
  });

  it.each<[string, 'manual' | 'automatic', boolean, number]>([
    ['is scrolled to where the user asked for it', 'manual', true, 1],
    ['moves nothing where it came by itself', 'automatic', true, 0],
    ['moves nothing further up', 'manual', false, 0],
  ])('%s', (_what, trigger, isLast, times) => {
    const scrolls = jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined);
    draw({ summary: { trigger } }, { isLast });
    expect(scrolls).toHaveBeenCalledTimes(times);
    scrolls.mockRestore();
  });
});
