/** RemoteFailure: every way in which a request to an MCP server can fail, and the failure shown to the user. */
import { bufferedQuestion } from '../core/gate/gate';
import type { Failure, FailureAction, FailureKind } from '../core/ports/failure';
import { words } from '../text';
import { limits } from './mcp-ports';

export type ProblemKind =
  | 'unreachable'
  | 'certificate'
  | 'redirected'
  | 'asks-buffered'
  | 'silent'
  | 'cut'
  | 'too-large'
  | 'offer-too-large'
  | 'web-page'
  | 'broken'
  | 'misdirected'
  | 'unanswered'
  | 'reported'
  | 'expired'
  | 'sign-in'
  | 'key-or-sign-in'
  | 'sign-in-expired'
  | 'more-permission'
  | 'no-access'
  | 'not-renewed'
  | 'status'
  /** It asked for what Docent gives no server, or went on asking. */
  | 'asks-other'
  | 'asks-on'
  | 'closed'
  | 'stopped';

/** Thrown inside this folder only; never leaves it. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  constructor(
    readonly kind: ProblemKind,
    /** The status, the error code, or the milliseconds waited, depending on the kind. */
    readonly number = 0,
  ) {
    super(kind);
  }
}

/** Returns true for a JSON-RPC error as the library throws it; its message is the server's text. */
export function isReported(thrown: unknown): thrown is Error & { readonly code: number } {
  return thrown instanceof Error && thrown.name === 'MCPClientError' && typeof Reflect.get(thrown, 'code') === 'number';
}

/** Converts an error to a RemoteFailure; other errors of the library mean that a response was malformed. */
export function problemOf(thrown: unknown): RemoteFailure {
  if (thrown instanceof RemoteFailure) return thrown;
  return isReported(thrown) ? new RemoteFailure('reported', thrown.code) : new RemoteFailure('broken');
}

/** The server that a request was sent to. */
export interface AskedServer {
  readonly name: string;
  readonly host: string;
  readonly origin: string;
  /** The whole address, without its query. */
  readonly address: string;
  readonly hasKey: boolean;
}

type Describe = (server: AskedServer, number: number) => Failure;

function failureOf(kind: FailureKind, said: string, remedy: string, action: FailureAction = 'retry'): Failure {
  return { kind, words: said, remedy, action };
}

/** Describes each kind without any text from the server, because a failure is trusted as Docent's own words. */
const describe: Readonly<Record<ProblemKind, Describe>> = {
  unreachable: ({ name, host }) =>
    failureOf('network', words.remote.unreachable(name, host), words.remote.unreachableRemedy),
  certificate: ({ name, host }) =>
    failureOf('network', words.remote.certificate(name, host), words.models.certificateRemedy),
  redirected: ({ name }) =>
    failureOf('configuration', words.remote.redirected(name), words.remote.redirectedRemedy, 'open-settings'),
  'asks-buffered': ({ name, origin, hasKey }) => bufferedQuestion(words.remote.label(name), origin, hasKey),
  silent: ({ name }, waited) =>
    failureOf('network', words.remote.silent(name, Math.ceil(waited / 1000)), words.remote.silentRemedy),
  cut: ({ name }) => failureOf('interrupted', words.remote.cut(name), words.remote.cutRemedy),
  'too-large': ({ name }) =>
    failureOf('limit', words.remote.tooLarge(name, limits.answerBytes / 1024 ** 2), words.remote.tooLargeRemedy),
  'offer-too-large': ({ name }) =>
    failureOf('limit', words.remote.offerTooLarge(name, limits.offerBytes / 1024), words.remote.offerTooLargeRemedy),
  'web-page': ({ name }) => failureOf('network', words.remote.webPage(name), words.remote.webPageRemedy),
  broken: ({ name }) => failureOf('protocol', words.remote.broken(name), words.remote.brokenRemedy),
  misdirected: ({ name }) => failureOf('protocol', words.remote.misdirected(name), words.remote.brokenRemedy),
  unanswered: ({ name }) => failureOf('protocol', words.remote.unanswered(name), words.remote.brokenRemedy),
  reported: ({ name }, code) => failureOf('protocol', words.remote.reported(name, code), words.remote.reportedRemedy),
  expired: ({ name }) => failureOf('interrupted', words.remote.expired(name), words.remote.cutRemedy),
  'sign-in': ({ name }) => signInFailure(words.remote.signInWanted(name), words.remote.signInRemedy),
  'key-or-sign-in': ({ name }) => signInFailure(words.remote.keyWanted(name), words.remote.keyOrSignInRemedy),
  'sign-in-expired': ({ name }) => signInFailure(words.remote.signInExpired(name), words.remote.signInAgainRemedy),
  'more-permission': ({ name }) => signInFailure(words.remote.morePermission(name), words.remote.signInAgainRemedy),
  'no-access': ({ name }) => signInFailure(words.remote.noAccess(name), words.remote.noAccessRemedy),
  'not-renewed': ({ name }) => failureOf('network', words.remote.notRenewed(name), words.remote.notRenewedRemedy),
  status: describeStatus,
  'asks-other': ({ name }) => failureOf('refused', words.remote.asksOther(name), words.remote.asksOtherRemedy),
  'asks-on': ({ name }) => failureOf('protocol', words.remote.asksOn(name), words.remote.brokenRemedy),
  closed: ({ name }) => failureOf('interrupted', words.remote.closed(name), words.remote.closedRemedy, 'open-settings'),
  stopped: () => ({ kind: 'aborted', words: words.remote.stopped, remedy: words.remote.stoppedRemedy }),
};

/** Kinds that leave open whether a tool call that was sent has run. */
const mayHaveRun = new Set<ProblemKind>([
  'silent',
  'cut',
  'too-large',
  'broken',
  'misdirected',
  'unanswered',
  'closed',
]);

export function failureOfProblem(problem: RemoteFailure, server: AskedServer, isCall = false): Failure {
  const failure = describe[problem.kind](server, problem.number);
  const isOpen = mayHaveRun.has(problem.kind) || (problem.kind === 'status' && problem.number >= 500);
  if (!isCall || !isOpen) return failure;
  const { kind, words: said } = failure;
  return { kind, words: said, remedy: words.remote.mayHaveRunRemedy };
}

function signInFailure(said: string, remedy: string): Failure {
  return failureOf('authentication', said, remedy, 'sign-in');
}

function describeStatus({ name, hasKey }: AskedServer, status: number): Failure {
  if (status === 401 || status === 403) {
    return hasKey
      ? failureOf('authentication', words.remote.keyRefused(name), words.remote.keyRefusedRemedy, 'open-settings')
      : failureOf('authentication', words.remote.keyWanted(name), words.remote.keyWantedRemedy, 'open-settings');
  }
  if (status === 404 || status === 405 || status === 410) {
    return failureOf('configuration', words.remote.missing(name), words.remote.missingRemedy, 'open-settings');
  }
  if (status === 429) return failureOf('rate-limit', words.remote.rateLimited(name), words.remote.rateLimitRemedy);
  if (status >= 500) return failureOf('overloaded', words.remote.overloaded(name, status), words.remote.silentRemedy);
  return failureOf('protocol', words.remote.refused(name, status), words.remote.reportedRemedy);
}
