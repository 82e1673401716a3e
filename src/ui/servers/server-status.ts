/** The state of each MCP server in words, and the step that fits it. */
import { useEffect, useReducer } from 'preact/hooks';
import { describeFailure, type Failure } from '../../core/ports/failure';
import type {
  McpAccess,
  McpServerChoice,
  McpServerState,
  McpServerStatus,
  SignInState,
} from '../../core/ports/network';
import { words } from '../../text';
import { showUnseenCharacters } from '../render/visible-text';
import type { SignInPorts } from '../state/ports';

const say = words.serverSettings;

export type ServerStep = 'allow' | 'connect' | 'try-again' | 'look' | 'sign-in' | 'sign-in-again';

export const stepWords: Readonly<Record<ServerStep, string>> = {
  allow: words.gate.allow,
  connect: say.connect,
  'try-again': say.tryAgain,
  look: say.look,
  'sign-in': words.signIn.signIn,
  'sign-in-again': words.signIn.signInAgain,
};

const steps: Readonly<Partial<Record<McpServerState, ServerStep>>> = {
  unknown: 'connect',
  idle: 'connect',
  failed: 'try-again',
  unapproved: 'look',
  ready: 'look',
};

/** Returns null if there is nothing to do but wait or turn it on. */
export function nextServerStep({ state, failure }: McpServerStatus, signIn: SignInState = 'out'): ServerStep | null {
  if (failure?.action === 'allow-sending') return 'allow';
  if (failure?.action === 'sign-in') return signIn === 'out' ? 'sign-in' : 'sign-in-again';
  if (needsSignIn(signIn) && (state === 'ready' || state === 'unapproved')) return 'sign-in-again';
  return steps[state] ?? null;
}

interface StepPorts {
  readonly servers: Pick<McpAccess, 'allowSending' | 'connect'>;
  /** Absent where nobody signs in to servers. */
  readonly signIn?: SignInPorts | undefined;
  /** Absent where the catalog is shown already. */
  readonly showCatalog?: (name: string) => void;
}

/** Takes the step that fits the state of a server now. */
export function takeServerStep(server: McpServerChoice, status: McpServerStatus, ports: StepPorts): void {
  const { servers, signIn, showCatalog } = ports;
  const step = nextServerStep(status, signIn?.stateOf(server));
  if (step === 'sign-in' || step === 'sign-in-again') void signIn?.open(server);
  else if (step === 'look') showCatalog?.(server.name);
  else if (step === 'allow') void servers.allowSending(server.name);
  else if (step !== null) void servers.connect(server.name);
}

/** Whether the server has to be signed in to again. */
export function needsSignIn(signIn: SignInState): signIn is 'expired' | 'more' {
  return signIn === 'expired' || signIn === 'more';
}

/** Whether this device has granted anything to the server that can be revoked. */
export function canForget({ state, approved }: McpServerStatus): boolean {
  return approved !== null || (state !== 'off' && state !== 'unknown');
}

/** Describes the state. Parts of it may be the server's own words, so invisible characters are shown. */
export function describeState(status: McpServerStatus, signIn: SignInState = 'out'): string {
  const { leftOut } = status;
  const said = leftOut.length === 0 ? [] : [say.states.leftOut(leftOut)];
  if (signIn !== 'out' && status.state !== 'failed') said.push(words.signIn.states[signIn]);
  return showUnseenCharacters([describe(status), ...said].join(' '));
}

function describe(status: McpServerStatus): string {
  const { state, failure, leftOut } = status;
  const { tools = [], prompts = [], resources = [] } = status.offer ?? status.approved ?? {};
  if (state === 'failed') return failure === null ? '' : describeFailed(failure);
  if (state === 'unapproved') return say.states.unseen(tools.length, prompts.length, resources.length);
  if (state !== 'ready') return say.states[state];
  return status.hasChanged
    ? say.states.changed(tools.length)
    : say.states.ready(tools.length - leftOut.length, prompts.length, resources.length);
}

/** Leaves out the remedy that only names the step which a button next to it offers. */
function describeFailed(failure: Failure): string {
  const { signInRemedy, signInAgainRemedy } = words.remote;
  return [signInRemedy, signInAgainRemedy].includes(failure.remedy) ? failure.words : describeFailure(failure);
}

/** useStatuses: the state of every server, read again whenever one changes. */
export function useStatuses(servers: McpAccess, signIn?: SignInPorts): readonly McpServerStatus[] {
  const [, look] = useReducer(() => ({}), {});
  useEffect(() => servers.subscribe(() => look(undefined)), [servers]);
  useEffect(() => signIn?.subscribe(() => look(undefined)), [signIn]);
  return servers.statuses();
}
