/** Approval of tool calls that would leave the device: what each would send, and the wait for the user. */
import { words } from '../../text';
import type { After } from '../base/async';
import type { Clock } from '../ports/device';
import type { Failure } from '../ports/failure';
import type { ApprovalRequest, McpReply, McpValues } from '../ports/network';
import type { SessionEntry } from '../session/entry';
import type { TurnToolContext } from '../tools/tool';
import { findLeakedTextInCall } from '../writing/guard/egress';
import { decide } from '../writing/guard/policy';

// Requests approval for a call: shows what it would send, which passages of notes are in it, and whether the chat read
// untrusted text (6.1, 6.9).

/** Where calls wait for the user; what a chat remembers of the answers is optional. */
export type Questions = Pick<ApprovalRequests, 'ask'> & Partial<Pick<ApprovalRequests, 'isGranted' | 'reply'>>;

export interface AskPlace {
  readonly questions: Questions;
  permission(): unknown;
  /** The source of untrusted text in the chat; null for none. */
  taint(): string | null;
  /** Whether an open view can ask the user. */
  canAsk(): boolean;
  entries(): readonly SessionEntry[];
}

/** Requests approval in every permission mode; a mode can only deny without asking. */
export function approvalFor(place: AskPlace): NonNullable<TurnToolContext['askNetwork']> {
  return async ({ key, ...call }, signal) => {
    const taint = place.taint();
    const passages = findLeakedTextInCall(call.argumentsText, place.entries());
    // What the user allowed for the chat covers no call that carries text of notes, nor one of a tainted chat.
    const mayBeGranted = key !== undefined && taint === null && passages.length === 0;
    const granted = mayBeGranted && place.questions.isGranted?.(key) === true;
    const circumstances = { tainted: taint !== null, canAsk: place.canAsk(), granted, outside: false };
    const decision = decide(place.permission(), 'N', circumstances);
    if (decision === 'deny') return carries(taint, passages) ?? approvalUnavailable();
    if (decision === 'allow' && granted) return null;
    if (await place.questions.ask({ ...call, passages, taint }, signal, mayBeGranted ? key : undefined)) return null;
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

/** What the user said besides yes or no. */
export interface Further {
  /** Whether the tool is allowed for the rest of the chat. */
  readonly forChat?: boolean;
  /** The values of a form that a server asked for. */
  readonly content?: McpValues;
}

interface Open {
  readonly question: ApprovalRequest;
  readonly key: string | undefined;
  readonly settle: (isAllowed: boolean | null, further?: Further) => void;
}

/** ApprovalRequests: the calls of a chat that wait for the user's approval; nothing is sent without it (6.2). */
export class ApprovalRequests {
  private open: readonly Open[] = [];
  private asked = 0;
  /** What the user allowed for the rest of the chat, while it is open. */
  private readonly granted = new Set<string>();

  constructor(private readonly ports: QuestionPorts) {}

  isGranted(key: string): boolean {
    return this.granted.has(key);
  }

  /**
   * Resolves to true only if the user approves this call before the timeout; resolves to false on abort.
   * @param key what the user may allow for the rest of the chat
   */
  async ask(asked: Omit<ApprovalRequest, 'id'>, signal: AbortSignal, key?: string): Promise<boolean> {
    return (await this.put(asked, signal, key)).isAllowed === true;
  }

  /** Asks what a server wants to know. Without an answer in time, the server learns that there is no decision. */
  async reply(asked: Omit<ApprovalRequest, 'id'>, signal: AbortSignal): Promise<McpReply> {
    const { isAllowed, content } = await this.put(asked, signal);
    if (isAllowed === null) return { action: 'cancel' };
    return isAllowed ? { action: 'accept', ...(content && { content }) } : { action: 'decline' };
  }

  /** @returns `isAllowed` null if nobody answered in time */
  private put(
    asked: Omit<ApprovalRequest, 'id'>,
    signal: AbortSignal,
    key?: string,
  ): Promise<Further & { readonly isAllowed: boolean | null }> {
    if (signal.aborted) return Promise.resolve({ isAllowed: null });
    const { clock, after } = this.ports;
    const since = clock.now();
    const question: ApprovalRequest = { ...asked, id: `question-${(this.asked += 1)}` };
    return new Promise((resolve) => {
      const settle: Open['settle'] = (isAllowed, further = {}) => {
        cancel?.();
        signal.removeEventListener('abort', refuse);
        this.keep(this.open.filter((each) => each !== open));
        const waited = clock.now() - since;
        const isInTime = waited >= 0 && waited <= answerMilliseconds;
        if (!isInTime) return resolve({ isAllowed: null });
        if (isAllowed === true && further.forChat === true && key !== undefined) this.grant(key);
        resolve({ ...further, isAllowed });
      };
      const refuse = (): void => settle(null);
      const open: Open = { question, key, settle };
      const cancel = after?.(answerMilliseconds, refuse);
      signal.addEventListener('abort', refuse, { once: true });
      this.keep([...this.open, open]);
    });
  }

  /** Answers a request once; further answers are ignored. */
  answer(id: string, isAllowed: boolean, further?: Further): void {
    this.open.find(({ question }) => question.id === id)?.settle(isAllowed, further);
  }

  /** Allows a tool for the rest of the chat, and the calls of it that wait. */
  private grant(key: string): void {
    this.granted.add(key);
    for (const { settle } of this.open.filter((each) => each.key === key)) settle(true);
  }

  /** Refuses all open requests. */
  close(): void {
    for (const { settle } of this.open) settle(null);
  }

  private keep(open: readonly Open[]): void {
    this.open = open;
    this.ports.show(open.map(({ question }) => question));
  }
}
