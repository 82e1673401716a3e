/** A small vault and a runner for the tests of the reading tools. */
import { describeFailure } from '../../../../src/core/ports/failure';
import type { Vault } from '../../../../src/core/ports/vault';
import { formatFramed } from '../../../../src/core/request/history-text';
import { tools } from '../../../../src/core/tools';
import type { OutputPort, ToolContext } from '../../../../src/core/tools/tool';
import { fakeVault } from '../../../support/fake-vault';
import { goalBench } from '../../../support/goals';
import { noSubagents } from '../../../support/subagents';

export const readingTools = [
  'search_notes',
  'find_notes',
  'list_folder',
  'read_note',
  'read_notes',
  'note_outline',
  'note_links',
];

/**
 * @param tokens maximum tokens of the result, as in a small context window
 * @param more how results are chosen there
 */
export async function runTool(
  vault: Vault,
  name: string,
  args: object,
  signal = new AbortController().signal,
  tokens?: number,
  more: Pick<OutputPort, 'matching' | 'isShown'> = {},
  further: Pick<ToolContext, 'givenSkills'> = {},
): Promise<string> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const outcome = await tool.run(tool.parameters.parse(args), vault, signal, {
    agentFolder: 'Docent',
    skillFolders: ['Docent/skills', 'Boat/skills'],
    goals: goalBench().goals,
    subagents: noSubagents,
    ...further,
    ...(tokens === undefined ? {} : { outputs: { tokens, read: () => null, ...more } }),
  });
  if (outcome.ok && outcome.value.frame !== undefined) return formatFramed(outcome.value.text, outcome.value.frame);
  return outcome.ok ? outcome.value.text : `${outcome.failure.kind}: ${describeFailure(outcome.failure)}`;
}

export const project = `---
status: active
tags: [work/plan]
---
# Plan
Intro with [[Beta]] and [[Nowhere]] and ![[pic.png]].

## Steps
1. First
2. Second ^second

### Detail
Fine print.

## Risks
None. See [[Beta]].
`;
const files = {
  'Projects/Alpha.md': project,
  'Projects/Beta.md': 'Back to [[Alpha]]. #work',
  'Projects/Old/Gamma.md': 'Done. #done',
  'Journal/2026-05-02.md': 'Launched.',
  'pic.png': new Uint8Array([0, 255]),
  'Empty.md': '',
};
export const vault = fakeVault(files);
