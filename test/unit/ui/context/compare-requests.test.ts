/** Two requests compared line by line. */
import type { Message } from '../../../../src/core/ports/message';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { compareRequests } from '../../../../src/ui/context/request-parts';

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });
const planOf = (system: string, messages: readonly Message[], tools: RequestPlan['tools'] = []): RequestPlan =>
  ({ system, messages, tools }) as unknown as RequestPlan;
const shown = (before: RequestPlan, after: RequestPlan): string[] =>
  compareRequests(before, after).lines.map(({ kind, text, part, afterGap }) => {
    const sign = { same: ' ', removed: '-', added: '+' }[kind];
    return `${afterGap ? '… ' : ''}${part?.place} ${part?.number ?? ''}${sign}${text}`;
  });

it('shows nothing where nothing differs', () => {
  const plan = planOf('a\nb', [user('c')]);
  expect(compareRequests(plan, planOf('a\nb', [user('c')]))).toEqual({ added: 0, removed: 0, lines: [] });
});

it('shows what was said since behind the last lines that stayed, each under its message', () => {
  const before = planOf('one\ntwo\nthree', [user('First.')]);
  const after = planOf('one\ntwo\nthree', [user('First.'), assistant('Yes.\nIndeed.'), user('Second.')]);
  expect(shown(before, after)).toEqual([
    ...['… system  three', 'user 1 First.', 'assistant 2+Yes.', 'assistant 2+Indeed.', 'user 3+Second.'],
  ]);
  expect(compareRequests(before, after)).toMatchObject({ added: 3, removed: 0 });
});

it('shows what went and what came, with two lines around, and no line twice', () => {
  const before = planOf('1\n2\n3\n4\n5\n6\n7\n8\n9', [user('Hi')]);
  const after = planOf('1\n2\nthree\n4\n5\nsix\n7\n8\n9', [user('Hi')]);
  expect(shown(before, after)).toEqual([
    ...['system  1', 'system  2', 'system -3', 'system +three', 'system  4', 'system  5', 'system -6', 'system +six'],
    ...['system  7', 'system  8'],
  ]);
  const far = planOf('one\n2\n3\n4\n5\n6\n7\n8\nnine', [user('Hi')]);
  expect(shown(before, far).filter((line) => line.startsWith('…'))).toEqual(['… system  7']);
});

it('takes an image, a call and its result for lines of their message, and the tools for the beginning', () => {
  const tool = { name: 'read_note', description: 'Reads.', parameters: {} };
  const called: Message = {
    role: 'assistant',
    parts: [{ type: 'tool-call', id: 'a', name: 'read_note', argumentsText: '{"path":"A"}' }],
  };
  const answered: Message = {
    role: 'tool',
    parts: [{ type: 'tool-result', callId: 'a', name: 'read_note', text: 'alpha\nbeta', isError: false }],
  };
  expect(shown(planOf('', [user('Hi')]), planOf('', [user('Hi'), called, answered], [tool]))).toEqual([
    ...['tool +read_note: Reads.', 'tool +  {}', 'user 1 Hi', 'assistant 2+[call a] read_note {"path":"A"}'],
    ...['tool 3+[result a] read_note', 'tool 3+alpha', 'tool 3+beta'],
  ]);
});
