/** The one allocator of cache markers. */
import type { Message } from '../../../../src/core/ports/message';
import { allocateBreakpoints, type BreakpointQuestion } from '../../../../src/core/request/prompt-cache';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const steps = (count: number): Message[] => [
  {
    role: 'assistant',
    parts: Array.from({ length: count }, (_, index) => ({
      ...{ type: 'tool-call', id: `c${index}`, name: 'read_note', argumentsText: '{}' },
    })) as never,
  },
  {
    role: 'tool',
    parts: Array.from({ length: count }, (_, index) => ({
      ...{ type: 'tool-result', callId: `c${index}`, name: 'read_note', text: 'x', isError: false },
    })) as never,
  },
];
const tiers = [user('L1'), assistant('Ok.'), user('L2'), assistant('Ok.'), user('L3'), assistant('Ok.')];
const ask = (changes: Partial<BreakpointQuestion>) =>
  allocateBreakpoints({
    ...{ start: 4, system: 'head', messages: [...tiers, user('Hello?')], ends: { L2: 3, L3: 5 }, minimum: 0 },
    count: (text) => text.length,
    ...changes,
  });

describe('cache markers', () => {
  it('K7 R228 R229 stand at the end of the head, of L1 and L2, of L3, and of the newest message', () => {
    expect(ask({})).toEqual([
      { after: 'system', ends: 'L0' },
      { after: 3, ends: 'L2' },
      { after: 5, ends: 'L3' },
      { after: 6, ends: 'turn' },
    ]);
  });

  it('R230 are none where the beginning is shorter than the provider keeps, counted from the first tool on', () => {
    expect(ask({ minimum: 5 }).map(({ ends }) => ends)).toEqual(['L2', 'L3', 'turn']);
    expect(ask({ minimum: 15 }).map(({ ends }) => ends)).toEqual(['L3', 'turn']);
    expect(ask({ minimum: 10_000 })).toEqual([]);
    expect(ask({ minimum: 14, start: 104 }).map(({ ends }) => ends)).toEqual(['L0', 'L2', 'L3', 'turn']);
  });

  it('R229 never stand on empty text', () => {
    expect(ask({ system: '' }).map(({ ends }) => ends)).toEqual(['L2', 'L3', 'turn']);
    expect(ask({ messages: [...tiers, user('')] }).map(({ ends }) => ends)).toEqual(['L0', 'L2', 'L3']);
  });

  it('R228 R230 K7 are four at most: the middle of a step of more than fifteen parts has the place of L1 and L2', () => {
    const messages = [...tiers, user('Go.'), ...steps(12)];
    expect(ask({ messages })).toEqual([
      { after: 'system', ends: 'L0' },
      { after: 5, ends: 'L3' },
      { after: 7, part: 8, ends: 'step' },
      { after: 8, ends: 'turn' },
    ]);
    expect(ask({ messages: [...tiers, user('Go.'), ...steps(7)] }).map(({ ends }) => ends)).toContain('L2');
    // Fifteen parts, with one of the answer before its calls.
    const [calls, results] = steps(7) as [Message, Message];
    const spoken = { ...calls, parts: [{ type: 'text', text: 'So.' }, ...calls.parts] } as Message;
    expect(ask({ messages: [...tiers, user('Go.'), spoken, results] }).map(({ ends }) => ends)).toContain('L2');
  });
});
