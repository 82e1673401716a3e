/** What holds of every request, whatever the vault, the chat and the model are (design 13). */
import * as fc from 'fast-check';
import type { Message } from '../../src/core/message';
import { fairShares, trimText } from '../../src/core/prompt/fair-shares';
import { element } from '../../src/core/prompt/markup';
import { section } from '../../src/core/prompt/section';
import type { AssembledPrompt } from '../../src/core/prompt/assemble-prompt';
import { composeSections } from '../../src/core/prompt/compose-blocks';
import { allocateBreakpoints } from '../../src/core/request/cache-breakpoints';
import { fitZones, zoneShares } from '../../src/core/request/fit';
import { planOver } from '../../src/core/request/plan-request';
import type { Block } from '../../src/core/request/request-plan';
import { settleReference } from '../../src/core/request/settle-reference';
import { countedText } from '../../src/core/request/token-factor';
import type { EntryBody, SessionEntry } from '../../src/core/session/entry';
import { foldMessages } from '../../src/core/session/fold-messages';
import { foldReference } from '../../src/core/session/fold-reference';
import { entry } from '../unit/fakes/entries';
import { roughTokenizer } from '../unit/fakes/memory-ports';
import { caching } from '../unit/core/request/reference-bench';
import { seed } from './hostile-text';

const runs = { numRuns: 20_000, seed };

/** A vault in small: what each folder's notes and each pinned note say, by number. */
interface State {
  readonly head: number;
  readonly notes: Readonly<Record<string, number>>;
  readonly pinned: readonly string[];
  readonly free: 'cold' | 'compaction' | null;
}

const paths = ['A.md', 'B.md', 'In/C.md', 'In/D.md', 'Out/E.md'];
const state: fc.Arbitrary<State> = fc.record({
  head: fc.constantFrom(0, 0, 0, 1),
  notes: fc.dictionary(fc.constantFrom(...paths), fc.nat(3), { maxKeys: 5 }),
  pinned: fc.subarray(['A.md', 'In/C.md']),
  free: fc.constantFrom(null, null, null, 'cold' as const, 'compaction' as const),
});
const bodyOf = (path: string, version: number): string => `full text of ${path} as of ${version}`;

function promptOf({ head, notes, pinned }: State): AssembledPrompt {
  const block = (id: string, zone: Block['zone'], text: string): Block => ({
    ...{ section: id, zone, place: 'system', text, tokens: 1, outcome: 'full', madeVisible: 0 },
  });
  const inFull = pinned.filter((path) => path in notes);
  const folders = [...new Set(Object.keys(notes).map((path) => path.slice(0, Math.max(0, path.indexOf('/')))))].sort();
  const items = folders.map((folder) => {
    const own = Object.keys(notes).filter((path) => path.slice(0, Math.max(0, path.indexOf('/'))) === folder);
    const lines = own
      .sort()
      .map((path) => [path, `- ${path}, ${inFull.includes(path) ? 'attached in full' : `${notes[path]} KB`}`] as const);
    const text = lines.map(([, line]) => line).join('\n');
    return { key: `map:${folder}`, text, madeVisible: 0, modified: 0, lines: Object.fromEntries(lines) };
  });
  const files = inFull.map((path) => ({
    ...{ key: `file:${path}`, text: bodyOf(path, notes[path] ?? 0), madeVisible: 0, modified: 0 },
  }));
  const blocks = [block('preamble', 'instructions', `Rules ${head}.`)];
  if (items.length > 0) blocks.push({ ...block('vault-listing', 'reference', 'map'), items });
  if (files.length > 0) blocks.push({ ...block('context-notes', 'reference', 'notes'), items: files });
  return { blocks, system: '' };
}

interface Played {
  readonly head: string;
  readonly news: string;
  readonly recorded: boolean;
  readonly state: State;
}

