/** What is sent in the first message, in the system message, and with the user's message (K33, R192). */
import * as z from 'zod/v4';
import { succeed } from '../../../../src/core/ports/failure';
import type { Message } from '../../../../src/core/ports/message';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { type Tool, tool } from '../../../../src/core/tools/tool';
import { type ChatBench, chatBench, rested, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { call, finish, type ScriptedModel, type Step, say, scriptedModel } from '../../../support/scripted-model';
import { promptSettings, hostState } from '../../../support/turn-world';

const big = { contextWindow: 200_000, cachesPrompts: true } as const;
const files = {
  'A.md': 'alpha',
  'Sub/B.md': 'beta',
  'AGENTS.md': 'Rules of the house.',
  'Sub/AGENTS.md': 'Rules of the cellar.',
  'Docent/memory.md': 'Likes tea.',
};

/** A tool that opens the note it is asked for. */
const touching: Tool = tool({
  agent: 'notes',
  description: 'd',
  effect: 'reads',
  name: 'touch',
  parameters: () => z.object({ path: z.string() }),
  title: () => 'Touch',
  run: ({ path }) => Promise.resolve(succeed({ text: `text of ${path}`, sources: [], touched: [path] })),
});

async function run(steps: Step[][], questions = 1, model: Partial<ScriptedModel['description']> = big) {
  const bench: ChatBench = chatBench({ vault: fakeVault(files) });
  const scripted = scriptedModel(steps, model);
  Object.assign(bench, { model: scripted });
  (bench.kit.tools as Tool[]).push(touching);
  const chat = await bench.open();
  for (let asked = 0; asked < questions; asked += 1) {
    await chat.send(`question ${asked}`, []);
    await until(chat, rested);
  }
  return scripted.plans;
}

const textOf = (message: Message | undefined): string => JSON.stringify(message?.parts ?? []);
const times = (plan: RequestPlan | undefined, text: string): [number, number] => [
  (plan?.system ?? '').split(text).length - 1,
  JSON.stringify(plan?.messages).split(text).length - 1,
];
const touch = (id: string, path: string): Step[] => [call(id, 'touch', { path }), finish('tool-calls')];
const done: Step[] = [say('Done.'), finish()];

afterEach(() => jest.restoreAllMocks());

describe('each fact in one place', () => {
  it('R186 R201 K33 has the context file and the memory in the system part, the environment in the first message', async () => {
    const [plan] = await run([done]);
    expect(times(plan, 'Rules of the house.')).toEqual([1, 0]);
    expect(times(plan, 'Likes tea.')).toEqual([1, 0]);
    expect(times(plan, 'Currently working in')).toEqual([0, 1]);
    const system = plan?.system ?? '';
    expect(system.indexOf('Rules of the house.')).toBeLessThan(system.indexOf('Likes tea.'));
    expect(textOf(plan?.messages[0])).toContain('Currently working in');
  });

  it('R188 begins the history with the environment, and has all else behind it', async () => {
    const plans = await run([touch('a', 'A.md'), done, done], 2);
    expect(plans.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['user', 'user'],
      ['user', 'user', 'assistant', 'tool'],
      ['user', 'user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    for (const { messages } of plans) {
      expect(messages[0]).toEqual(plans[0]?.messages[0]);
      expect(messages.filter((message) => textOf(message).includes('Currently working in'))).toHaveLength(1);
    }
  });

  it('R200 R201 leaves memory alone in the system part when context files wait for the first touch', async () => {
    jest.spyOn(hostState, 'settings').mockReturnValue({ ...promptSettings, contextFilesIn: 'first-touch' });
    const plans = await run([touch('a', 'Sub/B.md'), touch('b', 'A.md'), done]);
    expect(times(plans[0], 'Rules of the house.')).toEqual([0, 0]);
    expect(times(plans[0], 'Likes tea.')).toEqual([1, 0]);
    expect(times(plans[2], 'Rules of the house.')).toEqual([0, 1]);
    const result = textOf(plans[1]?.messages.at(-1));
    expect(result.indexOf('Rules of the house.')).toBeGreaterThan(result.indexOf('text of Sub/B.md'));
    expect(result.indexOf('Rules of the cellar.')).toBeGreaterThan(result.indexOf('Rules of the house.'));
  });

  it('R200 has the root’s own in the prompt otherwise, and not with a result as well', async () => {
    const plans = await run([touch('a', 'Sub/B.md'), done]);
    expect(times(plans[1], 'Rules of the house.')).toEqual([1, 0]);
    expect(times(plans[1], 'Rules of the cellar.')).toEqual([0, 1]);
  });
});

describe('the open notes', () => {
  it('are not in the log either while they are hidden', async () => {
    const activeNote = { path: 'Secret.md', cursor: { line: 1, character: 1 }, selectedText: 'password' };
    jest.spyOn(hostState, 'editor').mockReturnValue({ activeNote, otherOpenNotes: ['A.md', 'Other.md'] });
    const bench = chatBench({ vault: fakeVault(files) });
    Object.assign(bench, { model: scriptedModel([done], big) });
    const chat = await bench.open();
    await chat.send('question', []);
    await until(chat, rested);
    const stored = JSON.stringify(await bench.store.shards(chat.id));
    expect(stored).toContain('A.md');
    expect(stored).not.toMatch(/Secret|Other|password/);
  });

  it('are said to be none once the message is deleted after which they would have been told as closed', async () => {
    const opened = (path: string | null) => ({
      activeNote: path === null ? null : { path, cursor: { line: 1, character: 1 }, selectedText: '' },
      otherOpenNotes: [],
    });
    const spy = jest.spyOn(hostState, 'editor').mockReturnValue(opened('A.md'));
    const bench = chatBench({ vault: fakeVault(files) });
    const model = scriptedModel([done, done, done, done], big);
    Object.assign(bench, { model });
    const chat = await bench.open();
    const ask = async (text: string): Promise<string> => {
      await chat.send(text, []);
      await until(chat, rested);
      return textOf(model.plans.at(-1)?.messages.at(-1));
    };
    expect(await ask('one')).toContain('A.md');
    await ask('two');
    const [, , second] = chat.current.items;
    spy.mockReturnValue(opened(null));
    await chat.deleteMessage(second?.id ?? '', true);
    const none = '{\\"activeFile\\":null,\\"otherOpenFiles\\":[]}';
    expect(await ask('three')).toContain(none);
    expect(await ask('four')).not.toContain(none);
  });

  it('R192 are told before a user message, never between a call and its result', async () => {
    const editor = (path: string) => ({
      activeNote: { path, cursor: { line: 1, character: 1 }, selectedText: '' },
      otherOpenNotes: [],
    });
    const spy = jest.spyOn(hostState, 'editor').mockReturnValue(editor('A.md'));
    const move = (): void => void spy.mockReturnValue(editor('Sub/B.md'));
    const plans = await run([[move, ...touch('a', 'A.md')], touch('b', 'A.md'), done, done], 2);
    const [first, second, third, last] = plans;
    expect(textOf(first?.messages[1])).toContain('activeFile');
    for (const plan of [second, third]) {
      expect(plan?.messages.slice(0, 2)).toEqual(first?.messages);
      expect(plan?.messages.slice(2).map(({ role }) => role)).not.toContain('user');
      expect(JSON.stringify(plan?.messages.slice(2))).not.toContain('activeFile');
      expect(JSON.stringify(plan)).not.toContain('"path\\": \\"Sub/B.md');
    }
    expect(last?.messages.slice(0, -2)).toEqual(third?.messages);
    expect(textOf(last?.messages.at(-1))).toMatch(/activeFileChanged[\s\S]*Sub\/B\.md[\s\S]*question 1/);
  });
});
