/** @jest-environment jsdom */
/** The messages of a chat as shown: running and finished answers, failures, and the scroll position of the list. */
import { signal } from '@preact/signals';
import { Platform } from 'obsidian';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { ChatState } from '../../../../src/core/chat/chat-view-state';
import type { AnswerItem, AnswerPart, TranscriptItem } from '../../../../src/core/chat/transcript';
import type { Mention } from '../../../../src/core/session/entry';
import { tools } from '../../../../src/core/tools';
import { words } from '../../../../src/text';
import { Transcript } from '../../../../src/ui/chat/transcript';
import type { OpenChatState } from '../../../../src/ui/state/chat-state';

const say = words.chatView;
let root: HTMLElement;
let done: string[];

beforeEach(async () => {
  await createTestApp({ bare: true });
  root = document.body.createDiv();
  done = [];
});
afterEach(async () => {
  act(() => render(null, root));
  jest.useRealTimers();
  await closeTestApps();
});

const idle: ChatState = {
  ...{ items: [], live: null, running: false, summarising: false, queued: [], plan: null, damaged: 0 },
};
const question: TranscriptItem = { type: 'user', id: 'u', text: 'Which?', mentions: [] };
const text = (said: string): AnswerPart => ({ type: 'text', text: said });
const call: AnswerPart = { type: 'tool-call', callId: 'c', name: 'read_note', argumentsText: '{}', result: null };
const answer = (end: AnswerItem['end'], ...parts: AnswerPart[]): AnswerItem => ({
  ...{ type: 'answer', id: 'a', end, model: 'test' },
  parts: parts.length > 0 ? parts : [text('Oak.')],
});

const state = signal<ChatState>(idle);
const live = signal<AnswerItem | null>(null);
const editing = signal<string | null>(null);
const edits = new Map<string, object>();
/** Ends the edit that is being stored. */
let store = (): void => {};
const model = {
  state,
  live,
  place: signal(null),
  review: {
    waiting: signal<object | null>(null),
    reviews: signal([]),
    isInSight: signal(false),
    get isOutOfSight() {
      return this.waiting.value !== null && !this.isInSight.value;
    },
  },
  context: { isInForce: () => false },
  resend: () => done.push('resend'),
  goOn: () => done.push('go on'),
  text: signal(''),
  choices: { model: 'p/one' },
  messages: {
    editing,
    edits,
    giveUpEdit: (id: string) => {
      edits.delete(id);
      editing.value = null;
    },
    canChange: true,
    edit: (id: string, said: string, mentions: readonly Mention[]) => {
      done.push(`edit ${id}: ${said} ${mentions.map(({ id: named }) => named)}`);
      return new Promise<void>((resolve) => (store = resolve));
    },
    answerAgain: (id: string, by = 'the same') => done.push(`again ${id} by ${by}`),
    showVersion: (id: string, part: string, step: number) => done.push(`version of ${part} ${id}: ${step}`),
    delete: (id: string, isDeleted: boolean) => done.push(`delete ${id}: ${isDeleted}`),
    fork: (id: string) => done.push(`fork ${id}`),
  },
  ports: {
    tools,
    mentionSources: [],
    chats: { fork: true },
    prompts: { modelChoices: () => ({ 'p/one': 'P: one', 'p/two': 'P: two' }), registry: { list: () => [] } },
    skills: () => [],
    activeNote: () => null,
    vault: {
      file: (path: string) => (path === 'Keel.md' ? { path } : undefined),
      resolveLink: (linkText: string) => (linkText === 'Keel' ? { path: 'In/Keel.md' } : undefined),
    },
    openNote: (linkText: string, newTab: boolean) => done.push(`open ${linkText} ${newTab}`),
    openExternal: (url: string) => done.push(`go to ${url}`),
    confirmLink: ({ reason }: { reason: string }) => {
      done.push(`ask ${reason}`);
      return Promise.resolve(reason !== 'tainted');
    },
    previewNote: (linkText: string) => done.push(`preview ${linkText}`),
    settings: () => ({}),
  },
} as unknown as OpenChatState;

