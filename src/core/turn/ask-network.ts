/** Asks about a call that would leave the device: what it would send, what of the notes is in it, whose text is in view (6.1, 6.9). */
import { words } from '../../text';
import type { Failure } from '../ports/failure';
import type { SessionEntry } from '../session/entry';
import type { TurnPlace } from '../tools/tool';
import { carriedByCall } from '../writing/guard/egress';
import { decide } from '../writing/guard/policy';
import type { NetworkQuestions } from './network-questions';

export interface AskPlace {
  readonly questions: Pick<NetworkQuestions, 'ask'>;
  permission(): unknown;
  /** Whose text, other than the user's, the chat holds; null for nobody's. */
  taint(): string | null;
  /** Whether there is a window in which the user can be asked. */
  canAsk(): boolean;
  entries(): readonly SessionEntry[];
}

/** No mode lets a call through unseen; a mode can only refuse what would be asked. */
export function askNetworkIn(place: AskPlace): NonNullable<TurnPlace['askNetwork']> {
  return async (call, signal) => {
    const taint = place.taint();
    const passages = carriedByCall(call.argumentsText, place.entries());
    const circumstances = { tainted: taint !== null, canAsk: place.canAsk(), granted: false };
    if (decide(place.permission(), 'N', circumstances) === 'deny') return carries(taint, passages) ?? nobodyToAsk();
    if (await place.questions.ask({ ...call, passages, taint }, signal)) return null;
    return { kind: 'refused', words: words.servers.notAllowed, remedy: words.servers.notAllowedRemedy };
  };
}

export function nobodyToAsk(): Failure {
  return { kind: 'refused', words: words.servers.nobodyToAsk, remedy: words.servers.nobodyToAskRemedy };
}

function carries(taint: string | null, passages: readonly string[]): Failure | null {
  if (taint === null || passages.length === 0) return null;
  const { egressRefused, egressRefusedRemedy } = words.keeping;
  return { kind: 'refused', words: egressRefused(taint, passages), remedy: egressRefusedRemedy };
}
