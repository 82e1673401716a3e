/** The step that a row of the settings offers for a server. */
import type { FailureAction } from '../../../../src/core/ports/failure';
import type { McpServerState, McpServerStatus, SignInState } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import {
  canForget,
  describeState,
  nextServerStep,
  type ServerStep,
  takeServerStep,
} from '../../../../src/ui/servers/server-status';

const statusOf = (state: McpServerState, action?: FailureAction): McpServerStatus => ({
  choice: { name: 'boats', url: 'https://boats.example/mcp', keyName: '', isOn: true },
  state,
  failure: action === undefined ? null : { kind: 'refused', words: 'No.', remedy: '', action },
  ...{ offer: null, approved: null, hasChanged: false, leftOut: [], omissions: [] },
});

it.each<[McpServerState, FailureAction | undefined, SignInState, ServerStep | null]>([
  ['off', undefined, 'out', null],
  ['unknown', undefined, 'out', 'connect'],
  ['idle', undefined, 'out', 'connect'],
  ['connecting', undefined, 'out', null],
  ['failed', undefined, 'out', 'try-again'],
  ['failed', 'retry', 'out', 'try-again'],
  ['failed', 'allow-sending', 'out', 'allow'],
  ['failed', 'allow-sending', 'expired', 'allow'],
  ['failed', 'sign-in', 'out', 'sign-in'],
  ['failed', 'sign-in', 'expired', 'sign-in-again'],
  ['unapproved', undefined, 'in', 'look'],
  ['ready', undefined, 'in', 'look'],
  ['ready', undefined, 'expired', 'sign-in-again'],
  ['unapproved', undefined, 'more', 'sign-in-again'],
  ['idle', undefined, 'expired', 'connect'],
])('for a server that is %s, after a failure with %s, signed %s: %s', (state, action, signIn, step) => {
  expect(nextServerStep(statusOf(state, action), signIn)).toBe(step);
});

it('says why a server is not connected, and of a step only what its button does not say', () => {
  const { signInWanted, signInRemedy, signInExpired, signInAgainRemedy, keyWanted, keyOrSignInRemedy } = words.remote;
  const said = (why: string, remedy: string): string =>
    describeState({
      ...statusOf('failed'),
      failure: { kind: 'authentication', words: why, remedy, action: 'sign-in' },
    });
  expect(said(signInWanted('boats'), signInRemedy)).toBe('The server boats asks you to sign in.');
  expect(said(signInExpired('boats'), signInAgainRemedy)).toBe('Your sign-in to the server boats has expired.');
  expect(said(keyWanted('boats'), keyOrSignInRemedy)).toBe(
    'The server boats requires an API key. Sign in to it, or add its API key in settings.',
  );
});

it('offers to take back what this device has granted, once it has granted something', () => {
  expect((['off', 'unknown', 'idle', 'failed', 'ready'] as const).map((state) => canForget(statusOf(state)))).toEqual([
    ...[false, false, true, true, true],
  ]);
  const approved = { tools: [], prompts: [], resources: [] } as unknown as McpServerStatus['approved'];
  expect(canForget({ ...statusOf('off'), approved })).toBe(true);
});

it.each<[McpServerState, FailureAction | undefined, SignInState, string[]]>([
  ['off', undefined, 'out', []],
  ['idle', undefined, 'out', ['connect boats']],
  ['failed', undefined, 'in', ['connect boats']],
  ['failed', 'allow-sending', 'in', ['allow boats']],
  ['failed', 'sign-in', 'out', ['sign in to boats']],
  ['ready', undefined, 'expired', ['sign in to boats']],
  ['ready', undefined, 'in', ['show boats']],
])('takes that step: for a server that is %s, after %s, signed %s: %j', (state, action, signIn, expected) => {
  const done: string[] = [];
  const status = statusOf(state, action);
  const servers = {
    allowSending: (name: string) => Promise.resolve(void done.push(`allow ${name}`)),
    connect: (name: string) => Promise.resolve(void done.push(`connect ${name}`)),
  };
  const signIns = {
    stateOf: () => signIn,
    signOut: () => undefined,
    subscribe: () => () => undefined,
    open: ({ name }: { readonly name: string }) => Promise.resolve(void done.push(`sign in to ${name}`)),
  };
  takeServerStep(status.choice, status, {
    ...{ servers, signIn: signIns },
    showCatalog: (name) => void done.push(`show ${name}`),
  });
  expect(done).toEqual(expected);
});

it('takes the steps that are left where nobody signs in and the catalog is shown already', () => {
  const done: string[] = [];
  const servers = {
    allowSending: () => Promise.resolve(),
    connect: (name: string) => Promise.resolve(void done.push(name)),
  };
  for (const status of [statusOf('failed', 'sign-in'), statusOf('ready'), statusOf('idle')])
    takeServerStep(status.choice, status, { servers });
  expect(done).toEqual(['boats']);
});
