/** Properties of every request, for any vault, chat and model (design 13). */
import * as fc from 'fast-check';
import { lazy } from '../../src/core/base/lazy';
import { fairShares, trimText } from '../../src/core/markup/budget';
import { element } from '../../src/core/markup/markup';
import type { Message } from '../../src/core/ports/message';
import type { Block, BlockOutcome, Breakpoint, RequestPlan } from '../../src/core/ports/request-plan';
import type { AssembledPrompt } from '../../src/core/prompt/assemble-prompt';
import { type Section, section } from '../../src/core/prompt/section';
import { compositionBudgets, shares } from '../../src/core/request/fit';
import { foldMessages } from '../../src/core/request/history';
import { exceedsWindow, planOver, planRequest } from '../../src/core/request/plan-request';
import { allocateBreakpoints } from '../../src/core/request/prompt-cache';
import { selectReference, usualMinimum } from '../../src/core/request/select-reference';
import { countedText } from '../../src/core/request/token-factor';
import type { EntryBody, SessionEntry } from '../../src/core/session/entry';
import { foldReference } from '../../src/core/session/log-state';
import { caching } from '../unit/core/request/reference-bench';
import { answer, entry, result, toolCall } from '../support/entries';
import { roughTokenizer } from '../support/memory-ports';
import { description } from '../support/scripted-model';
import { drawn } from './drawn-cases';

const runs = drawn(20_000);

/** `expect` is too slow for some hundred thousand questions. */
function hold(isSo: boolean, ...words: readonly unknown[]): asserts isSo {
  if (!isSo) throw new Error(words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '));
}

/** A vault in small: what each folder's notes and each pinned note say, by number. */
interface State {
  readonly head: number;
  readonly notes: Readonly<Record<string, number>>;
  readonly pinned: readonly string[];
  readonly free: 'cold' | 'compaction' | null;
}

const paths = ['A.md', 'In/C.md', 'In/D.md', 'Out/E.md', 'Up/F.md'];
const state: fc.Arbitrary<State> = fc.record({
  head: fc.constantFrom(0, 0, 0, 1),
  notes: fc.dictionary(fc.constantFrom(...paths), fc.nat(3), { maxKeys: 5 }),
  pinned: fc.subarray(['A.md', 'In/C.md']),
  free: fc.constantFrom(null, null, null, 'cold' as const, 'compaction' as const),
});
const states = fc.array(state, { minLength: 2, maxLength: 3 });
const bodyOf = (path: string, version: number): string => `full text of ${path} as of ${version}`;
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.indexOf('/')));
const nameOf = (path: string): string => path.slice(path.indexOf('/') + 1);
/** So many that four folders of one note each fill all tiers. */
const tokenizer = { count: (text: string): number => text.length * 100, exact: true };

function promptOf({ head, notes, pinned }: State): AssembledPrompt {
  const block = (id: string, zone: Block['zone'], text: string): Block => ({
    ...{ section: id, zone, place: 'system', text, tokens: 1, outcome: 'full', madeVisible: 0 },
  });
  const inFull = pinned.filter((path) => path in notes);
  const folders = [...new Set(Object.keys(notes).map(folderOf))].sort();
  const items = folders.map((folder) => {
    const own = Object.keys(notes).filter((path) => folderOf(path) === folder);
    const lines = own
      .sort()
      .map((path) => [path, `- ${nameOf(path)}, ${inFull.includes(path) ? 'attached' : `${notes[path]} KB`}`] as const);
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
  readonly system: string;
  /** The messages, the user's own last. */
  readonly texts: readonly string[];
  readonly changes: string;
  readonly recorded: boolean;
  readonly marks: readonly Breakpoint[];
  readonly state: State;
}

const hello: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] };

const askedAgain = entry({ kind: 'user', text: 'Hi', mentions: [] });

/** A chat of as many turns, each asked in one of the states. */
function play(turns: readonly State[]): Played[] {
  const entries: SessionEntry[] = [];
  const append = (body: EntryBody): void => void entries.push(entry(body));
  return turns.map((each) => {
    const reference = foldReference(entries);
    const settled = selectReference({
      ...{ prompt: promptOf(each), model: caching, tools: '', tokenizer, kept: reference, free: each.free },
    });
    entries.push(askedAgain);
    if (settled.sent !== null) append(settled.sent);
    const { parts: before, told } = settled.changes;
    if (before.length > 0) append({ kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null, told });
    const chat = { conversationId: 'c', model: caching, messages: [hello], tools: [], tokenizer };
    const { system, messages, breakpoints: marks = [] } = planOver(settled, chat);
    const texts = messages.map(({ parts }) => parts.map(countedText).join('\n'));
    const changes = before.map(({ text }) => text).join('\n');
    return { system, texts, changes, recorded: settled.sent !== null, marks, state: each };
  });
}