const show = (changes: Partial<ChatState>, given = model): void => {
  state.value = { ...idle, ...changes };
  act(() => {
    live.value = changes.live ?? null;
    render(<Transcript model={given} state={state.value} />, root);
  });
};
const one = (selector: string): HTMLElement | null => root.querySelector<HTMLElement>(selector);
const texts = (selector: string): string[] =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
const buttons = (): string[] => [...root.querySelectorAll('button')].map((each) => each.ariaLabel ?? each.textContent);
/** Two frames: what grows is drawn once in each. */
const frames = (): Promise<void> =>
  act(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

it.each<[AnswerItem['end'], string[]]>([
  ['complete', []],
  ['stopped', [say.stopped]],
  ['interrupted', [say.interrupted]],
  ['tool-calls', [say.interrupted]],
  ['length', [say.cutAtLimit]],
])('says how an answer ended: %s', (end, notes) => {
  show({ items: [question, answer(end)] });
  expect(texts('.docent-answer-note')).toEqual(notes);
  expect(texts('.docent-markdown p')).toEqual(['Oak.']);
});

it('does not call an answer interrupted that goes on after what was cleared in between', () => {
  const cleared: TranscriptItem = { type: 'relief', id: 'r', text: 'Cleared.' };
  const earlier: TranscriptItem[] = [
    { ...question, id: 'u0' },
    { ...answer('tool-calls'), id: 'a0' },
  ];
  show({ items: [...earlier, question, answer('tool-calls'), cleared], running: true });
  expect(texts('.docent-answer-note')).toEqual([say.interrupted]);
  show({ items: [...earlier, question, answer('tool-calls'), cleared] });
  expect(texts('.docent-answer-note')).toEqual([say.interrupted, say.interrupted]);
});

it.each<[Partial<AnswerItem>, string]>([
  [{}, 'test'],
  [{ usage: { inputTokens: 1200, outputTokens: 34 } }, 'test · 1,234 tokens'],
  [{ usage: { inputTokens: 1, outputTokens: 1, cost: 0.02 }, took: 8_400 }, 'test · 2 tokens · 8 s · $0.020'],
  [
    { usage: { inputTokens: 1, outputTokens: 1, cost: 0.02 }, isUnpriced: true, took: 180_000 },
    'test · 2 tokens · 3 min',
  ],
  [{ model: 'anthropic/opus', took: 3 }, 'opus · 1 s'],
])('says under an answer what is known of its cost: %j', (known, facts) => {
  show({ items: [question, { ...answer('complete'), ...known }] });
  expect(texts('.docent-answer-facts')).toEqual([facts]);
});

it('says nothing of an attempt that failed before its first word', () => {
  show({ items: [question, answer('failed', text(' '))] });
  expect(one('.docent-answer')).toBeNull();
  show({ items: [question, answer('stopped', text(' '))] });
  expect(texts('.docent-answer')).toEqual([say.stopped]);
});

it('draws an answer as it grows, without a note and without anything to copy, until it is over', async () => {
  const grown = (said: string): Partial<ChatState> => ({
    ...{ items: [question], running: true },
    live: answer(null, call, text(said)),
  });
  show(grown('Of *oak'));
  await frames();
  expect(one('.docent-answer')?.textContent).toContain('Of ');
  expect([texts('.docent-answer-note'), one('.docent-answer .docent-message-actions'), one('.docent-working')]).toEqual(
    [[], null, null],
  );
  const drawn = one('.docent-markdown');
  show(grown('Of *oak* and teak.'));
  await frames();
  expect(texts('.docent-markdown')).toEqual(['Of oak and teak.']);
  expect(one('.docent-markdown')).toBe(drawn);
  show({ items: [question, answer('complete', call, text('Of *oak* and teak.'))] });
  expect(texts('.docent-markdown')).toEqual(['Of oak and teak.']);
  expect([one('.docent-markdown'), buttons().includes(say.copyAnswer)]).toEqual([drawn, true]);
  show({ items: [question, answer('complete', call, text('Of steel.'))] });
  expect(texts('.docent-markdown')).toEqual(['Of steel.']);
});

it('folds look-ups and thoughts in a row into one line, and prose between them parts the runs', () => {
  const thought: AnswerPart = { type: 'reasoning', text: 'Let me see.' };
  const note: AnswerPart = { type: 'note', text: 'Weather was added.' };
  show({ items: [question, answer('complete', thought, call, text('  '), call, text('Oak.'), note)] });
  expect(texts('.docent-run-summary')).toEqual(['2 lookups', 'Weather was added.']);
  const [first] = [...root.querySelectorAll<HTMLElement>('.docent-run-line')];
  expect(first?.ariaExpanded).toBe('false');
  act(() => first?.click());
  expect([first?.ariaExpanded, texts('.docent-thought')]).toEqual(['true', ['Let me see.']]);
  expect(texts('.docent-call-text:last-of-type')).toEqual([say.noResult, say.noResult]);
});

it('says that a look-up is under way, and only while it is', () => {
  const result = { text: 'Oak.', isError: false, sources: [] };
  show({ items: [question], running: true, live: answer(null, call) });
  expect(texts('.docent-run-summary')).toEqual([say.working]);
  act(() => one('.docent-run-line')?.click());
  expect(texts('.docent-call-text').at(-1)).toBe(say.toolRunning);
  show({ items: [question], running: true, live: answer(null, { ...call, result }) });
  expect(texts('.docent-run-summary')).toEqual(['1 lookup']);
  show({ items: [question], running: true, live: answer(null, call, text('Oak.')) });
  expect(texts('.docent-run-summary')).toEqual(['1 lookup']);
});

it('opens the notes of an answer, and asks about addresses once others’ text is in view', async () => {
  const said = answer('complete', text('See [[Keel]] and https://example.com/ here.'));
  show({ items: [question, said] });
  const [note, address] = [...root.querySelectorAll<HTMLElement>('.docent-markdown a')];
  note?.click();
  address?.click();
  await act(() => Promise.resolve());
  expect(done.splice(0)).toEqual(['open Keel false', 'ask unknown-url', 'go to https://example.com/']);
  show({ items: [question, said], taint: 'Page.md' });
  root.querySelectorAll<HTMLElement>('.docent-markdown a')[1]?.click();
  await act(() => Promise.resolve());
  expect(done).toEqual(['ask tainted']);
});

it.each<[string, Partial<ChatState>, string[]]>([
  ['a question that was not answered', { items: [question] }, [`${say.notAnswered}${say.sendAgain}`]],
  ['an answer that was interrupted', { items: [question, answer('interrupted')] }, [say.sendAgain]],
  ['one that was to go on', { items: [question, answer('tool-calls')] }, [say.sendAgain]],
  ['one that is complete', { items: [question, answer('complete')] }, []],
  [
    'one that was stopped before its first word',
    { items: [question, { ...answer('stopped'), parts: [] }] },
    [say.sendAgain],
  ],
  ['a question while it is answered', { items: [question], running: true }, []],
  ['an empty chat', {}, []],
])('offers to send again after %s', (_what, given, expected) => {
  show(given);
  expect(texts('.docent-not-answered')).toEqual(expected);
  const again = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === say.sendAgain);
  act(() => again?.click());
  expect(done).toEqual(expected.length > 0 ? ['resend'] : []);
});

