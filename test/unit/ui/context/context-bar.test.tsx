/** @jest-environment jsdom */
/** What the bar says of a window that fills, and of one that is small from the start. */
import { Platform, type Plugin } from 'obsidian';
import { render } from 'preact';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { contextStatusOf } from '../../../../src/core/context/context-window';
import type { RequestPlan, RequestTotals } from '../../../../src/core/ports/request-plan';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { formatTokens, words } from '../../../../src/text';
import { ContextBar } from '../../../../src/ui/context/context-bar';
import { drawStatusBarItem, openStatusBar } from '../../../../src/ui/open';

const empty = {
  instructions: 0,
  tools: 0,
  reference: 0,
  history: 0,
  turn: 0,
  reserve: 4_096,
  window: 16_384,
  exact: true,
};

/** Of 9,830 tokens, where a window of 16,384 is compacted. */
async function wordsFor(totals: Partial<RequestTotals>): Promise<string> {
  await createTestApp({ bare: true });
  const root = document.body.createDiv();
  const all = { ...empty, ...totals };
  const sum = all.instructions + all.tools + all.reference + all.history + all.turn;
  const plan = { totals: { ...all, all: sum } } as RequestPlan;
  render(<ContextBar plan={plan} settings={defaultSettings} summarising={false} onOpen={() => undefined} />, root);
  const said = root.querySelector('[role=status]')?.textContent ?? '';
  render(null, root);
  root.remove();
  return said;
}

afterEach(closeTestApps);

it.each<[string, Partial<RequestTotals>, string]>([
  ['nothing while there is room', { instructions: 2_800, history: 2_000 }, ''],
  ['that the window fills', { instructions: 2_800, history: 4_800 }, words.status.warning],
  ['that it is full', { instructions: 2_800, history: 7_100 }, words.status.overfull],
  ['what is summarised when', { instructions: 2_800, history: 6_800 }, words.status.summarySoon('9,830')],
  [
    'what can be left out while there is nothing to summarise',
    { instructions: 6_800, tools: 2_400 },
    words.status.fixedParts,
  ],
  [
    'no more than that it is full when the message itself is large',
    { instructions: 2_800, turn: 6_800 },
    words.status.critical,
  ],
])('K36 tells %s', async (_what, totals, said) => {
  const shown = await wordsFor(totals);
  if (said === '') expect(shown).toBe('');
  else expect(shown).toContain(said);
  expect(shown.includes(words.status.fixedParts)).toBe(said === words.status.fixedParts);
});

it('K36 names no point for a summary in a tiny window, which is cleared when it is full', async () => {
  const tiny = { window: 4_096, reserve: 1_024, instructions: 700 };
  expect(await wordsFor({ ...tiny, history: 1_500 })).toBe('');
  expect(await wordsFor({ ...tiny, history: 1_700 })).toBe(words.status.warning);
  expect(await wordsFor({ ...tiny, history: 2_200 })).toBe(`${words.status.critical} ${words.status.clearedSoon}`);
});

it('takes a window of 8,192 tokens for tiny, and says of no tiny one that fills that it will be cleared', async () => {
  const tiny = { window: 8_192, reserve: 1_024, instructions: 700 };
  expect(await wordsFor({ ...tiny, history: 5_000 })).toBe(words.status.warning);
  expect(await wordsFor({ ...tiny, history: 6_200 })).toBe(`${words.status.critical} ${words.status.clearedSoon}`);
  const small = { ...tiny, window: 8_193 };
  expect(await wordsFor({ ...small, history: 4_700 })).toContain(words.status.summarySoon('5,735'));
});

