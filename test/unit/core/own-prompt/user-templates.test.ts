/** The five templates of the user's own mode as files. */
import {
  createTemplates,
  findTemplateStates,
  type UserTemplatePorts,
} from '../../../../src/core/own-prompt/override-steps';
import { assistant } from '../../../../src/core/prompt/modes';
import { builtInTemplates } from '../../../../src/core/prompt/tiered-prompt-store';
import { templateBudgets } from '../../../../src/core/prompt/prompt-orchestrator';
import { roughTokenizer } from '../../../support/memory-ports';
import { type OwnPromptBench, ownPromptBench, textIn } from './own-prompt-bench';

const portsOf = (bench: OwnPromptBench): UserTemplatePorts => ({
  files: bench.files,
  start: assistant,
  tokenizer: { ...roughTokenizer, exact: true },
  agentFolder: () => 'Docent',
  templateBudget: (tier) => templateBudgets[tier],
  waits: () => false,
});
const path = (tier: number): string => `Docent/modes/user/tier${tier}.md`;

it('R101 makes five files as Assistant has them, and never replaces one', async () => {
  const bench = ownPromptBench({ [path(2)]: 'Mine.' });
  expect(await createTemplates(portsOf(bench))).toMatchObject({ value: expect.stringContaining('4 templates') });
  for (const tier of [1, 3, 4, 5] as const) {
    expect((await textIn(bench, path(tier)))?.trim()).toBe(builtInTemplates.get('assistant', tier));
  }
  expect(await textIn(bench, path(2))).toBe('Mine.');
  bench.vault.put(path(1), '');
  expect(await createTemplates(portsOf(bench))).toMatchObject({ value: expect.stringContaining('already exist') });
  expect(await textIn(bench, path(1))).toBe('');
});

it('R102 R093 tells the tokens beside the budget, and which is over it', async () => {
  const bench = ownPromptBench({ [path(1)]: 'word '.repeat(200), [path(2)]: 'Short.', [path(3)]: ' ' });
  const states = await findTemplateStates(portsOf(bench));
  expect(states.map(({ tier, isThere, isOver }) => [tier, isThere, isOver])).toEqual([
    [1, true, true],
    [2, true, false],
    [3, true, false],
    [4, false, false],
    [5, false, false],
  ]);
  expect(states.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^250 of 200 tokens: shorten it/),
    '2 of 500 tokens',
    expect.stringContaining('Empty'),
    expect.stringContaining('Not created'),
    expect.stringContaining('Not created'),
  ]);
});

it('says of a template that waits to be allowed that it is not used yet, and not how long it is', async () => {
  const bench = ownPromptBench({ [path(1)]: 'word '.repeat(200), [path(2)]: 'Short.' });
  const waits = (asked: string): boolean => asked === path(1);
  const states = await findTemplateStates({ ...portsOf(bench), waits });
  expect(states.slice(0, 2).map(({ isThere, isOver, message }) => [isThere, isOver, message])).toEqual([
    [true, false, expect.stringContaining('until you allow it on this device')],
    [true, false, '2 of 500 tokens'],
  ]);
});
