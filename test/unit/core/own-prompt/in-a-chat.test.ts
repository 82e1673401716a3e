/** The user's own system prompt in a chat: what is sent, and what is not. */
import type { ChatPorts } from '../../../../src/core/chat/chat-view-state';
import { runPromptOnce } from '../../../../src/core/turn/background-turn';
import { type ChatBench, rested, scriptedBench, shown, until } from '../../../support/chat-bench';
import { finish, type ScriptedModel, type Step, say, scriptedModel } from '../../../support/scripted-model';
import { never } from '../../../support/turn-world';
import { freshPorts, type OwnPromptBench, ownPromptBench } from './own-prompt-bench';

const answer: Step[] = [say('Understood.'), finish()];

interface Opened {
  readonly own: OwnPromptBench;
  readonly bench: ChatBench & { readonly model: ScriptedModel };
  /** System prompts that went out. */
  readonly sent: string[];
}

function benchWith(files: Readonly<Record<string, string>>): Opened {
  const own = ownPromptBench(files, { systemPrompt: 'default' });
  const bench = scriptedBench(answer, answer);
  const sent: string[] = [];
  const { customTemplate } = freshPorts(own);
  const inVault: ChatPorts['customTemplate'] = (world, signal) =>
    customTemplate?.({ ...world, vault: own.vault, readNote: (path) => own.vault.read(path) }, signal) ??
    Promise.resolve(null);
  Object.assign(bench.ports, { customTemplate: inVault, promptSent: (system: string) => void sent.push(system) });
  return { own, bench, sent };
}

it('R032 K8 sends nothing while the override is missing, says why, and goes on once it is mended', async () => {
  const { own, bench, sent } = benchWith({});
  const chat = await bench.open();
  await chat.send('Hello', []);
  const state = await until(chat, rested);
  expect(shown(state)).toEqual(['user: Hello', 'failure: configuration']);
  expect(state.items.at(-1)).toMatchObject({ failure: { words: expect.stringContaining('Docent/system.md') } });
  expect([bench.model.plans, sent]).toEqual([[], []]);
  own.settings = { ...own.settings, systemPrompt: 'off' };
  chat.resend();
  const after = await until(chat, (now) => rested(now) && now.items.length > 2);
  expect(shown(after).at(-1)).toBe('answer (complete): Understood.');
});

it('R034 R041 R044 sends the override as it is at each message, and tells what went out', async () => {
  const { own, bench, sent } = benchWith({ 'Docent/system.md': 'You are mine.' });
  const chat = await bench.open();
  await chat.send('Hello', []);
  await until(chat, rested);
  own.vault.put('Docent/system.md', 'You are theirs.');
  await chat.send('Again', []);
  await until(chat, rested);
  const systems = bench.model.plans.map(({ system }) => system);
  expect(systems.map((system) => /You are \w+/.exec(system)?.[0])).toEqual(['You are mine', 'You are theirs']);
  expect(sent).toEqual(systems);
});

it('R032 shows with the draft that it cannot be sent', async () => {
  const { bench } = benchWith({});
  const chat = await bench.open();
  const preview = await chat.preview('Hello', [], never);
  expect(preview).toMatchObject({ ok: true, value: { blocked: { kind: 'configuration' } } });
});

it('R032 R013 sends no prompt without a chat either', async () => {
  const model = scriptedModel([answer]);
  const events = [];
  const ports = freshPorts(ownPromptBench({}, { systemPrompt: 'default' }));
  for await (const event of runPromptOnce(ports, { model, text: 'Hello' }, never)) events.push(event);
  expect(events).toMatchObject([{ type: 'failure', failure: { kind: 'configuration' } }]);
  expect(model.plans).toEqual([]);
});
