/** @jest-environment jsdom */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { addReport, addRequest, type ChatState } from '../../../../src/core/chat/chat-view-state';
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
  const state = signal({ plan: second, requests } as unknown as ChatState);
  const element = document.createElement('div');
  render(<Inspector next={signal(null)} state={state} />, element);
  element.querySelectorAll<HTMLElement>('[role="tab"]')[1]?.click();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return element;
}

describe('the inspector', () => {
  it('R231 names what broke the beginning, and shows the provider’s figures of request, turn and chat', async () => {
    const element = await show();
    expect(element.querySelector('.docent-inspector-break')?.textContent).toBe(
      'Cache miss at the vault listing: note created: In/C.md.',
    );
    const figures = [...element.querySelectorAll('.docent-inspector-cache')].map((line) => line.textContent ?? '');
    expect(figures[0]).toMatch(/^Of this request: 700 tokens read .*, 0 written to it, 300 neither\.$/);
    expect(figures[2]).toMatch(/700 read, 800 written, 400 neither\.$/);
  });

  it('shows tiers, markers, and what is new since the request before', async () => {
    const element = await show();
    expect(element.querySelector('.docent-inspector-markers')?.textContent).toMatch(/^(Cache markers after|No cache)/);
    const notes = [...element.querySelectorAll('.docent-inspector-note')].map((note) => note.textContent ?? '');
    expect(notes.some((note) => note.includes('L0'))).toBe(true);
    expect(notes.some((note) => note.includes('new since the request before'))).toBe(true);
    const marked = [...element.querySelectorAll('.docent-inspector-note')].filter(
      (note) => note.textContent?.includes('cache marker') === true,
    );
    const markers = element.querySelector('.docent-inspector-markers')?.textContent ?? '';
    expect(marked).toHaveLength(markers.startsWith('No') ? 0 : markers.split(',').length);
    const choice = element.querySelector('select');
    expect(choice?.options).toHaveLength(2);
  });

  it('shows the lines that differ from the request before, under the part that they stand in', async () => {
    const element = await show();
    const changes = element.querySelector('.docent-inspector-changes');
    expect(changes?.querySelector('summary')?.textContent).toMatch(/^Changes since the request before\d+ lines added/);
    const come = [...(changes?.querySelectorAll('ins') ?? [])].map((line) => line.textContent);
    expect(come).toContain('- C.md, 1 KB');
    const places = [...(changes?.querySelectorAll('.docent-inspector-place') ?? [])].map((place) => place.textContent);
    expect(places).toContain('System prompt');
    expect(places.some((place) => /^\d+\. Assistant$/.test(place ?? ''))).toBe(true);
  });
});
