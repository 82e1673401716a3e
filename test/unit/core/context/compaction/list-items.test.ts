/** What the list of the context contains, and what can be done with each item of it. */
import { type ContextItem, listItems } from '../../../../../src/core/context/compaction/list-items';
import type { Block, RequestPlan } from '../../../../../src/core/ports/request-plan';
import type { EntryBody, FormChange, SessionEntry } from '../../../../../src/core/session/entry';
import { targetOf } from '../../../../../src/core/session/log-state';
import { answer, entry, result, toolCall, user } from '../../../../support/entries';
import { noTotals } from '../../../../support/scripted-model';

const totals = { ...noTotals, all: 10_000, window: 16_000, reserve: 1_000 };
const block = (section: string, text: string, outcome: Block['outcome'] = 'full'): Block =>
  ({ section, zone: 'turn', place: 'turn', text, tokens: text.length, outcome, madeVisible: 0 }) as unknown as Block;
const log = (...bodies: readonly EntryBody[]): SessionEntry[] => bodies.map((body) => entry(body));
const withForm = (entries: readonly SessionEntry[], target: string, form: FormChange['form']): SessionEntry[] => [
  ...entries,
  entry({ kind: 'context-forms', forms: [{ target, form }], by: 'user' }),
];

/** Counts characters, so that sums are exact. */
function list(entries: readonly SessionEntry[], blocks: readonly Block[] = [], sectionsOff: readonly string[] = []) {
  return listItems({
    entries,
    choices: { contextNotes: [], sectionsOff },
    plan: { blocks, totals } as unknown as RequestPlan,
    tokenizer: { count: (text) => text.length, exact: true },
  });
}
const effectsOf = (item: ContextItem | undefined): Record<string, number | null> =>
  Object.fromEntries((item?.acts ?? []).map(({ act, effect }) => [act, effect]));
const ofKind = (items: readonly ContextItem[], kind: ContextItem['kind']): ContextItem[] =>
  items.filter((item) => item.kind === kind);

describe('a section of the prompt', () => {
  it('is one item, without what the conversation already contains, and notes are items of their own', () => {
    const blocks = [
      ...[block('git', 'abcd'), block('mode', 'zz', 'repeated'), block('git', 'ef'), block('hints', '')],
      ...[block('files', 'x'), block('context-notes', 'y')],
    ];
    const items = list([], blocks);
    expect(items.map(({ kind, label, tokens, form }) => [kind, label, tokens, form])).toEqual([
      ['section', 'git', 6, 'whole'],
    ]);
    expect(effectsOf(items[0])).toEqual({ pinned: 0, dropped: -6 });
  });

  it.each<[Block['outcome'][], ContextItem['form']]>([
    [['full', 'full'], 'whole'],
    [['full', 'brief'], 'outline'],
    [['trimmed', 'full'], 'outline'],
  ])('of which the parts are %j is sent as %s', (outcomes, form) => {
    const items = list(
      [],
      outcomes.map((outcome) => block('git', 'abc', outcome)),
    );
    expect(items.map((item) => item.form)).toEqual([form]);
  });

  it.each<[FormChange['form'], object]>([
    ['pinned', { unpin: 0, dropped: -4 }],
    ['outline', { whole: 0, pinned: 0, dropped: -4 }],
  ])('that the user chose as %s can be changed back', (form, effects) => {
    const [item] = list(withForm([], targetOf.section('git'), form), [block('git', 'abcd')]);
    expect([item?.form, effectsOf(item)]).toEqual([form, effects]);
  });

  it('that is off can be sent again, at a price that is not known', () => {
    const items = list([], [block('git', 'abcd')], ['links']);
    expect(items.map(({ label, form, tokens }) => [label, form, tokens])).toEqual([
      ['git', 'whole', 4],
      ['links', 'dropped', 0],
    ]);
    expect(effectsOf(items[1])).toEqual({ whole: null });
  });
});

