/** The flow behind every system prompt: custom template, facts, composition, finish (R015). */
import { isEqual, isRecord } from '../base/equality';
import { collapseBlankLines } from '../markup/prose';
import type { Failure } from '../ports/failure';
import type { Tokenizer } from '../ports/model';
import type { Block } from '../ports/request-plan';
import type { AssembledPrompt, Assembly, Layout } from './assemble-prompt';
import { userMemory as userMemoryFact } from './facts/context-texts';
import { type Fact, type GatheredFacts, gatherFacts, type Section } from './section';
import { modeNoticeSection, modeTemplate, modeTemplateSection } from './sections/mode';
import type { TemplateText } from './user-text';
import type { World } from './world';

export interface PromptConfig {
  readonly world: World;
  readonly sections: readonly Section[];
  readonly layout: Layout;
  readonly tokenizer: Tokenizer;
  readonly signal: AbortSignal;
  /** Facts that are gathered already. */
  readonly known?: GatheredFacts;
  /** Assembles the prompt from sections and facts. */
  assemble(assembly: Assembly): AssembledPrompt;
  /** Repeats `make` until all token counts that it requests are exact; `make` runs once if absent. */
  exactly?<T>(make: () => T): Promise<T>;
  /** Reloads cached values of Obsidian's own settings. */
  refresh?(): Promise<void>;
  /** Returns the user's own base prompt with its variables filled in; null if there is none (R034). */
  customTemplate?(world: World, signal: AbortSignal): Promise<CustomTemplate>;
  /** Called with the finished prompt, for example to export it. */
  writeOut?(system: string): void;
}

/** The user's own base prompt, or why it cannot be used although the user requested it (R032). */
type CustomTemplate = TemplateText | null | { readonly blocked: Failure };

/** A system prompt with its inputs, frozen. */
export interface ProvidedPrompt extends AssembledPrompt {
  /** Why it must not be sent: part of it is not as the user requested. */
  readonly blocked?: Failure;
  readonly sections: readonly Section[];
  readonly facts: GatheredFacts;
}

/**
 * Builds a system prompt.
 * @param userMemory replaces the memory note
 * @param interactive whether a user is present to answer; overrides the settings (R016)
 */
export async function providePrompt(
  config: PromptConfig,
  userMemory?: string,
  interactive: boolean = config.world.settings.interactive,
): Promise<ProvidedPrompt> {
  const { layout, tokenizer } = config;
  const settings = { ...config.world.settings, interactive };
  const world: World = { ...config.world, settings };
  const { base, blocked } = await readBase(config, world);
  const known = new Map(config.known);
  if (userMemory !== undefined) known.set(userMemoryFact, userMemory);
  if (base !== null) known.set(modeTemplate, base);
  const sections = base === null ? config.sections : [modeTemplateSection, ...config.sections.filter(followsOwnBase)];
  const facts = await gatherFresh({ ...config, world, sections }, known);
  const assembly = { sections, facts, tokenizer, layout };
  const assemble = (): AssembledPrompt => config.assemble(assembly);
  const assembled = await (config.exactly?.(assemble) ?? assemble());
  const system = assembled.system.trim();
  config.writeOut?.(system);
  return { ...assembled, system, sections, facts, ...(blocked === undefined ? {} : { blocked }) };
}

async function readBase(
  config: PromptConfig,
  world: World,
): Promise<{ readonly base: TemplateText | null; readonly blocked?: Failure }> {
  const custom = (await config.customTemplate?.(world, config.signal)) ?? null;
  if (custom === null) return { base: null };
  if (typeof custom === 'string') return { base: collapseBlankLines(custom.trim()) };
  return 'blocked' in custom ? { base: null, blocked: custom.blocked } : { base: custom };
}

/**
 * Gathers the facts, and gathers them again if the vault's visible files changed in between, for example through the
 * excluded files.
 */
async function gatherFresh(config: PromptConfig, known: GatheredFacts): Promise<GatheredFacts> {
  const { world, sections, signal } = config;
  const gather = (): Promise<GatheredFacts> => gatherFacts(sections, world, signal, known);
  const listed = world.vault.files();
  const [, early] = await Promise.all([config.refresh?.(), gather()]);
  return world.vault.files() === listed ? early : gather();
}

/**
 * Whether a section stays if the user's own base replaces the instructions, from template to final reminder (R034,
 * R260).
 */
function followsOwnBase({ id, zone, afterBase }: Section): boolean {
  // The user's text applies in every mode.
  return id !== modeNoticeSection.id && (zone !== 'instructions' || afterBase === true);
}

/** How two system prompts of a chat differ, and why: the sections, and the facts they depend on (R007). */
export interface PromptChange {
  /** Ids of the sections whose text changed, appeared, or disappeared, in the order of the prompt. */
  readonly sections: readonly string[];
  /**
   * `start`, `model`, `tier` and the like for the chat's own decisions; otherwise the ids of the facts that changed,
   * with the field if only one did, such as `user-memory` or `turn-state.toolNames`.
   */
  readonly reasons: readonly string[];
}

/** The reason if a section changed but no fact did, for example because it was turned on or no longer fits. */
const composition = 'composition';

/** Returns the blocks before the conversation: if their texts change, the start of the request changes. */
export function headOf({ blocks }: Pick<ProvidedPrompt, 'blocks'>): Block[] {
  return blocks.filter(({ place, text }) => text !== '' && place !== 'before-message' && place !== 'after-message');
}

/** Returns the text of each section; the items of a section are joined in order. */
export function textsBySection(blocks: readonly Block[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { section, text } of blocks) {
    const before = texts.get(section);
    texts.set(section, before === undefined ? text : `${before}\n\n${text}`);
  }
  return texts;
}

/** Returns null if the two are equal, byte for byte. */
export function changeBetween(before: ProvidedPrompt | null, after: ProvidedPrompt): PromptChange | null {
  const next = headOf(after);
  if (before === null) return { sections: [...textsBySection(next).keys()], reasons: ['start'] };
  const last = headOf(before);
  const [lastTexts, nextTexts] = [textsBySection(last), textsBySection(next)];
  const changed = [...nextTexts]
    .filter(([section, text]) => lastTexts.get(section) !== text)
    .map(([section]) => section);
  const removed = [...lastTexts.keys()].filter((section) => !nextTexts.has(section));
  const sections = [...changed, ...removed];
  if (sections.length === 0 && before.system === after.system) return null;
  return { sections, reasons: explainSections(sections, before, after) };
}

/** Returns the changed facts that these sections depend on. */
export function explainSections(sections: readonly string[], before: ProvidedPrompt, after: ProvidedPrompt): string[] {
  const all = [...after.sections, ...before.sections].filter(({ id }) => sections.includes(id));
  const facts = new Set(all.flatMap(({ needs }) => Object.values(needs)));
  const reasons = [...facts].flatMap((fact) => differencesOf(fact, before.facts.get(fact), after.facts.get(fact)));
  return reasons.length === 0 ? [composition] : reasons;
}

function differencesOf({ id }: Fact<unknown>, before: unknown, after: unknown): string[] {
  if (isEqual(before, after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [id];
  const keys = Object.keys({ ...before, ...after }).filter((key) => !isEqual(before[key], after[key]));
  return keys.map((key) => `${id}.${key}`);
}
