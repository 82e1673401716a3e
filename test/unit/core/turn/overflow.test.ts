/** A model that turns out to hold less: the same turn is planned again for the smaller window, and nothing is lost. */
import type { Chat } from '../../../../src/core/chat/chat';
import type { ChatPorts } from '../../../../src/core/chat/chat-view-state';
import { succeed } from '../../../../src/core/ports/failure';
import type { Model, ModelDescription } from '../../../../src/core/ports/model';
import type { Mention } from '../../../../src/core/session/entry';
import { chatBench, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { breakOff, call, finish, say, scriptedModel, type Step } from '../../../support/scripted-model';

const refusal = breakOff({ kind: 'context-length', words: 'Too long.', remedy: 'Shorten it.' });
const yes = [say('Yes.'), finish()];

const section = (at: number): string => `## Part ${at}\n\n${'Words and more words. '.repeat(90)}\n\n`;
const log = `# Log\n\n${Array.from({ length: 16 }, (_, at) => section(at)).join('')}`;

/** A chat over a server whose window is learned from its refusals, as src/models does it. */
function benchWith(answers: readonly (readonly Step[])[], vault: Record<string, string> = { 'A.md': 'alpha' }) {
  let window = 32_768;
  const scripted = scriptedModel(answers);
  const model = (): Model => {
    const learned: Partial<ModelDescription> = window < 32_768 ? { assumedWindow: 32_768 } : {};
    return { ...scripted, description: { ...scripted.description, contextWindow: window, ...learned } };
  };
  const ports: Partial<ChatPorts> = { model: () => succeed(model()) };
  const bench = chatBench({ ports, vault: fakeVault(vault) });
  const learn = (found: number) => () => void (window = found);
  return { bench, scripted, learn };
}

async function ask(chat: Chat, text: string, mentions: readonly Mention[] = []): Promise<void> {
  await chat.send(text, mentions);
  await until(chat, ({ running }) => !running);
}

describe('a model that turns out to hold less', () => {
  it('F21 answers the same turn from a request for its window and tier, and the next one at once', async () => {
    const script: Step[][] = [];
    const { bench, scripted, learn } = benchWith(script, { 'Log.md': log });
    script.push([learn(8_192), { type: 'notice', words: 'Holds 8,192.' }, refusal], yes, yes);
    const chat = await bench.open();
    await ask(chat, 'What about tea?', [{ kind: 'note', id: 'Log.md', label: 'Log' }]);
    const [refused, answered] = scripted.plans;
    expect(scripted.plans).toHaveLength(2);
    expect([refused?.totals.window, answered?.totals.window]).toEqual([32_768, 8_192]);
    expect(answered?.totals.all).toBeLessThan(refused?.totals.all ?? 0);
    expect(JSON.stringify(answered?.messages).split('What about tea?')).toHaveLength(2);
    expect(chat.context.selectedTier).toBe(2);
    const { items, notice, plan } = chat.current;
    expect(items.map(({ type }) => type)).toEqual(['user', 'relief', 'answer']);
    expect([notice, plan?.totals.window]).toEqual(['Holds 8,192.', 8_192]);
    await ask(chat, 'And milk?');
    expect(scripted.plans).toHaveLength(3);
    expect(scripted.plans[2]?.system).toBe(answered?.system);
    expect(JSON.stringify(scripted.plans[2]?.messages)).toContain('What about tea?');
  });

  it('F21 goes on after the results of tools that it has, and calls none of them twice', async () => {
    const script: Step[][] = [];
    const { bench, scripted, learn } = benchWith(script);
    script.push([call('a', 'read', { path: 'A.md' }), finish('tool-calls')], [learn(8_192), refusal], yes);
    const chat = await bench.open();
    await ask(chat, 'Read it.');
    expect(scripted.plans).toHaveLength(3);
    expect(scripted.plans[2]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
    expect(JSON.stringify(chat.current.items)).toContain('Yes.');
    expect(chat.current.items.filter(({ type }) => type === 'failure')).toEqual([]);
  });

  it('F21 drops the text of an answer to a request that was cut, also from what a crash would restore', async () => {
    const script: Step[][] = [];
    const { bench, learn } = benchWith(script);
    script.push([say('Half of it. '.repeat(300)), learn(8_192), refusal], yes);
    const chat = await bench.open();
    await ask(chat, 'All of it?');
    expect(JSON.stringify(chat.current.items)).not.toContain('Half of it.');
    const reopened = await bench.open();
    expect(JSON.stringify(reopened.current.items)).not.toContain('Half of it.');
  });

  it('F21 outlines a note that was attached for the larger window, rather than refuse', async () => {
    const script: Step[][] = [];
    const { bench, scripted, learn } = benchWith(script, { 'Log.md': log });
    script.push([learn(4_096), refusal], yes);
    const chat = await bench.open();
    await ask(chat, 'What is in it?', [{ kind: 'note', id: 'Log.md', label: 'Log' }]);
    const [refused, answered] = scripted.plans.map(({ messages }) => JSON.stringify(messages));
    expect(refused).toContain('Words and more words.');
    expect(answered).toContain('## Part 15');
    const said = chat.current.items.flatMap((item) => (item.type === 'relief' ? [item.text] : []));
    expect(said).toEqual(['Log.md doesn’t fit as a whole, so only its outline is sent.']);
    expect(JSON.stringify(chat.current.items)).toContain('Yes.');
  });

  it('is asked again only while it is found to hold less, and never without end', async () => {
    const script: Step[][] = [];
    const { bench, scripted, learn } = benchWith(script);
    for (let at = 1; at <= 20; at += 1) script.push([learn(32_768 - at * 1_000), refusal]);
    const chat = await bench.open();
    await ask(chat, 'What about tea?');
    expect(scripted.plans.length).toBeLessThanOrEqual(6);
    expect(chat.current.items.at(-1)).toMatchObject({ failure: { kind: 'context-length' } });
    expect(chat.current.items[0]).toMatchObject({ text: 'What about tea?' });
  });

  it('F21 gives a chat of before its smaller tier with the next turn', async () => {
    const script: Step[][] = [yes, yes];
    const { bench, learn } = benchWith(script);
    const chat = await bench.open();
    await ask(chat, 'One?');
    expect(chat.context.selectedTier).toBe(4);
    learn(8_192)();
    await ask(chat, 'Two?');
    expect(chat.context.selectedTier).toBe(2);
  });
});
