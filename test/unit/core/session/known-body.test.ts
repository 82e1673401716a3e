/**
 * Lines that a newer version, or somebody who writes to a shared folder, gave parts of any shape: what is known of them is
 * read, the rest is left out, and no reader of the chat fails over it.
 */
import { foldChoices } from '../../../../src/core/context/chat-choices';
import { summariseChat } from '../../../../src/core/chat/chat-index';
import { writeChatNote } from '../../../../src/core/chat/chat-note';
import { foldTranscript } from '../../../../src/core/chat/transcript';
import { findMentions } from '../../../../src/core/mentions/mention-text';
import { textOf } from '../../../../src/core/ports/message';
import type { EntryBody, SessionEntry } from '../../../../src/core/session/entry';
import { decodeLine, encodeEntry } from '../../../../src/core/session/log-format';
import { spentIn } from '../../../../src/core/session/log-state';
import { findChosenAnswers } from '../../../../src/core/writing/guard/scope';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { entry, result } from '../../../support/entries';
import { digest } from '../../../support/memory-ports';

type Body = Readonly<Record<string, unknown>>;

const stored = (body: Body): string => encodeEntry(entry(body as unknown as EntryBody), digest);
const user = (...mentions: unknown[]): Body => ({ kind: 'user', text: 'Which [[Keel]]?', mentions });
const answer = (more: Body): Body => ({ kind: 'assistant', parts: [], end: 'complete', model: 'm', ...more });
const viewed = (view: unknown): Body => ({ ...result('k'), view });
const failed = (more: Body): Body => ({
  kind: 'failure',
  failure: { kind: 'network', words: 'w', remedy: 'r', ...more },
});
const choices = (more: Body): Body => ({ kind: 'choices', choices: more });
const keel = { kind: 'note', id: 'Keel.md', label: 'Keel' };
const usage = { inputTokens: 5, outputTokens: 7 };
const call = { type: 'tool-call', id: 'k', name: 'read_note', argumentsText: '{}' };

/** What is stored, and what is read of it. */
const lines: readonly (readonly [what: string, stored: Body, read: Body])[] = [
  ['a mention of a kind that there is none of', user(keel, { kind: 'sound', id: 'a', label: 'b' }), user(keel)],
  ['a mention with a kind of every object', user({ kind: 'constructor', id: 'a', label: 'b' }), user()],
  ['arguments that are no text', user({ ...keel, arguments: 5, problem: {} }), user(keel)],
  ['a part without its text', answer({ parts: [{ type: 'text' }] }), answer({ parts: [{ type: 'text', text: '' }] })],
  [
    'a part of a kind that there is none of',
    answer({ parts: [{ type: 'sound' }, { type: 'text', text: 'a' }] }),
    answer({ parts: [{ type: 'text', text: 'a' }] }),
  ],
  ['a call without its name', answer({ parts: [{ ...call, name: undefined }, call] }), answer({ parts: [call] })],
  [
    'notes of a call that are no texts',
    answer({ parts: [{ ...call, notes: { goal: {} }, written: 5 }] }),
    answer({ parts: [call] }),
  ],
  ['a report of usage that is none', answer({ usage: 'much' }), answer({})],
  ['a report that takes back what others cost', answer({ usage: { ...usage, cost: -1_000 } }), answer({ usage })],
  ['a report of less than nothing', answer({ usage: { inputTokens: -5, outputTokens: 7 } }), answer({})],
  [
    'a price that is no number',
    { kind: 'request-beside', model: 'm', usage: { ...usage, cost: { toFixed: 1 } } },
    { kind: 'request-beside', model: 'm', usage },
  ],
  ['a report of a message of the user', { ...user(keel), usage: { ...usage, cost: '-5' } }, { ...user(keel), usage }],
  ['a view of a kind that there is none of', viewed({ kind: 'approval' }), result('k') as unknown as Body],
  ['a question without words', viewed({ kind: 'question' }), result('k') as unknown as Body],
  [
    'a question with options that are no texts',
    viewed({ kind: 'question', question: 'Oak?', options: [{}] }),
    viewed({ kind: 'question', question: 'Oak?', options: [], several: false }),
  ],
  [
    'to-dos of any shape',
    viewed({ kind: 'todos', items: [5, { text: 'a', state: 'late' }, { text: 'b', state: 'done' }] }),
    viewed({ kind: 'todos', items: [{ text: 'b', state: 'done' }] }),
  ],
  ['a plan without a path', viewed({ kind: 'plan', path: 5 }), viewed({ kind: 'plan', path: null })],
  ['images that are none', { ...result('k'), images: 'all' }, { ...result('k'), images: [] }],
  ['a failure of a kind that there is none of', failed({ kind: 'toString' }), failed({ kind: 'protocol' })],
  ['steps of a failure that are no list', failed({ actions: {}, action: 5 }), failed({})],
  [
    'choices of any shape',
    choices({ model: 5, mode: 'pirate', tier: 9, contextNotes: 'A.md', selectedPrompt: {}, sectionsOff: 5 }),
    choices({}),
  ],
  ['a choice of another kind', choices({ tier: 3, selectedWorkspace: [], more: 1 }), choices({ tier: 3, more: 1 })],
];