function play(states: readonly State[]): Played[] {
  const entries: SessionEntry[] = [];
  const append = (body: EntryBody): void => void entries.push(entry(body));
  return states.map((each) => {
    const kept = foldReference(entries);
    const question = { prompt: promptOf(each), model: caching, tools: '', tokenizer: roughTokenizer };
    const settled = settleReference({ ...question, kept, free: each.free });
    append({ kind: 'user', text: 'Hi', mentions: [] });
    if (settled.sent !== null) append(settled.sent);
    const { parts: before, told } = settled.news;
    if (before.length > 0) append({ kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null, told });
    const chat = { conversationId: 'c', model: caching, messages: [], tools: [], tokenizer: roughTokenizer };
    const plan = planOver(settled, chat);
    const texts = plan.messages.map(({ parts }) => parts.map(countedText).join('\n'));
    return {
      head: [plan.system, ...texts].join('\n'),
      news: before.map(({ text }) => text).join('\n'),
      recorded: settled.sent !== null,
      state: each,
    };
  });
}

describe('every request', () => {
  it('R227 K19 has the full text of a note once at most', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 4 }), (states) => {
        for (const { head, news, recorded, state: now } of play(states)) {
          for (const path of now.pinned.filter((each) => each in now.notes)) {
            const text = bodyOf(path, now.notes[path] ?? 0);
            expect(head.split(text).length + news.split(text).length - 2).toBeLessThanOrEqual(1);
            if (recorded) expect(head).toContain(`- ${path}, attached in full`);
          }
        }
      }),
      runs,
    );
  });

  it('R221 never changes what was sent without a record of it', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 2, maxLength: 5 }), (states) => {
        const played = play(states);
        played.slice(1).forEach((now, index) => {
          if (!now.recorded) expect(now.head).toBe(played[index]?.head);
        });
      }),
      runs,
    );
  });

  it('R221 K12 has the same bytes for the same facts, whatever the time', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 4 }), fc.nat(2_000_000_000), (states, later) => {
        const first = play(states);
        const now = jest.spyOn(Date, 'now').mockReturnValue(later);
        const second = play(states);
        now.mockRestore();
        expect(second).toEqual(first);
      }),
      runs,
    );
  });

  const part = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string({ maxLength: 12 }) }),
    fc.constant({ type: 'reasoning' as const, text: 'Hm.' }),
  );
  const message: fc.Arbitrary<Message> = fc.oneof(
    fc.record({
      role: fc.constant('user' as const),
      parts: fc.array(fc.record({ type: fc.constant('text' as const), text: fc.string({ maxLength: 12 }) }), {
        maxLength: 20,
      }),
    }),
    fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 20 }) }),
  );

  it('R228 R229 R230 K7 has four markers at most, none under the minimum, none on empty text, in their order', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        fc.string({ maxLength: 20 }),
        fc.nat(80),
        fc.nat(7),
        fc.nat(7),
        (messages, system, minimum, one, two) => {
          const newest = messages.map(({ role }) => role).lastIndexOf('assistant');
          const most = newest < 0 ? messages.length - 1 : newest - 1;
          const [first, second] = [Math.min(one, two), Math.max(one, two)];
          const ends = {
            ...(first <= most ? { L2: first } : {}),
            ...(second <= most ? { L3: second } : {}),
          };
          const count = (text: string): number => text.length;
          const marks = allocateBreakpoints({ start: system.length, system, messages, ends, minimum, count });
          expect(marks.length).toBeLessThanOrEqual(4);
          let last = -1;
          for (const { after, part: at } of marks) {
            const index = after === 'system' ? -1 : after;
            const before = messages.slice(0, index + 1).flatMap(({ parts }) => [...parts].map(countedText));
            expect([system, ...before].join('').length).toBeGreaterThanOrEqual(minimum);
            const parts = after === 'system' ? [{ type: 'text', text: system }] : (messages[after]?.parts ?? []);
            const marked = parts[at ?? parts.length - 1];
            expect(marked?.type === 'text' && marked.text === '').toBe(false);
            expect(marked?.type).not.toBe('reasoning');
            expect(index).toBeGreaterThanOrEqual(last);
            last = index;
          }
        },
      ),
      runs,
    );
  });

  const log = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('user' as const), text: fc.string({ maxLength: 4 }), mentions: fc.constant([]) }),
      fc.record({
        kind: fc.constant('assistant' as const),
        parts: fc.array(
          fc.record({
            ...{ type: fc.constant('tool-call' as const), id: fc.constantFrom('a', 'b', 'c') },
            ...{ name: fc.constant('read_note'), argumentsText: fc.constant('{}') },
          }),
          { maxLength: 3 },
        ),
        ...{ end: fc.constant('complete' as const), model: fc.constant('m') },
      }),
      fc.record({
        ...{
          kind: fc.constant('tool-result' as const),
          callId: fc.constantFrom('a', 'b', 'c'),
          name: fc.constant('x'),
        },
        ...{ text: fc.string({ maxLength: 4 }), isError: fc.constant(false), sources: fc.constant([]) },
      }),
      fc.record({
        ...{
          kind: fc.constant('turn-zone' as const),
          mode: fc.constant('assistant' as const),
          editor: fc.constant(null),
        },
        before: fc.array(
          fc.record({ section: fc.constantFrom('files', 'url-context', 'editor-context'), text: fc.string() }),
          { maxLength: 3 },
        ),
        after: fc.constant([]),
      }),
    ),
    { maxLength: 12 },
  );

  it('R215 R225 keeps each call with its result, and the history in its order', () => {
    fc.assert(
      fc.property(log, (bodies) => {
        const messages = foldMessages(bodies.map((body) => entry(body)));
        messages.forEach(({ role, parts }, index) => {
          const calls = role === 'assistant' ? parts.flatMap((each) => (each.type === 'tool-call' ? each.id : [])) : [];
          const next = messages[index + 1];
          const results = next?.role === 'tool' ? next.parts.map(({ callId }) => callId) : [];
          expect(results).toEqual([...new Set(calls)]);
        });
        const said = messages.flatMap(({ role, parts }) =>
          role === 'user' ? (parts.at(-1)?.type === 'text' ? [parts] : []) : [],
        );
        const asked = bodies.flatMap((body) => (body.kind === 'user' ? [body.text] : []));
        let from = 0;
        for (const text of asked) {
          const at = said.findIndex(
            (each, index) => index >= from && each.some((one) => 'text' in one && one.text === text),
          );
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + 1;
        }
      }),
      runs,
    );
  });

  const notes = fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { minLength: 1, maxLength: 6 });

  it('R166 gives every text its fair share, within the budget and never less for a larger one', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 8 }), fc.nat(2_000), fc.nat(500), (sizes, budget, more) => {
        const [shares, larger] = [fairShares(sizes, budget), fairShares(sizes, budget + more)];
        const isWithin = shares.reduce((sum, share) => sum + share, 0) <= budget;
        return (
          isWithin && shares.every((share, index) => share <= (sizes[index] ?? 0) && (larger[index] ?? 0) >= share)
        );
      }),
      runs,
    );
  });

  it('never splits a character when it shortens a text', () => {
    const measure = { count: (text: string): number => text.length };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.nat(120), (text, tokens) => {
        const whole = /[\ud800-\udbff](?![\udc00-\udfff])/;
        const trimmed = trimText(text, tokens, measure);
        if (!whole.test(text)) expect(trimmed).not.toMatch(whole);
        const kept = trimmed.replace(/\n?\[… \d+ more characters; read_note reads on\.\]$/, '');
        expect(text.startsWith(kept)).toBe(true);
      }),
      runs,
    );
  });

  it('fits what goes with a message into its share, and more room never shortens it', () => {
    const tier = 3;
    fc.assert(
      fc.property(notes, fc.nat(400), fc.nat(200), (texts, room, more) => {
        const list = texts.map((text, index) =>
          section({
            ...{ id: `s${index}`, zone: 'turn', flatOrder: index, priority: index, trim: 'tail', needs: {} },
            when: () => true,
            full: () => [element('note', { path: 'a' }, text)],
            brief: () => ['b'],
          }),
        );
        const composed = composeSections(list, new Map(), roughTokenizer);
        const fitted = (space: number): number =>
          fitZones(composed, composed, space, tier).reduce((sum, { block }) => sum + block.tokens, 0);
        expect(fitted(room)).toBeLessThanOrEqual(Math.floor(room * zoneShares.turn[tier]));
        expect(fitted(room + more)).toBeGreaterThanOrEqual(fitted(room));
      }),
      runs,
    );
  });
});
