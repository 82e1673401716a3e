/** TieredPromptStore: templates by mode and tier, with a fallback chain that always finds one (R008, R009, R104). */
import { bodyOf } from '../markdown/properties';
import { type ModeId, type Tier, tiers } from '../settings/mode';
import { turnStateOf } from './facts/turn-state';
import { modes } from './modes';
import { fullRecord, type Mode, recordOf, writeTemplate } from './template-record';
import { isBroken, ownText, type TemplateText } from './user-text';
import type { Template, TemplateRecord, World } from './world';

export interface ServedTemplate {
  readonly text: string;
  readonly mode: ModeId;
  readonly tier: Tier;
  /** The step of the chain that provided the template; `built-in` if the user has templates, but none for this tier. */
  readonly step: 'own' | 'exact' | 'built-in' | 'nearest-tier' | 'assistant' | 'developer';
}

export class TieredPromptStore {
  private readonly templates = new Map<string, Template | string>();

  /** Adds the templates of the modes; later entries replace earlier ones of the same mode and tier. */
  load(entries: readonly Mode[]): void {
    for (const { id, templates } of entries) {
      for (const tier of tiers) {
        const text = templates[tier];
        if (text !== undefined) this.templates.set(keyOf(id, tier), text);
      }
    }
  }

  /** Returns the template of exactly this mode and tier, filled in; by default for a chat with everything. */
  get(mode: ModeId, tier: Tier, record: TemplateRecord = fullRecord(tier, mode)): string | undefined {
    const template = this.templates.get(keyOf(mode, tier));
    return typeof template === 'function' ? writeTemplate(template, record) : template?.trim();
  }

  /**
   * Returns the user's own template, else the exact one, else the nearest tier of the mode (the lower on a tie), else
   * Assistant 3, else Developer 3, else nothing.
   * @param own null if the user has templates, but none for this tier
   * @param record what a built-in template is filled from
   */
  serve(mode: ModeId, tier: Tier, own?: string | null, record?: TemplateRecord): ServedTemplate {
    if (own != null && own.trim() !== '') return { text: own.trim(), mode, tier, step: 'own' };
    for (const { candidate, step } of chain(mode, tier)) {
      const text = this.get(candidate.mode, candidate.tier, record);
      if (text === undefined) continue;
      return { text, ...candidate, step: step === 'exact' && own !== undefined ? 'built-in' : step };
    }
    return { text: '', mode, tier, step: 'developer' };
  }
}

function keyOf(mode: ModeId, tier: Tier): string {
  return `${mode}/${tier}`;
}

function chain(mode: ModeId, tier: Tier) {
  const byDistance = [...tiers].sort((a, b) => Math.abs(a - tier) - Math.abs(b - tier) || a - b);
  return [
    ...byDistance.map((near) => ({
      candidate: { mode, tier: near },
      step: near === tier ? ('exact' as const) : ('nearest-tier' as const),
    })),
    { candidate: { mode: 'assistant' as const, tier: 3 as const }, step: 'assistant' as const },
    { candidate: { mode: 'developer' as const, tier: 3 as const }, step: 'developer' as const },
  ];
}

/** The templates that ship with Docent. */
export const builtInTemplates = new TieredPromptStore();
builtInTemplates.load(modes);

export function ownTemplateFolder(agentFolder: string): string {
  return `${agentFolder}/modes/user`;
}

export function ownTemplatePath(agentFolder: string, tier: Tier): string {
  return `${ownTemplateFolder(agentFolder)}/tier${tier}.md`;
}

/**
 * Reads the user's own template for a tier, one note per tier, on each turn (R101, R102). Resolves to undefined in
 * another mode and before the user has templates; to null if there are some, but this one is missing, empty,
 * unreadable, or a template with a mistake in it.
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
  return outcome.ok && isUsable(outcome.value.text) ? outcome.value.text : null;
}

/** Whether the text of a note can replace a built-in template. */
export function isUsable(text: string): boolean {
  return bodyOf(text) !== '' && !isBroken(text);
}

/** Returns the template of a mode at the chat's tier: the user's own if there is one. */
export async function findTemplate(world: World, mode: ModeId, signal: AbortSignal): Promise<TemplateText> {
  const { prompts, turn } = world;
  const own = await readOwnTemplate(world, mode, turn.tier, signal);
  const served = prompts.template(mode, turn.tier, own, recordOf(turnStateOf(world)));
  return own == null ? served : ownText(own, world, signal);
}

/** Returns the initial notes of the user's own mode, by path (R101). */
export function startingTemplates(mode: Mode, agentFolder: string): [string, string][] {
  const store = new TieredPromptStore();
  store.load([mode]);
  return tiers.flatMap((tier): [string, string][] => {
    const text = store.get(mode.id, tier);
    return text === undefined ? [] : [[ownTemplatePath(agentFolder, tier), `${text}\n`]];
  });
}
