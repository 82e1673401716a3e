/** @jest-environment jsdom */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { lazy } from '../../../src/core/base/lazy';
import type { Chat } from '../../../src/core/chat/chat';
import { succeed } from '../../../src/core/ports/failure';
import type { Message } from '../../../src/core/ports/message';
import type { Model, ModelDescription, ModelEvent } from '../../../src/core/ports/model';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { defaultSettings } from '../../../src/core/settings/settings';
import { tools } from '../../../src/core/tools';
import { drawQuestions, hasWords } from '../../bench/turns/draw-questions';
import { measureTurns, type TurnFigures } from '../../bench/turns/measure-turns';
import { smallModel, type TurnKind, writeQuestion } from '../../bench/turns/small-model';
import { chatBench, shown, until } from '../../support/chat-bench';
import { fakeVault } from '../../support/fake-vault';
import { roughTokenizer } from '../../support/memory-ports';
import { description } from '../../support/scripted-model';

// Its ranks are packed by the build; these tests count with a tokenizer of their own.
jest.mock('../../bench/count-in-slices', () => ({ countInSlices: () => null }));

jest.setTimeout(60_000);
afterEach(closeTestApps);

const words = ['copper', 'kettle', 'whistles', 'boils'];
const line = 'The copper kettle whistles before it boils.';
const hit = (text: string): string =>
  `1 passage in 1 note for: it.\n\n[1] Kitchen/Kettle.md\nheading: Kettle\nlines: 3-3\n${text}`;
const whole = `Kitchen/Kettle.md, all 3 lines.\n\n# Kettle\n\n${line}`;
const toolNames = ['search_notes', 'read_note', 'edit_note'];

function planOf(
  kind: TurnKind,
  results: readonly (readonly [name: string, text: string])[],
  names = toolNames,
): RequestPlan {
  const answers = results.flatMap(([name, text], index): Message[] => [
    { role: 'assistant', parts: [{ type: 'tool-call', id: `c${index}`, name, argumentsText: '{}' }] },
    { role: 'tool', parts: [{ type: 'tool-result', callId: `c${index}`, name, text, isError: false }] },
  ]);
  const question = `<environment>x</environment>\n\n${writeQuestion(kind, words)}`;
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: question }] }, ...answers];
  const declared = names.map((name) => ({ name, description: '', parameters: { properties: { path: {} } } }));
  return { system: 'You are the assistant.', messages, tools: declared } as unknown as RequestPlan;
}

/** What the model does next: the call it makes, or what it says. */
async function nextAct(kind: TurnKind, plan: RequestPlan): Promise<string> {
  const events: ModelEvent[] = [];
  const model = smallModel(kind, {} as ModelDescription);
  for await (const event of model.stream(plan, new AbortController().signal)) events.push(event);
  const [first] = events;
  if (first?.type === 'tool-call') return `${first.call.name} ${first.call.argumentsText}`;
  return first?.type === 'text-delta' ? first.text : '';
}