it.each(['length', 'stopped'] as const)('offers to continue an answer that ended by %s', (end) => {
  show({ items: [question, answer(end)] });
  expect(texts('.docent-not-answered')).toEqual([say.goOn]);
  act(() => one('.docent-not-answered button')?.click());
  expect(done).toEqual(['go on']);
  show({ items: [question, answer(end), { ...question, id: 'u2' }, answer('complete')] });
  expect(texts('.docent-not-answered')).toEqual([]);
  show({ items: [question, answer(end)], running: true });
  expect(texts('.docent-not-answered')).toEqual([]);
});

it('says that it works on an answer until the first of it is there', () => {
  show({ items: [question], running: true });
  expect(one('.docent-working')?.ariaLabel).toBe(say.working);
  show({ items: [question] });
  expect(one('.docent-working')).toBeNull();
});

it('says which lines could not be read, what was left out, and what goes on', () => {
  const contextEvent: TranscriptItem = { type: 'relief', id: 'r', text: 'One result is put aside.' };
  show({ items: [question, contextEvent], damaged: 2, notice: 'The address has moved.' });
  expect(texts('.docent-damaged')).toEqual([say.damagedLines(2)]);
  expect(texts('.docent-relief')).toEqual(['One result is put aside.']);
  expect(texts('.docent-connection-note')).toEqual(['The address has moved.']);
  show({ items: [question] });
  expect([one('.docent-damaged'), one('.docent-connection-note')]).toEqual([null, null]);
});

it('counts down until it asks again, for the eye alone', () => {
  jest.useFakeTimers();
  const waiting = { words: 'Too many requests.', milliseconds: 3_000 };
  show({ items: [question], running: true, waiting });
  const left = (): string | undefined => one('.docent-connection-note [aria-hidden]')?.textContent;
  const status = `Too many requests. ${words.models.tryingAgain(3)}`;
  expect([one('[role=status]')?.textContent, left()]).toEqual([status, words.models.tryingAgain(3)]);
  act(() => void jest.advanceTimersByTime(1_250));
  expect([one('[role=status]')?.textContent, left()]).toEqual([status, words.models.tryingAgain(2)]);
  act(() => void jest.advanceTimersByTime(5_000));
  expect(left()).toBe(words.models.tryingAgain(0));
  show({ items: [question], waiting });
  expect(one('.docent-connection-note')).toBeNull();
  expect(jest.getTimerCount()).toBe(0);
});

it('follows what comes, down to where the question is at the top, unless the reader has scrolled away', () => {
  const size = { scrollHeight: 500, clientHeight: 200, offsetTop: 0 };
  const measures = Object.keys(size).map((name) =>
    jest.spyOn(HTMLElement.prototype, name as 'clientHeight', 'get').mockImplementation(function (this: HTMLElement) {
      if (this.hasClass('docent-user')) return 1_000;
      return size[name as keyof typeof size];
    }),
  );
  show({ items: [question] });
  const list = one('.docent-transcript')!;
  expect(list.scrollTop).toBe(300);
  size.scrollHeight = 900;
  show({ items: [question, answer('complete')] });
  expect(list.scrollTop).toBe(700);
  const scrollTo = (place: number): void => {
    list.scrollTop = place;
    act(() => void list.dispatchEvent(new Event('scroll')));
  };
  // The event of its own scrolling comes when there is more already, as when a review was drawn since.
  size.scrollHeight = 1_100;
  scrollTo(700);
  show({ items: [question, answer('complete')], running: true });
  expect(list.scrollTop).toBe(900);
  // The browser moves it up when there is less to show, as when a notice leaves, and more can come before its event.
  size.scrollHeight = 900;
  list.scrollTop = 700;
  show({ items: [question, answer('complete')] });
  size.scrollHeight = 1_000;
  show({ items: [question, answer('complete')], running: true });
  expect(list.scrollTop).toBe(800);
  // With more to show in the same step, it moves it back down, so that no event comes at all.
  size.scrollHeight = 900;
  list.scrollTop = 700;
  show({ items: [question, answer('complete')] });
  size.scrollHeight = 1_050;
  list.scrollTop = 800;
  show({ items: [question, answer('complete')], running: true });
  expect(list.scrollTop).toBe(850);
  size.scrollHeight = 900;
  list.scrollTop = 700;
  scrollTo(640);
  show({ items: [question, answer('complete')], damaged: 1 });
  expect(list.scrollTop).toBe(640);
  // Near the end, what comes is followed; what is only drawn again moves nothing, since the reader may be about to press it.
  scrollTo(641);
  show({ items: [question, answer('complete')], damaged: 1 });
  expect(list.scrollTop).toBe(641);
  size.scrollHeight = 920;
  show({ items: [question, answer('complete')], damaged: 2 });
  expect(list.scrollTop).toBe(720);
  // Past the place with the question at the top, the reader reads on.
  size.scrollHeight = 1_230;
  scrollTo(1_030);
  show({ items: [question, answer('complete')], damaged: 3 });
  expect(list.scrollTop).toBe(1_030);
  size.scrollHeight = 1_260;
  show({ items: [question, answer('complete')], damaged: 4 });
  expect(list.scrollTop).toBe(1_030);
  scrollTo(0);
  size.scrollHeight = 5_000;
  show({ items: [question, answer('complete'), { ...question, id: 'u2' }] });
  expect(list.scrollTop).toBe(992);
  measures.forEach((measure) => measure.mockRestore());
});

