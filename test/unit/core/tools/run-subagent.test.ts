import { tokensByRule } from '../../../../src/core/markup/budget';
import { describeFailure, fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import { tools } from '../../../../src/core/tools';
import { resultTokens } from '../../../../src/core/tools/results';
import { declare, type Tool, type ToolResult } from '../../../../src/core/tools/tool';
import { fakeVault } from '../../../support/fake-vault';
import { goalBench } from '../../../support/goals';
import { o200k } from '../prompt/composition/composed';

const tool = tools.find(({ name }) => name === 'run_subagent') as Tool;

async function call(args: object, answer: Outcome<ToolResult>) {
  const asked: unknown[] = [];
  const { signal } = new AbortController();
  const subagents = {
    run: (...given: unknown[]) => {
      asked.push(given);
      return Promise.resolve(answer);
    },
  };
  const place = { skillFolders: [], goals: goalBench().goals, subagents };
  const outcome = await tool.run(tool.parameters.parse(args), fakeVault({}), signal, place);
  return { outcome, asked, signal };
}

describe('run_subagent', () => {
  it('R137 hands name, task and signal over, and gives the report back with its steps, sources and tokens', async () => {
    const result: ToolResult = {
      text: 'Report.',
      sources: [{ path: 'A.md' }],
      steps: [{ title: 'Read A', text: 'a', isError: false }],
      usage: { inputTokens: 1, outputTokens: 2 },
    };
    const { outcome, asked, signal } = await call({ name: ' scout ', task: ' Look. ' }, succeed(result));
    expect(asked).toEqual([['scout', 'Look.', signal]]);
    expect(outcome).toEqual(succeed(result));
  });

  it('R137 caps a report as every result is, and says so', async () => {
    const { outcome } = await call({ name: 'a', task: 'b' }, succeed({ text: 'word '.repeat(20_000), sources: [] }));
    const text = outcome.ok ? outcome.value.text : '';
    expect(tokensByRule(text)).toBeLessThanOrEqual(resultTokens);
    expect(tokensByRule(text)).toBeGreaterThan(resultTokens - 100);
    expect(text).toMatch(/\n\[Cut here: ask for a shorter report\.\]$/);
  });

  it('R137 shows the beginning of a long task in its title, cut between characters', () => {
    expect(tool.title({ name: 'a', task: `${'x'.repeat(59)}🌊🌊` })).toBe(`Ask a: ${'x'.repeat(59)}…`);
  });

  it('R137 passes a failure on for the model to read', async () => {
    const failure = { kind: 'not-found', words: 'No scout.', remedy: 'There is a generalist.' } as const;
    const { outcome } = await call({ name: 'a', task: 'b' }, fail(failure));
    expect(!outcome.ok && describeFailure(outcome.failure)).toBe('No scout. There is a generalist.');
  });

  it('R137 wants a task, is the chat’s own affair, and says in the pane whom it asks for what', () => {
    expect(tool.parameters.safeParse({ name: 'scout', task: '  ' }).success).toBe(false);
    expect(tool.parameters.safeParse({ name: 'scout' }).success).toBe(false);
    expect(tool.effect).toBe('chat');
    expect(tool.title({ name: 'scout', task: 'Find\nthe leak.' })).toBe('Ask scout: Find the leak.');
    expect(tool.title({ name: 'scout', task: 'x'.repeat(100) })).toBe(`Ask scout: ${'x'.repeat(60)}…`);
  });

  it('takes at most 130 tokens of the 2,100 that all tools may take together', () => {
    const declared = [...tools].map(declare);
    expect(o200k.count(JSON.stringify(declare(tool)))).toBeLessThanOrEqual(130);
    expect(o200k.count(JSON.stringify(declared))).toBeLessThanOrEqual(2_100);
  });
});
