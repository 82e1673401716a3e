/** @jest-environment jsdom */
/** The parts of a goal, and what a person can change of one that is open, closed, pinned or locked. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { StoredGoal } from '../../../../src/core/goals/goal-state';
import { words } from '../../../../src/text';
import { GoalDetails } from '../../../../src/ui/goals/goal-details';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';
import { type GoalBench, goalBench } from '../../../support/goals';

const say = words.goals;
let bench: GoalBench;
/** The chat in view. */
let open: GoalBench;
let root: HTMLElement;
let opened: unknown[];
let added: number;
let chosen: string | null | Promise<string | null>;

const goalNow = (): StoredGoal => {
  const goal = bench.goals.getGoalHistory().at(-1);
  if (goal === undefined) throw new Error('There is no goal.');
  return goal;
};
function draw(): void {
  const model = {
    get goals() {
      return open.goals;
    },
    changeGoals: async (change: (goals: GoalBench['goals']) => Promise<unknown>, goals = open.goals) =>
      void (await change(goals)),
    ports: {
      openNote: (...given: unknown[]) => opened.push(given),
      prompts: { chooseNote: () => Promise.resolve(chosen) },
    },
  } as unknown as OpenChatState;
  act(() => render(<GoalDetails goal={goalNow()} model={model} onNew={() => (added += 1)} />, root));
}
const settle = async (): Promise<void> => {
  await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  draw();
};
const named = (name: string): HTMLElement | null => root.querySelector<HTMLElement>(`[aria-label="${name}"]`);
const press = async (name: string): Promise<void> => {
  act(() => named(name)?.click());
  await settle();
};
/** The second press of a double-click, on what is there by then. */
const pressAgain = async (name: string): Promise<void> => {
  act(() => void named(name)?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 })));
  await settle();
};
const write = async (name: string, text: string): Promise<void> => {
  const box = named(name) as HTMLInputElement;
  box.value = text;
  act(() => void box.form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })));
  await settle();
};
const headings = (): string[] => [...root.querySelectorAll('h6')].map(({ textContent }) => textContent);
const rows = (): string[] => [...root.querySelectorAll('.docent-goal-row-text')].map(({ textContent }) => textContent);

beforeEach(async () => {
  await createTestApp({ bare: true });
  bench = goalBench();
  open = bench;
  opened = [];
  added = 0;
  chosen = null;
  await bench.goals.createGoal('Launch the boat');
  root = document.body.createDiv();
  draw();
});
afterEach(async () => {
  act(() => render(null, root));
  root.remove();
  await closeTestApps();
});

it('K18 takes steps, decisions and what comes next, and shows them', async () => {
  expect(headings()).toEqual([say.checkpoints, say.decisions, say.artifacts, say.next]);
  await write(say.checkpointHint, 'Order bolts');
  await write(say.decisionHint, 'Bronze');
  await write(say.nextHint, 'Ring the yard');
  expect(rows()).toEqual(['Order bolts', 'Bronze', 'Ring the yard']);
  expect(goalNow()).toMatchObject({
    checkpoints: [{ description: 'Order bolts', status: 'pending' }],
    decisions: [{ description: 'Bronze', rationale: '', locked: false }],
    next: 'Ring the yard',
  });
  expect(named(say.nextHint)).toBeNull();
  await press(say.editItem('Ring the yard'));
  expect(document.activeElement).toBe(named(say.nextHint));
  await write(say.nextHint, 'Write to the yard');
  expect(goalNow().next).toBe('Write to the yard');
  await press(say.removeItem('Write to the yard'));
  expect(goalNow().next).toBeUndefined();
  await press(say.removeItem('Order bolts'));
  expect(rows()).toEqual(['Bronze']);
});

it('K18 takes no more of a goal that is closed, and shows what it holds', async () => {
  await write(say.checkpointHint, 'Order bolts');
  await write(say.decisionHint, 'Bronze');
  await bench.goals.completeGoal(goalNow().id, 'She floats.');
  draw();
  expect(headings()).toEqual([say.checkpoints, say.decisions]);
  expect(rows()).toEqual(['Order bolts', 'Bronze']);
  expect(root.textContent).toContain('She floats.');
  expect(root.querySelector('input[type=text]')).toBeNull();
  for (const name of [say.editItem('Order bolts'), say.removeItem('Bronze'), say.complete])
    expect(named(name)).toBeNull();
  expect((named(say.tick('Order bolts')) as HTMLInputElement).disabled).toBe(true);
  expect((named(say.lock('Bronze')) as HTMLButtonElement).disabled).toBe(true);
});

it('takes the second press of a double-click for none on the button that is there by then', async () => {
  for (const text of ['Order bolts', 'Write to the yard']) await write(say.checkpointHint, text);
  await press(say.removeItem('Order bolts'));
  await pressAgain(say.removeItem('Write to the yard'));
  expect(rows()).toEqual(['Write to the yard']);
  await press(say.pause);
  for (const name of [say.resume, say.complete, say.dismiss]) await pressAgain(name);
  expect([goalNow().status, goalNow().dismissed]).toEqual(['paused', false]);
  await press(say.complete);
  for (const name of [say.resume, say.dismiss]) await pressAgain(name);
  expect([goalNow().status, goalNow().dismissed]).toEqual(['completed', false]);
});

