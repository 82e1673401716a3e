/** Renders one section from plain values, by the names under which it asks for its facts. */
import { write } from '../../src/core/markup/markup';
import { toolNames } from '../../src/core/markup/variables';
import { composeBlocks } from '../../src/core/prompt/assemble-prompt';
import { offeredTools } from '../../src/core/prompt/facts/turn-state';
import type { Section } from '../../src/core/prompt/section';
import { roughTokenizer } from './memory-ports';

export type Values = Readonly<Record<string, unknown>>;

/** All tools that there may be, unless a test says which. */
const everyTool = { toolNames: Object.values(toolNames) };

/** Returns the section as it appears in a prompt, or null when it has no content. */
export function render(section: Section, values: Values): string | null {
  const given: Values = { ...(section.needs['tools'] === offeredTools ? { tools: everyTool } : {}), ...values };
  const facts = new Map(Object.entries(section.needs).map(([name, fact]) => [fact, given[name]]));
  return composeBlocks([section], facts, roughTokenizer)[0]?.text ?? null;
}

export function renderBrief(section: Section, values: Values): string {
  if (section.brief === undefined) throw new Error(`${section.id} has no brief form.`);
  return write(section.brief(values)).text;
}
