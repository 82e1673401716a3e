/** @jest-environment jsdom */
/** The goal above the chat: when its box for a new goal takes the focus, and when it leaves it where the user writes. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { words } from '../../../../src/text';
import { GoalPanel } from '../../../../src/ui/goals/goal-panel';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';
import { type GoalBench, goalBench } from '../../../support/goals';

let bench: GoalBench;
let root: HTMLElement;
let message: HTMLTextAreaElement;

function draw(open: boolean, damaged = 0): void {
  const { goals } = bench;
  const model = {
    goals,
    changeGoals: async (change: (from: typeof goals) => Promise<unknown>) => void (await change(goals)),
  } as unknown as OpenChatState;
  act(() => render(<GoalPanel model={model} damaged={damaged} open={open} onToggle={() => {}} />, root));
}
const focused = (): string | null | undefined => document.activeElement?.getAttribute('aria-label');

beforeEach(async () => {
  await createTestApp({ bare: true });
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

it('leaves the focus where the user writes when it is drawn again with its box open', async () => {
  draw(true);
  expect(focused()).toBe(words.goals.addHint);
  message.focus();
  // As with each step of an answer.
  draw(true);
  expect(focused()).toBe('Message');
  await bench.goals.createGoal('Launch the boat');
  draw(true);
  act(() => named(say.editGoal)?.click());
  expect(focused()).toBe(say.editGoal);
  message.focus();
  draw(true);
  expect(focused()).toBe('Message');
});

const say = words.goals;
const line = (): HTMLElement => root.querySelector('.docent-goal-line') as HTMLElement;
/** The icons of the line, without its arrow. */
const icons = (): string[] => {
  const drawn = [...line().querySelectorAll('.docent-icon:not(.docent-goal-arrow) svg')];
  return drawn.map((svg) => [...svg.classList].find((name) => name.startsWith('lucide-')) ?? '');
};
const rows = (): string[] => [...root.querySelectorAll('.docent-goal-row-text')].map(({ textContent }) => textContent);
const named = (name: string): HTMLElement | null => root.querySelector<HTMLElement>(`[aria-label="${name}"]`);
const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 5)));
const frontId = (): string => bench.goals.state.front ?? '';

it('K18 says on one line how far the goal has come, and how it stands where that says more', async () => {
  await bench.goals.createGoal('Launch the boat');
  draw(false);
  expect([icons(), line().className]).toEqual([['lucide-target'], 'docent-goal-line is-active']);
  expect(line().textContent).toBe(`Launch the boat${say.statuses.active}`);
  expect([line().getAttribute('aria-expanded'), root.querySelector('.docent-goal-track')]).toEqual(['false', null]);
  const step = await bench.goals.createCheckpoint(frontId(), 'Order bolts');
  await bench.goals.createCheckpoint(frontId(), 'Ring the yard');
  await bench.goals.updateCheckpoint(frontId(), step.ok ? step.value.id : '', 'completed');
  await bench.goals.pin(frontId());
  draw(false);
  expect(line().textContent).toBe(`Launch the boat${say.progress(1, 2)}`);
  expect(icons()).toEqual(['lucide-target', 'lucide-lock']);
  const bar = root.querySelector<HTMLElement>('.docent-goal-bar');
  expect(bar?.style.getPropertyValue('--docent-share')).toBe('0.5');
  await bench.goals.pin(frontId(), false);
  await bench.goals.pauseGoal(frontId());
  draw(false);
  expect([icons(), line().textContent]).toEqual([['lucide-pause'], `Launch the boat${say.statuses.paused}`]);
  await bench.goals.resumeGoal(frontId());
  await bench.goals.completeGoal(frontId(), '');
  draw(true);
  expect([icons(), line().textContent]).toEqual([['lucide-circle-check'], `Launch the boat${say.statuses.completed}`]);
  expect(line().getAttribute('aria-expanded')).toBe('true');
  expect(root.querySelector('section')?.className).toBe('docent-goal is-open');
  draw(false);
  expect(root.querySelector('section')?.className).toBe('docent-goal ');
});

