/** @jest-environment jsdom */
/** The goal above the chat: when its box for a new goal takes the focus, and when it leaves it where the user writes. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { words } from '../../../../src/text';
import { GoalPanel } from '../../../../src/ui/goals/goal-panel';
import type { PaneModel } from '../../../../src/ui/state/chat-state';
import { closeTestApps, createTestApp } from '../../../workbench/emulator/jest';
import { type GoalBench, goalBench } from '../../../support/goals';

let bench: GoalBench;
let root: HTMLElement;
let message: HTMLTextAreaElement;

function draw(open: boolean): void {
  const { goals } = bench;
  const model = {
    goals: { state: goals.state },
    changeGoals: async (change: (from: typeof goals) => Promise<unknown>) => void (await change(goals)),
  } as unknown as PaneModel;
  act(() => render(<GoalPanel model={model} damaged={0} open={open} onToggle={() => {}} />, root));
}
const focused = (): string | null | undefined => document.activeElement?.getAttribute('aria-label');

beforeEach(async () => {
  await createTestApp();
  bench = goalBench();
  root = document.body.createDiv();
  message = document.body.createEl('textarea', { attr: { 'aria-label': 'Message' } });
});
afterEach(async () => {
  act(() => render(null, root));
  root.remove();
  message.remove();
  await closeTestApps();
});

it('lets the user write a goal at once where it is opened without one', () => {
  message.focus();
  draw(true);
  expect(focused()).toBe(words.goals.addHint);
});

it('leaves the focus where the user writes when the goal goes while it is open', async () => {
  await bench.goals.createGoal('Launch the boat');
  draw(true);
  message.focus();
  await bench.goals.undo(bench.goals.getGoalHistory()[0]?.id ?? '');
  draw(true);
  expect(root.querySelector(`[aria-label="${words.goals.addHint}"]`)).not.toBeNull();
  expect(focused()).toBe('Message');
  draw(false);
  draw(true);
  expect(focused()).toBe(words.goals.addHint);
});