it('K18 rewords, rates, pins, pauses, resumes, completes and dismisses the goal', async () => {
  await press(say.editGoal);
  expect((named(say.editGoal) as HTMLInputElement | null)?.isConnected).toBe(true);
  const box = root.querySelector<HTMLInputElement>('.docent-goal-new input[type=text]');
  if (box === null) throw new Error('There is no box.');
  box.value = 'Launch both boats';
  act(() => void box.form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true })));
  await settle();
  expect(goalNow().description).toBe('Launch both boats');
  await press(say.pin);
  expect(goalNow().pinned).toBe(true);
  await press(say.unpin);
  expect(goalNow().pinned).toBe(false);
  await press(say.pause);
  expect(goalNow().status).toBe('paused');
  await press(say.resume);
  expect(goalNow().status).toBe('active');
  await press(say.add);
  expect(added).toBe(1);
  await press(say.complete);
  expect(goalNow().status).toBe('completed');
  await press(say.dismiss);
  expect(goalNow().dismissed).toBe(true);
});

it('R115 a locked decision can only be unlocked', async () => {
  await write(say.decisionHint, 'Bronze');
  await press(say.lock('Bronze'));
  expect(goalNow().decisions[0]?.locked).toBe(true);
  expect(root.textContent).toContain(say.locked);
  expect(named(say.editItem('Bronze'))).toBeNull();
  await press(say.unlock('Bronze'));
  expect(goalNow().decisions[0]?.locked).toBe(false);
  expect(named(say.editItem('Bronze'))).not.toBeNull();
});

it('R116 opens the notes that the goal made, except those that are deleted', async () => {
  await bench.goals.recordArtifact(goalNow().id, 'note', 'Crew.md', 'created');
  await bench.goals.recordArtifact(goalNow().id, 'note', 'Old.md', 'deleted');
  draw();
  expect(headings()).toContain(say.artifacts);
  await press(say.openArtifact('Crew.md'));
  expect(opened).toEqual([['Crew.md', false]]);
  expect(named(say.openArtifact('Old.md'))).toBeNull();
  expect(rows()).toContain('Old.md');
});

it('R125 records a note that the user adds, and nothing when none is chosen', async () => {
  const add = (): HTMLElement | undefined =>
    [...root.querySelectorAll('button')].find(({ textContent }) => textContent === say.addArtifact);
  act(() => add()?.click());
  await settle();
  expect(goalNow().artifacts).toEqual([]);
  chosen = 'Crew.md';
  act(() => add()?.click());
  await settle();
  expect(goalNow().artifacts).toEqual([{ type: 'note', path: 'Crew.md', action: 'modified' }]);
  await bench.goals.completeGoal(goalNow().id, '');
  draw();
  expect(add()).toBeUndefined();
});

it('records a note for the goal of the chat in which it was added although another chat is opened meanwhile', async () => {
  let choose = (_path: string | null): void => {};
  chosen = new Promise((resolve) => (choose = resolve));
  act(() => [...root.querySelectorAll('button')].find(({ textContent }) => textContent === say.addArtifact)?.click());
  open = goalBench();
  await open.goals.createGoal('Sell the boat');
  choose('Crew.md');
  await settle();
  expect(goalNow().artifacts).toEqual([{ type: 'note', path: 'Crew.md', action: 'modified' }]);
  expect(open.goals.getGoalHistory().at(-1)?.artifacts).toEqual([]);
});

/** The icon in the element of this name. */
const iconOf = (name: string): string =>
  [...(named(name)?.querySelector('svg')?.classList ?? [])].find((each) => each.startsWith('lucide-')) ?? '';

it('K18 shows by icons what is locked, what a button would do, and what became of a file', async () => {
  expect([iconOf(say.pin), iconOf(say.pause)]).toEqual(['lucide-lock-open', 'lucide-pause']);
  await press(say.pin);
  await press(say.pause);
  expect([iconOf(say.unpin), iconOf(say.resume)]).toEqual(['lucide-lock', 'lucide-play']);
  await write(say.decisionHint, 'Bronze');
  expect(iconOf(say.lock('Bronze'))).toBe('lucide-lock-open');
  await press(say.lock('Bronze'));
  expect(iconOf(say.unlock('Bronze'))).toBe('lucide-lock');
  await bench.goals.recordArtifact(goalNow().id, 'note', 'Crew.md', 'modified');
  await bench.goals.recordArtifact(goalNow().id, 'note', 'Old.md', 'deleted');
  draw();
  const files = [...root.querySelectorAll('.docent-goal-row:has(.lucide-file-text, .lucide-file-x)')];
  expect(files.map((file) => [file.querySelector('.lucide-file-x') !== null, file.textContent])).toEqual([
    [false, `Crew.md${say.changes.artifact.modified}`],
    [true, `Old.md${say.changes.artifact.deleted}`],
  ]);
});

