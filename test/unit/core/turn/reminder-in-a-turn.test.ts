/** What goes around a message, in the requests that are sent: the reminder, and the open notes. */
import type { Message } from '../../../../src/core/ports/message';
import type { ModelDescription } from '../../../../src/core/ports/model';
import { chatBench, rested, until } from '../../../support/chat-bench';
import { finish, type Step, say, scriptedModel } from '../../../support/scripted-model';
import { hostState } from '../../../support/turn-world';

const small: Partial<ModelDescription> = { contextWindow: 16_384, cachesPrompts: false };
const large: Partial<ModelDescription> = { contextWindow: 200_000, cachesPrompts: true };
const done: Step[] = [say('Done.'), finish()];
const textsOf = (message: Message | undefined): string[] =>
  (message?.parts ?? []).flatMap((part) => ('text' in part ? part.text : []));
const reminderIn = (messages: readonly Message[]): number =>
  messages.flatMap(textsOf).filter((text) => text.startsWith('<reminder>')).length;

it.each([
  ['small', small],
  ['large', large],
] as const)(
  'R216 R263 follows the first message, stays with it, and is not said again: a %s window',
  async (_name, model) => {
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
  },
);

it.each([
  ['small', small],
  ['large', large],
] as const)('R198 R216 memory ends the instructions of the system prompt: a %s window', async (_name, model) => {
  const bench = Object.assign(chatBench(), { model: scriptedModel([done], model) });
  bench.vault.put('Docent/system-reminder.md', 'Be brief.');
  bench.vault.put('Docent/memory.md', 'I sail.');
  const chat = await bench.open();
  await chat.send('first', []);
  await until(chat, rested);
  const [plan] = bench.model.plans;
  const texts = plan?.blocks
    .filter(({ zone, place, text }) => zone === 'instructions' && place === 'system' && text !== '')
    .map(({ text }) => text);
  expect(texts?.at(-1)).toBe('---\n\n<user_memory>\nI sail.\n</user_memory>');
  // The listing of the vault is a reference text, and comes next.
  expect(plan?.system).toMatch(/---\n\n<user_memory>\nI sail\.\n<\/user_memory>\n\n# Vault map\n/);
});

it('R190 R191 keeps the open notes with their message when a larger model goes on, and sends them once', async () => {
  const note = { path: 'Boat.md', cursor: { line: 3, character: 1 }, selectedText: 'the keel' };
  const editor = { activeNote: note, otherOpenNotes: ['Pier.md'] };
  const bench = chatBench({ ports: { hostState: { ...hostState, editor: () => editor } } });
  bench.vault.put('Boat.md', 'the keel');
  const first = scriptedModel([done], small);
  const second = scriptedModel([done], large);
  bench.vault.put('Docent/system-reminder.md', 'Be brief.');
  const chat = await bench.open();
  for (const [model, question] of [
    [first, 'first'],
    [second, 'second'],
  ] as const) {
    bench.model = model;
    await chat.send(question, []);
    await until(chat, rested);
  }
  const sent = second.plans[0]?.messages ?? [];
  expect(sent).toContainEqual(first.plans[0]?.messages.at(-1));
  const copies = sent.flatMap(textsOf).join('\n').split('the keel').length - 1;
  expect([copies, textsOf(sent.at(-1))]).toEqual([1, ['second']]);
});
