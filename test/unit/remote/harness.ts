/** What the tests of lines to servers share: ports over loopback, pages that may not ask, and lines that must come about. */
import type { Failure, Outcome } from '../../../src/core/ports/failure';
import type { McpConnection, McpServerChoice } from '../../../src/core/ports/network';
import type { McpPorts, Timing } from '../../../src/remote/mcp-ports';
import { openMcp } from '../../../src/remote/open';

export const testKey = 'mcp-test/canary+key=="0123456789';
export const never = new AbortController().signal;

export const endlessTiming: Timing = { after: () => () => undefined };

export interface HandTiming extends Timing {
  /** Milliseconds, in the order in which they were asked for. */
  waits: number[];
  /** Everything that is waited for now takes too long. */
  overdue(): void;
}

/** Time that passes when the test says so. */
export function handTiming(): HandTiming {
  const waits: number[] = [];
  const open = new Set<() => void>();
  return {
    waits,
    after(milliseconds, act) {
      waits.push(milliseconds);
      const once = (): void => act();
      open.add(once);
      return () => void open.delete(once);
    },
    overdue() {
      for (const act of [...open]) act();
    },
  };
}

export function choiceOf(url: string, changes: Partial<McpServerChoice> = {}): McpServerChoice {
  return { name: 'library', url, keyName: '', isOn: true, ...changes };
}

/** Acts as Obsidian's `requestUrl`, which is not subject to CORS and follows every redirect. */
export const requestUrl: NonNullable<McpPorts['requestUrl']> = async (request) => {
  const response = await fetch(request.url, request);
  const headers = Object.fromEntries(response.headers.entries());
  return { status: response.status, headers, arrayBuffer: await response.arrayBuffer() };
};

/** Keeps the rule of pages: asks first, and hides what a server does not show to pages. */
export const pageFetch: McpPorts['fetch'] = async (url, init) => {
  const asked = await fetch(url, { method: 'OPTIONS' });
  if (!asked.ok) throw new TypeError('Failed to fetch');
  return seenByPage(await fetch(url, init));
};

function seenByPage(response: Response): Response {
  if (response.headers.get('access-control-allow-origin') === null) throw new TypeError('Failed to fetch');
  const headers = new Headers(response.headers);
  if (!headers.get('access-control-expose-headers')?.includes('mcp-session-id')) headers.delete('mcp-session-id');
  const { status } = response;
  return new Response(status === 204 ? null : response.body, { status, headers });
}

function portsOf(changes: Partial<McpPorts> = {}): McpPorts {
  return {
    fetch: (url, init) => fetch(url, init),
    admit: () => testKey,
    timing: endlessTiming,
    mayGoBuffered: () => true,
    version: '1.2.3',
    ...changes,
  };
}

export function connect(
  url: string,
  changes: Partial<McpPorts> = {},
  choice: Partial<McpServerChoice> = {},
  signal: AbortSignal = never,
): Promise<Outcome<McpConnection>> {
  return openMcp(portsOf(changes))(choiceOf(url, choice), signal);
}

export function valueOf<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(`${outcome.failure.kind}: ${outcome.failure.words}`);
  return outcome.value;
}

export function failureOf<Value>(outcome: Outcome<Value>): Failure {
  if (outcome.ok) throw new Error(`There is no failure but ${JSON.stringify(outcome.value)}`);
  return outcome.failure;
}

export async function lineTo(
  url: string,
  changes: Partial<McpPorts> = {},
  choice: Partial<McpServerChoice> = {},
): Promise<McpConnection> {
  return valueOf(await connect(url, changes, choice));
}
