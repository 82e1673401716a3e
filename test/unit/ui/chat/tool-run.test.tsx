/** @jest-environment jsdom */
import { render } from 'preact';
import { tools } from '../../../../src/core/tools';
import { ToolRun, type RunPart } from '../../../../src/ui/chat/tool-run';
import { closeTestApps, createTestApp } from '../../../workbench/emulator/jest';

beforeEach(() => createTestApp());
afterEach(closeTestApps);

const call = (name: string): RunPart => ({ type: 'tool-call', callId: name, name, argumentsText: '{}', result: null });

function summaryOf(...names: readonly string[]): string {
  const root = document.createElement('div');
  render(<ToolRun parts={names.map(call)} tools={tools} running={false} />, root);
  return root.querySelector('.docent-run-summary')?.textContent ?? '';
}

it('calls a run look-ups only when nothing in it does more than read', () => {
  expect(summaryOf('read_note')).toBe('1 look-up');
  expect(summaryOf('read_note', 'search_notes')).toBe('2 look-ups');
  expect(summaryOf('read_note', 'delete_note')).toBe('2 steps');
  expect(summaryOf('a_tool_that_is_gone')).toBe('1 step');
});