/** Lets the page do one task more. */
const nextTask = (): Promise<void> => act(() => new Promise<void>((done) => void setTimeout(done)));

/** Resolves once all items are mounted that a chat mounts when it opens. */
async function untilOpen(): Promise<void> {
  for (let before = -1; before !== root.querySelectorAll('.docent-item').length; await nextTask()) {
    before = root.querySelectorAll('.docent-item').length;
  }
}

const numbered = (length: number): TranscriptItem[] =>
  Array.from({ length }, (_, place) => ({ ...question, id: `u${place}`, text: `Q${place}` }));

it('mounts a few items at a time while a chat opens, the newest first, and says none of them', async () => {
  const seen: [number, string | undefined, string | null][] = [];
  show({ items: numbered(50) });
  for (let task = 0; task < 10; task += 1) {
    const shown = texts('.docent-user-text');
    seen.push([shown.length, shown[0], one('.docent-transcript')!.ariaLive]);
    expect(shown.at(-1)).toBe('Q49');
    await nextTask();
  }
  expect(seen.slice(0, 3)).toEqual([
    [4, 'Q46', 'off'],
    [8, 'Q42', 'off'],
    [12, 'Q38', 'off'],
  ]);
  expect(seen.slice(-2)).toEqual([
    [30, 'Q20', 'polite'],
    [30, 'Q20', 'polite'],
  ]);
});

it('mounts what is looked for in a short chat while it opens', () => {
  Element.prototype.scrollTo = () => {};
  show({ items: numbered(20) });
  expect(texts('.docent-user-text')).toEqual(['Q16', 'Q17', 'Q18', 'Q19']);
  act(() => void ((model.place as { value: unknown }).value = { message: 'u3', isAnswer: false }));
  expect(texts('.docent-user-text')).toHaveLength(20);
});

it('mounts the newest of many items, with room for the others, and says nothing of it', async () => {
  const many = numbered(500);
  show({ items: many });
  await untilOpen();
  expect(texts('.docent-user-text')).toEqual(many.slice(-30).map((_, place) => `Q${470 + place}`));
  expect(one('.docent-room')?.style.getPropertyValue('--docent-room')).toBe(`${470 * 120}px`);
  const rest = { ...question, id: 'next', text: 'Next' };
  show({ items: [...many, rest] });
  expect(texts('.docent-user-text')).toEqual([...many.slice(-30).map((_, place) => `Q${470 + place}`), 'Next']);
  show({ items: many.slice(0, 40) });
  expect([texts('.docent-user-text').length, one('.docent-room')]).toEqual([40, null]);
});

it.each([500, 46])('keeps the end of a chat of %d where it is once the rest is read', async (count) => {
  const many = numbered(count);
  show({ items: many.slice(-45), isReading: true });
  await untilOpen();
  const before = [...root.querySelectorAll('.docent-user-text')];
  expect([before.length, before[0]?.textContent, one('.docent-not-answered')]).toEqual([30, `Q${count - 30}`, null]);
  expect(root.textContent).toContain(say.readingOlder);
  show({ items: many });
  expect([...root.querySelectorAll('.docent-user-text')]).toEqual(before);
  expect(one('.docent-room')?.style.getPropertyValue('--docent-room')).toBe(`${(count - 30) * 120}px`);
  expect(root.textContent).not.toContain(say.readingOlder);
  show({ items: [...many, answer('complete')] });
  expect([...root.querySelectorAll('.docent-user-text')]).toEqual(before);
});