describe('what is drawn', () => {
  let root: HTMLElement;

  function draw(totals: Partial<RequestTotals>, more: { summarising?: boolean; isManual?: boolean } = {}): void {
    const { summarising = false, isManual = false } = more;
    const settings = isManual ? { ...defaultSettings, compaction: 'manual' as const } : defaultSettings;
    const plan = { totals: { ...empty, all: 0, ...totals } } as RequestPlan;
    render(<ContextBar plan={plan} settings={settings} summarising={summarising} onOpen={() => undefined} />, root);
  }
  const shareOf = (name: string): string | undefined =>
    root.querySelector<HTMLElement>(`.docent-context-${name}`)?.style.getPropertyValue('--docent-share');
  const shown = (): string => root.querySelector('.docent-context-words')?.textContent ?? '';

  beforeEach(async () => {
    await createTestApp({ bare: true });
    root = document.body.createDiv();
  });
  afterEach(() => {
    render(null, root);
    root.remove();
  });

  it('says while older messages are summarized that they are, also of a window with room', () => {
    draw({ all: 1_200 });
    expect(root.querySelector('[role=status]')?.textContent).toBe('');
    expect(shown()).toBe(words.status.used(12, '1,200', '9,830'));
    draw({ all: 1_200 }, { summarising: true });
    expect(root.querySelector('[role=status]')?.textContent).toBe(words.status.summarising);
    expect(shown()).toBe(`${words.status.summarising} ${words.status.used(12, '1,200', '9,830')}`);
  });

  it('has each part as wide as its share, at most all, and the point where a summary is made', () => {
    draw({ instructions: 4_096, history: 99_999 });
    expect([shareOf('part.is-instructions'), shareOf('part.is-history'), shareOf('part.is-tools')]).toEqual([
      ...['0.25', '1', '0'],
    ]);
    expect([shareOf('part.is-reserve'), shareOf('point')]).toEqual(['0.25', String(9_830 / 16_384)]);
    draw({ window: 0, instructions: 4_096 });
    expect(shareOf('part.is-instructions')).toBe('0');
  });

  it('has no point where only the user summarizes, and says that the window is full and how to free tokens', () => {
    draw({ all: 12_200, history: 12_200 }, { isManual: true });
    expect(shareOf('point')).toBeUndefined();
    const { critical, freeTokens } = words.status;
    expect(root.querySelector('[role=status]')?.textContent).toBe(`${critical} ${freeTokens}`);
  });

  it('is empty while there is no plan', () => {
    render(<ContextBar plan={null} settings={defaultSettings} summarising={false} onOpen={() => undefined} />, root);
    expect([root.querySelector('button'), root.querySelector('.docent-context.is-empty') === null]).toEqual([
      ...[null, false],
    ]);
  });
});

/** A plugin with a bar of the app, in which a click does what was registered. */
function pluginWith(item: HTMLElement): Plugin {
  return {
    addStatusBarItem: () => item,
    registerDomEvent: (element: HTMLElement, type: string, act: () => void) => element.addEventListener(type, act),
  } as unknown as Plugin;
}
const planOf = (all: number): RequestPlan => ({ totals: { ...empty, all } }) as RequestPlan;

it('R243 says in the app’s bar how full the window is, and opens the list at a click', async () => {
  await createTestApp({ bare: true });
  let opened = 0;
  const element = openStatusBar(pluginWith(document.body.createDiv()), defaultSettings, () => (opened += 1))!;
  const shown = (all: number): [string, string[]] => {
    drawStatusBarItem(element, planOf(all), defaultSettings);
    return [element.textContent, [...element.classList].filter((name) => name.startsWith('is-'))];
  };
  expect(element.isShown()).toBe(false);
  expect(shown(1_200)).toEqual([words.status.statusBar(12), ['is-ok']]);
  expect(element.isShown()).toBe(true);
  expect([...element.classList]).toEqual(expect.arrayContaining(['docent-status-bar', 'mod-clickable']));
  expect(shown(9_800)).toEqual([words.status.statusBar(100), ['is-critical']]);
  expect(shown(9_830)).toEqual([words.status.statusBar(100), ['is-critical']]);
  expect(shown(7_600)).toEqual([words.status.statusBar(77), ['is-warning']]);
  element.click();
  expect(opened).toBe(1);
  drawStatusBarItem(element, null, defaultSettings);
  expect(element.isShown()).toBe(false);
  drawStatusBarItem(element, { totals: { ...empty, window: 1_000, all: 1 } } as RequestPlan, defaultSettings);
  expect(element.textContent).toBe(words.status.statusBar(100));
});

it('gives the pane, the app’s bar, and the model one figure', async () => {
  await createTestApp({ bare: true });
  const root = document.body.createDiv();
  const element = document.body.createDiv();
  for (const all of [1_200, 6_000, 9_613, 12_000]) {
    const plan = planOf(all);
    const always = { ...defaultSettings, contextStatus: 'always' } as const;
    const told = contextStatusOf(plan.totals, always);
    drawStatusBarItem(element, plan, defaultSettings);
    render(<ContextBar plan={plan} settings={defaultSettings} summarising={false} onOpen={() => undefined} />, root);
    const shown = root.querySelector('.docent-context-words')?.textContent;
    const figures = [all, 9_830, Math.round((all / 9_830) * 100)];
    expect([told?.usedTokens, told?.maxTokens, told?.percentUsed]).toEqual(figures);
    expect(element.textContent).toBe(words.status.statusBar(figures[2]!));
    expect(shown).toContain(words.status.used(figures[2]!, formatTokens(all, true), '9,830'));
  }
  render(null, root);
});

it('has nothing in the bar of a phone, which has none', async () => {
  await createTestApp({ phone: true });
  expect(Platform.isMobile).toBe(true);
  expect(openStatusBar(pluginWith(document.body), defaultSettings, () => undefined)).toBeNull();
});