describe('the scripted model of whole turns', () => {
  it('searches for the words of the question first', async () => {
    expect(await nextAct('snippets', planOf('snippets', []))).toBe(
      'search_notes {"query":"copper kettle whistles boils"}',
    );
  });

  it('quotes a line that a result shows, with its note', async () => {
    const found = [['search_notes', hit(line)]] as const;
    expect(await nextAct('snippets', planOf('snippets', found))).toBe(`${line}\n\nSource: [[Kitchen/Kettle]]`);
    expect(await nextAct('read', planOf('read', found))).toBe('read_note {"path":"Kitchen/Kettle.md"}');
    const read = [...found, ['read_note', whole]] as const;
    expect(await nextAct('read', planOf('read', read))).toBe(`${line}\n\nSource: [[Kitchen/Kettle]]`);
  });

  it('copies the line that a read shows into its edit', async () => {
    const read = [
      ['search_notes', hit(line)],
      ['read_note', whole],
    ] as const;
    const edit = await nextAct('edit', planOf('edit', read));
    expect(JSON.parse(edit.replace('edit_note ', ''))).toEqual({
      path: 'Kitchen/Kettle.md',
      oldText: line,
      newText: `${line} (checked)`,
    });
  });

  it('knows nothing that its request does not show', async () => {
    const cut = hit('The copper kettle');
    expect(await nextAct('snippets', planOf('snippets', [['search_notes', cut]]))).toMatch(/^I could not do this: /);
    const gone = [
      ['search_notes', cut],
      ['read_note', 'Kitchen/Kettle.md, all 1 line.\n\n# Kettle'],
      ['read_note', 'Kitchen/Kettle.md, line 3 of 3.\n\nThe copper'],
    ] as const;
    expect(await nextAct('read', planOf('read', gone))).toMatch(/^I could not do this: the results/);
  });

  it('reads on as a result says', async () => {
    const parts = [
      ['search_notes', hit('The copper kettle')],
      ['read_note', 'Kitchen/Kettle.md, line 1 of 9. Continue with startLine 2.\n\n# Kettle'],
      ['read_note', 'Kitchen/Kettle.md, line 3 of 9. Continue with startLine 4, endLine 9.\n\nThe copper'],
    ] as const;
    expect(await nextAct('read', planOf('read', parts.slice(0, 2)))).toBe(
      'read_note {"path":"Kitchen/Kettle.md","startLine":3,"endLine":3}',
    );
    expect(await nextAct('read', planOf('read', parts))).toBe(
      'read_note {"path":"Kitchen/Kettle.md","startLine":4,"endLine":9}',
    );
  });

  it('calls no tool that is not offered', async () => {
    expect(await nextAct('edit', planOf('edit', [], ['search_notes', 'read_note']))).toBe(
      'I could not do this: edit_note is not offered.',
    );
  });
});

describe('the questions of whole turns', () => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `Notes/${n}.md`,
      `---\nsubject: copper kettle number ${n} whistles\n---\n# Kettle ${n} of the kitchen shelf with lids\n` +
        `Number word${n}a stands behind word${n}b, under word${n}c and word${n}d.\nA line that is in each of these notes, word for word.\n`,
    ]),
  );

  it('ask for lines of prose that only one note has', async () => {
    const questions = await drawQuestions(fakeVault(files), 5);
    expect(questions).toHaveLength(5);
    expect(new Set(questions.map(({ path }) => path)).size).toBe(5);
    for (const { path, line: drawn, words: asked } of questions) {
      const own = /\d+/.exec(path)?.[0] ?? '';
      expect(drawn).toMatch(new RegExp(`^Number word${own}a stands`));
      expect(hasWords(drawn, asked)).toBe(true);
    }
  });

  it('are the same each time, and fewer where few notes have such a line', async () => {
    expect(await drawQuestions(fakeVault(files), 3)).toEqual(await drawQuestions(fakeVault(files), 3));
    expect(await drawQuestions(fakeVault({ 'A.md': '# A\n\nShort.\n', 'B.md': '' }), 3)).toEqual([]);
  });
});