/** Returns all text before the conversation. */
function headOf({ system, texts }: Played): string {
  return [system, ...texts.slice(0, -1)].join('\n');
}

function bytesOf({ system, texts, changes, recorded, marks }: Played): string {
  return [system, ...texts, changes, recorded, ...marks.map(({ after }) => after)].join('\n');
}

/** What is asked of the turns of a play; throws if it does not hold. */
type Check = (turns: readonly Played[], index: number) => void;

/**
 * Plays each chat once for all checks, and drops it: 20,000 of them take long to store.
 * @returns what the first play that breaks a check says, by the name of the check
 */
function firstBroken<Name extends string>(checks: Readonly<Record<Name, Check>>): Partial<Record<Name, Error>> {
  const broken: Partial<Record<Name, Error>> = {};
  const named = Object.entries(checks) as [Name, Check][];
  const samples = fc.sample(states, runs);
  expect(samples).toHaveLength(runs.numRuns);
  for (const [index, sample] of samples.entries()) {
    const turns = play(sample);
    for (const [name, check] of named) {
      if (broken[name] !== undefined) continue;
      try {
        check(turns, index);
      } catch (thrown) {
        broken[name] = new Error(`Turns ${JSON.stringify(sample)}`, { cause: thrown });
      }
    }
  }
  return broken;
}

const timesIn = (text: string, part: string): number => text.split(part).length - 1;

