/** @jest-environment jsdom */
/** The question before a call: all that would be sent, and an answer that nobody gives by accident. */
import { type Signal, signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { ApprovalRequest } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { ApprovalRequests } from '../../../../src/ui/chat/approval-request';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';

const say = words.serverSettings.question;
const base: ApprovalRequest = {
  id: 'one',
  title: 'list_days of the server calendar',
  server: 'calendar',
  url: 'https://calendar.example/mcp?a=1',
  argumentsText: '{"day":"Monday"}',
  passages: [],
  taint: null,
};

let foot: HTMLElement;
let state: Signal<{ readonly questions: readonly ApprovalRequest[] }>;
let answers: string[];

function show(...questions: ApprovalRequest[]): void {
  state = signal({ questions });
  answers = [];
  const model = {
    state,
    ports: { openExternal: (url: string) => answers.push(`open ${url}`) },
    answerQuestion: (id: string, isAllowed: boolean, further?: object) => {
      answers.push(`${id} ${isAllowed}${further === undefined ? '' : ` ${JSON.stringify(further)}`}`);
      state.value = { questions: state.value.questions.filter((each) => each.id !== id) };
    },
  } as unknown as OpenChatState;
  foot = document.body.createDiv();
  act(() =>
    render(
      <>
        <ApprovalRequests model={model} />
        <textarea class="docent-composer-input" />
      </>,
      foot,
    ),
  );
}
const become = (...questions: ApprovalRequest[]): void => void act(() => void (state.value = { questions }));
const question = (): HTMLElement | null => foot.querySelector<HTMLElement>('.docent-network-question');
const button = (name: string): HTMLButtonElement | undefined =>
  [...foot.querySelectorAll('button')].find(({ textContent }) => textContent === name);
const click = (name: string): void => void act(() => button(name)?.click());
const wait = (milliseconds: number): void => void act(() => void jest.advanceTimersByTime(milliseconds));
function press(key: string, element: Element | null): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  act(() => void element?.dispatchEvent(event));
  return event;
}

beforeEach(async () => {
  await createTestApp({ bare: true });
  jest.useFakeTimers();
});
afterEach(async () => {
  act(() => render(null, foot));
  jest.useRealTimers();
  await closeTestApps();
});

it('shows whom it would ask, where, what for, and every character that would be sent', () => {
  const argumentsText = JSON.stringify({ text: 'x'.repeat(50_000), hidden: 'a\u202eb\u{e0041}' });
  show({ ...base, argumentsText });
  expect(question()?.textContent).toContain('Send to calendar?');
  expect(question()?.textContent).toContain('Goes to calendar.example');
  expect(question()?.textContent).toContain('list_days of the server calendar');
  expect(foot.querySelector('.docent-network-sent')?.textContent).toBe(
    argumentsText.replace('\u202e', '{U+202E}').replace('\u{e0041}', '{U+E0041}'),
  );
  expect(question()?.textContent).not.toContain(say.carries);
});

it('names a host as the network reads it, and what cannot be seen in the words of others', () => {
  show({ ...base, url: 'https://cal\u0435ndar.example/', title: 'a\u200bb', server: 'c' });
  expect(question()?.textContent).toContain('xn--');
  expect(question()?.textContent).toContain('a{U+200B}b');
  become({ ...base, id: 'two', url: 'no address' });
  expect(question()?.textContent).toContain('no address');
});

it('marks and names the passages of notes that it carries, and whose text the chat holds', () => {
  const argumentsText = '{"q":"The keel bolts\\nare sound, says nobody"}';
  show({ ...base, argumentsText, passages: ['the keel bolts are sound'], taint: 'Clippings/Web.md' });
  expect(question()?.textContent).toContain('Contains text from your notes');
  expect(question()?.querySelector('code')?.textContent).toBe('the keel bolts are sound');
  expect([...foot.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
    'The keel bolts\\nare sound',
  ]);
  expect(question()?.textContent).toContain('untrusted text from Clippings/Web.md');
});

it('takes no answer in the first half second, and takes the focus from nobody', () => {
  show();
  const input = foot.querySelector('textarea');
  input?.focus();
  become(base);
  expect([button(say.send)?.disabled, button(say.refuse)?.disabled]).toEqual([true, true]);
  click(say.send);
  wait(499);
  click(say.send);
  expect(answers).toEqual([]);
  wait(1);
  expect(document.activeElement).toBe(input);
  click(say.send);
  expect(answers).toEqual(['one true']);
  expect(question()).toBeNull();
});

it('asks one after the other, each for half a second of its own', () => {
  show(base, { ...base, id: 'two', title: 'second' }, { ...base, id: 'three' });
  expect(question()?.textContent).toContain('1 of 3');
  wait(500);
  click(say.refuse);
  expect(answers).toEqual(['one false']);
  expect(question()?.textContent).toContain('second');
  expect(question()?.textContent).toContain('1 of 2');
  expect(button(say.send)?.disabled).toBe(true);
  click(say.send);
  expect(answers).toHaveLength(1);
  wait(500);
  click(say.send);
  expect(answers).toEqual(['one false', 'two true']);
  expect(question()?.textContent).not.toContain('1 of');
});

