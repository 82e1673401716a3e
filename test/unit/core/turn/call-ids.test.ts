/**
 * Servers that number the calls of each answer from the start, so that one id comes again in a chat.
 *
 * @jest-environment jsdom
 */
import { closeTestApps } from 'obsidian-workbench/jest';
import { call, finish, say, type Step } from '../../../support/scripted-model';
import { type WritingChat, writingChat } from '../../../support/writing-chat';

jest.setTimeout(60_000);
afterEach(closeTestApps);

const create = (path: string): Step[] => [call('call_0', 'create_note', { path, text: path }), finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];
const proposed = ({ chat }: WritingChat): string[] =>
  chat.current.items.flatMap((item) =>
    item.type !== 'answer'
      ? []
      : item.parts.flatMap((part) =>
          part.type === 'tool-call' ? [`${part.callId}: ${part.result?.text.split(' ', 2).join(' ')}`] : [],
        ),
  );

it('H12 writes by each call of a server that gives the first call of every answer one id', async () => {
  const first = await writingChat({ files: { 'A.md': 'alpha' } }, create('B'), create('C'), done, create('D'), done);
  await first.ask('Make two notes.');
  await first.ask('Make one more.');
  const three = ['call_0: B.md: Proposed.', 'call_0-2: C.md: Proposed.', 'call_0-3: D.md: Proposed.'];
  expect(proposed(first)).toEqual(three);
  const again = await first.reopen(create('E'), done);
  await again.ask('And another.');
  expect(proposed(again)).toEqual([...three, 'call_0-4: E.md: Proposed.']);
});
