/** The five templates of the user's own mode: made once from Assistant's, and how they stand to their budgets (R101, R102). */
import { words } from '../../text';
import { bodyOf } from '../markdown/properties';
import { grouped } from '../markup/prose';
import { type Outcome, succeed } from '../ports/failure';
import type { Tokenizer } from '../ports/model';
import { ownTemplateFolder, ownTemplatePath, startingTemplates } from '../prompt/tiered-prompt-store';
import { type Mode, type Tier, tiers } from '../settings/mode';
import type { TextFiles } from './text-files';

export interface UserTemplatePorts {
  readonly files: TextFiles;
  /** The mode that they begin as. */
  readonly start: Pick<Mode, 'templates'>;
  readonly tokenizer: Tokenizer;
  agentFolder(): string;
  templateBudget(tier: Tier): number;
}

export interface TemplateState {
  readonly tier: Tier;
  readonly path: string;
  readonly isThere: boolean;
  readonly isOver: boolean;
  /** In words: how many tokens of how many, or what serves instead. */
  readonly told: string;
}

const say = words.ownPrompt;

/** Makes the templates that are missing, and says so; none is ever replaced. */
export async function createTemplates(ports: UserTemplatePorts): Promise<Outcome<string>> {
  const { files, start } = ports;
  const folder = ports.agentFolder();
  let made = 0;
  for (const [path, text] of startingTemplates(start, folder)) {
    const there = await files.read(path);
    if (!there.ok) return there;
    if (there.value !== null) continue;
    const written = await files.write(path, text);
    if (!written.ok) return written;
    made += 1;
  }
  return succeed(say.templatesCreated(ownTemplateFolder(folder), made));
}

export async function findTemplateStates(ports: UserTemplatePorts): Promise<readonly TemplateState[]> {
  const texts = await Promise.all(
    tiers.map(async (tier): Promise<[Tier, string | null]> => {
      const read = await ports.files.read(ownTemplatePath(ports.agentFolder(), tier));
      return [tier, read.ok && read.value !== null ? bodyOf(read.value) : null];
    }),
  );
  for (const [, text] of texts) if (text !== null) ports.tokenizer.count(text);
  if (!ports.tokenizer.exact) await ports.tokenizer.settle?.();
  return texts.map(([tier, text]) => stateOf(tier, text, ports));
}

function stateOf(tier: Tier, text: string | null, ports: UserTemplatePorts): TemplateState {
  const state = { tier, path: ownTemplatePath(ports.agentFolder(), tier), isThere: text !== null };
  if (text === null) return { ...state, isOver: false, told: say.templateMissing };
  if (text === '') return { ...state, isOver: false, told: say.templateEmpty };
  const tokens = ports.tokenizer.count(text);
  const shown = `${ports.tokenizer.exact ? '' : '~'}${grouped(tokens)}`;
  const budget = ports.templateBudget(tier);
  const isOver = tokens > budget;
  return { ...state, isOver, told: (isOver ? say.templateOver : say.templateWithin)(shown, grouped(budget)) };
}
