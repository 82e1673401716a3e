/** The items of a chat: what each event of a turn adds to the running answer, and what each entry is shown as. */
import {
  type AnswerItem,
  advanceAnswer,
  foldTranscript,
  hasImage,
  Transcript,
} from '../../../../src/core/chat/transcript';
import type { EntryBody, Mention } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { answer, entry, result, user } from '../../../support/entries';

const empty: AnswerItem = { type: 'answer', id: 'live', parts: [], end: null, model: 'test' };

it('adds text to the last part if that is of its kind, and leaves the parts before as they are', () => {
  const events = [
    { type: 'reasoning-delta', text: 'Oak' },
    { type: 'reasoning-delta', text: ' or teak?' },
    { type: 'text-delta', text: 'The keel' },
    { type: 'text-delta', text: ' is oak.' },
    { type: 'reasoning-delta', text: 'Enough.' },
    { type: 'text-delta', text: ' So' },
    { type: 'text-delta', text: ' be it.' },
  ] as const;
  expect(events.reduce(advanceAnswer, empty).parts).toEqual([
    { type: 'reasoning', text: 'Oak or teak?' },
    { type: 'text', text: 'The keel is oak.' },
    { type: 'reasoning', text: 'Enough.' },
    { type: 'text', text: ' So be it.' },
  ]);
});

it('adds a call to the end, and its result to the call', () => {
  const call = { type: 'tool-call', id: 'k1', name: 'read_note', argumentsText: '{}' } as const;
  const ended = { type: 'tool-call-ended', callId: 'k1', text: 'Oak.', isError: false, sources: [] } as const;
  const started = advanceAnswer(advanceAnswer(empty, { type: 'text-delta', text: 'Wait.' }), {
    type: 'tool-call-started',
    call,
    title: 'Read A',
  });
  expect(started.parts).toMatchObject([
    { type: 'text', text: 'Wait.' },
    { type: 'tool-call', callId: 'k1', result: null },
  ]);
  expect(advanceAnswer(started, ended).parts[1]).toMatchObject({
    callId: 'k1',
    result: { text: 'Oak.', isError: false },
  });
  const turnEnded = { type: 'turn-ended', end: 'complete' } as const;
  expect(advanceAnswer(started, turnEnded)).toBe(started);
});

it.each<EntryBody>([user('Which?'), { kind: 'branch', message: 'm' }])(
  'knows no time of an answer to what could not be stored: $kind',
  (body) => {
    const transcript = new Transcript();
    transcript.addUnsaved(body);
    transcript.follow([entry(answer('A Bruce.'), { time: 5_000 })]);
    expect(transcript.items.at(-1)).toMatchObject({ type: 'answer', parts: [{ text: 'A Bruce.' }] });
    expect(transcript.items.at(-1)).not.toHaveProperty('took');
  },
);

it('knows no time of an answer that could not be stored', () => {
  const transcript = new Transcript();
  transcript.follow([entry(user('Which?'), { time: 5_000 })]);
  transcript.addUnsaved(answer('A Bruce.'));
  expect(transcript.items.at(-1)).not.toHaveProperty('took');
});

it('says why a summary was refused', () => {
  const refused = entry({ kind: 'summary-refused', reason: 'too-little', trigger: 'automatic' });
  expect(foldTranscript([refused])).toEqual([
    { type: 'relief', id: refused.id, text: words.status.refused['too-little'] },
  ]);
});

it('takes an answer for interrupted only if it did not go on after what was cleared in between', () => {
  const cleared = { kind: 'context-forms', forms: [{ target: 'result:e2', form: 'masked' }], by: 'window' } as const;
  const begun = [user('Which?'), { ...answer('I look.'), end: 'tool-calls' }, cleared] as EntryBody[];
  const ends = (...more: EntryBody[]): unknown[] =>
    foldTranscript([...begun, ...more].map((body) => entry(body))).flatMap((item) =>
      item.type === 'answer' ? [item.end] : [],
    );
  expect(ends()).toEqual(['tool-calls']);
  expect(ends(answer('A Bruce.'))).toEqual(['complete', 'complete']);
  expect(ends(user('And now?'), answer('A Bruce.'))).toEqual(['tool-calls', 'complete']);
});

it('finds an image that is sent with a message or a result, and no other', () => {
  const imageOf = (digest: string): Mention => ({
    ...{ kind: 'image', id: digest, label: digest },
    image: { digest, mediaType: 'image/png', width: 1, height: 1, bytes: 1, conversation: 'c1' },
  });
  const entries = [
    entry({ kind: 'user', text: 'q', mentions: [{ kind: 'note', id: 'A.md', label: 'A' }, imageOf('a')] }),
    entry({ ...result('k1'), images: [imageOf('b')] } as EntryBody),
    entry(result('k2')),
    entry(answer('Oak.')),
  ];
  expect(['a', 'b', 'c'].map((digest) => hasImage(entries, digest))).toEqual([true, true, false]);
});
