/** The MentionSource contract: what typing a trigger offers. One file a trigger. */
import type { Vault } from '../ports';
import type { Candidate } from './mention';

export interface MentionSource {
  readonly id: string;
  /** The characters that open the list. */
  readonly trigger: '[[' | '/' | '@' | '#';
  /** How the mention stands in the text of the message. */
  write(candidate: Candidate): string;
  /** Everything there is to offer, best first for an empty query; the same array while the vault is unchanged. */
  candidates(vault: Vault): readonly Candidate[];
}
