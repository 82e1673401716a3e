/** @jest-environment jsdom */
import { signal } from '@preact/signals';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { App } from 'obsidian';
import { render } from 'preact';
import { addReport, addRequest, type SentRequest, SentRequests } from '../../../../src/core/chat/chat-view-state';
import type { ImagePart } from '../../../../src/core/ports/message';
import type { Model, ModelDescription } from '../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { formatTokens, words } from '../../../../src/text';
import { sayFullness } from '../../../../src/ui/context/context-bar';
import { Inspector, InspectorModal, mountInspector } from '../../../../src/ui/context/inspector';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';
import { ReferenceBench } from '../../core/request/reference-bench';
import { fakeVault } from '../../../support/fake-vault';

async function show(): Promise<HTMLElement> {
  const bench = new ReferenceBench(fakeVault({ 'A.md': '## One', 'In/B.md': '## Two' }));
  const first = (await bench.play()).plan;
  bench.vault.put('In/C.md', '# C');
  const second = (await bench.play({ free: 'cold' })).plan;
  let requests = addReport(addRequest([], first), { inputTokens: 900, outputTokens: 5, cacheWriteTokens: 800 });
  requests = addReport(addRequest(requests, second), { inputTokens: 1_000, outputTokens: 5, cacheReadTokens: 700 });
  const element = draw(requests, first);
  element.querySelectorAll<HTMLElement>('[role="tab"]')[1]?.click();
  await drawn();
  return element;
}

const say = words.inspector;
const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const prices = { input: 2, output: 8, date: null };
const opened: string[] = [];

function draw(
  sent: readonly SentRequest[],
  planned: RequestPlan | null = null,
  next: RequestPlan | null = null,
  described: Partial<ModelDescription> = { prices },
) {
  const element = document.body.appendChild(document.createElement('div'));
  opened.length = 0;
  render(
    <Inspector
      next={signal(next)}
      sent={signal(sent)}
      plannedFor={() => planned}
      models={{ described: () => described as ModelDescription }}
      settings={() => defaultSettings}
      openNote={(path) => opened.push(path)}
      isNote={() => true}
    />,
    element,
  );
  return element;
}

const titles = (element: HTMLElement): string[] =>
  [...element.querySelectorAll('.docent-inspector-group .docent-inspector-title')].map((title) => title.textContent);

async function search(element: HTMLElement, typed: string): Promise<void> {
  const input = element.querySelector<HTMLInputElement>('.docent-inspector-search')!;
  input.value = typed;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await drawn();
}

beforeEach(() => createTestApp({ bare: true }));
afterEach(closeTestApps);