it.each(lines)('reads %s', (_what, body, wanted) => {
  const line = stored(body);
  const read = decodeLine(line, digest);
  const { id, conversation, writer, session, lamport, time, ...known } =
    read?.type === 'entry' ? read.entry : ({} as SessionEntry);
  expect(known).toEqual(wanted);
  // Where the line is written again, it is as it was.
  expect(read).toMatchObject({ line: line.trim() });
  // What is read once is read the same again.
  const again = decodeLine(stored(wanted), digest);
  expect([again?.type, again?.type === 'entry' && again.line]).toEqual(['entry', undefined]);
  expect([id, conversation, writer, session, typeof lamport, time]).toEqual([id, 'c1', 'w', 's', 'number', 0]);
});

it('keeps a permission that nobody knows, which allows the least', () => {
  for (const permission of ['all', 5, {}, null]) {
    const read = decodeLine(stored(choices({ permission })), digest);
    const entries = read?.type === 'entry' ? [read.entry] : [];
    const { permission: holds } = foldChoices(entries, { ...defaultSettings, permission: 'review' });
    expect(holds).toBe(permission === null ? 'review' : 'read-only');
  }
});

it('lets every reader of a chat read each of them', async () => {
  const ask = stored(user(keel));
  for (const [what, body] of lines) {
    const said = stored(answer({ parts: [{ type: 'text', text: 'It is oak.' }, call] }));
    const entries = [
      ask,
      said,
      stored(body),
      stored(user()),
      stored(answer({ parts: [{ type: 'text', text: 'Yes.' }] })),
    ]
      .map((line) => decodeLine(line, digest))
      .flatMap((read) => (read?.type === 'entry' ? read.entry : []));
    expect([what, entries.length]).toEqual([what, 5]);
    const items = foldTranscript(entries);
    const summary = summariseChat('c', { entries, damaged: 0, unknown: 0 }, 0, {
      day: () => '',
      isMetered: () => true,
    });
    expect(summary.title).toBe('Which Keel?');
    expect(await writeChatNote({ ...summary, entries, items })).toContain('Yes.');
    for (const item of items) {
      if (item.type === 'user') expect(findMentions(item.text, item.mentions).length).toBeLessThan(2);
      if (item.type === 'answer') expect(textOf(item.parts)).toEqual(expect.any(String));
    }
    expect(findChosenAnswers(entries).size).toBe(0);
    expect(spentIn(entries)).toBe(0);
    expect(foldChoices(entries, defaultSettings).contextNotes).toEqual([]);
  }
});