describe('whole turns', () => {
  const files = {
    'Kitchen/Kettle.md': `# Kettle\n\n- ${line}\n- And another line of it.\n`,
    'Other.md': 'Nothing here.\n',
  };

  async function measure(change: Partial<Parameters<typeof measureTurns>[0]> = {}): Promise<TurnFigures[]> {
    const app = await createTestApp({ files });
    await app.metadataCache.indexed();
    const input = { app, settings: defaultSettings, tokenizer: roughTokenizer, ...change };
    const figures = await measureTurns(input, 1);
    for (const [path, text] of Object.entries(files)) expect(await app.vault.adapter.read(path)).toBe(text);
    expect(app.vault.getFiles().map(({ path }) => path)).toEqual(Object.keys(files));
    return figures;
  }

  it('finish in each mode and window, and leave the vault as it was', async () => {
    const figures = await measure();
    expect(figures).toHaveLength(50);
    expect(figures.filter(({ finished }) => finished !== 1)).toEqual([]);
  });

  it('are not allowed, rather than unfinished, where the user lets nothing be written', async () => {
    const figures = await measure({
      settings: { ...defaultSettings, permission: 'read-only' },
      // One of each kind of turn.
      windows: [2_048, 4_096, 8_192],
    });
    for (const { turn, finished, forbidden, broken } of figures) {
      expect([finished, forbidden, broken]).toEqual(turn === 'edit' ? [0, 1, []] : [1, 0, []]);
    }
  });

  it('say why they do not finish', async () => {
    const figures = await measure({
      tokenizer: { count: (text) => text.length, exact: true },
      windows: [2_048, 32_768],
    });
    for (const { broken } of figures.filter(({ window }) => window === 2_048)) {
      expect(broken).toEqual([expect.stringMatching(/^Kitchen\/Kettle\.md: This request needs about/)]);
    }
    expect(figures.filter(({ window, finished }) => window === 32_768 && finished === 1)).not.toEqual([]);
  });
});

describe('bad input of whole turns', () => {
  // The rules of the vault make the first request too large for the smaller window.
  const files = { 'Kitchen/Kettle.md': `# Kettle\n\n- ${line}\n`, 'AGENTS.md': 'Keep the tea warm. '.repeat(800) };

  it.each([true, false])('F21 a window that the server does not have: native tools %s', async (nativeTools) => {
    let window = 32_768;
    const small = smallModel('read', { ...description, nativeTools });
    const model = (): Model => ({
      description: {
        ...description,
        nativeTools,
        contextWindow: window,
        ...(window < 32_768 && { assumedWindow: 32_768 }),
      },
      async *stream(plan, signal) {
        if (plan.totals.window <= 4_096) yield* small.stream(plan, signal);
        else {
          window = 4_096;
          yield { type: 'failure', failure: { kind: 'context-length', words: 'Too long.', remedy: 'Shorten it.' } };
        }
      },
    });
    const bench = chatBench({ vault: fakeVault(files), ports: { tools, model: () => succeed(model()) } });
    const chat = await bench.open();
    await ask(chat, writeQuestion('read', words));
    expect(shown(chat.current).join('\n')).toContain(`- ${line}\n\nSource: [[Kitchen/Kettle]]`);
    expect(small.plans.map(({ totals }) => totals.window)).toEqual(small.plans.map(() => 4_096));
    for (const { totals } of small.plans) expect(totals.all + totals.reserve).toBeLessThanOrEqual(4_096);
  });

  const root = { 'Docent/workspaces/All.md': '---\nname: All\nfolder: /\n---\nWork on everything.\n' };
  const vault = lazy(() => fakeVault({ ...files, ...root, ...manyNotes(20_000) }));

  it.each([4_096, 32_768])('a workspace at the root of 20,000 notes, in a window of %d', async (contextWindow) => {
    const model = smallModel('read', { ...description, contextWindow });
    const bench = chatBench({ vault: vault(), model, ports: { tools } });
    const chat = await bench.open();
    await chat.choose({ selectedWorkspace: 'Docent/workspaces/All.md' });
    await ask(chat, writeQuestion('read', words));
    expect(shown(chat.current).join('\n')).toContain(`- ${line}\n\nSource: [[Kitchen/Kettle]]`);
    const workspace = model.plans[0]?.blocks.find(({ section }) => section === 'selected-workspace');
    expect(workspace?.text).toContain('Work on everything.');
    expect(workspace?.tokens).toBeLessThanOrEqual(contextWindow * 0.01 + 60);
  });
});

/** Short notes in 1,500 folders. */
function manyNotes(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`Area ${n % 15}/Topic ${n % 1_500}/Note ${n}.md`, `Entry ${n}.\n`]),
  );
}

async function ask(chat: Chat, text: string): Promise<void> {
  await chat.send(text, []);
  await until(chat, ({ running }) => !running);
}
