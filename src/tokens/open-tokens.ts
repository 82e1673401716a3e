/** Puts the counting together: the exact tokenizer, what was learned of other models, and the counts of notes. */
import type { MentionTokens } from '../core/mentions/mention-source';
import type { DeviceStorage } from '../core/ports/device';
import type { Tokenizer } from '../core/ports/model';
import type { Vault } from '../core/ports/vault';
import type { TokenFactors } from '../core/request/token-factor';
import { openBackgroundCounter } from './background-counter';
import { type CountMentionsParts, countMentions } from './count-mentions';
import { DeviceFactors } from './device-factors';
import { ExactTokenizer } from './exact-tokenizer';
import { NoteTokens } from './note-tokens';
import type { CountingParts } from './text-counter';

export interface Tokens {
  readonly tokenizer: Tokenizer;
  readonly factors: TokenFactors;
  /** Counts of what mentions stand for, and what forgets those of notes that have changed. */
  mentionsOf(vault: Vault, read: CountMentionsParts['read']): MentionTokens & Pick<NoteTokens, 'forget'>;
  close(): void;
}

/** Nothing is unpacked and no worker started before the first count. */
export function openTokens(parts: CountingParts, device: DeviceStorage): Tokens {
  const counter = openBackgroundCounter(parts);
  const factors = new DeviceFactors(device);
  return {
    tokenizer: new ExactTokenizer(counter),
    factors,
    mentionsOf: (vault, read) => {
      const notes = new NoteTokens(vault, read, counter);
      const counted = countMentions({ vault, notes, read, counter, factors });
      return { ...counted, forget: (paths) => notes.forget(paths) };
    },
    close: () => counter.close(),
  };
}