describe('an exchange', () => {
  const talk = log(
    user('x'.repeat(100)),
    answer('Looking.', toolCall('a')),
    result('a', 'First result.'),
    answer('And again.', toolCall('b')),
    result('b', 'Second result.'),
    answer('Done.'),
    user('Next'),
    answer('Yes.'),
  );
  const idOf = (place: number): string => talk[place]?.id ?? '';

  it('has the beginning of its message, and counts what was said', () => {
    const items = ofKind(list([...log(answer('Hello.')), ...talk]), 'exchange');
    expect(items.map(({ label, messages }) => [label, messages])).toEqual([
      ['', 1],
      [`${'x'.repeat(79)}…`, 4],
      ['Next', 2],
    ]);
  });

  it('can be left out or outlined if it is not the newest', () => {
    const [first, newest] = ofKind(list(talk), 'exchange');
    expect(effectsOf(newest)).toEqual({ pinned: 0 });
    expect(effectsOf(first)).toMatchObject({ pinned: 0, dropped: expect.any(Number) });
    const left = ofKind(list(withForm(talk, targetOf.exchange(idOf(0)), 'dropped')), 'exchange')[0];
    expect([left?.form, (left?.tokens ?? 0) - (first?.tokens ?? 0)]).toEqual(['dropped', effectsOf(first)['dropped']]);
    expect(effectsOf(left)['whole']).toBe(-(effectsOf(first)['dropped'] ?? 0));
  });

  it.each([
    ['the first', 1],
    ['one in between', 3],
    ['the last', 5],
  ])('lists %s of its steps that was left out, with what it costs to send it again', (_what, place) => {
    const [whole] = ofKind(list(talk), 'exchange');
    const changed = withForm(talk, targetOf.round(idOf(place)), 'dropped');
    const [without] = ofKind(list(changed), 'exchange');
    const rounds = ofKind(list(changed), 'round');
    expect(rounds.map(({ target, form, label, tokens }) => [target, form, label, tokens])).toEqual([
      [targetOf.round(idOf(place)), 'dropped', whole?.label, 0],
    ]);
    expect(effectsOf(rounds[0])).toEqual({ whole: (whole?.tokens ?? 0) - (without?.tokens ?? 0) });
    expect(whole?.tokens).toBeGreaterThan(without?.tokens ?? 0);
    expect(ofKind(list(withForm(changed, targetOf.exchange(idOf(0)), 'dropped')), 'round')).toEqual([]);
  });

  it('can be summarised with all before it where that frees enough, but not the newest or what is pinned', () => {
    const sizes = [100, 5_000, 1_000, 4_000, 10];
    const long = sizes.flatMap((size) => log(user('?'), answer('x'.repeat(size))));
    const won = (entries: readonly SessionEntry[]): (number | null | undefined)[] =>
      ofKind(list(entries), 'exchange').map((item) => effectsOf(item)['summarise']);
    const [first, second, third, fourth, newest] = won(long);
    expect([first, newest]).toEqual([undefined, undefined]);
    expect(second).toBeLessThan(-2_000);
    const tokens = ofKind(list(long), 'exchange').map((item) => item.tokens);
    expect([third, fourth]).toEqual([(second ?? 0) - (tokens[2] ?? 0), (third ?? 0) - (tokens[3] ?? 0)]);
    const pinned = won(withForm(long, targetOf.exchange(long[4]?.id ?? ''), 'pinned'));
    expect(pinned).toEqual([undefined, second, undefined, (fourth ?? 0) + (tokens[2] ?? 0), undefined]);
  });
});

