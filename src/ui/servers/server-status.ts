/** The state of each MCP server in words, and the step that fits it. */
import { useEffect, useReducer } from 'preact/hooks';
import { describeFailure } from '../../core/ports/failure';
import type { McpAccess, McpServerState, McpServerStatus } from '../../core/ports/network';
import { words } from '../../text';
import { showUnseenCharacters } from '../render/visible-text';

const say = words.serverSettings;

export type ServerStep = 'allow' | 'connect' | 'try-again' | 'look';

export const stepWords: Readonly<Record<ServerStep, string>> = {
  allow: words.gate.allow,
  connect: say.connect,
  'try-again': say.tryAgain,
  look: say.look,
};

const steps: Readonly<Partial<Record<McpServerState, ServerStep>>> = {
  unknown: 'connect',
  idle: 'connect',
  failed: 'try-again',
  unapproved: 'look',
  ready: 'look',
};

/** Returns null if there is nothing to do but wait or turn it on. */
export function nextServerStep({ state, failure }: McpServerStatus): ServerStep | null {
  if (failure?.action === 'allow-sending') return 'allow';
  return steps[state] ?? null;
}

/** Whether this device has granted anything to the server that can be revoked. */
export function canForget({ state, approved }: McpServerStatus): boolean {
  return approved !== null || (state !== 'off' && state !== 'unknown');
}

/** Describes the state. Parts of it may be the server's own words, so invisible characters are shown. */
export function describeState(status: McpServerStatus): string {
  const { leftOut } = status;
  const said = leftOut.length === 0 ? [] : [say.states.leftOut(leftOut)];
  return showUnseenCharacters([describe(status), ...said].join(' '));
}

function describe(status: McpServerStatus): string {
  const { state, failure, leftOut } = status;
  const { tools = [], prompts = [] } = status.offer ?? status.approved ?? {};
  if (state === 'failed') return failure === null ? '' : describeFailure(failure);
  if (state === 'unapproved') return say.states.unseen(tools.length);
  if (state !== 'ready') return say.states[state];
  return status.hasChanged
    ? say.states.changed(tools.length)
    : say.states.ready(tools.length - leftOut.length, prompts.length);
}

/** useStatuses: the state of every server, read again whenever one changes. */
export function useStatuses(servers: McpAccess): readonly McpServerStatus[] {
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => servers.subscribe(() => look(undefined)), [servers]);
  return servers.statuses();
}
