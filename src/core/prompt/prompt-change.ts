/** What differs between two system prompts of a chat, and why: the sections, and the facts behind them (R007). */
import { isEqual } from '../base/equality';
import type { Block } from '../ports/request-plan';
import type { ProvidedPrompt } from './provide-prompt';
import type { Fact } from './section';

export interface PromptChange {
  /** Ids of the sections whose text changed, came or went, in the order of the prompt. */
  readonly sections: readonly string[];
  /**
   * `start`, `model`, `tier` and the like for what the chat decided; else the ids of the facts that changed, with the
   * field where only one did, such as `user-memory` or `turn-state.toolNames`.
   */
  readonly reasons: readonly string[];
}

/** When a section changed though no fact did, as when it was switched on or no longer fits. */
const composition = 'composition';

/** Blocks before the conversation: a change of their texts is a change of the request's head. */
export function headOf({ blocks }: Pick<ProvidedPrompt, 'blocks'>): Block[] {
  return blocks.filter(({ place, text }) => text !== '' && place !== 'before-message' && place !== 'after-message');
}

/** What each section says; one that stands in parts says them in their order. */
export function textsBySection(blocks: readonly Block[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { section, text } of blocks) {
    const before = texts.get(section);
    texts.set(section, before === undefined ? text : `${before}\n\n${text}`);
  }
  return texts;
}

/** Null when the two are the same, byte for byte. */
export function changeBetween(before: ProvidedPrompt | null, after: ProvidedPrompt): PromptChange | null {
  const next = headOf(after);
  if (before === null) return { sections: [...textsBySection(next).keys()], reasons: ['start'] };
  const last = headOf(before);
  const [told, tells] = [textsBySection(last), textsBySection(next)];
  const changed = [...tells].filter(([section, text]) => told.get(section) !== text).map(([section]) => section);
  const gone = [...told.keys()].filter((section) => !tells.has(section));
  const sections = [...changed, ...gone];
  if (sections.length === 0 && before.system === after.system) return null;
  return { sections, reasons: explainSections(sections, before, after) };
}

/** The facts that changed behind these sections. */
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