it('Escape refuses only where the question has the focus', () => {
  show(base);
  const input = foot.querySelector('textarea');
  press('Escape', input);
  press('Escape', document.body);
  expect(answers).toEqual([]);
  press('Enter', question());
  expect(answers).toEqual([]);
  const event = press('Escape', foot.querySelector('.docent-network-sent'));
  expect(event.defaultPrevented).toBe(true);
  expect(answers).toEqual(['one false']);
});

it('leads whoever answers by keys to the next question, and then to the box', () => {
  show(base, { ...base, id: 'two' });
  wait(500);
  button(say.refuse)?.focus();
  click(say.refuse);
  expect(document.activeElement).toBe(question());
  press('Escape', question());
  expect(answers).toEqual(['one false', 'two false']);
  expect(document.activeElement).toBe(foot.querySelector('textarea'));
});

it('is read out politely, from a place that was there before', () => {
  show();
  const place = foot.querySelector('[role="status"]');
  expect([place?.getAttribute('aria-live'), place?.textContent]).toEqual(['polite', '']);
  become(base, { ...base, id: 'two' });
  expect(foot.querySelector('[role="status"]')).toBe(place);
  expect(place?.textContent).toBe('Send to calendar? list_days of the server calendar. 1 of 2');
});

/** What can be pressed below the question. */
const offered = (): string[] => [...foot.querySelectorAll('.docent-choices button')].map((each) => each.textContent);
const warnings = (): string[] =>
  [...foot.querySelectorAll('.docent-network-warning')].map((each) => {
    const icon = [...(each.querySelector('svg')?.classList ?? [])].find((name) => name.startsWith('lucide-'));
    return `${icon} ${each.textContent}`;
  });

it('allows a tool for the rest of the chat only where no text of notes or of others is in sight', () => {
  show(base);
  expect(offered()).toEqual([say.send, say.forChat, say.refuse]);
  expect(button(say.forChat)?.disabled).toBe(true);
  expect(warnings()).toEqual([]);
  wait(500);
  click(say.forChat);
  expect(answers).toEqual(['one true {"forChat":true}']);
  become({ ...base, taint: 'Clippings/Web.md' });
  expect(offered()).toEqual([say.send, say.refuse]);
  expect(warnings()).toEqual([`lucide-shield-alert ${say.tainted('Clippings/Web.md')}`]);
  become({ ...base, id: 'two', passages: ['monday'] });
  expect(offered()).toEqual([say.send, say.refuse]);
  expect(warnings()).toEqual([`lucide-triangle-alert ${say.carries}monday`]);
});

it('shows what the server says of its tool, and warns of a name that may look like another', () => {
  show({ ...base, about: { title: 'Days', mayLookAlike: true, warns: true } });
  expect(question()?.textContent).toContain(`${base.title} ${say.titled('Days')}`);
  expect(warnings()).toEqual([`lucide-triangle-alert ${say.lookAlike}`, `lucide-triangle-alert ${say.warns}`]);
  become({ ...base, id: 'two', about: { mayLookAlike: false } });
  expect(warnings()).toEqual([]);
  expect(question()?.textContent).not.toContain(say.titled(''));
});

describe('a server that asks the user', () => {
  const page = { kind: 'page', message: 'Sign the form.', url: 'https://forms.example/a?b=c' } as const;
  const day = { name: 'day', title: 'Day', description: '', type: 'text', required: true, options: [] } as const;
  const form = { kind: 'form', message: 'Which day?', fields: [day] } as const;

  it('has its page opened, whose whole address is shown, and gets an answer without values', () => {
    show({ ...base, question: page, taint: 'Clippings/Web.md' });
    const text = question()?.textContent;
    for (const said of [say.asksYou('calendar'), say.answerHost('calendar.example'), say.pageHint, 'Sign the form.'])
      expect(text).toContain(said);
    expect(text).toContain(say.pageHost('forms.example'));
    expect(foot.querySelector('.docent-network-sent')?.textContent).toBe(page.url);
    // Nothing of the chat is sent with an answer.
    expect([warnings(), offered()]).toEqual([[], [say.openPage, say.noAnswer]]);
    expect(foot.querySelector('[role="status"]')?.textContent).toBe(say.saidAsks('calendar', page.message, '').trim());
    wait(500);
    click(say.openPage);
    expect(answers).toEqual([`open ${page.url}`, 'one true']);
    become({ ...base, id: 'two', question: page });
    wait(500);
    click(say.noAnswer);
    expect(answers.slice(2)).toEqual(['two false']);
  });

  it('gets what was entered in its form once nothing is missing', () => {
    show({ ...base, question: form });
    expect(question()?.textContent).toContain(say.formHint);
    expect(question()?.textContent).not.toContain(say.pageHint);
    expect(offered()).toEqual([say.answer, say.noAnswer]);
    const problem = (): string => foot.querySelector('.docent-field-problem')?.textContent ?? '';
    expect(problem()).toBe('');
    wait(500);
    click(say.answer);
    expect([answers, problem()]).toEqual([[], words.serverSettings.fields.missing]);
    const box = foot.querySelector<HTMLInputElement>('.docent-field input');
    if (box === null) throw new Error('There is no box.');
    box.value = 'Monday';
    act(() => void box.dispatchEvent(new InputEvent('input', { bubbles: true })));
    click(say.answer);
    expect(answers).toEqual(['one true {"content":{"day":"Monday"}}']);
  });
});