describe('a place that is looked for', () => {
  const many = Array.from({ length: 200 }, (_, place): TranscriptItem =>
    place % 2 === 0 ? { ...question, id: `u${place}` } : { ...answer('complete'), id: `a${place}` },
  );
  const mounted = (): [number, number] => {
    const places = [...root.querySelectorAll<HTMLElement>('.docent-item')].map(({ dataset }) => Number(dataset.place));
    return [places.at(0) ?? -1, places.at(-1) ?? -1];
  };
  beforeEach(() => {
    Element.prototype.scrollTo = ((to: ScrollToOptions) => done.push(`scroll to ${to.top}`)) as typeof window.scrollTo;
  });
  const go = (place: OpenChatState['place']['value']): [number, number] => {
    act(() => void (model.place.value = place));
    return mounted();
  };

  it('leaves what stays mounted as it is, up to the first message', async () => {
    show({ items: many });
    await untilOpen();
    expect(go(16)).toEqual([1, 30]);
    const item = (): Element | null => root.querySelector('[data-place="20"]');
    const before = item();
    expect(go(0)).toEqual([0, 29]);
    expect(item()).toBe(before);
  });

  it('is mounted, with what is around it: a message, the answer to it, or an item by its number', async () => {
    show({ items: many });
    await untilOpen();
    expect(mounted()).toEqual([170, 199]);
    expect(go({ message: 'u100', isAnswer: false })).toEqual([85, 114]);
    expect([model.place.value, one('.docent-transcript')?.ariaLive]).toEqual([null, 'off']);
    expect(go({ message: 'u100', isAnswer: true })).toEqual([86, 115]);
    expect(go(0)).toEqual([0, 29]);
    expect(go(60)).toEqual([45, 74]);
    expect(go('end')).toEqual([170, 199]);
    expect(one('.docent-transcript')?.ariaLive).toBe('polite');
  });

  it('leaves what is in view where it is if the chat has no such place', () => {
    show({ items: many });
    go(60);
    expect(go(200)).toEqual([45, 74]);
    expect(go({ message: 'a61', isAnswer: false })).toEqual([45, 74]);
    expect(go({ message: 'elsewhere', isAnswer: true })).toEqual([45, 74]);
    expect(go(199)).toEqual([170, 199]);
  });

  it('is the message itself if nothing answers it', () => {
    show({ items: [...many, { ...question, id: 'last' }] });
    expect(go({ message: 'u20', isAnswer: false })).toEqual([5, 34]);
    expect(go({ message: 'last', isAnswer: true })).toEqual([171, 200]);
  });

  it('is the end, by a button that is there while the end is out of view', () => {
    const size = { scrollHeight: 5_000, clientHeight: 200 };
    const measures = Object.entries(size).map(([name, value]) =>
      jest.spyOn(HTMLElement.prototype, name as 'clientHeight', 'get').mockReturnValue(value),
    );
    const seen = model.review.isInSight;
    show({ items: many.slice(0, 4) });
    const list = one('.docent-transcript')!;
    const scrollTo = (place: number): string[] => {
      list.scrollTop = place;
      act(() => void list.dispatchEvent(new Event('scroll')));
      return texts('.docent-to-end button').map(() => one('.docent-to-end button')?.ariaLabel ?? '');
    };
    expect(scrollTo(4_800)).toEqual([]);
    expect(scrollTo(4_741)).toEqual([]);
    expect(scrollTo(100)).toEqual([words.commandNames['go-to-end']]);
    // It would cover the buttons of a review, which a line leads to, and those of a message that is edited.
    const waiting = model.review.waiting as { value: object | null };
    act(() => void (seen.value = true));
    expect(one('.docent-to-end button')).toBeNull();
    act(() => void (seen.value = false));
    expect(one('.docent-to-end button')).not.toBeNull();
    act(() => void (waiting.value = {}));
    expect(one('.docent-to-end button')).toBeNull();
    act(() => void (waiting.value = null));
    expect(one('.docent-to-end button')).not.toBeNull();
    act(() => void (editing.value = 'u'));
    expect(one('.docent-to-end button')).toBeNull();
    act(() => void (editing.value = null));
    pressButton(words.commandNames['go-to-end']);
    expect(done).toEqual(['scroll to 5000']);
    measures.forEach((measure) => measure.mockRestore());
  });
});

it('shows what was sent with a message, and no empty line above it', () => {
  const mentions = [{ kind: 'note', id: 'In/Keel.md', label: 'Keel' }] as const;
  const found = { file: (path: string) => ({ path }) };
  const ports = { ...model.ports, vault: { ...model.ports.vault, ...found } } as unknown as OpenChatState['ports'];
  const given = Object.assign(Object.create(model) as OpenChatState, { ports });
  show({ items: [{ ...question, text: '', mentions }] }, given);
  expect([one('.docent-user-text'), texts('.docent-chip-name')]).toEqual([null, ['Keel']]);
  show({ items: [question] }, given);
  expect([texts('.docent-user-text'), one('.docent-chips')]).toEqual([['Which?'], null]);
});

