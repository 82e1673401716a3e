/** Puts the counting together: the exact tokenizer, what was learned of other models, and the counts of notes. */
import type { DeviceStorage, Tokenizer } from '../core/ports';
import type { TokenFactors } from '../core/request/token-factor';
import { openBackgroundCounter } from './background-counter';
import { DeviceFactors } from './device-factors';
import { ExactTokenizer } from './exact-tokenizer';
import type { CountingParts } from './text-counter';

export interface Tokens {
  readonly tokenizer: Tokenizer;
  readonly factors: TokenFactors;
  close(): void;
}

/** Nothing is unpacked and no worker started before the first count. */
export function openTokens(parts: CountingParts, device: DeviceStorage): Tokens {
  const counter = openBackgroundCounter(parts);
  return {
    tokenizer: new ExactTokenizer(counter),
    factors: new DeviceFactors(device),
    close: () => counter.close(),
  };
}
