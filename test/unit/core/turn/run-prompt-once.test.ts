import { type ModelEvent, openAccount } from '../../../../src/core/ports/model';
import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { sections } from '../../../../src/core/prompt/sections';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { tools } from '../../../../src/core/tools';
import { planPromptOnce, runPromptOnce } from '../../../../src/core/turn/background-turn';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { finish, say, scriptedModel } from '../../../support/scripted-model';
import { never, hostState } from '../../../support/turn-world';

function portsOf() {
  const vault = fakeVault({ 'A.md': 'alpha', 'AGENTS.md': 'House rules.', 'Docent/memory.md': 'Likes tea.' });
  return {
    vault,
    notes: new NoteCache(vault),
    sections,
    tools,
    tokenizer: roughTokenizer,
    agentFolder: () => 'Docent',
    hostState,
    refresh: () => Promise.resolve(),
    settings: () => defaultSettings,
    hooks: { active: [{ id: 'tide' }] },
  };
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('a prompt without a chat', () => {
  it('R013 R026 is planned by the one assembler, for nobody to answer, without tools and hooks', async () => {
    const model = scriptedModel([[say('Shorter.'), finish()]]);
    const events = await collect(runPromptOnce(portsOf(), { model, text: 'Shorten this.' }, never));
    expect(events.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
    const [plan] = model.plans;
    expect(plan?.tools).toEqual([]);
    expect(plan?.messages).toEqual([
      { role: 'user', parts: [{ type: 'text', text: expect.stringMatching(/^<environment>\n/) as string }] },
      { role: 'user', parts: [{ type: 'text', text: 'Shorten this.' }] },
    ]);
    for (const part of ['<core_mandates>', 'House rules.', 'Likes tea.']) expect(plan?.system).toContain(part);
    const asked = hostState.settings();
    const spy = jest.spyOn(hostState, 'settings').mockReturnValue({ ...asked, interactive: false });
    const alone = await planPromptOnce(portsOf(), { model, text: 'Shorten this.' }, never);
    spy.mockRestore();
    const plain = (system = ''): string => system.replace(/Test vault \d+/, '');
    expect(plain(alone.system)).toBe(plain(plan?.system));
    expect(plan?.system).toContain('Unattended run');
    expect(plan?.system).not.toContain('hook_context');
  });

  it('R013 tells of what it mentions, around the message for a model that caches', async () => {
    const model = scriptedModel([], { contextWindow: 200_000, cachesPrompts: true });
    const mentions = [{ kind: 'note', id: 'A.md', label: 'A' } as const];
    const plan = await planPromptOnce(portsOf(), { model, text: 'Shorten this.', mentions }, never);
    const texts = plan.messages.slice(-3).map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
    expect(texts[0]?.[0]).toContain('alpha');
    expect(texts[2]).toContain('Shorten this.');
  });

  it('R013 sends nothing that does not fit, and says so', async () => {
    const model = scriptedModel([], { contextWindow: 2_048 });
    const events = await collect(runPromptOnce(portsOf(), { model, text: 'word '.repeat(4_000) }, never));
    expect(events).toMatchObject([{ type: 'failure', failure: { kind: 'context-length' } }]);
    expect(model.plans).toEqual([]);
  });

  it('R013 ends when it is stopped, even when the model does not', async () => {
    const stop = new AbortController();
    const model = scriptedModel([[say('Half'), () => stop.abort(), 'hang']]);
    const events = await collect(runPromptOnce(portsOf(), { model, text: 'q' }, stop.signal));
    expect(events).toEqual([say('Half')]);
  });

  it('R231 sends nothing that would cost more than the limit, and counts the prompts of one window together', async () => {
    const prices = { input: 1, output: 1, date: null };
    const usage = { inputTokens: 10, outputTokens: 10, cost: 0.02 };
    const model = scriptedModel(
      [
        [say('One.'), { type: 'finish', reason: 'complete', usage }],
        [say('Two.'), { type: 'finish', reason: 'complete', usage }],
      ],
      { prices },
    );
    const account = openAccount();
    const ports = (spendingLimit: number | null, spendingNotice: number | null = null) => ({
      ...portsOf(),
      settings: () => ({ ...defaultSettings, spendingLimit, spendingNotice }),
    });
    const ask = (...limits: [number | null, (number | null)?]) =>
      collect(runPromptOnce(ports(...limits), { model, text: 'Shorten this.', account }, never));
    const refused = { type: 'failure', failure: { kind: 'limit', action: 'open-settings' } };
    expect(await ask(0.000001)).toMatchObject([refused]);
    expect(model.plans).toEqual([]);
    expect((await ask(0.02)).map(({ type }) => type)).toEqual(['text-delta', 'finish']);
    expect(account.spent).toBe(0.02);
    const [again] = await ask(0.02);
    expect(again).toMatchObject(refused);
    expect(again?.type === 'failure' && again.failure.words).toMatch(/^The answers in this dialog have cost \$0\.02/);
    expect(model.plans).toHaveLength(1);
    // Another window begins at nothing, and a notice does not stop what follows it.
    expect((await ask(null, 0.01)).map(({ type }) => type)).toEqual(['notice', 'text-delta', 'finish']);
    const other = await collect(runPromptOnce(ports(0.000001), { model, text: 'Shorten this.' }, never));
    expect(other).toMatchObject([refused]);
  });
});
