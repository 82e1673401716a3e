/** @jest-environment jsdom */
import { signal } from '@preact/signals';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { render } from 'preact';
import { addReport, addRequest, type SentRequest, SentRequests } from '../../../../src/core/chat/chat-view-state';
import type { Model, ModelDescription } from '../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { formatTokens, words } from '../../../../src/text';
import { sayFullness } from '../../../../src/ui/context/context-bar';
import { Inspector } from '../../../../src/ui/context/inspector';
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

function draw(sent: readonly SentRequest[], planned: RequestPlan | null = null, next: RequestPlan | null = null) {
  const element = document.body.appendChild(document.createElement('div'));
  opened.length = 0;
  render(
    <Inspector
      next={signal(next)}
      sent={signal(sent)}
      plannedFor={() => planned}
      models={{ described: () => ({ prices }) as unknown as ModelDescription }}
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

beforeEach(() => createTestApp());
afterEach(closeTestApps);

describe('the inspector', () => {
  it('R231 names what broke the beginning, and shows the provider’s figures of request, turn and chat', async () => {
    const element = await show();
    expect(element.querySelector('.docent-inspector-break')?.textContent).toMatch(
      /^Cache miss: “Vault listing” changed \(≈ [\d,]+ tokens billed again, (less than )?\$0\.\d+\): note created: In\/C\.md\.$/,
    );
    const figures = [...element.querySelectorAll('.docent-inspector-cache')].map((line) => line.textContent ?? '');
    expect(figures[0]).toMatch(/^This request: 700 tokens read .*, 0 written to it, 300 uncached\.$/);
    expect(figures[2]).toMatch(/700 tokens read, 800 written, 400 uncached\.$/);
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
    expect(shares.some((share) => /^[A-Z][a-z ]+~?[\d,]+ · \d+% · (less than )?\$0\.\d+$/.test(share))).toBe(true);
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

  it('says what was planned before it was sent, and how that differs', async () => {
    const element = await show();
    expect(element.querySelector('.docent-inspector-planned')?.textContent).toMatch(
      /^Planned before sending: ~?[\d,]+ tokens\./,
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
    expect(element.querySelector('.docent-inspector-cache')?.textContent).toContain('4 tokens read');
    const select = element.querySelector('select')!;
    select.value = '2';
    select.dispatchEvent(new Event('change'));
    await drawn();
    expect(element.querySelector('.docent-inspector-break')).toBeNull();
  });
});
