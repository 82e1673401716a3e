/** What earlier turns have sent, and how the texts around a message stay with it. */
import { foldTurnMemory } from '../../../../src/core/context/turn-context';
import { foldMessages } from '../../../../src/core/request/history';
import type { EntryBody } from '../../../../src/core/session/entry';
import { entry, user } from '../../../support/entries';

const editor = {
  activeNote: { path: 'A.md', cursor: { line: 1, character: 1 }, selectedText: '' },
  otherOpenNotes: [],
};
const zone = (changes: Partial<EntryBody & { kind: 'turn-zone' }> = {}): EntryBody => ({
  kind: 'turn-zone',
  before: [{ section: 'files', text: '<files>\nA\n</files>' }],
  after: [{ section: 'reminder', text: '<reminder>\nR\n</reminder>' }],
  mode: 'assistant',
  editor,
  ...changes,
});
const answer: EntryBody = { kind: 'assistant', parts: [{ type: 'text', text: 'Yes.' }], end: 'complete', model: 'm' };
const fold = (...bodies: EntryBody[]) => foldTurnMemory(bodies.map((body) => entry(body)));
const textsOf = (...bodies: EntryBody[]) =>
  foldMessages(bodies.map((body) => entry(body))).map(({ parts }) =>
    parts.map((part) => ('text' in part ? part.text : '')),
  );

describe('the texts around a message', () => {
  it('stand before and after the words of the user, in the order in which they were sent', () => {
    expect(textsOf(user('Hello?'), zone(), answer, user('And?'))).toEqual([
      ['# Working notes\nHere are the notes:\n\n<files>\nA\n</files>'],
      ['Ok.'],
      ['Hello?', '<reminder>\nR\n</reminder>'],
      ['Yes.'],
      ['And?'],
    ]);
  });

  it('never join an answer, should a log hold them in the wrong place', () => {
    expect(textsOf(user('Hello?'), answer, zone())).toEqual([['Hello?'], ['Yes.']]);
  });
});

describe('the memory of a chat', () => {
  it('is empty before the first turn', () => {
    expect(fold(user('Hello?'))).toEqual({
      headMode: null,
      lastMode: null,
      editor: null,
      notes: new Map(),
      sent: new Map(),
      current: false,
    });
  });

  it('K4 keeps the mode of the first turn for the head, and knows that of the last', () => {
    const memory = fold(user('1'), zone(), answer, user('2'), zone({ mode: 'planning' }), answer, user('3'));
    expect([memory.headMode, memory.lastMode, memory.current]).toEqual(['assistant', 'planning', false]);
  });

  it('R191 R216 remembers the open notes as last sent, and the last text of each section', () => {
    const memory = fold(user('1'), zone(), answer, user('2'), zone({ before: [], after: [], editor: null }));
    expect(memory.editor).toBeNull();
    expect([...memory.sent]).toEqual([
      ['files', '<files>\nA\n</files>'],
      ['reminder', '<reminder>\nR\n</reminder>'],
    ]);
    expect(memory.current).toBe(true);
    const progress = (text: string) => zone({ before: [{ section: 'goal-progress', text }], after: [] });
    const moved = fold(user('1'), progress('1 of 3'), answer, user('2'), progress('2 of 3'));
    expect(moved.sent.get('goal-progress')).toBe('2 of 3');
  });
});
