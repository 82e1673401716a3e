/** Adds up what several requests took; a count that one of them did not report is that of the others. */
import type { Usage } from './message';

export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const cacheRead = addKnown(one.cacheReadTokens, other.cacheReadTokens);
  const cacheWrite = addKnown(one.cacheWriteTokens, other.cacheWriteTokens);
  const reasoning = addKnown(one.reasoningTokens, other.reasoningTokens);
  const cost = addKnown(one.cost, other.cost);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cost === undefined ? {} : { cost }),
  };
}

function addKnown(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