it('has no chip for what the text names, unless there is more to say of how it was sent', () => {
  const mentions = ['Keel', 'Mast', 'Boom'].map((label) => ({ kind: 'note', id: `${label}.md`, label }) as const);
  const [keel, mast, boom] = mentions as [Mention, Mention, Mention];
  const images = { addressOfFile: () => null, addressOf: () => null };
  const shown = Object.assign(Object.create(model) as OpenChatState, { ports: { ...model.ports, images } });
  const chips = (...given: readonly Mention[]): string[][] => {
    const item = {
      ...question,
      text: 'Is [[Keel]] below [[Mast]]?',
      mentions: given,
      inPart: { 'Boom.md': 'outline' },
    };
    act(() => render(null, root));
    show({ items: [item as TranscriptItem] }, shown);
    return [texts('.docent-chip-name'), texts('.docent-chip-size')];
  };
  expect(chips(keel, mast)).toEqual([[], []]);
  expect(chips(keel, mast, boom)).toEqual([['Boom'], [say.sentInPart.outline]]);
  expect(chips(keel, { ...mast, form: 'whole' })).toEqual([['Mast'], [say.attachedWhole]]);
  expect(chips(keel, { ...keel, kind: 'heading', id: 'Keel.md#Bolts', label: 'Bolts' })).toEqual([['Bolts'], []]);
  const image = { kind: 'image', id: 'Keel.png', label: 'Keel' } as const;
  expect(chips(image, mast)[0]).toEqual(['Keel']);
  expect(texts('.docent-user-link')).toContain('Mast');
});

it('shows a link in a message as Obsidian does: by the text that it shows, else by the note', () => {
  const mentions = ['Keel|the keel', 'Mast|', 'Boom'].map(
    (label) => ({ kind: 'note', id: `${label.split('|')[0]}.md`, label }) as const,
  );
  const item = { ...question, text: 'Is [[Keel|the keel]] below [[Mast|]] and [[Boom]]?', mentions };
  show({ items: [item as TranscriptItem] });
  expect(texts('.docent-user-link')).toEqual(['the keel', 'Mast', 'Boom']);
  expect(texts('.docent-user-text')).toEqual(['Is the keel below Mast and Boom?']);
});

it('shows a name once that two of what was sent have', () => {
  const mentions = ['In', 'Out'].map((folder) => ({ kind: 'image', id: `${folder}/Keel.png`, label: 'Keel.png' }));
  const images = { addressOfFile: () => null };
  const shown = Object.assign(Object.create(model) as OpenChatState, { ports: { ...model.ports, images } });
  show({ items: [{ ...question, text: '[[Keel.png]], [[Keel.png]].', mentions } as TranscriptItem] }, shown);
  expect(texts('.docent-user-text')).toEqual(['Keel.png, Keel.png.']);
});

const pressButton = (label: string): void => {
  void act(() => root.querySelector<HTMLElement>(`button[aria-label="${label}"]`)?.click());
};
const menuLines = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.menu-item')];

it('says what can be done with a question and an answer, and which version is in view', () => {
  const versions = new Map([['u', { question: { number: 2, of: 3 }, answer: { number: 1, of: 2 } }]]);
  show({ items: [question, answer('complete')], versions });
  const said = words.branches;
  expect(texts('.docent-versions')).toEqual(['2/3', '1/2']);
  for (const label of [said.earlier.question, said.later.answer, said.fork, said.deleteAnswer]) pressButton(label);
  pressButton(said.again);
  expect(menuLines().map(({ textContent }) => textContent)).toEqual([
    said.againSame('P: one'),
    said.againSame('P: two'),
  ]);
  menuLines()[1]?.click();
  expect(done).toEqual([
    'version of question u: -1',
    'version of answer u: 1',
    'fork u',
    'delete a: true',
    'again u by p/two',
  ]);
  const summarised = { type: 'relief', id: 'r', text: 'Older messages were left as they are.' } as const;
  show({ items: [question, summarised, answer('complete')], versions });
  expect(texts('.docent-versions')).toEqual(['2/3', '1/2']);
  // Without an answer, its versions can still be reached.
  show({ items: [question], versions });
  expect(texts('.docent-versions')).toEqual(['2/3', '1/2']);
  show({ items: [{ type: 'deleted', id: 'u' }] });
  act(() => root.querySelector<HTMLElement>('.docent-deleted button')?.click());
  expect(done.at(-1)).toBe('delete u: false');
});

it('follows the message that takes the place of another: which version it is, and whether it is edited', () => {
  const versionOf = (id: string, number: number) =>
    new Map([[id, { question: { number, of: 2 }, answer: { number: 1, of: number } }]]);
  show({ items: [question, answer('complete')], versions: versionOf('u', 1) });
  act(() => void (editing.value = 'u'));
  expect(root.querySelectorAll('textarea')).toHaveLength(1);
  const other = { ...question, id: 'v', text: 'Which one?' };
  show({ items: [other, { ...answer('complete'), id: 'b' }], versions: versionOf('v', 2) });
  expect([root.querySelectorAll('textarea').length, texts('.docent-user-text')]).toEqual([0, ['Which one?']]);
  expect(texts('.docent-versions')).toEqual(['2/2', '1/2']);
  act(() => model.messages.giveUpEdit('u'));
});

