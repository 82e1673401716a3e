import { foldTranscript, Transcript } from '../../../../src/core/chat/transcript';
import { foldMessages, interruptedResult, withoutLastAttempt } from '../../../../src/core/request/history';
import { activeEntries } from '../../../../src/core/session/branches';
import type { EntryBody } from '../../../../src/core/session/entry';
import { answer, entry, result, toolCall, user } from '../../../support/entries';

const fold = (...bodies: EntryBody[]) => foldMessages(bodies.map((body) => entry(body)));
const show = (...bodies: EntryBody[]) => foldTranscript(bodies.map((body) => entry(body)));
const failure: EntryBody = { kind: 'failure', failure: { kind: 'network', words: 'w', remedy: 'r' } };

/** Roles, and for tool messages the ids and texts of the results. */
function outline(...bodies: EntryBody[]): string[] {
  return fold(...bodies).map((message) =>
    message.role === 'tool'
      ? `tool ${message.parts.map(({ callId, text, isError }) => `${callId}:${isError ? '!' : ''}${text}`).join(' ')}`
      : message.role,
  );
}

describe('what the model sees of a log', () => {
  it('puts the results of an answer into one message, in the order of its calls', () => {
    expect(
      outline(user('q'), answer(toolCall('a'), toolCall('b')), result('b', 'B'), result('a', 'A'), answer('done')),
    ).toEqual(['user', 'assistant', 'tool a:A b:B', 'assistant']);
  });

  it.each<[string, EntryBody[]]>([
    ['at the end', []],
    ['before the next question', [user('again')]],
    ['before the next answer', [answer('on')]],
  ])('S3 answers a dangling call %s', (_where, rest) => {
    const lines = outline(user('q'), answer(toolCall('a'), toolCall('b')), result('a', 'A'), ...rest);
    expect(lines[2]).toBe(`tool a:A b:!${interruptedResult}`);
  });

  it('S3 names the tool of a dangling call', () => {
    const [, , message] = fold(user('q'), answer(toolCall('a', 'search_notes')));
    expect(message?.parts[0]).toMatchObject({ name: 'search_notes', callId: 'a', isError: true });
  });

  it('leaves out results that answer no call', () => {
    expect(outline(result('x'), user('q'), result('x'), answer(toolCall('a')), result('a', 'A'), result('x'))).toEqual([
      'user',
      'assistant',
      'tool a:A',
    ]);
    expect(outline(answer(toolCall('a')), user('q'), result('a', 'late'))[1]).toContain(interruptedResult);
  });

  it('H12 keeps the first result of a call and pays no heed to a second', () => {
    expect(outline(answer(toolCall('a')), result('a', 'first'), result('a', 'second', true))).toEqual([
      'assistant',
      'tool a:first',
    ]);
  });

  it('pairs an id that comes again in a later answer with its own result', () => {
    expect(
      outline(answer(toolCall('a')), result('a', '1'), answer(toolCall('a')), result('a', '2')).filter((line) =>
        line.startsWith('tool'),
      ),
    ).toEqual(['tool a:1', 'tool a:2']);
  });

  it('skips empty answers and empty texts; failures, titles and choices are not said to the model', () => {
    expect(
      fold(user('q'), answer(), answer(''), failure, { kind: 'title', title: 't' }, { kind: 'choices', choices: {} }),
    ).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'q' }] }]);
    expect(fold(answer('', 'text'))).toEqual([{ role: 'assistant', parts: [{ type: 'text', text: 'text' }] }]);
  });

  it('leaves out attempts that were cut off when the question is asked again', () => {
    const messages = fold(user('q'), answer('half of'), answer('an answer'));
    expect(withoutLastAttempt(messages)).toEqual(messages.slice(0, 1));
    const waiting = fold(user('q'), answer(toolCall('a')), result('a'));
    expect(withoutLastAttempt(waiting)).toEqual(waiting);
    expect(withoutLastAttempt([])).toEqual([]);
  });
});

describe('what hooks add', () => {
  const hooked = (text: string): EntryBody => ({
    kind: 'hook-context',
    additions: [{ kind: 'hook', source: 'W', text }],
    reports: [],
  });
  const written = (text: string): string => `<hook_context source="W">\n${text}\n</hook_context>`;
  const textsOf = (...bodies: EntryBody[]) =>
    fold(...bodies).map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));

  it('R139 joins the newest message that waits for an answer, once, and no answer', () => {
    expect(textsOf(user('q'), hooked('x'), answer('half'), hooked('x'), hooked('y'))).toEqual([
      ['q', written('x'), written('y')],
      ['half'],
    ]);
    expect(textsOf(hooked('x'), user('q'))).toEqual([['q']]);
  });

  it('R141 joins a result once as well, however often the answer to it is tried', () => {
    const tried = [user('q'), answer(toolCall('a')), result('a', 'A'), hooked('x'), hooked('y'), answer('half')];
    expect(textsOf(...tried, hooked('x'), hooked('y'))[2]).toEqual([`A\n\n${written('x')}\n\n${written('y')}`]);
  });

  it('R141 joins the last of several results, even before all of them are there', () => {
    const calls = answer(toolCall('a'), toolCall('b'));
    const expected = [['q'], ['', ''], ['A', `B\n\n${written('x')}`]];
    expect(textsOf(user('q'), calls, result('a', 'A'), result('b', 'B'), hooked('x'))).toEqual(expected);
    expect(textsOf(user('q'), calls, result('a', 'A'), hooked('x'), result('b', 'B'))).toEqual(expected);
  });
});

