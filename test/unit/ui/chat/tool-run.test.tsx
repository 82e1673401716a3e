/** @jest-environment jsdom */
import { render } from 'preact';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { tools } from '../../../../src/core/tools';
import { type RunPart, ToolRun } from '../../../../src/ui/chat/tool-calls';

beforeEach(() => createTestApp());
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
  expect(lineOf(true, false, false)).toEqual(['3 steps', '1 of them failed']);
  expect(lineOf(true, true)).toEqual(['2 steps', 'all failed']);
  expect(lineOf(true)).toEqual(['1 step', 'failed']);
  expect(lineOf(false, false)).toEqual(['2 steps']);
});