it('K18 says how the goal stands, and how much it matters where that is not as usual', async () => {
  const status = (): string | undefined => root.querySelector('.docent-goal-status')?.textContent;
  expect(status()).toBe(say.statuses.active);
  await bench.goals.edit(goalNow().id, goalNow().id, 'Launch the boat', 'high');
  draw();
  expect(status()).toBe(say.withPriority(say.statuses.active, say.priorities.high));
});

it('K18 rewords a step in its own box, which begins with what it says', async () => {
  await write(say.checkpointHint, 'Order bolts');
  expect((named(say.checkpointHint) as HTMLInputElement).value).toBe('');
  expect((named(say.nextHint) as HTMLInputElement).defaultValue).toBe('');
  await press(say.editItem('Order bolts'));
  const box = named(say.editItem('Order bolts')) as HTMLInputElement;
  expect([document.activeElement, box.value]).toEqual([box, 'Order bolts']);
  await write(say.editItem('Order bolts'), ' Order more bolts ');
  expect(goalNow().checkpoints.map(({ description }) => description)).toEqual(['Order more bolts']);
  expect(named(say.editItem('Order more bolts'))?.tagName).toBe('BUTTON');
  await write(say.checkpointHint, '  ');
  expect(goalNow().checkpoints).toHaveLength(1);
});

it('K18 says which step is under way, and what stands in its way', async () => {
  const request = (status: 'in-progress' | 'pending', blocker?: string) =>
    bench.goals.request({
      ...{ action: 'checkpoint', description: 'Order bolts', status },
      ...(blocker === undefined ? {} : { blocker }),
    });
  await request('in-progress');
  draw();
  expect(rows()[0]).toBe(`Order bolts${say.checkpointStatuses['in-progress']}`);
  await request('pending', 'No money');
  draw();
  expect(rows()[0]).toBe(`Order bolts${say.blocked('No money')}`);
  await press(say.tick('Order bolts'));
  expect(goalNow().checkpoints[0]?.status).toBe('completed');
  expect((named(say.tick('Order bolts')) as HTMLInputElement).checked).toBe(true);
});

it.each([
  ['the goal', say.editGoal, '.docent-goal-new'],
  ['the next step', say.editItem('Ring the yard'), '.docent-goal-form:has(button + button)'],
])('K18 gives %s that is edited to no other goal that comes to the front', async (_what, name, box) => {
  await write(say.nextHint, 'Ring the yard');
  await press(name);
  expect(root.querySelector(box)).not.toBeNull();
  await bench.goals.createGoal('Paint the hull');
  draw();
  expect(goalNow().description).toBe('Paint the hull');
  expect(root.querySelector(box)).toBeNull();
});

it('K18 takes the tick of a step back', async () => {
  // A goal of which all steps are done is closed.
  await write(say.checkpointHint, 'Paint the hull');
  await write(say.checkpointHint, 'Order bolts');
  const box = (): HTMLInputElement => named(say.tick('Order bolts')) as HTMLInputElement;
  await press(say.tick('Order bolts'));
  expect([goalNow().checkpoints[1]?.status, box().checked]).toEqual(['completed', true]);
  expect(box().closest('label')?.className).toContain('is-completed');
  await press(say.tick('Order bolts'));
  expect([goalNow().checkpoints[1]?.status, box().checked]).toEqual(['pending', false]);
});

it.each<[string, MouseEventInit]>([
  ['Ctrl', { ctrlKey: true }],
  ['Cmd', { metaKey: true }],
])('R116 opens a note in a new tab with %s', async (_key, held) => {
  await bench.goals.recordArtifact(goalNow().id, 'note', 'Crew.md', 'created');
  draw();
  const click = new MouseEvent('click', { bubbles: true, ...held });
  act(() => void named(say.openArtifact('Crew.md'))?.dispatchEvent(click));
  expect(opened).toEqual([['Crew.md', true]]);
});

it('K18 leaves a step as it is when Escape ends its box, but not while an input method composes', async () => {
  await write(say.checkpointHint, 'Order bolts');
  await press(say.editItem('Order bolts'));
  const heard: string[] = [];
  root.addEventListener('keydown', ({ key }) => heard.push(key));
  const type = (name: string, key: string, init: KeyboardEventInit = {}): boolean => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
    act(() => void named(name)?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  (named(say.editItem('Order bolts')) as HTMLInputElement).value = 'Something else';
  expect(type(say.editItem('Order bolts'), 'Escape', { isComposing: true })).toBe(false);
  expect(type(say.editItem('Order bolts'), 'a')).toBe(false);
  expect(named(say.editItem('Order bolts'))?.tagName).toBe('INPUT');
  // The app has its own use for the key.
  expect(type(say.editItem('Order bolts'), 'Escape')).toBe(true);
  expect([heard, named(say.editItem('Order bolts'))?.tagName]).toEqual([['Escape', 'a'], 'BUTTON']);
  expect(goalNow().checkpoints[0]?.description).toBe('Order bolts');
  expect(type(say.checkpointHint, 'Escape')).toBe(false);
});

it('leaves the focus where it is when the details appear', () => {
  const box = document.body.createEl('textarea');
  box.focus();
  render(null, root);
  draw();
  expect(document.activeElement).toBe(box);
  box.remove();
});