describe('a result of a tool', () => {
  const long = Array.from({ length: 40 }, (_, part) => `## Part ${part}\n${'words '.repeat(20)}`).join('\n');
  const entries = log(user('Read'), answer(toolCall('a'), toolCall('b')), result('a', long), result('b', 'Seven.'));
  const idOf = (place: number): string => entries[place]?.id ?? '';
  const results = (all: readonly SessionEntry[]): ContextItem[] => ofKind(list(all), 'result');

  it('has the name of its tool and the start of its text', () => {
    const [first, second] = results(entries);
    expect([first?.label, first?.detail.length, first?.detail.startsWith('## Part 0 words words')]).toEqual([
      ...['read_note', 80, true],
    ]);
    expect(second).toMatchObject({ detail: 'Seven.', tokens: 'Seven.'.length, form: 'whole' });
  });

  it('can be outlined where that saves anything, or where nothing of it is sent', () => {
    const [first, second] = results(entries).map(effectsOf);
    expect(Object.keys(first ?? {})).toEqual(['pinned', 'outline', 'dropped']);
    expect([first?.['pinned'], (first?.['outline'] ?? 0) < 0, (first?.['dropped'] ?? 0) < 0]).toEqual([0, true, true]);
    expect(Object.keys(second ?? {})).toEqual(['pinned', 'dropped']);
    for (const form of ['dropped', 'masked'] as const) {
      const left = results(withForm(entries, targetOf.result(idOf(3)), form)).find(({ detail }) => detail === 'Seven.');
      expect([form, left?.form, Object.keys(effectsOf(left)).includes('outline')]).toEqual([form, form, true]);
    }
  });

  it('that is pinned can be let go, and costs the same', () => {
    const [first] = results(withForm(entries, targetOf.result(idOf(2)), 'pinned'));
    expect(effectsOf(first)).toEqual({ ...effectsOf(results(entries)[0]), pinned: undefined, unpin: 0 });
  });
});

describe('what came with a message', () => {
  const note = (path: string, body: string): string => `<note path="${path}">\n${body}\n</note>`;
  const outlined = Array.from({ length: 20 }, (_, part) => `## Part ${part}\n${'words '.repeat(20)}`).join('\n');

  it('is each note by its path, before and after the message', () => {
    const zone = {
      ...{ kind: 'turn-zone', mode: 'assistant', editor: null },
      before: [{ section: 'files', text: note('The &quot;best&quot;.md', outlined) }],
      after: [{ section: 'files', text: `${note('C.md', 'c')}\n${note('D.md', 'd')}` }],
    } as unknown as EntryBody;
    const entries = log(user('Which?'), zone, answer('Oak.'));
    const items = ofKind(list(entries), 'note');
    expect(items.map(({ label, tokens }) => [label, tokens > 0])).toEqual([
      ['The "best".md', true],
      ['C.md', true],
      ['D.md', true],
    ]);
    expect(Object.keys(effectsOf(items[0]))).toEqual(['pinned', 'outline', 'dropped']);
    expect(effectsOf(items[0])['pinned']).toBe(0);
    const dropped = ofKind(list(withForm(entries, items[0]?.target ?? '', 'dropped')), 'note')[0];
    expect([dropped?.form, (dropped?.tokens ?? 0) - (items[0]?.tokens ?? 0)]).toEqual([
      ...['dropped', effectsOf(items[0])['dropped']],
    ]);
  });

  it('is each image that is sent, which can be left out', () => {
    const image = { digest: 'a'.repeat(64), mediaType: 'image/png', width: 900, height: 900, bytes: 10 } as const;
    const mentions = [
      { kind: 'image', id: 'Boat.png', label: 'Boat.png', image: { ...image, conversation: 'c1' } },
      { kind: 'image', id: 'Lost.png', label: 'Lost.png', problem: 'missing' },
      { kind: 'note', id: 'A.md', label: 'A' },
    ] as const;
    const entries = log({ ...user('Which?'), mentions } as unknown as EntryBody, answer('Oak.'));
    const items = ofKind(list(entries), 'image');
    expect(items.map(({ label, form }) => [label, form])).toEqual([['Boat.png', 'whole']]);
    const { dropped, ...others } = effectsOf(items[0]);
    expect([others, (dropped ?? 0) < -100]).toEqual([{ pinned: 0 }, true]);
    for (const form of ['masked', 'dropped'] as const) {
      const [left] = ofKind(list(withForm(entries, items[0]?.target ?? '', form)), 'image');
      expect([form, (left?.tokens ?? 0) - (items[0]?.tokens ?? 0)]).toEqual([form, dropped]);
      expect(effectsOf(left)).toMatchObject({ whole: -(dropped ?? 0), pinned: -(dropped ?? 0) });
    }
  });
});