describe('what the pane shows of a log', () => {
  it('makes one item of all answers between two questions', () => {
    const items = show(user('q'), answer('a', toolCall('k')), result('k', 'K'), answer('b'), user('r'), answer('c'));
    expect(items.map(({ type }) => type)).toEqual(['user', 'answer', 'user', 'answer']);
    expect(items[1]).toMatchObject({
      end: 'complete',
      parts: [
        { type: 'text', text: 'a' },
        { type: 'tool-call', callId: 'k', result: { text: 'K', isError: false } },
        { type: 'text', text: 'b' },
      ],
    });
  });

  it('shows a call that was cut off without a result, and a failure as an item of its own', () => {
    const items = show(user('q'), answer(toolCall('k')), failure);
    expect(items[1]).toMatchObject({ parts: [{ callId: 'k', result: null }] });
    expect(items[2]).toMatchObject({ type: 'failure', failure: { words: 'w' } });
  });

  it('gives each call of an id its own result', () => {
    const [item] = show(answer(toolCall('a')), result('a', '1'), answer(toolCall('a')), result('a', '2'));
    expect(item).toMatchObject({ parts: [{ result: { text: '1' } }, { result: { text: '2' } }] });
  });

  it('R139 R141 shows what hooks did as notes of the answer, also of one that never came', () => {
    const given: EntryBody = {
      kind: 'hook-context',
      additions: [{ kind: 'hook', source: 'Weather', text: 'Rain.' }],
      reports: ['Clock failed.'],
    };
    const notes = ['Weather added text to the message.', 'Clock failed.'].map((text) => ({ type: 'note', text }));
    expect(show(user('q'), given)[1]).toMatchObject({ type: 'answer', parts: notes, end: 'interrupted' });
    const [, item, ...more] = show(user('q'), given, answer('a'), given);
    expect(more).toEqual([]);
    expect(item).toMatchObject({ parts: [...notes, { type: 'text', text: 'a' }, ...notes], end: 'complete' });
  });

  it('pays no heed to results without an answer', () => {
    expect(show(result('x'), user('q'), result('x')).map(({ type }) => type)).toEqual(['user']);
  });

  it('takes end and model from the last answer, and the usage that was reported', () => {
    const [item] = show(answer('a'), { ...answer('b'), end: 'length', usage: { inputTokens: 1, outputTokens: 2 } });
    expect(item).toMatchObject({ end: 'length', usage: { inputTokens: 1, outputTokens: 2 } });
  });

  it('says how long an answer took, and whether a price of it is unknown', () => {
    const priced = { ...answer('a'), usage: { inputTokens: 1, outputTokens: 2, cost: 1 } };
    const unpriced = { ...answer('b'), usage: { inputTokens: 1, outputTokens: 2 } };
    const times = [user('q'), unpriced, priced].map((body, index) => entry(body, { time: 1000 + 500 * index }));
    expect(foldTranscript(times).at(-1)).toMatchObject({ took: 1000, isUnpriced: true });
    expect(show(user('q'), priced).at(-1)).not.toHaveProperty('took');
    expect(show(user('q'), priced).at(-1)).not.toHaveProperty('isUnpriced');
  });

  it('counts the time of another answer from when it was sent for', () => {
    const at = (time: number, id: string, branch?: string) => ({ time, id, ...(branch && { branch }) });
    const log = [
      entry(user('q'), at(1000, 'q')),
      entry(answer('a'), at(2000, 'a')),
      entry({ kind: 'branch', message: 'q' }, at(60_000, 'b')),
      entry(answer('b'), at(60_500, 'c', 'b')),
    ];
    expect(foldTranscript(activeEntries(log)).at(-1)).toMatchObject({ parts: [{ text: 'b' }], took: 500 });
    const back = entry({ kind: 'branch-chosen', chosen: '' }, at(70_000, 'd'));
    expect(foldTranscript(activeEntries([...log, back])).at(-1)).toMatchObject({ parts: [{ text: 'a' }], took: 1000 });
  });

  it('shows what a damaged log has of a branch that was never begun with the first one', () => {
    const log = [entry(user('q'), { id: 'q' }), entry(answer('a'), { id: 'a', branch: 'lost' })];
    expect(activeEntries(log).map(({ id }) => id)).toEqual(['q', 'a']);
  });

  it('shows a version of a message that is lost in the branch that it was written in', () => {
    const begun = entry({ kind: 'branch', message: 'q' }, { id: 'b' });
    const version = entry({ ...user('r'), instead: 'lost' } as EntryBody, { id: 'r', branch: 'b' });
    const log = [entry(user('q'), { id: 'q' }), entry(answer('a'), { id: 'a' }), begun, version];
    expect(activeEntries(log).map(({ id }) => id)).toEqual(expect.arrayContaining(['q', 'r']));
    expect(activeEntries(log).map(({ id }) => id)).not.toContain('a');
  });

  it.each<[string, EntryBody]>([
    ['failed', failure],
    ['was stopped', { ...answer('a'), end: 'stopped' }],
  ])('says no time of an answer that was sent for again after one that %s', (_what, before) => {
    const log = [user('q'), before, answer('b')].map((body, index) => entry(body, { time: 1000 * (index + 1) }));
    const [shown] = foldTranscript(log).slice(-1);
    expect(shown).toMatchObject({ type: 'answer', end: 'complete' });
    expect(shown).not.toHaveProperty('took');
  });

  it('leaves items that did not change as they are', () => {
    const log = [entry(user('q')), entry(answer('a'))];
    const transcript = new Transcript();
    transcript.follow(log);
    const { items } = transcript;
    log.push(entry(user('r')));
    expect(transcript.follow(log)).toBe(true);
    const more = transcript.items;
    expect(more).toHaveLength(3);
    expect(more.slice(0, 2).every((item, index) => item === items[index])).toBe(true);
  });
});