describe('every request', () => {
  let pinned = 0;
  let unchanged = 0;
  let maxMarks = 0;

  const broken = lazy(() => {
    let time = 0;
    const now = jest.spyOn(Date, 'now').mockImplementation(() => time);
    const found = firstBroken({
      once: (turns) => {
        for (const turn of turns) {
          const { changes, recorded, state: current } = turn;
          const head = headOf(turn);
          for (const path of current.pinned.filter((each) => each in current.notes)) {
            const text = bodyOf(path, current.notes[path] ?? 0);
            const times = timesIn(head, text) + timesIn(changes, text);
            hold(times <= 1, path, 'stands', times, 'times');
            hold(!recorded || head.includes(`- ${nameOf(path)}, attached`), path, 'is told of in the map');
            pinned += 1;
          }
        }
      },
      recorded: (turns) => {
        turns.slice(1).forEach((turn, index) => {
          if (turn.recorded) return;
          unchanged += 1;
          hold(headOf(turn) === headOf(turns[index] ?? turn), 'The head changed at turn', index + 2);
        });
      },
      same: (turns, index) => {
        time = index * 100_003;
        const again = play(turns.map((turn) => turn.state));
        const isSame = again.every((turn, at) => turns[at] !== undefined && bytesOf(turn) === bytesOf(turns[at]));
        time = 0;
        hold(isSame, 'The bytes changed with the time.');
      },
      markers: (turns) => {
        for (const { system, texts, marks } of turns) {
          hold(!texts.includes(''), 'A message is empty.');
          hold(marks.length <= 4, marks.length, 'markers');
          maxMarks = Math.max(maxMarks, marks.length);
          for (const { after } of marks) {
            const before = after === 'system' ? [] : texts.slice(0, after + 1);
            const tokens = [system, ...before].reduce((sum, text) => sum + tokenizer.count(text), 0);
            hold(tokens >= usualMinimum, 'A marker stands after', tokens, 'tokens');
          }
        }
      },
    });
    now.mockRestore();
    return found;
  });

  it('R224 R227 K19 has the full text of a note once at most, and no more of it in the map', () => {
    expect(broken().once).toBeUndefined();
    expect(pinned).toBeGreaterThan(runs.numRuns / 2);
  });

  it('R221 never changes what was sent without a record of it', () => {
    expect(broken().recorded).toBeUndefined();
    expect(unchanged).toBeGreaterThan(runs.numRuns / 2);
  });

  it('R221 K12 has the same bytes for the same facts, whatever the time', () => {
    expect(broken().same).toBeUndefined();
  });

  it('R205 R228 R230 K7 has no message for an empty tier, and four markers at most, each after enough to be kept', () => {
    expect(broken().markers).toBeUndefined();
    // Worlds in which all tiers are filled are among them.
    expect(maxMarks).toBe(4);
  });

  const said = fc.nat(12).map((length) => ({ type: 'text' as const, text: 'x'.repeat(length) }));
  const part = fc.oneof(said, fc.constant({ type: 'reasoning' as const, text: 'Hm.' }));
  const message: fc.Arbitrary<Message> = fc.oneof(
    fc.record({
      role: fc.constant('user' as const),
      parts: fc.array(said, { maxLength: 20 }),
    }),
    fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 20 }) }),
  );

  it('R228 R229 R230 K7 has four markers at most, none under the minimum, none on empty text, in their order', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        fc.nat(20).map((length) => 'x'.repeat(length)),
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
          hold(marks.length <= 4, marks);
          let last = -1;
          for (const { after, part: at } of marks) {
            const index = after === 'system' ? -1 : after;
            const before = messages.slice(0, index + 1).flatMap(({ parts }) => [...parts].map(countedText));
            hold([system, ...before].join('').length >= minimum, 'Too little stands before', after);
            const parts = after === 'system' ? [{ type: 'text', text: system }] : (messages[after]?.parts ?? []);
            const marked = parts[at ?? parts.length - 1];
            hold(marked !== undefined && marked.type !== 'reasoning', 'Nothing to mark at', after);
            hold(marked.type !== 'text' || marked.text !== '', 'Empty text is marked at', after);
            hold(index >= last, 'Out of order:', marks);
            last = index;
          }
        },
      ),
      runs,
    );
  });

  const short = fc.constantFrom('', 'a', 'b', 'ab', 'é', '<');
  const log: fc.Arbitrary<EntryBody[]> = fc.array(
    fc.oneof(
      short.map((text): EntryBody => ({ kind: 'user', text, mentions: [] })),
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map((ids) => answer(...ids.map((id) => toolCall(id)))),
      fc.tuple(fc.constantFrom('a', 'b', 'c'), short).map(([id, text]) => result(id, text)),
      fc
        .array(fc.tuple(fc.constantFrom('files', 'url-context', 'editor-context'), short), { maxLength: 3 })
        .map((parts): EntryBody => {
          const before = parts.map(([section, text]) => ({ section, text }));
          return { kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null };
        }),
    ),
    { maxLength: 12 },
  );

  it('R215 keeps each call with its result, and the history in its order', () => {
    fc.assert(
      fc.property(log, (bodies) => {
        const messages = foldMessages(bodies.map((body) => entry(body)));
        messages.forEach(({ role, parts }, index) => {
          const calls = role === 'assistant' ? parts.flatMap((each) => (each.type === 'tool-call' ? each.id : [])) : [];
          const next = messages[index + 1];
          const results = next?.role === 'tool' ? next.parts.map(({ callId }) => callId) : [];
          hold(results.join() === [...new Set(calls)].join(), 'The results of message', index, 'are', results);
        });
        const users = messages.flatMap(({ role, parts }) => (role === 'user' ? [parts.map(countedText)] : []));
        let from = 0;
        for (const body of bodies) {
          if (body.kind !== 'user') continue;
          const at = users.findIndex((texts, index) => index >= from && texts.includes(body.text));
          hold(at >= from, body.text, 'is not in its place');
          from = at + 1;
        }
      }),
      runs,
    );
  });

  it('R225 has each message of the history once, behind all that stands in tiers, in its order', () => {
    const single = paths.filter((path) => path !== 'In/D.md').map((path) => [path, 0] as const);
    const world = promptOf({ head: 0, notes: Object.fromEntries(single), pinned: [], free: null });
    const prompt = selectReference({ prompt: world, model: caching, tools: '', tokenizer, kept: null, free: null });
    const chat = { conversationId: 'c', model: caching, tools: [], tokenizer };
    const alone = planOver(prompt, { ...chat, messages: [] }).messages;
    expect(alone.length).toBeGreaterThan(4);
    fc.assert(
      fc.property(log, (bodies) => {
        const history = foldMessages(bodies.map((body) => entry(body)));
        const { messages } = planOver(prompt, { ...chat, messages: history });
        hold(messages.length === alone.length + history.length, messages.length, 'messages');
        hold(
          history.every((each, index) => messages[alone.length + index] === each),
          'The history is not as it was folded.',
        );
        hold(
          alone.every((each, index) => JSON.stringify(each) === JSON.stringify(messages[index])),
          'What stands in tiers depends on the history.',
        );
      }),
      runs,
    );
  });

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
    const half = /[\ud800-\udbff](?![\udc00-\udfff])/;
    const measure = { count: (text: string): number => text.length };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(90), (text, tokens) => {
        const trimmed = trimText(text, tokens, measure, 'read_note reads on');
        hold(half.test(text) || !half.test(trimmed), 'Half a character is left of', text);
        const beginning = trimmed.replace(/\n?\[… \d+ more characters; read_note reads on\.\]$/, '');
        hold(text.startsWith(beginning), trimmed, 'is no beginning of', text);
      }),
      runs,
    );
  });

  interface Instruction {
    readonly zone: 'instructions' | 'reference' | 'turn';
    /** Words of the full form, and of the brief one; null where there is none. */
    readonly words: number;
    readonly brief: number | null;
    readonly shortens: boolean;
  }
  const instruction: fc.Arbitrary<Instruction> = fc.record({
    zone: fc.constantFrom('instructions' as const, 'reference' as const, 'turn' as const),
    words: fc.nat(160),
    brief: fc.option(fc.nat(20), { nil: null }),
    shortens: fc.boolean(),
  });
  const wordsOf = (count: number): string => 'sea 🌊\n'.repeat(count);
  const note = (text: string) => [element('note', { path: 'a' }, text)];
  const tagTokens = 7;
  const sectionOf = ({ zone, words, brief, shortens }: Instruction, index: number): Section =>
    section({
      ...{ id: `s${index}`, zone, buildOrder: index, priority: index, trim: 'tail', needs: {} },
      composition: zone === 'instructions',
      when: () => true,
      full: () => note(wordsOf(words)),
      ...(brief === null ? {} : { brief: () => note(wordsOf(brief)) }),
      ...(shortens ? { shorten: (_, tokens, by) => note(trimText(wordsOf(words), tokens - tagTokens, by)) } : {}),
    });
  const tier = 3;
  const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'What of the sea?' }] };
  const planIn = (sections: readonly Section[], contextWindow: number): RequestPlan =>
    planRequest({
      ...{ conversationId: 'c', model: { ...description, contextWindow }, tier, sections, facts: new Map() },
      ...{ messages: [asked], tools: [], tokenizer: roughTokenizer },
    });
  const forms: readonly BlockOutcome[] = ['dropped', 'brief', 'trimmed', 'full'];

  it('stays within its limits, names what gave way, keeps the words of the user, and splits no section', () => {
    fc.assert(
      fc.property(
        fc.array(instruction, { maxLength: 4 }),
        fc.integer({ min: 100, max: 4_000 }),
        (instructions, window) => {
          const plan = planIn(instructions.map(sectionOf), window);
          const { blocks, messages, totals } = plan;
          const tokensIn = (zone: Instruction['zone']): number =>
            blocks.reduce((sum, block) => (block.zone === zone ? sum + block.tokens : sum), 0);
          hold(tokensIn('instructions') <= compositionBudgets[tier], 'The composition is too long.');
          for (const zone of ['reference', 'turn'] as const) {
            const limit = Math.floor((window - totals.reserve) * shares[zone][tier]);
            hold(tokensIn(zone) <= limit, zone, tokensIn(zone), 'is over', limit);
          }
          hold(exceedsWindow(plan) === totals.all + totals.reserve > window, 'What is too large is not refused.');
          hold(messages.at(-1) === asked, 'The words of the user are gone.');
          for (const { text, outcome, reason } of blocks) {
            hold(outcome === 'full' || reason !== undefined, outcome, 'without a reason');
            if (outcome === 'dropped') hold(text === '', 'Something is left of a section that was dropped.');
            else hold(/^<note path="a">\n[^<]*\n<\/note>$/.test(text), 'A section is split:', text);
          }
        },
      ),
      runs,
    );
  });

  it('gives more room to what matters most: with a larger window no section gets less unless a weightier one gets more', () => {
    fc.assert(
      fc.property(
        fc.array(instruction, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 100, max: 3_000 }),
        fc.integer({ min: 1, max: 1_000 }),
        (instructions, window, more) => {
          const list = instructions.map(sectionOf);
          const [small, large] = [planIn(list, window), planIn(list, window + more)];
          for (const zone of ['reference', 'turn'] as const) {
            const weightOf = (block: Block): number => list.findIndex(({ id }) => id === block.section);
            const byWeight = ({ blocks }: RequestPlan): Block[] =>
              blocks.filter((block) => block.zone === zone).sort((a, b) => weightOf(b) - weightOf(a));
            const [less, greater] = [byWeight(small), byWeight(large)];
            const at = less.findIndex(({ text }, index) => text !== greater[index]?.text);
            const [was, is] = [less[at], greater[at]];
            if (was === undefined || is === undefined) continue;
            const [before, after] = [forms.indexOf(was.outcome), forms.indexOf(is.outcome)];
            hold(after > before || (after === before && is.tokens >= was.tokens), was, 'was more than', is);
          }
        },
      ),
      runs,
    );
  });
});