describe('the inspector', () => {
  it('R231 names what broke the beginning, and shows the provider’s figures of request, turn and chat', async () => {
    const element = await show();
    expect(element.querySelector('.docent-inspector-break')?.textContent).toMatch(
      /^“Vault listing” changed, so the provider must read everything after it again \(≈ [\d,]+ tokens billed again, (less than )?\$0\.\d+\): note created: In\/C\.md\.$/,
    );
    const figures = [...element.querySelectorAll('.docent-inspector-cache')].map((line) => line.textContent ?? '');
    expect(figures[0]).toMatch(/^This request: 700 tokens reused .*, 0 stored for reuse, 300 neither\.$/);
    expect(figures[2]).toMatch(/700 tokens reused, 800 stored for reuse, 400 neither\.$/);
  });

  it('shows tiers, markers, and what is new since the previous request', async () => {
    const element = await show();
    const notes = [...element.querySelectorAll('.docent-inspector-note')].map((note) => note.textContent ?? '');
    expect(notes.some((note) => note.includes(say.tiers.L0))).toBe(true);
    expect(notes.some((note) => note.includes('new since the previous request'))).toBe(true);
    const marked = [...element.querySelectorAll('.docent-inspector-note')].filter((note) =>
      note.textContent.includes(words.request.marked),
    );
    const markers = element.querySelector('.docent-inspector-markers')?.textContent ?? '';
    expect(marked).toHaveLength(markers === '' ? 0 : markers.split(',').length);
    const choice = element.querySelector('select');
    expect(choice?.options).toHaveLength(2);
  });

  it('shows the lines that differ from the request before, under the part that they stand in', async () => {
    const element = await show();
    const changes = element.querySelector('.docent-inspector-changes');
    expect(changes?.querySelector('summary')?.textContent).toMatch(
      /^Changes since the previous request\d+ lines added/,
    );
    const come = [...(changes?.querySelectorAll('ins') ?? [])].map((line) => line.textContent);
    expect(come).toContain('- C.md, 1 KB');
    const places = [...(changes?.querySelectorAll('.docent-inspector-place') ?? [])].map((place) => place.textContent);
    expect(places).toContain('System prompt');
    expect(places.some((place) => /^\d+\. Assistant$/.test(place ?? ''))).toBe(true);
  });

  it('has the names of the list, the shares, and the price of each part', async () => {
    const element = await show();
    expect(titles(element)).toContain(`${words.sections['vault-listing']?.name}: In`);
    const shares = [...element.querySelectorAll('.docent-inspector-shares li')].map((share) => share.textContent);
    expect(shares.some((share) => /^[A-Z][a-z ]+≈?[\d,]+ · \d+% · (less than )?\$0\.\d+$/.test(share))).toBe(true);
    const part = element.querySelector('.docent-inspector-group .docent-inspector-part summary');
    expect(part?.textContent).toMatch(/\$0\.\d+$/);
  });

  it('R145 gives a request of the chat the figures of the context bar, and another one those of its window', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const head = (element: HTMLElement): string | undefined =>
      element.querySelector('.docent-inspector-head')?.textContent;
    expect(head(draw([], null, plan))).toContain(sayFullness(plan.totals, defaultSettings));
    const element = draw([{ plan: { ...plan, purpose: 'summary' }, usage: null }]);
    element.querySelectorAll<HTMLElement>('[role="tab"]')[1]?.click();
    await drawn();
    const { all, window, reserve, exact } = plan.totals;
    expect(head(element)).toContain(say.total(formatTokens(all, exact), formatTokens(window - reserve, true)));
    expect(head(element)).not.toContain('full');
  });

  it('says of a model that its price is unknown, and shows none', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const withPrice = draw([], null, plan);
    expect(withPrice.textContent).not.toContain(words.spending.priceUnknown);
    const element = draw([], null, plan, { isUnpriced: true });
    expect(element.querySelector('.docent-inspector-head')?.textContent).toContain(words.spending.priceUnknown);
    expect(element.textContent).not.toContain('$');
    expect(element.querySelectorAll('.docent-inspector-price')).toHaveLength(0);
  });

  it('shows 200 changed lines of a request, and the others when asked', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const said = Array.from({ length: 250 }, (_, n) => `Line ${n}.`).join('\n');
    const next = { ...plan, messages: [...plan.messages, { role: 'user', parts: [{ type: 'text', text: said }] }] };
    const element = draw([{ plan, usage: null }], null, next as RequestPlan);
    const changes = element.querySelector<HTMLElement>('.docent-inspector-changes')!;
    expect(changes.querySelector('summary')?.textContent).toContain(words.request.changedLines(250, 0));
    const lines = (): number => changes.querySelectorAll('.docent-inspector-line').length;
    expect(lines()).toBe(200);
    const more = [...changes.querySelectorAll('button')];
    expect(more.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Show 5\d more lines$/)]);
    more[0]?.click();
    await drawn();
    expect([lines() > 250, changes.querySelectorAll('button').length]).toEqual([true, 0]);
    expect([...changes.querySelectorAll('ins')].at(-1)?.textContent).toBe('Line 249.');
  });

  it('compares requests of a great length only once that is asked for', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const text = 'word '.repeat(70_000);
    const next = { ...plan, messages: [...plan.messages, { role: 'user', parts: [{ type: 'text', text }] }] };
    const element = draw([{ plan, usage: null }], null, next as RequestPlan);
    const changes = element.querySelector<HTMLDetailsElement>('.docent-inspector-changes')!;
    expect(changes.textContent).toBe(say.changes);
    changes.open = true;
    changes.dispatchEvent(new Event('toggle'));
    await drawn();
    expect(changes.querySelector('summary')?.textContent).toBe(`${say.changes}${words.request.changedLines(1, 0)}`);
  });

  it('shows around a word that is searched for what is before and after it, and whether there is more', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const excerptOf = async (text: string): Promise<string | undefined> => {
      const element = draw([], null, {
        ...{ ...plan, blocks: [], tools: [] },
        messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
      });
      await search(element, 'bronze');
      return element.querySelector('.docent-inspector-excerpt')?.textContent;
    };
    expect(await excerptOf('Of bronze.')).toBe('Of bronze.');
    const [before, after] = ['b'.repeat(40), 'a'.repeat(40)];
    expect(await excerptOf(`${before}bronze${after}`)).toBe(`${before}bronze${after}`);
    expect(await excerptOf(`x${before}bronze${after}y`)).toBe(`…${before}bronze${after}…`);
  });

  it('marks the last part of the system prompt and the messages after which the request is cached', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const text = (said: string) => [{ type: 'text', text: said }] as const;
    const messages: RequestPlan['messages'] = [
      { role: 'user', parts: text('One.') },
      { role: 'assistant', parts: text('Two.') },
    ];
    const breakpoints = [
      { after: 'system', ends: 'system' },
      { after: 1, ends: 'turn' },
    ] as unknown as NonNullable<RequestPlan['breakpoints']>;
    const [block] = plan.blocks;
    const blockOf = (section: string, said: string): RequestPlan['blocks'][number] => ({
      ...{ ...block!, section, item: section, place: 'system', text: said },
    });
    const blocks = [blockOf('one', 'Be brief.'), blockOf('two', 'Be kind.'), blockOf('three', '')];
    const next = { ...plan, blocks, messages, tools: [{ name: 'read_note', description: 'Reads.', parameters: {} }] };
    const titlesWith = (note: string, element: HTMLElement): (string | undefined)[] =>
      [...element.querySelectorAll('.docent-inspector-group summary')].flatMap((part) =>
        part.querySelector('.docent-inspector-note')?.textContent.includes(note) === true
          ? [part.querySelector('.docent-inspector-title')?.textContent]
          : [],
      );
    const { marked, isNew, messageTitle } = words.request;
    const answer = messageTitle(2, words.chatView.roleAssistant);
    const nameOf = words.status.sectionNames;
    expect(titlesWith(marked, draw([], null, { ...next, breakpoints: [] }))).toEqual([]);
    const drawn = draw([], null, { ...next, breakpoints });
    expect(titlesWith(marked, drawn)).toEqual([nameOf('two'), answer]);
    const { markers, markedSystem, markedMessage } = words.request;
    expect(drawn.querySelector('.docent-inspector-markers')?.textContent).toBe(
      markers([markedSystem, markedMessage(2)]),
    );
    // Nothing more of a kind is offered where all of it is there.
    expect(drawn.querySelectorAll('.docent-inspector-group > button')).toHaveLength(0);
    const [one, ...others] = blocks;
    const unseen = draw([], null, { ...next, blocks: [{ ...one!, madeVisible: 2 }, ...others] });
    expect([0, 2].map((count) => titlesWith(say.madeVisible(count), unseen))).toEqual([[], [nameOf('one')]]);
    // What the request before had under the same name is not new.
    const before = {
      ...next,
      blocks: [blockOf('one', 'Be brief.'), blockOf('other', 'Be kind.')],
      messages: [messages[0]!],
    };
    const element = draw([{ plan: before, usage: null }], null, next);
    expect(titlesWith(isNew, element)).toEqual([nameOf('two'), answer]);
    const headings = [...element.querySelectorAll('h4')].map(({ firstChild }) => firstChild?.textContent);
    const { system, messages: all, tools } = say.groups;
    expect(headings).toEqual([system, all, tools]);
    expect(titles(element).slice(5)).toEqual(['read_note']);
  });

  it('says of the next request alone which instruction files wait, and which are in it', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const reviewed: boolean[] = [];
    const paths = ['1.md', '2.md', '3.md', '4.md', '5.md', '6.md', '7.md'];
    let waiting: readonly { readonly path: string; readonly isDeclined?: boolean }[] = paths.map((path) => ({ path }));
    const files = {
      ...{ waiting: () => waiting, subscribe: () => () => undefined },
      allowed: () => [
        { path: 'Used.md', isUsed: true },
        { path: 'Old.md', isUsed: false },
      ],
    };
    const element = document.body.createDiv();
    const show = (): void =>
      render(
        <Inspector
          next={signal(plan)}
          sent={signal([{ plan, usage: null }])}
          instructions={{ files, review: (isWhole: boolean) => reviewed.push(isWhole) } as never}
          settings={() => defaultSettings}
        />,
        element,
      );
    const lines = (): (string | null)[] =>
      [...element.querySelectorAll('.docent-inspector-instructions > *')].map(({ textContent }) => textContent);
    show();
    const { waiting: sayWaiting, declined: sayDeclined, allowed: sayAllowed, show: showFiles } = words.instructions;
    expect(lines()).toEqual([sayWaiting('1.md, 2.md, 3.md, 4.md, 5.md', 2), sayAllowed('Used.md', 0), showFiles]);
    element.querySelector<HTMLElement>('.docent-inspector-instructions button')?.click();
    expect(reviewed).toEqual([true]);
    waiting = [
      { path: 'Never.md', isDeclined: true },
      { path: '1.md', isDeclined: false },
    ];
    show();
    expect(lines()).toEqual([sayWaiting('1.md', 0), sayDeclined('Never.md', 0), sayAllowed('Used.md', 0), showFiles]);
    waiting = [];
    show();
    expect(lines()).toEqual([sayAllowed('Used.md', 0), showFiles]);
    element.querySelectorAll<HTMLElement>('[role="tab"]')[1]?.click();
    await drawn();
    expect(lines()).toEqual([]);
  });

  it('shows what the tokens are used for, and leaves out what uses none', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const totals = { ...plan.totals, instructions: 60, tools: 0, reference: 0, history: 1, turn: 39, all: 100 };
    const element = draw([], null, { ...plan, totals: { ...totals, exact: true } }, {});
    const shares = [...element.querySelectorAll('.docent-inspector-shares li')].map(({ textContent }) => textContent);
    const { instructions, history, turn } = words.chatView;
    expect(shares).toEqual([
      ...[
        `${instructions}60 · ${say.percent(60)}`,
        `${history}1 · ${say.percent(1)}`,
        `${turn}39 · ${say.percent(39)}`,
      ],
    ]);
    const parts = [...element.querySelectorAll('.docent-inspector-shares .docent-context-track .docent-context-part')];
    expect(parts.map(({ className }) => className.split('is-')[1])).toEqual(['instructions', 'history', 'turn']);
  });

  it('says that nothing is planned, and that nothing was sent', async () => {
    const element = draw([]);
    expect(element.textContent).toContain(say.nextNone);
    element.querySelectorAll<HTMLElement>('[role="tab"]')[1]?.click();
    await drawn();
    expect(element.textContent).toContain(say.sentNone);
    const selected = [...element.querySelectorAll('[role="tab"]')].map((tab) => tab.getAttribute('aria-selected'));
    expect(selected).toEqual(['false', 'true']);
  });

  it('moves between its tabs by the arrow keys, by Home, and by End, and names the part below by its tab', async () => {
    const element = draw([]);
    const tabs = [...element.querySelectorAll<HTMLElement>('[role="tab"]')];
    const [next, sent] = tabs as [HTMLElement, HTMLElement];
    const panel = element.querySelector('[role="tabpanel"]');
    const press = async (key: string, more: KeyboardEventInit = {}): Promise<boolean> => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
      document.activeElement?.dispatchEvent(event);
      await drawn();
      const selected = tabs.find((tab) => tab.getAttribute('aria-selected') === 'true');
      expect(tabs.map(({ tabIndex }) => tabIndex)).toEqual(tabs.map((tab) => (tab === selected ? 0 : -1)));
      expect(panel?.getAttribute('aria-labelledby')).toBe(selected?.id);
      return event.defaultPrevented;
    };
    expect(tabs.map((tab) => tab.getAttribute('aria-controls'))).toEqual([panel?.id, panel?.id]);
    next.focus();
    const reached: (Element | null)[] = [];
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End', 'End']) {
      expect(await press(key)).toBe(true);
      reached.push(document.activeElement);
    }
    expect(reached).toEqual([sent, next, sent, next, sent, sent]);
    expect(panel?.textContent).toContain(say.sentNone);
    expect([await press('ArrowDown'), await press('ArrowLeft', { altKey: true })]).toEqual([false, false]);
    expect(document.activeElement).toBe(sent);
  });

  it('says what was planned before it was sent, and how that differs', async () => {
    const element = await show();
    expect(element.querySelector('.docent-inspector-planned')?.textContent).toMatch(
      /^Planned before sending: ≈?[\d,]+ tokens\./,
    );
    const changed = [...element.querySelectorAll('.docent-inspector-changes summary')].map((each) => each.textContent);
    expect(changed[1]).toMatch(new RegExp(`^${say.plannedChanges}\\d+ lines? added`));
  });

  it('finds a text in the parts, with an excerpt, and opens the note that a part comes from', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const text = 'Before.\n<note path="Boats/Keel.md">\nThe bolts are BRONZE.\n</note>';
    const element = draw([], null, { ...plan, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });
    await search(element, 'bronze');
    expect(titles(element)).toEqual(['1. User']);
    expect(element.querySelector('mark')?.textContent).toBe('BRONZE');
    expect(element.querySelector('[role=status]')?.textContent).toBe('1 part found');
    element.querySelector<HTMLElement>('.docent-inspector-source')?.click();
    expect(opened).toEqual(['Boats/Keel.md']);
    await search(element, 'no such text');
    expect(element.querySelector('.docent-inspector-none')?.textContent).toBe(say.notFound);
  });

  it('notes at a part why it is not whole, and how many of its characters cannot be seen', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const [block] = plan.blocks;
    const blocks = [
      { ...block!, outcome: 'trimmed', reason: 'no room', invisible: 3, madeVisible: 0 },
      { ...block!, outcome: 'brief', madeVisible: 2 },
    ] as const;
    const element = draw([], null, { ...plan, blocks });
    const notes = [...element.querySelectorAll('.docent-inspector-note')].map(({ textContent }) => textContent);
    expect(notes.filter((note) => note.includes('invisible'))).toEqual([
      `${say.outcomes.trimmed}: no room · ${say.invisible(3)}`,
      `${say.outcomes.brief} · ${say.madeVisible(2)}`,
    ]);
  });

  it('shows the label of an image next to what is known of it, and of a long part one step more at each press', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const image = {
      ...{ type: 'image', label: 'Boat of oak', text: '', missingText: '', name: 'boat.png', tokens: 9 },
      image: { width: 30, height: 20 },
    } as unknown as ImagePart;
    const parts = [image, { type: 'text', text: 'x'.repeat(50_000) }] as const;
    const element = draw([], null, { ...plan, messages: [{ role: 'user', parts }] });
    const shown = (): string =>
      [...element.querySelectorAll('.docent-inspector-part pre')].find(({ textContent }) =>
        textContent.includes('Boat of oak'),
      )?.textContent ?? '';
    expect(shown().startsWith('Boat of oak\n[image] boat.png, 30×20, 9 tokens\n\nxx')).toBe(true);
    expect(shown()).toHaveLength(20_000);
    const more = (): HTMLButtonElement | undefined =>
      [...element.querySelectorAll<HTMLButtonElement>('.docent-inspector-part button')].find(
        ({ textContent }) => textContent.includes('20,000') || textContent.includes('more'),
      );
    more()?.click();
    await drawn();
    expect(shown()).toHaveLength(40_000);
    const text = 'y'.repeat(20_001);
    const longer = draw([], null, { ...plan, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });
    const last = [...longer.querySelectorAll('.docent-inspector-part pre')].find((pre) =>
      pre.textContent.includes('yy'),
    );
    expect(last?.textContent).toHaveLength(20_000);
  });

  it('marks what was found also after letters that are longer in lower case, between whole characters', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const text = `${'İ'.repeat(30)}😀${'İ'.repeat(39)}BRONZE${'x'.repeat(39)}😀 and more`;
    const element = draw([], null, { ...plan, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });
    await search(element, 'bronze');
    expect(element.querySelector('mark')?.textContent).toBe('BRONZE');
    expect(element.querySelector('.docent-inspector-excerpt')?.textContent).toBe(
      `…${'İ'.repeat(39)}BRONZE${'x'.repeat(39)}…`,
    );
  });

  it('opens a request of 10,000 messages, or of one of 1 MB, piece by piece', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const messages = Array.from({ length: 10_000 }, (_, n) => {
      return {
        role: 'user',
        parts: [{ type: 'text', text: n === 9_999 ? 'word '.repeat(200_000) : `Message ${n}.` }],
      } as const;
    });
    const element = draw([{ plan, usage: null }], null, { ...plan, messages });
    expect(element.querySelectorAll('.docent-inspector-part').length).toBeLessThan(200);
    expect(Math.max(...[...element.querySelectorAll('pre')].map(({ textContent }) => textContent.length))).toBe(20_000);
    const buttons = (): HTMLButtonElement[] => [...element.querySelectorAll('button')];
    buttons()
      .find(({ textContent }) => textContent === say.earlier(100, 9_900))
      ?.click();
    await drawn();
    expect(titles(element).filter((title) => /^\d+\. /.test(title))).toHaveLength(200);
    await search(element, 'message 4321.');
    expect(titles(element)).toEqual(['4322. User']);
  });

  it('lists what subagents, summaries and rewrites sent, each compared with its own kind', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    const sent = new SentRequests();
    const model: Model = {
      description: { id: 'a/b' } as ModelDescription,
      stream: async function* () {
        yield { type: 'finish', reason: 'complete', usage: { inputTokens: 9, outputTokens: 1, cacheReadTokens: 4 } };
      },
    };
    const watched = sent.watch(model);
    const of = (conversationId: string, purpose?: 'summary' | 'rewrite'): RequestPlan => ({
      ...{ ...plan, conversationId },
      ...(purpose && { purpose }),
    });
    const { signal: stop } = new AbortController();
    for (const each of [of('c'), of('c/scout'), of('c', 'summary'), of('once', 'rewrite'), of('other'), of('c')]) {
      for await (const event of watched.stream(each, stop)) expect(event.type).toBe('finish');
    }
    const element = draw(sent.of('c'));
    element.querySelectorAll<HTMLElement>('[role="tab"]')[1]?.click();
    await drawn();
    const options = [...element.querySelectorAll('option')].map(({ textContent }) =>
      textContent.replace(/ · [^·]* tokens$/, ''),
    );
    expect(options).toEqual([
      'Request 1',
      'Request 2 · Subagent scout',
      'Request 3 · Summary',
      'Request 4 · Rewrite',
      'Request 5',
    ]);
    expect(element.querySelector('.docent-inspector-break')?.textContent).toBe(words.request.prefixHeld);
    expect(element.querySelector('.docent-inspector-cache')?.textContent).toContain('4 tokens reused');
    const select = element.querySelector('select')!;
    select.value = '2';
    select.dispatchEvent(new Event('change'));
    await drawn();
    expect(element.querySelector('.docent-inspector-break')).toBeNull();
  });
});

