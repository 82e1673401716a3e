/** @jest-environment jsdom */
/** Results with a view of their own: to-dos, a question with choices, a plan; and what an answer to them sends. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { AnswerItem, AnswerPart } from '../../../../src/core/chat/transcript';
import type { ResultView } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { nameOf } from '../../../../src/ui/components/controls';
import { ResultViews } from '../../../../src/ui/chat/result-view';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';

const say = words.asking;
let root: HTMLElement;
let sent: unknown[];
let store: () => void;

beforeEach(async () => {
  sent = [];
  await createTestApp({ bare: true });
  root = document.body.createDiv();
});
afterEach(async () => {
  act(() => render(null, root));
  await closeTestApps();
});

const model = {
  sendWithoutDraft: (...all: unknown[]) => {
    sent.push(all);
    return new Promise<void>((resolve) => (store = resolve));
  },
  ports: { openNote: (...all: unknown[]) => sent.push(all) },
} as unknown as OpenChatState;

function show(isOpen: boolean, ...views: readonly ResultView[]): void {
  const parts = views.map((view): AnswerPart => ({
    ...{ type: 'tool-call', callId: 'c', name: 'ask', argumentsText: '{}' },
    result: { text: '', isError: false, sources: [], view },
  }));
  const unseen: AnswerPart[] = [
    { type: 'text', text: 'Look.' },
    { type: 'tool-call', callId: 'd', name: 'ask', argumentsText: '{}', result: null },
  ];
  const item: AnswerItem = { type: 'answer', id: 'a', end: 'complete', model: '', parts: [...unseen, ...parts] };
  act(() => render(<ResultViews item={item} model={model} isOpen={isOpen} />, root));
}
const buttons = (): HTMLButtonElement[] => [...root.querySelectorAll('button')];
const find = (name: string): HTMLButtonElement => {
  const found = buttons().find(({ textContent }) => textContent === name);
  if (found === undefined) throw new Error(`There is no button “${name}”.`);
  return found;
};
const press = async (name: string): Promise<void> => {
  await act(() => Promise.resolve(find(name).click()));
};
const usable = (): string[] => buttons().flatMap(({ disabled, textContent }) => (disabled ? [] : [textContent]));
const question = (more: object = {}): ResultView => ({
  ...{ kind: 'question', question: 'Which wood?', options: ['Oak', 'Elm'], several: false, ...more },
});

it('shows the newest to-dos, each with its state', () => {
  const todos = (...items: readonly ['open' | 'doing' | 'done', string][]): ResultView => ({
    kind: 'todos',
    items: items.map(([state, text]) => ({ state, text })),
  });
  show(false, todos(['open', 'Old']), todos(['done', 'Sand'], ['doing', 'Paint'], ['open', 'Launch']));
  const { done, doing, open } = say.todoStates;
  expect([...root.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    ...[`Sand${done}`, `Paint${doing}`, `Launch${open}`],
  ]);
  expect(root.querySelectorAll('ul')).toHaveLength(1);
  expect(root.querySelector('.docent-todo.is-done')?.textContent).toContain('Sand');
});

it('sends the choice that is pressed, once', async () => {
  show(true, question());
  expect(root.textContent).toContain('Which wood?');
  expect(root.textContent).toContain(say.ownAnswer);
  expect(find('Oak').hasAttribute('aria-pressed')).toBe(false);
  await press('Elm');
  await press('Oak');
  expect(sent).toEqual([['Elm', []]]);
  await act(() => Promise.resolve(store()));
  await press('Oak');
  expect(sent).toEqual([
    ['Elm', []],
    ['Oak', []],
  ]);
});

it('sends several choices together, in the order in which they were made', async () => {
  show(true, question({ several: true }));
  expect(usable()).toEqual(['Oak', 'Elm']);
  await press('Elm');
  await press('Oak');
  expect(['Oak', 'Elm'].map((name) => find(name).getAttribute('aria-pressed'))).toEqual(['true', 'true']);
  expect(root.querySelectorAll('.is-chosen')).toHaveLength(2);
  await press(say.answer);
  await press('Elm');
  expect([find('Elm').getAttribute('aria-pressed'), sent]).toEqual(['false', [['Elm, Oak', []]]]);
});

it('has no button to answer where nothing can be chosen', () => {
  show(true, question({ several: true, options: [] }));
  expect(buttons()).toEqual([]);
});

it('lets only the last question be answered, and none once something was said since', () => {
  show(true, question({ options: ['One'] }), question({ options: ['Two'] }));
  expect([usable(), root.querySelectorAll('.docent-question-hint').length]).toEqual([['Two'], 1]);
  show(true, question({ options: ['One'] }), { kind: 'plan', path: null });
  expect(usable()).toEqual([say.approvePlan, say.rejectPlan]);
  show(false, question({ options: ['Two'], several: true }), { kind: 'plan', path: null });
  expect([usable(), root.querySelectorAll('.docent-question-hint').length]).toEqual([[], 0]);
  expect(root.textContent).toContain(say.planInAnswer);
});

it('opens the note of a plan, and runs the plan in Review mode once it is approved', async () => {
  show(true, { kind: 'plan', path: 'Plans/Paint.md' });
  const link = root.querySelector('a')!;
  expect([link.textContent, root.textContent.includes(say.planInAnswer)]).toEqual(['Plans/Paint.md', false]);
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  link.dispatchEvent(click);
  expect([click.defaultPrevented, sent]).toEqual([true, [['Plans/Paint.md', false]]]);
  await press(say.approvePlan);
  await press(say.approvePlan);
  expect(sent.slice(1)).toEqual([[say.planApproved, [], { permission: 'review' }]]);
});

it('asks what to change in a plan before it sends that it is to be changed', async () => {
  show(true, { kind: 'plan', path: null });
  await press(say.rejectPlan);
  expect(usable()).toEqual([say.cancelReason]);
  const box = root.querySelector('textarea')!;
  const type = (text: string): void => {
    box.value = text;
    act(() => void box.dispatchEvent(new InputEvent('input', { bubbles: true })));
  };
  type('  ');
  expect(usable()).toEqual([say.cancelReason]);
  type(' Sand it first. ');
  await press(say.sendReason);
  await press(say.sendReason);
  expect(sent).toEqual([[say.planRejected('Sand it first.'), []]]);
});

it.each(['the button', 'Escape'])('leads from the changes to a plan back to its approval, by %s', async (way) => {
  show(true, { kind: 'plan', path: null });
  await press(say.rejectPlan);
  const box = root.querySelector('textarea')!;
  expect(document.activeElement).toBe(box);
  // An aria-label would be a tooltip over the buttons.
  expect([box.ariaLabel, nameOf(box)]).toEqual([null, say.planReason]);
  box.value = 'Sand it';
  act(() => void box.dispatchEvent(new InputEvent('input', { bubbles: true })));
  if (way === 'Escape')
    act(() => void box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })));
  else await press(say.cancelReason);
  expect([usable(), sent]).toEqual([[say.approvePlan, say.rejectPlan], []]);
  await press(say.rejectPlan);
  expect(root.querySelector('textarea')!.value).toBe('Sand it');
});

it('shows every character of what an answer would send', async () => {
  const hidden = 'Oak\u202emle\u200b';
  show(true, question({ question: `Which? ${hidden}`, options: [hidden, '<b>Elm</b>'] }));
  expect(root.querySelector('.docent-question-text')!.textContent).toBe('Which? Oak{U+202E}mle{U+200B}');
  expect(nameOf(root.querySelector<HTMLElement>('.docent-question')!)).toBe('Which? Oak{U+202E}mle{U+200B}');
  expect(usable()).toEqual(['Oak{U+202E}mle{U+200B}', '<b>Elm</b>']);
  await press('Oak{U+202E}mle{U+200B}');
  expect(sent).toEqual([[hidden, []]]);
  show(true, { kind: 'plan', path: `Plans/${hidden}.md` });
  expect(root.querySelector('a')!.textContent).toBe('Plans/Oak{U+202E}mle{U+200B}.md');
});