it('edits a message in its place: Enter sends, Escape does not, and missing attachments are named', async () => {
  const mentions = ['Keel.md', 'Gone.md'].map(
    (id) => ({ kind: 'note', id, label: `${id}|that`, apart: true }) as const,
  );
  const key = (init: KeyboardEventInit): void =>
    void act(
      () => void box().dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })),
    );
  const box = (): HTMLTextAreaElement => root.querySelector<HTMLTextAreaElement>('textarea') as HTMLTextAreaElement;
  editing.value = 'u';
  show({ items: [{ ...question, mentions }, answer('complete')] });
  expect([box().value, document.activeElement === box()]).toEqual(['Which?', true]);
  expect(texts('.docent-editor-missing')).toEqual([words.branches.missingAttachments(['Gone.md'])]);
  act(() => {
    box().value = 'Which one?';
    box().dispatchEvent(new Event('input', { bubbles: true }));
  });
  key({ key: 'Enter', isComposing: true });
  key({ key: 'Enter', keyCode: 229 });
  key({ key: 'Escape', keyCode: 229 });
  key({ key: 'Enter', shiftKey: true });
  expect(done).toEqual([]);
  key({ key: 'Enter' });
  key({ key: 'Enter' });
  expect(done).toEqual(['edit u: Which one? Keel.md']);
  store();
  await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  // It could not be stored, so the box is there for another try.
  key({ key: 'Enter' });
  expect(done).toHaveLength(2);
  key({ key: 'Escape' });
  expect([editing.value, root.querySelector('textarea'), texts('.docent-user-text')]).toEqual([null, null, ['Which?']]);
});

it('takes an attachment out of a message that is edited, with its text, and sends attachments alone', async () => {
  const keel: Mention = { kind: 'note', id: 'Keel.md', label: 'Keel' };
  const apart: Mention = { kind: 'note', id: 'Keel.md', label: 'Keel|apart', apart: true };
  const box = (): HTMLTextAreaElement => root.querySelector<HTMLTextAreaElement>('textarea') as HTMLTextAreaElement;
  const enter = (text: string): void =>
    void act(() => {
      box().value = text;
      box().dispatchEvent(new Event('input', { bubbles: true }));
    });
  const send = (): void =>
    void act(
      () => void box().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })),
    );
  const chips = (): number => root.querySelectorAll('.docent-editor .docent-chip').length;
  editing.value = 'u';
  show({ items: [{ ...question, text: 'See [[Keel]] now.', mentions: [keel] }, answer('complete')] });
  expect(chips()).toBe(1);
  const remove = [...root.querySelectorAll<HTMLElement>('.docent-editor .docent-chip button')].at(-1);
  act(() => remove?.click());
  expect([box().value, chips(), document.activeElement === box()]).toEqual(['See now.', 0, true]);
  enter(' ');
  send();
  expect(done).toEqual([]);
  act(() => model.messages.giveUpEdit('u'));
  editing.value = 'u';
  show({ items: [{ ...question, text: '', mentions: [apart] }, answer('complete')] });
  send();
  expect(done).toEqual(['edit u:  Keel.md']);
  store();
  act(() => model.messages.giveUpEdit('u'));
});

it('edits a message with what it mentions under the names that it has now, as far as moves since then are known', () => {
  const moves = [{ from: 'Old.md', to: 'Keel.md' }];
  const asked: number[] = [];
  const movesSince = (time: number): typeof moves => (asked.push(time), moves);
  const vault = { ...model.ports.vault, files: () => [{ kind: 'note', path: 'Keel.md' }] };
  const given = { ...model, ports: { ...model.ports, movesSince, vault } } as unknown as OpenChatState;
  const mentions = [{ kind: 'note', id: 'Old.md', label: 'Old' }] as const;
  const boxes = (): string[] => [...root.querySelectorAll('textarea')].map(({ value }) => value);
  editing.value = 'u';
  show({ items: [{ ...question, text: 'Is [[Old]] of oak?', mentions, at: 7 }] }, given);
  expect([boxes(), texts('.docent-editor-missing'), asked]).toEqual([['Is [[Keel]] of oak?'], [], [7]]);
  act(() => given.messages.giveUpEdit('u'));
  editing.value = 'v';
  show({ items: [{ ...question, id: 'v', text: 'Is [[Old]] of oak?', mentions }] }, given);
  expect([boxes(), asked]).toEqual([['Is [[Old]] of oak?'], [7]]);
  act(() => given.messages.giveUpEdit('v'));
});

it('keeps what is in the box of a message while another message is edited, until it is given up', () => {
  const box = (): HTMLTextAreaElement => root.querySelector<HTMLTextAreaElement>('textarea') as HTMLTextAreaElement;
  const edit = (id: string): void => void act(() => void (editing.value = id));
  show({ items: [question, answer('complete'), { ...question, id: 'v', text: 'And why?' }] });
  edit('u');
  act(() => {
    box().value = 'Which one?';
    box().dispatchEvent(new Event('input', { bubbles: true }));
  });
  edit('v');
  expect(box().value).toBe('And why?');
  edit('u');
  expect([box().value, box().selectionStart]).toEqual(['Which one?', 10]);
  act(() => void box().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })));
  expect(box()).toBeNull();
  edit('u');
  expect(box().value).toBe('Which?');
  act(() => void (editing.value = null));
});

