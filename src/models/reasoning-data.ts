/** ReasoningData: whose thoughts a reasoning part holds, and what that provider wants back with them. */
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { isRecord } from './wire-format';

export interface ReasoningSource {
  /** Row id. */
  readonly provider: string;
  readonly model: string;
}

export interface ReasoningData extends ReasoningSource {
  /** Signatures and the like, exactly as received. */
  readonly metadata?: SharedV4ProviderMetadata;
}

/** Whether stored data came from this provider and model; only then may the part be sent back. */
export function isReasoningOf(data: unknown, source: ReasoningSource): data is ReasoningData {
  return isRecord(data) && data.provider === source.provider && data.model === source.model;
}

/** Later pieces win; a signature comes in the last one. */
export function mergeMetadata(
  before: SharedV4ProviderMetadata | undefined,
  added: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (added === undefined) return before;
  const merged = { ...before };
  for (const [key, value] of Object.entries(added)) merged[key] = { ...merged[key], ...value };
  return merged;
}
