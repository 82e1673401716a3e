/** Approval of tool calls that would leave the device: what each would send, and the wait for the user. */
import { words } from '../../text';
import type { After } from '../base/async';
import type { Clock } from '../ports/device';
import type { Failure } from '../ports/failure';
import type { ApprovalRequest } from '../ports/network';
import type { SessionEntry } from '../session/entry';
import type { TurnToolContext } from '../tools/tool';
import { findLeakedTextInCall } from '../writing/guard/egress';
import { decide } from '../writing/guard/policy';

// Requests approval for a call: shows what it would send, which passages of notes are in it, and whether the chat read
// untrusted text (6.1, 6.9).

export interface AskPlace {
  readonly questions: Pick<ApprovalRequests, 'ask'>;
  permission(): unknown;
  /** The source of untrusted text in the chat; null for none. */
  taint(): string | null;
  /** Whether an open view can ask the user. */
  canAsk(): boolean;
  entries(): readonly SessionEntry[];
}

/** Requests approval in every permission mode; a mode can only deny without asking. */
export function approvalFor(place: AskPlace): NonNullable<TurnToolContext['askNetwork']> {
  return async (call, signal) => {
    const taint = place.taint();
    const passages = findLeakedTextInCall(call.argumentsText, place.entries());
    const circumstances = { tainted: taint !== null, canAsk: place.canAsk(), granted: false, outside: false };
    if (decide(place.permission(), 'N', circumstances) === 'deny')
      return carries(taint, passages) ?? approvalUnavailable();
    if (await place.questions.ask({ ...call, passages, taint }, signal)) return null;
    return { kind: 'refused', words: words.servers.notAllowed, remedy: words.servers.notAllowedRemedy };
  };
}

export function approvalUnavailable(): Failure {
  return { kind: 'refused', words: words.servers.approvalUnavailable, remedy: words.servers.nobodyToAskRemedy };
}

function carries(taint: string | null, passages: readonly string[]): Failure | null {
  if (taint === null || passages.length === 0) return null;
  const { egressRefused, egressRefusedRemedy } = words.keeping;
  return { kind: 'refused', words: egressRefused(taint, passages), remedy: egressRefusedRemedy };
}

/** A later answer is ignored, since the user may not have the request in view any more. */
export const answerMilliseconds = 600_000;

export interface QuestionPorts {
  readonly clock: Clock;
  /** Without it, an overdue request is refused when it is answered or when the turn is stopped. */
  readonly after?: After;
  /** Called with all open requests, oldest first. */
  show(open: readonly ApprovalRequest[]): void;
}

interface Open {
  readonly question: ApprovalRequest;
  readonly settle: (isAllowed: boolean) => void;
}

/** ApprovalRequests: the calls of a chat that wait for the user's approval; nothing is sent without it (6.2). */
export class ApprovalRequests {
  private open: readonly Open[] = [];
  private asked = 0;

  constructor(private readonly ports: QuestionPorts) {}

  /** Resolves to true only if the user approves this call before the timeout; resolves to false on abort. */
  ask(asked: Omit<ApprovalRequest, 'id'>, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    const { clock, after } = this.ports;
    const since = clock.now();
    const question: ApprovalRequest = { ...asked, id: `question-${(this.asked += 1)}` };
    return new Promise((resolve) => {
      const settle = (isAllowed: boolean): void => {
        cancel?.();
        signal.removeEventListener('abort', refuse);
        this.keep(this.open.filter((each) => each !== open));
        const waited = clock.now() - since;
        resolve(isAllowed && waited >= 0 && waited <= answerMilliseconds);
      };
      const refuse = (): void => settle(false);
      const open: Open = { question, settle };
      const cancel = after?.(answerMilliseconds, refuse);
      signal.addEventListener('abort', refuse, { once: true });
      this.keep([...this.open, open]);
    });
  }

  /** Answers a request once; further answers are ignored. */
  answer(id: string, isAllowed: boolean): void {
    this.open.find(({ question }) => question.id === id)?.settle(isAllowed);
  }

  /** Refuses all open requests. */
  close(): void {
    for (const { settle } of this.open) settle(false);
  }

  private keep(open: readonly Open[]): void {
    this.open = open;
    this.ports.show(open.map(({ question }) => question));
  }
}
