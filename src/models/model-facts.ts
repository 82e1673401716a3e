/** What is known of a model: the user's word first, then the provider's list, then the table, then a cautious guess. */
import type { Prices, Rates } from '../core/ports/model';
import type { ModelFacts } from '../core/settings/settings';
import { findKnownModel, type KnownModel, type ProviderRow } from './provider-row';

export interface FactSources {
  /** What the user set for this model. */
  readonly chosen?: ModelFacts | undefined;
  /** What the provider's list said of it. */
  readonly reported?: ModelFacts | undefined;
}

export interface ModelKnowledge extends Omit<KnownModel, 'name' | 'prices'> {
  readonly prices?: Prices;
}

export function knowledgeOf(row: ProviderRow, name: string, { chosen, reported }: FactSources = {}): ModelKnowledge {
  const { prices, ...known } = findKnownModel(row, name) ?? { ...row.unlisted, name };
  const merged = { ...known, ...limitsIn(reported), ...limitsIn(chosen) };
  const rates = ratesIn(chosen, ratesIn(reported, prices));
  const date = rates === prices ? row.table.date : null;
  return { ...merged, ...(rates !== undefined && { prices: { ...rates, date } }) };
}

function limitsIn({ contextWindow, outputLimit }: ModelFacts = {}): Pick<
  Partial<KnownModel>,
  'contextWindow' | 'outputLimit'
> {
  return { ...(contextWindow !== undefined && { contextWindow }), ...(outputLimit !== undefined && { outputLimit }) };
}

/** Prices that were set stand without the table's: half of one and half of the other is nobody's price. */
function ratesIn(facts: ModelFacts = {}, before: KnownModel['prices']): KnownModel['prices'] {
  const { inputPrice, outputPrice, cacheReadPrice, cacheWritePrice } = facts;
  if ([inputPrice, outputPrice, cacheReadPrice, cacheWritePrice].every((price) => price === undefined)) return before;
  const rates: Rates = {
    input: inputPrice ?? before?.input ?? 0,
    output: outputPrice ?? before?.output ?? 0,
    ...optional('cacheRead', cacheReadPrice ?? before?.cacheRead),
    ...optional('cacheWrite', cacheWritePrice ?? before?.cacheWrite),
  };
  return rates;
}

function optional<Key extends string>(key: Key, value: number | undefined): { [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: number };
}
