/** Composes the sections of a world as a request would, and counts them as a model does. */
import { toolNames } from '../../../../../src/core/markup/variables';
import type { Tokenizer } from '../../../../../src/core/ports/model';
import type { Vault } from '../../../../../src/core/ports/vault';
import { type Composed, composeSections } from '../../../../../src/core/prompt/assemble-prompt';
import { gatherFacts } from '../../../../../src/core/prompt/section';
import { sections } from '../../../../../src/core/prompt/sections';
import type { DeviceFacts, PromptSettings, TurnContext } from '../../../../../src/core/prompt/world';
import { finish, TextCount } from '../../../../../src/tokens/count-text';
import { fakeVault } from '../../../../support/fake-vault';
import { never, worldOf } from '../../../../support/turn-world';
import { unpackedO200k } from '../../../tokens/o200k';

/** Counts as js-tiktoken does, which takes half a second to be ready. */
const counter = new TextCount(unpackedO200k());
export const o200k: Tokenizer = { count: (text) => finish(counter.count(text)), exact: true };

export const everyTool: readonly string[] = Object.values(toolNames);

export const skillNote = [
  '---',
  'name: weekly-review',
  'description: Reviews the past week in the vault and drafts a short review note. Use when the user asks for a weekly review.',
  '---',
  'List the daily notes.',
].join('\n');
export const skillPath = 'Docent/skills/weekly-review/SKILL.md';

export interface Circumstances {
  readonly turn?: Partial<TurnContext>;
  readonly settings?: Partial<PromptSettings>;
  readonly device?: Partial<DeviceFacts>;
  readonly vault?: Vault;
}

/** Everything that can be there is there: all tools, a repository, other plugins, a skill, the built-in sub-agents. */
export async function composeAll({ turn, settings, device, vault }: Circumstances = {}): Promise<Composed[]> {
  const world = worldOf(vault ?? fakeVault({ [skillPath]: skillNote, 'Now.md': 'Now.' }), {
    toolNames: everyTool,
    hooked: true,
    ...turn,
  });
  const full = {
    ...world,
    settings: { ...world.settings, ...settings },
    device: { ...world.device, repository: true, ...device },
  };
  const instructions = sections.filter(({ zone }) => zone === 'instructions');
  return composeSections(instructions, await gatherFacts(instructions, full, never), o200k);
}

export async function textOf(section: string, circumstances: Circumstances = {}): Promise<string | undefined> {
  const composed = await composeAll(circumstances);
  return composed.find(({ block }) => block.section === section)?.block.text;
}
