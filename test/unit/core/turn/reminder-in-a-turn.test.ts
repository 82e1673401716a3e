/** The reminder in the requests that are sent, and what has to be sent again after a flat request. */
import type { Message } from '../../../../src/core/ports/message';
import type { ModelDescription } from '../../../../src/core/ports/model';
import { chatBench, rested, until } from '../../../support/chat-bench';
import { finish, type Step, say, scriptedModel } from '../../../support/scripted-model';
import { hostState } from '../../../support/turn-world';

const flat: Partial<ModelDescription> = { contextWindow: 16_384, cachesPrompts: false };
const tiered: Partial<ModelDescription> = { contextWindow: 200_000, cachesPrompts: true };
const done: Step[] = [say('Done.'), finish()];
const textsOf = (message: Message | undefined): string[] =>
  (message?.parts ?? []).flatMap((part) => ('text' in part ? part.text : []));
const reminderIn = (messages: readonly Message[]): number =>
  messages.flatMap(textsOf).filter((text) => text.startsWith('<reminder>')).length;

it.each([
  ['flat', flat],
  ['tiered', tiered],
] as const)('R216 R263 follows the first message, stays with it, and is not said again: %s', async (_name, model) => {
  const bench = Object.assign(chatBench(), { model: scriptedModel([done, done], model) });
  bench.vault.put('Docent/system-reminder.md', 'Be brief.');
  bench.vault.put('Docent/memory.md', 'I sail.');
  const chat = await bench.open();
  for (const question of ['first', 'second']) {
    await chat.send(question, []);
    await until(chat, rested);
  }
  const [one, two] = bench.model.plans;
  const first = one?.messages.at(-1);
  expect(textsOf(first).slice(-2)).toEqual(['first', '<reminder>\nBe brief.\n</reminder>']);
  expect(two?.messages).toContainEqual(first);
  expect(reminderIn(two?.messages ?? [])).toBe(1);
  for (const plan of [one, two]) expect(plan?.system).not.toContain('<reminder>');
});

it('R198 R216 leaves memory at the very end of the system prompt of the flat profile', async () => {
  const bench = Object.assign(chatBench(), { model: scriptedModel([done], flat) });
  bench.vault.put('Docent/system-reminder.md', 'Be brief.');
  bench.vault.put('Docent/memory.md', 'I sail.');
  const chat = await bench.open();
  await chat.send('first', []);
  await until(chat, rested);
  const system = bench.model.plans[0]?.system;
  expect(system).toMatch(/---\n\n<user_memory>\nI sail\.\n<\/user_memory>\s*$/);
});

it('R190 R191 tells the open notes in full to a larger model after flat requests, which kept nothing of them', async () => {
  const note = { path: 'Boat.md', cursor: { line: 3, character: 1 }, selectedText: 'the keel' };
  const editor = { activeNote: note, otherOpenNotes: ['Pier.md'] };
  const bench = chatBench({ ports: { hostState: { ...hostState, editor: () => editor } } });
  bench.vault.put('Boat.md', 'the keel');
  const small = scriptedModel([done], flat);
  const large = scriptedModel([done], tiered);
  bench.vault.put('Docent/system-reminder.md', 'Be brief.');
  const chat = await bench.open();
  for (const [model, question] of [
    [small, 'first'],
    [large, 'second'],
  ] as const) {
    bench.model = model;
    await chat.send(question, []);
    await until(chat, rested);
  }
  expect(textsOf(large.plans[0]?.messages.at(-1)).join('\n')).toContain('the keel');
});
