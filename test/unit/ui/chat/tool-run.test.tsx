/** @jest-environment jsdom */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { tools } from '../../../../src/core/tools';
import { words } from '../../../../src/text';
import { type RunPart, ToolRun } from '../../../../src/ui/chat/tool-calls';

beforeEach(() => createTestApp({ bare: true }));
afterEach(closeTestApps);

const call = (name: string): RunPart => ({ type: 'tool-call', callId: name, name, argumentsText: '{}', result: null });

function draw(parts: readonly RunPart[]): HTMLElement {
  const root = document.createElement('div');
  render(<ToolRun parts={parts} tools={tools} running={false} />, root);
  return root;
}

function summaryOf(...names: readonly string[]): string {
  return draw(names.map(call)).querySelector('.docent-run-summary')?.textContent ?? '';
}

it('calls a run look-ups only when nothing in it does more than read', () => {
  expect(summaryOf('read_note')).toBe('1 lookup');
  expect(summaryOf('read_note', 'search_notes')).toBe('2 lookups');
  expect(summaryOf('read_note', 'delete_note')).toBe('2 steps');
  expect(summaryOf('a_tool_that_is_gone')).toBe('1 step');
});

it('says how many of the calls failed, before the name of the last', () => {
  const ended = (isError: boolean): RunPart => ({
    type: 'tool-call',
    callId: 'call',
    name: 'delete_note',
    argumentsText: '{"path":"Old.md"}',
    result: { text: '', isError, sources: [] },
  });
  const lineOf = (...failed: readonly boolean[]): (string | null)[] =>
    [...draw(failed.map(ended)).querySelectorAll('.docent-run-line > span:not(.docent-icon)')]
      .map(({ textContent }) => textContent)
      .slice(0, -1);
  expect(lineOf(true, false, false)).toEqual(['3 steps', '(1 failed)']);
  expect(lineOf(true, true)).toEqual(['2 steps', 'all failed']);
  expect(lineOf(true)).toEqual(['1 step', 'failed']);
  expect(lineOf(false, false)).toEqual(['2 steps']);
});

it('shows the beginning of a long result, cut between characters', () => {
  const part = { ...call('read_note'), result: { text: `${'a'.repeat(3_999)}🚢b`, isError: false, sources: [] } };
  const root = draw([part]);
  void act(() => root.querySelector<HTMLElement>('.docent-run-line')?.click());
  expect([...root.querySelectorAll('pre')].at(-1)?.textContent).toBe(`${'a'.repeat(3_999)}…`);
});

describe('a run that is opened', () => {
  const say = words.chatView;
  let root: HTMLElement;

  function open(parts: readonly RunPart[], running = false, progress?: ReadonlyMap<string, string>): void {
    root = document.createElement('div');
    act(() => render(<ToolRun parts={parts} tools={tools} running={running} progress={progress} />, root));
    toggle();
  }
  const toggle = (): void => void act(() => root.querySelector<HTMLElement>('.docent-run-line')?.click());
  const line = (name: string): string | undefined => root.querySelector(`.docent-run-${name}`)?.textContent;
  const texts = (selector: string): string[] => [...root.querySelectorAll(selector)].map((each) => each.textContent);
  const result = (more: object = {}): object => ({ text: 'Oak.', isError: false, sources: [], ...more });

  it('shows the input and the output of each call until it is folded again', () => {
    open([call('read_note'), { ...call('delete_note'), result: result() } as RunPart]);
    const expanded = (): string | null | undefined =>
      root.querySelector('.docent-run-line')?.getAttribute('aria-expanded');
    expect([expanded(), texts('.docent-call-label')]).toEqual([
      'true',
      [say.callInput, say.callOutput, say.callInput, say.callOutput],
    ]);
    expect(texts('pre')).toEqual(['read_note {}', say.noResult, 'delete_note {}', 'Oak.']);
    expect(root.querySelector('.docent-run')?.className).toContain('is-open');
    toggle();
    expect([expanded(), texts('pre')]).toEqual(['false', []]);
  });

  it('says that it is at work while a call is, and how far the newest has come', () => {
    const progress = new Map([
      ['read_note', '1 of 9'],
      ['delete_note', '2 of 9'],
      ['done', '9 of 9'],
    ]);
    const done = { ...call('done'), result: result() } as RunPart;
    open([call('read_note'), call('delete_note'), done], true, progress);
    expect([line('summary'), line('progress'), texts('pre')[1]]).toEqual([say.working, '2 of 9', say.toolRunning]);
    open([call('list_notes')], true, progress);
    expect(line('progress')).toBe('');
    open([done], true, progress);
    expect([line('summary') === say.working, line('progress')]).toEqual([false, undefined]);
    open([call('read_note')], false, progress);
    expect([line('summary'), line('progress')]).toEqual([say.toolRuns(1, true), undefined]);
  });

  it('shows thoughts and notes, and is named for what it has', () => {
    const thought = { type: 'reasoning', text: 'Hm.' } as RunPart;
    const note = { type: 'note', text: 'The model changed.' } as RunPart;
    open([thought, note]);
    expect([line('summary'), line('title'), texts('.docent-thought')]).toEqual([
      ...[say.thought, undefined, ['Hm.', 'The model changed.']],
    ]);
    open([note]);
    expect(line('summary')).toBe('The model changed.');
  });

  it('shows what the model noted with a call, what came along, and the steps of a subagent', () => {
    const steps = [
      { title: 'Read Keel', text: 'Oak.', isError: false },
      { title: 'Read Mast', text: 'No such note.', isError: true },
    ];
    const additions = [
      { kind: 'hook', source: 'Yard', text: 'From the yard.' },
      { kind: 'context-file', source: 'Boats/AGENTS.md', text: 'Be brief.' },
    ];
    const notes = { memory: 'Keel read.', constraints: 'No deletion.' };
    open([{ ...call('read_note'), notes, result: result({ isError: true, steps, additions }) } as RunPart]);
    expect(texts('pre')).toEqual([
      'read_note {}',
      `${say.memoryNote('Keel read.')}\n${say.constraintsNote('No deletion.')}`,
      ...['Oak.', 'Oak.', 'No such note.', 'From the yard.', 'Be brief.'],
    ]);
    expect(texts('pre.is-error')).toEqual(['Oak.', 'No such note.']);
    expect(texts('.docent-call-label')).toEqual([
      ...[say.callInput, say.callNotes, say.callOutput, 'Read Keel', 'Read Mast'],
      words.hooks.cameAlong(words.hooks.fromPlugin('Yard')),
      words.hooks.cameAlong(words.hooks.contextFile('Boats/AGENTS.md')),
    ]);
    expect(texts('summary')).toEqual([words.subagents.steps(2)]);
    open([{ ...call('read_note'), notes: { goal: 'Launch.' }, result: result() } as RunPart]);
    expect([texts('pre')[1], texts('summary')]).toEqual([say.goalNote('Launch.'), []]);
  });
});