it('R126 says of a goal that is not in front how far it has come', async () => {
  await bench.goals.createGoal('Launch the boat');
  const first = frontId();
  const step = await bench.goals.createCheckpoint(first, 'Order bolts');
  await bench.goals.createCheckpoint(first, 'Ring the yard');
  await bench.goals.updateCheckpoint(first, step.ok ? step.value.id : '', 'completed');
  await bench.goals.pauseGoal(first);
  await bench.goals.createGoal('Paint the mast');
  await bench.goals.pauseGoal(frontId());
  await bench.goals.createGoal('Sew the sail');
  draw(true);
  expect(rows()).toEqual([
    `Paint the mast${say.statuses.paused}`,
    `Launch the boat${say.statuses.paused}, ${say.progress(1, 2)}`,
  ]);
});

it('says where part of the chat could not be read', async () => {
  await bench.goals.createGoal('Launch the boat');
  draw(true);
  expect(root.textContent).not.toContain(say.lastGoodState);
  draw(true, 1);
  expect(root.textContent).toContain(say.lastGoodState);
});

it('shows nothing while there is no goal and nobody asks for one', () => {
  draw(false);
  expect(root.childElementCount).toBe(0);
});

it('K18 sets a goal with its priority, and a second one that can be left alone', async () => {
  draw(true);
  const choose = (value: string): void => {
    const select = root.querySelector('select') as HTMLSelectElement;
    select.value = value;
    act(() => void select.dispatchEvent(new Event('change', { bubbles: true })));
  };
  const save = async (text: string): Promise<void> => {
    const box = named(say.addHint) as HTMLInputElement;
    box.value = text;
    act(() => void box.form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })));
    await settle();
    draw(true);
  };
  expect(root.querySelector('select')?.value).toBe('medium');
  expect(root.textContent).not.toContain(say.cancel);
  choose('high');
  await save('Launch the boat');
  expect(bench.goals.getActiveGoal()).toMatchObject({ description: 'Launch the boat', priority: 'high' });
  expect(named(say.addHint)).toBeNull();
  act(() => named(say.add)?.click());
  expect(focused()).toBe(say.addHint);
  expect(named(say.editGoal)).toBeNull();
  const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
  act(() => void named(say.addHint)?.dispatchEvent(escape));
  expect([escape.defaultPrevented, named(say.addHint)]).toEqual([true, null]);
  act(() => named(say.add)?.click());
  await save('Paint the shed');
  expect(named(say.addHint)).toBeNull();
  expect(bench.goals.getActiveGoal()?.description).toBe('Paint the shed');
});

it('K18 lists the other goals, newest first, and takes one up again', async () => {
  await bench.goals.createGoal('First');
  await bench.goals.createGoal('Second');
  await bench.goals.createGoal('Third');
  draw(true);
  expect([...root.querySelectorAll('h6')].map(({ textContent }) => textContent)).toContain(say.otherGoals);
  expect(rows()).toEqual([`Second${say.statuses.paused}`, `First${say.statuses.paused}`]);
  const buttons = [...root.querySelectorAll('button')].filter(({ textContent }) => textContent === say.resume);
  act(() => buttons[1]?.click());
  await settle();
  expect(bench.goals.getActiveGoal()?.description).toBe('First');
  draw(true);
  expect(rows()).toEqual([`Third${say.statuses.paused}`, `Second${say.statuses.paused}`]);
});

it('K18 counts what the model changed since the last message, and lets each change be taken back', async () => {
  await bench.goals.request({ action: 'goal', description: 'Launch the boat' });
  await bench.goals.request({ action: 'checkpoint', description: 'Order bolts', status: 'pending' });
  draw(false);
  expect(root.querySelector('.docent-goal-recent')?.textContent).toBe(say.recentChanges(2));
  draw(true);
  expect(root.querySelector('.docent-goal-recent')).toBeNull();
  const [added, set] = [say.changes.checkpointCreated('Order bolts'), say.changes.created('Launch the boat')];
  expect(rows().slice(-2)).toEqual([added, set]);
  act(() => named(say.undoChange(added))?.click());
  await settle();
  draw(true);
  expect(bench.goals.getGoalHistory()[0]?.checkpoints).toEqual([]);
  const change = named(say.redoChange(added));
  expect([change?.textContent, change?.parentElement?.className]).toEqual([
    say.redo,
    'docent-goal-row docent-goal-change is-undone',
  ]);
  expect(named(say.undoChange(set))?.textContent).toBe(say.undo);
  draw(false);
  expect(root.querySelector('.docent-goal-recent')?.textContent).toBe(say.recentChanges(1));
  draw(true);
  act(() => named(say.redoChange(added))?.click());
  await settle();
  expect(bench.goals.getGoalHistory()[0]?.checkpoints).toHaveLength(1);
});