it('takes the focus back into a box that was scrolled out of the page only if nothing was done since', () => {
  const other = document.body.createEl('input');
  const isBack = (since: () => void): boolean => {
    act(() => render(null, root));
    since();
    show({ items: [question, answer('complete')] });
    return document.activeElement === root.querySelector('textarea');
  };
  editing.value = 'u';
  expect(isBack(() => {})).toBe(true);
  expect(isBack(() => {})).toBe(true);
  expect(isBack(() => void (model.text.value = 'Typed.'))).toBe(false);
  expect(isBack(() => {})).toBe(false);
  root.querySelector('textarea')?.focus();
  expect(isBack(() => other.focus())).toBe(false);
  other.remove();
  model.text.value = '';
  act(() => void (editing.value = null));
});

it('has four buttons under an answer at the most, and the other actions in a menu', () => {
  const acts = Object.fromEntries(
    ['insert', 'append', 'create'].map((id) => [id, () => Promise.resolve(void done.push(id))]),
  );
  const chatIndex = { find: () => null };
  const ports = { ...model.ports, noteActs: acts, chatIndex } as unknown as OpenChatState['ports'];
  show({ items: [question, answer('complete', text('Oak.'))] }, { ...model, ports } as OpenChatState);
  const row = [...root.querySelectorAll<HTMLElement>('.docent-answer .docent-message-actions button')];
  const { again, fork, deleteAnswer } = words.branches;
  const { insert, append, create } = words.chatNotes;
  expect(row.map((button) => button.getAttribute('aria-label'))).toEqual([
    ...[say.copyAnswer, again, insert, say.moreActions],
  ]);
  row.at(-1)?.click();
  const lines = [...document.querySelectorAll<HTMLElement>('.menu-item')];
  expect(lines.map(({ textContent }) => textContent)).toEqual([fork, deleteAnswer, append, create]);
  lines.at(-1)?.click();
  expect(done.at(-1)).toBe('create');
});

it('puts an answer into a note under its heading, the title of its chat, or the question that began it', () => {
  const noted: { title: string; text: string; taint: string | null; isInReview: (path: string) => boolean }[] = [];
  const ports = {
    ...model.ports,
    noteActs: { insert: (text: (typeof noted)[number]) => noted.push(text) },
    // As before its first message was edited.
    chatIndex: { find: () => ({ title: 'What?' }) },
  };
  const change = (from: string | null, to: string | null) => ({ change: { from, to } });
  const reviews = [
    { state: 'waiting', changes: [change('A.md', 'B.md')] },
    { state: 'applying', changes: [change(null, 'C.md')] },
    { state: 'applied', changes: [change('D.md', 'D.md')] },
  ] as unknown as ChatState['reviews'];
  const insert = (said: string, more: Partial<ChatState> = {}): (typeof noted)[number] | undefined => {
    const given = Object.assign(Object.create(model) as OpenChatState, { ports, chatId: 'c1' });
    act(() => render(null, root));
    const empty = { ...question, id: 'e', text: ' ' };
    show({ items: [empty, question, answer('complete', text(said), call, text(' '), text('Teak.'))], ...more }, given);
    pressButton(words.chatNotes.insert);
    return noted.pop();
  };
  const named = { title: 'Wood for a boat' };
  expect(insert('Oak.\n\n## Which wood\nTeak.', named)?.title).toBe('Which wood');
  const code = 'Run:\n\n```sh\n# install all\nnpm ci\n```';
  expect(insert(code, named)?.title).toBe('Wood for a boat');
  expect(insert(`${code}\n\n## Which wood`, named)?.title).toBe('Which wood');
  expect(insert('Oak.', named)).toMatchObject({ title: 'Wood for a boat', text: 'Oak.\n\nTeak.', taint: null });
  const said = insert('Oak.', { taint: 'Web.md', reviews });
  expect([said?.title, said?.taint]).toEqual(['Which?', 'Web.md']);
  expect(['A.md', 'B.md', 'C.md', 'D.md'].map((path) => said?.isInReview(path))).toEqual([true, true, true, false]);
});

it('offers to copy a question and an answer in a row under each, on the phone in one menu', () => {
  const copied: string[] = [];
  Object.assign(navigator, { clipboard: { writeText: (each: string) => Promise.resolve(void copied.push(each)) } });
  const press = (label: string): void => root.querySelector<HTMLElement>(`button[aria-label="${label}"]`)?.click();
  show({ items: [question, answer('complete', text('Oak.'), call, text('Teak.'))] });
  press(say.copyMessage);
  press(say.copyAnswer);
  expect(copied).toEqual(['Which?', 'Oak.\n\nTeak.']);
  act(() => render(null, root));
  Platform.isPhone = true;
  try {
    show({ items: [question] });
    press(say.messageActions);
    const line = [...document.querySelectorAll<HTMLElement>('.menu-item')].find((each) =>
      each.textContent.includes(say.copyMessage),
    );
    line?.click();
  } finally {
    Platform.isPhone = false;
  }
  expect([buttons(), copied.at(-1)]).toEqual([[say.messageActions, say.sendAgain], 'Which?']);
});
