/** What an act on the list of the context makes the chat do. */
import type { Chat } from '../../../../src/core/chat/chat';
import { type ContextItem, type ItemAct, plainItem } from '../../../../src/core/context/compaction/list-items';
import { fail, succeed } from '../../../../src/core/ports/failure';
import { targetOf } from '../../../../src/core/session/log-state';
import { ContextModel } from '../../../../src/ui/state/context-state';

type Calls = [name: string, ...given: unknown[]][];

/** What the chat was asked to do, by an act on an item, in a chat with two notes and a section that is off. */
async function callsOf(item: Pick<ContextItem, 'kind' | 'target' | 'label' | 'form'>, act: ItemAct): Promise<Calls> {
  const calls: Calls = [];
  const record =
    (name: string) =>
    (...given: unknown[]) => {
      calls.push([name, ...given]);
      const refused = fail({ kind: 'refused', words: 'No.', remedy: '' });
      return Promise.resolve(name === 'summarise' ? refused : succeed(undefined));
    };
  const chat = {
    choices: { contextNotes: ['A.md', 'B.md'], sectionsOff: ['memory'] },
    choose: record('choose'),
    summarise: record('summarise'),
    relief: { change: record('change') },
  } as unknown as Chat;
  let settled = 0;
  await new ContextModel(
    () => chat,
    () => (settled += 1),
  ).act(plainItem({ ...item, tokens: 1 }), act);
  expect(settled).toBe(1);
  return calls;
}

const result = { kind: 'result', target: targetOf.result('r1'), label: 'read_note', form: 'whole' } as const;
const note = { kind: 'note', target: targetOf.standing('A.md'), label: 'A.md', form: 'whole' } as const;
const section = { kind: 'section', target: targetOf.section('links'), label: 'links', form: 'whole' } as const;
const off = { kind: 'section', target: targetOf.section('memory'), label: 'memory', form: 'dropped' } as const;
const formOf = ({ target }: { readonly target: string }, form: string): Calls[number] => ['change', [{ target, form }]];

it.each<[string, Parameters<typeof callsOf>, Calls]>([
  ['sends a result in another form', [result, 'masked'], [formOf(result, 'masked')]],
  ['leaves a result out', [result, 'dropped'], [formOf(result, 'dropped')]],
  ['sends whole what is unpinned', [{ ...result, form: 'pinned' }, 'unpin'], [formOf(result, 'whole')]],
  ['pins a note that always goes along', [note, 'pinned'], [formOf(note, 'pinned')]],
  ['lets go of such a note', [note, 'dropped'], [['choose', { contextNotes: ['B.md'] }]]],
  ['turns a section off', [section, 'dropped'], [['choose', { sectionsOff: ['memory', 'links'] }]]],
  ['turns a section on again', [off, 'whole'], [['choose', { sectionsOff: [] }], formOf(off, 'whole')]],
  ['outlines a section that is on', [section, 'outline'], [formOf(section, 'outline')]],
  [
    'summarises up to a message',
    [{ ...result, kind: 'exchange', target: 'exchange:s1-4' }, 'summarise'],
    [['summarise', { upTo: 's1-4' }]],
  ],
])('R243 %s', async (_what, given, expected) => {
  expect(await callsOf(...given)).toEqual(expected);
});
