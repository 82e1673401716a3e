/** The templates of the user's own mode: one note a tier, read at each turn (R101, R102). */
import { bodyOf } from '../markdown/properties';
import type { Mode, ModeId, Tier } from '../settings/mode';
import { ownText, type TemplateText } from './own-text';
import type { World } from './world';

export function ownTemplateFolder(agentFolder: string): string {
  return `${agentFolder}/modes/user`;
}

export function ownTemplatePath(agentFolder: string, tier: Tier): string {
  return `${ownTemplateFolder(agentFolder)}/tier${tier}.md`;
}

/**
 * The note as it stands on disk. Undefined in another mode and before the user has begun with templates; null when there
 * are some, but this one is missing, empty or cannot be read.
 */
export async function readOwnTemplate(
  { vault, agentFolder, readNote }: Pick<World, 'vault' | 'agentFolder' | 'readNote'>,
  mode: ModeId,
  tier: Tier,
  signal: AbortSignal,
): Promise<string | null | undefined> {
  if (mode !== 'user') return undefined;
  const path = ownTemplatePath(agentFolder, tier);
  if (vault.file(path) === undefined) {
    return vault.folders().includes(ownTemplateFolder(agentFolder)) ? null : undefined;
  }
  const outcome = await readNote(path, signal);
  return outcome.ok && bodyOf(outcome.value.text) !== '' ? outcome.value.text : null;
}

/** The text of a mode at the chat's tier: the user's own where there is one. */
export async function findTemplate(world: World, mode: ModeId, signal: AbortSignal): Promise<TemplateText> {
  const { prompts, turn } = world;
  const own = await readOwnTemplate(world, mode, turn.tier, signal);
  const served = prompts.template(mode, turn.tier, own);
  return own == null ? served : ownText(own, world);
}

/** What the notes of the user's own mode begin as, by path (R101). */
export function startingTemplates({ templates }: Pick<Mode, 'templates'>, agentFolder: string): [string, string][] {
  return Object.entries(templates).map(([tier, text]) => [
    ownTemplatePath(agentFolder, Number(tier) as Tier),
    `${text.trim()}\n`,
  ]);
}
