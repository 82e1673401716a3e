/** @jest-environment jsdom */
/** The bar that finds words in a chat: which passage it marks, and the keys that go from one to the next. */
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { installDom } from 'obsidian-workbench/jest';
import type { TranscriptItem } from '../../../../src/core/chat/transcript';
import { words } from '../../../../src/text';
import { FindBar, type FindStart, goToQuestion } from '../../../../src/ui/chat/find-in-chat';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';

const said = 'Copy the file:\n```sh\ncp a b\n```\nThen copy it.';
const items = [
  { type: 'user', id: 'u', text: 'How do I copy?', mentions: [] },
  { type: 'answer', id: 'a', end: 'complete', model: '', parts: [{ type: 'text', text: said }] },
] as unknown as readonly TranscriptItem[];
/** The answer as it is drawn: code has its language and a button above it. */
const drawn =
  '<p>Copy the file:</p><div><div><span>sh</span><button>Copy</button></div><pre><code>cp a b</code></pre></div>' +
  '<p>Then copy it.</p>';

let root: HTMLElement;
let highlights: Map<string, Set<Range>>;
const place = signal<unknown>(null);
const close = jest.fn();

beforeEach(() => {
  jest.useFakeTimers();
  installDom(window);
  highlights = new Map();
  const rectangle = { top: 0, bottom: 0 };
  Object.assign(window, {
    CSS: { highlights },
    Highlight: class extends Set<Range> {
      constructor(...ranges: Range[]) {
        super(ranges);
      }
    },
    requestAnimationFrame: (run: () => void) => window.setTimeout(run, 0),
    cancelAnimationFrame: (timer: number) => window.clearTimeout(timer),
  });
  Object.assign(Range.prototype, { getBoundingClientRect: () => rectangle });
  root = document.body.appendChild(document.createElement('div'));
  root.className = 'docent-pane';
  close.mockClear();
});
afterEach(() => {
  jest.restoreAllMocks();
  act(() => render(null, root));
  expect(highlights.size).toBe(0);
  root.remove();
  jest.useRealTimers();
});

async function find(
  query: string,
  start: FindStart = { words: '', message: null },
  question = 'How do I copy?',
): Promise<void> {
  const asked = items.map((item) => (item.type === 'user' ? { ...item, text: question } : item));
  const model = { state: signal({ items: asked }), place } as unknown as OpenChatState;
  act(() =>
    render(
      <>
        <FindBar model={model} start={start} onClose={close} />
        <div class="docent-transcript">
          <div class="docent-item" data-place="0">
            <div class="docent-user-text">{question}</div>
          </div>
          <div class="docent-item" data-place="1">
            <div class="docent-markdown" dangerouslySetInnerHTML={{ __html: drawn }} />
          </div>
        </div>
      </>,
      root,
    ),
  );
  box().value = query;
  act(() => void box().dispatchEvent(new InputEvent('input', { bubbles: true })));
  await settle(250);
  await settle();
}
const box = (): HTMLInputElement => root.querySelector('input') as HTMLInputElement;
const settle = (milliseconds = 150): Promise<void> => act(() => jest.advanceTimersByTimeAsync(milliseconds));
async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  act(() => void box().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })));
  await settle();
}
/** The text around the passage that is marked as the current one, and how many are marked in its message. */
function current(): readonly [string | null | undefined, number] {
  const [range] = highlights.get('docent-find-current') ?? [];
  return [range?.startContainer.textContent, highlights.get('docent-find')?.size ?? 0];
}

it('marks what was said and not the button above code that has the same name', async () => {
  await find('copy');
  expect(root.querySelector('.docent-find-count')?.textContent).toContain('3');
  expect(current()).toEqual(['Then copy it.', 2]);
  await press('Enter', { shiftKey: true });
  expect(current()).toEqual(['Copy the file:', 2]);
});

it('marks words behind letters that are apart from their accents, and such words', async () => {
  const marked = (): string => [...(highlights.get('docent-find-current') ?? [])].join('');
  await find('oars', undefined, 'Gru\u0308ne Boote, e\u0301te\u0301 and oars');
  expect([marked(), current()[1]]).toEqual(['oars', 1]);
  await find('gr\u00fcne', undefined, 'Gru\u0308ne Boote');
  expect(marked()).toBe('Gru\u0308ne');
  await find('istanbul', undefined, '\u0130zmir, \u0130stanbul');
  expect(marked()).toBe('\u0130stanbul');
});

it('says that words are not found once they have been searched for, and not while they are', async () => {
  const count = (): string | undefined => root.querySelector('.docent-find-count')?.textContent;
  const type = (query: string): void => {
    box().value = query;
    act(() => void box().dispatchEvent(new InputEvent('input', { bubbles: true })));
  };
  await find('');
  type('zebra');
  expect(count()).toBe('');
  await settle(250);
  expect(count()).toBe(words.find.count(0, 0, false));
  type('zebra co');
  expect(count()).toBe('');
  type('copy');
  await settle(250);
  expect(count()).toBe(words.find.count(3, 3, false));
});

it('goes from the last passage to the first and back by keys, except while an input method composes', async () => {
  await find('copy');
  await press('Enter', { isComposing: true });
  expect(place.value).toBe(1);
  await press('Enter');
  expect([place.value, current()]).toEqual([0, ['How do I copy?', 1]]);
  await press('Enter', { shiftKey: true });
  expect([place.value, current()[0]]).toEqual([1, 'Then copy it.']);
  await press('Escape', { isComposing: true });
  expect(close).not.toHaveBeenCalled();
  await press('Escape');
  expect(close).toHaveBeenCalledTimes(1);
});