/** Opens the tab of the requests that were sent. */
async function openSent(model: unknown): Promise<{ readonly element: HTMLElement; readonly unmount: () => void }> {
  const element = document.body.createDiv();
  const unmount = mountInspector(element, model as OpenChatState);
  element.querySelectorAll<HTMLElement>('[role="tab"]')[1]?.click();
  await drawn();
  return { element, unmount };
}

it('shows the requests of the chat that is open, also once another chat is opened', async () => {
  const plan = (await new ReferenceBench(fakeVault({ 'A.md': '' })).play()).plan;
  const sentBy = (conversationId: string): SentRequest => ({ plan: { ...plan, conversationId }, usage: null });
  const sent = [sentBy('one'), sentBy('one'), sentBy('two')];
  const model = {
    ...{ chatId: 'one', preview: signal(null), state: signal({}), plannedFor: () => null },
    ports: {
      sentRequests: {
        of: (chat: string | null) => sent.filter((each) => each.plan.conversationId === chat),
        subscribe: () => () => undefined,
      },
      models: { described: () => null },
      settings: () => defaultSettings,
    },
  };
  const { element, unmount } = await openSent(model);
  expect(element.querySelectorAll('option')).toHaveLength(2);
  model.chatId = 'two';
  model.state.value = {};
  await drawn();
  expect(element.querySelectorAll('option')).toHaveLength(0);
  expect(element.querySelector('.docent-inspector-head')).not.toBeNull();
  model.chatId = 'three';
  model.state.value = {};
  await drawn();
  expect(element.textContent).toContain(say.sentNone);
  unmount();
});

