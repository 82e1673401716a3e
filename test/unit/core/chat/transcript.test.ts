/** The running answer: what each event of a turn adds to it. */
import { type AnswerItem, advanceAnswer } from '../../../../src/core/chat/transcript';

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