it('marks nothing once nothing is found', async () => {
  await find('copy');
  await find('oak');
  expect(highlights.size).toBe(0);
  expect(root.querySelectorAll('button:disabled')).toHaveLength(2);
});

it.each(['', ' ', 'xx'])('stays with what was found until “%s” is searched for', async (typed) => {
  await find('copy');
  place.value = null;
  const before = current();
  box().value = typed;
  act(() => void box().dispatchEvent(new InputEvent('input', { bubbles: true })));
  await settle(60);
  expect([current(), place.value]).toEqual([before, null]);
  await settle(250);
  expect([highlights.size, place.value]).toEqual([0, null]);
});

it('leaves the keys of a button to it, except Escape', async () => {
  await find('copy');
  const press = (name: string, key: string): KeyboardEvent => {
    const button = [...root.querySelectorAll('button')].find((each) => each.getAttribute('aria-label') === name);
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    act(() => void button?.dispatchEvent(event));
    return event;
  };
  const { close: closeName, previous } = words.find;
  expect([press(previous, 'Enter'), press(closeName, 'Enter')].map((event) => event.defaultPrevented)).toEqual([
    ...[false, false],
  ]);
  await settle();
  expect([place.value, close.mock.calls.length]).toEqual([1, 0]);
  expect(press(previous, 'Escape').defaultPrevented).toBe(true);
  expect(close).toHaveBeenCalledTimes(1);
});

it('begins at the message that was asked for, and at the newest passage if it is not there', async () => {
  await find('copy', { words: 'copy', message: 'u' });
  expect([place.value, root.querySelector('.docent-find-count')?.textContent]).toEqual([
    0,
    words.find.count(1, 3, false),
  ]);
  act(() => render(null, root));
  await find('copy', { words: 'copy', message: 'a' });
  expect([place.value, current()[0]]).toEqual([1, 'Copy the file:']);
  act(() => render(null, root));
  await find('copy', { words: 'copy', message: 'elsewhere' });
  expect([place.value, current()[0]]).toEqual([1, 'Then copy it.']);
});

it('says nothing of a box that is empty, and takes what is typed at once', async () => {
  await find('');
  expect([root.querySelector('.docent-find-count')?.textContent, document.activeElement === box()]).toEqual(['', true]);
  const sayCount = (at: number): string => words.find.count(at, 3, false);
  await find('copy');
  expect(root.querySelector('.docent-find-count')?.textContent).toBe(sayCount(3));
});

it.each(['marks it', 'an old browser marks nothing'])('scrolls to a passage out of view: %s', async (way) => {
  if (way !== 'marks it') Object.assign(window, { CSS: {} });
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300);
  jest
    .spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    .mockReturnValue({ top: 20, bottom: 320 } as unknown as DOMRect);
  const list = (): HTMLElement | null => root.querySelector('.docent-transcript');
  const rectangle = (): object => ({ top: 620 - (list()?.scrollTop ?? 0), bottom: 640 - (list()?.scrollTop ?? 0) });
  Object.assign(Range.prototype, { getBoundingClientRect: rectangle });
  await find('copy');
  // A third of the view is above it.
  expect([list()?.scrollTop, highlights.size]).toEqual([500, way === 'marks it' ? 2 : 0]);
});

describe('from question to question', () => {
  const chat = ['user', 'answer', 'user', 'answer', 'user', 'answer'].map((type) => ({ type }));

  /** Goes on in a chat whose list is scrolled by so many pixels; returns where to. */
  function go(by: -1 | 1, scrolled: number, isOpen = true): unknown {
    const list = root.appendChild(document.createElement('div'));
    list.className = 'docent-transcript';
    list.getBoundingClientRect = () => ({ top: 50 }) as DOMRect;
    for (const index of chat.keys()) {
      const item = list.appendChild(document.createElement('div'));
      item.className = 'docent-item';
      item.dataset['place'] = `${index}`;
      item.getBoundingClientRect = () => ({ bottom: 50 + (index + 1) * 100 - scrolled }) as DOMRect;
    }
    const reached = signal<unknown>(null);
    goToQuestion(
      { state: signal(isOpen ? { items: chat } : null), place: reached } as unknown as OpenChatState,
      root,
      by,
    );
    list.remove();
    return reached.value;
  }

  it('goes to the one before or after what is in view', () => {
    expect([go(1, 0), go(-1, 250), go(1, 250), go(-1, 300), go(1, 300)]).toEqual([2, 0, 4, 2, 4]);
  });

  it('takes a message of which only an edge is seen for one out of view', () => {
    expect([go(-1, 187), go(-1, 188)]).toEqual([0, 0]);
    expect([go(1, 187), go(1, 188)]).toEqual([2, 4]);
  });

  it('stays at the first one, and goes from the last one to the end', () => {
    expect([go(-1, 0), go(1, 400), go(1, 500), go(-1, 900), go(1, 900)]).toEqual([null, 'end', 'end', 4, 'end']);
    expect([go(-1, 0, false), go(1, 0, false)]).toEqual([null, 'end']);
  });
});