it('is a window that closes for the view, and opens a note in a new tab if it is one', async () => {
  const app = (await createTestApp({ bare: true })) as unknown as App;
  const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '' })).play();
  const text = ['Keel', 'Lost'].map((name) => `<note path="${name}.md">\nOak.\n</note>`).join('\n');
  const done: unknown[] = [];
  const preview = signal({ ...plan, messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });
  const model = {
    ...{ chatId: 'one', preview, state: signal({}), plannedFor: () => null },
    ports: {
      vault: { file: (path: string) => (path === 'Keel.md' ? { path } : undefined) },
      openNote: (...given: unknown[]) => done.push(given),
      models: { described: () => null },
      settings: () => defaultSettings,
    },
  } as unknown as OpenChatState;
  new InspectorModal(app, model, () => void done.push('view')).open();
  const modal = () => document.querySelector('.docent-inspector-modal');
  const sources = [...(modal()?.querySelectorAll<HTMLElement>('.docent-inspector-source') ?? [])];
  expect(sources.map(({ textContent }) => textContent)).toEqual([say.openSource('Keel.md')]);
  sources[0]?.click();
  expect(done).toEqual([['Keel.md', true]]);
  [...(modal()?.querySelectorAll<HTMLElement>('button') ?? [])]
    .find((each) => each.ariaLabel === say.openView || each.textContent === say.openView)
    ?.click();
  expect([modal(), done.slice(1)]).toEqual([null, ['view']]);
});

it('lists each request as it is sent, and looks for no more of them once it is closed', async () => {
  const plan = (await new ReferenceBench(fakeVault({ 'A.md': '' })).play()).plan;
  const sent: SentRequest[] = [{ plan, usage: null }];
  const listeners = new Set<() => void>();
  let looks = 0;
  const of = (): readonly SentRequest[] => {
    looks += 1;
    return [...sent];
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const model = {
    ...{ chatId: 'one', preview: signal(null), state: signal({}), plannedFor: () => null },
    ports: {
      ...{ sentRequests: { of, subscribe }, models: { described: () => null }, settings: () => defaultSettings },
      vault: { file: () => undefined },
    },
  };
  const { element, unmount } = await openSent(model);
  expect(element.querySelectorAll('option')).toHaveLength(0);
  sent.push({ plan: { ...plan }, usage: null });
  listeners.forEach((listener) => listener());
  await drawn();
  expect(element.querySelectorAll('option')).toHaveLength(2);
  unmount();
  const before = looks;
  model.chatId = 'two';
  model.state.value = {};
  expect([listeners.size, looks - before, element.childElementCount]).toEqual([0, 0, 0]);
});
