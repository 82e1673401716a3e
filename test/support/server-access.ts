/** A fake of the servers as the settings and the chat view see them: tests set the states, and calls are recorded. */
import { isEqual } from '../../src/core/base/equality';
import type { ApprovedConnection } from '../../src/core/mcp/server-tools';
import { type Failure, fail, succeed } from '../../src/core/ports/failure';
import type { McpAccess, McpCatalog, McpServerChoice, McpServerStatus, McpTool } from '../../src/core/ports/network';

export interface FakeServers extends McpAccess {
  readonly done: string[];
  /** What was approved, in order. */
  readonly approved: McpCatalog[];
  /** Why nothing is approved. */
  refusal: Failure | null;
  /** Shows these from now on. */
  become(...statuses: McpServerStatus[]): void;
}

export const calendar: McpServerChoice = {
  name: 'calendar',
  url: 'https://calendar.example/mcp',
  keyName: '',
  isOn: true,
};

/** A tool as a server offers it, and the connection to that server, approved, with an empty answer. */
export const lookTool: McpTool = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } };
export const filesServer: ApprovedConnection = {
  server: 'files',
  url: 'https://files.example/mcp',
  refusal: () => Promise.resolve(null),
  call: () => Promise.resolve(succeed({ text: '', sources: [] })),
};

export const unreachable: Failure = { kind: 'network', words: 'Nobody answered.', remedy: 'Start it.' };

export function offerOf(parts: Partial<McpCatalog> = {}): McpCatalog {
  const inputSchema = { type: 'object', properties: { day: { type: 'string' } } };
  return {
    tools: [{ name: 'list_days', description: 'Lists the days that are free.', inputSchema }],
    prompts: [],
    resources: [],
    ...parts,
  };
}

export function statusOf(parts: Partial<McpServerStatus> = {}): McpServerStatus {
  const { approved = null, offer = null } = parts;
  const hasChanged = approved !== null && offer !== null && !isEqual(approved, offer);
  return {
    choice: calendar,
    state: 'unknown',
    failure: null,
    offer,
    approved,
    hasChanged,
    leftOut: [],
    omissions: [],
    ...parts,
  };
}

export function fakeServers(...start: McpServerStatus[]): FakeServers {
  let statuses: readonly McpServerStatus[] = start;
  const listeners = new Set<() => void>();
  const fake: FakeServers = {
    done: [],
    approved: [],
    refusal: null,
    become: (...next) => {
      statuses = next;
      for (const listener of [...listeners]) listener();
    },
    statuses: () => statuses,
    allowSending: (name) => Promise.resolve(void fake.done.push(`allow ${name}`)),
    connect: (name) => Promise.resolve(void fake.done.push(`connect ${name}`)),
    approve: (name, offer) => {
      if (fake.refusal !== null) return fail(fake.refusal);
      fake.done.push(`approve ${name}`);
      fake.approved.push(offer);
      return succeed(undefined);
    },
    forget: (name) => void fake.done.push(`forget ${name}`),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return fake;
}
