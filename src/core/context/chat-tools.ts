/** The tools of a chat: the built-in ones and those of MCP servers. */
import type { DeviceFacts, McpServerInfo, PromptSettings, ToolAgentInfo } from '../prompt/world';
import type { EditorState } from '../session/entry';
import type { ServerResources, Tool } from '../tools/tool';

/** The MCP servers that chats may use. Lists stay the same object while nothing changes. */
export interface ChatServers extends Partial<ServerResources> {
  tools(): readonly Tool[];
  /** What the prompt says about the ready servers, sorted by name. */
  infos(): readonly McpServerInfo[];
}

export interface ToolPorts {
  readonly tools: readonly Tool[];
  /** Absent where none may be used, as in a subagent. */
  readonly servers?: ChatServers;
}

const joined = new WeakMap<readonly Tool[], WeakMap<readonly Tool[], readonly Tool[]>>();

/**
 * Returns the built-in tools and those of the servers; the same list while nothing changes, so that caches can use it
 * as a key.
 */
export function chatToolsOf({ tools, servers }: ToolPorts): readonly Tool[] {
  const own = offeredWith(tools, servers?.infos() ?? noServers);
  const more = servers?.tools() ?? [];
  if (more.length === 0) return own;
  const lists = joined.get(own) ?? new WeakMap<readonly Tool[], readonly Tool[]>();
  joined.set(own, lists);
  const all = lists.get(more) ?? [...own, ...more];
  lists.set(more, all);
  return all;
}

const noServers: readonly McpServerInfo[] = [];
const offered = new WeakMap<readonly Tool[], Map<string, readonly Tool[]>>();

/** Returns the built-in tools that are offered next to these servers; the same list for the same tools. */
function offeredWith(tools: readonly Tool[], servers: readonly McpServerInfo[]): readonly Tool[] {
  const chosen = tools.filter((tool) => tool.offeredWith?.(servers) !== false);
  if (chosen.length === tools.length) return tools;
  const lists = offered.get(tools) ?? new Map<string, readonly Tool[]>();
  offered.set(tools, lists);
  const key = chosen.map(({ name }) => name).join(' ');
  const list = lists.get(key) ?? chosen;
  lists.set(key, list);
  return list;
}

/** Returns the ready servers, each with only those of its tools that the turn offers. */
export function offeredServers({ servers }: ToolPorts, offered: readonly Tool[]): readonly McpServerInfo[] {
  const names = new Set(offered.map(({ name }) => name));
  return (servers?.infos() ?? []).map((info) => ({ ...info, tools: info.tools.filter(({ name }) => names.has(name)) }));
}

/** The state of the host at the start of a turn. */
export interface HostState {
  settings(): PromptSettings;
  /** @param at the time whose date is returned, in milliseconds since the epoch; now if absent */
  device(at?: number): DeviceFacts;
  /** The open notes and the selection; null if unknown. */
  editor(): EditorState | null;
}

/** Groups tools by agent, for models that read about them in the prompt (R154). */
export function toolAgentsOf(tools: readonly Tool[]): ToolAgentInfo[] {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) groups.set(tool.agent, [...(groups.get(tool.agent) ?? []), tool]);
  return [...groups].map(([name, members]) => ({
    name,
    description: purposeOf(name as Tool['agent']),
    tools: members.map((member) => member.name),
  }));
}

type BuiltInAgent = Exclude<Tool['agent'], `server ${string}`>;

function purposeOf(agent: Tool['agent']): string {
  return isServer(agent) ? serverPurpose : agentPurposes[agent];
}

function isServer(agent: Tool['agent']): agent is `server ${string}` {
  return agent.startsWith('server ');
}

const serverPurpose = 'tools of a connected server; a call may wait for approval';

/** Each is true of every tool of the group, since a level and a permission mode may offer only some. */
const agentPurposes: Readonly<Record<BuiltInAgent, string>> = {
  search: 'finds notes and passages',
  notes: 'works on notes and skills',
  vault: 'works on folders, workspaces and the places of notes',
  chat: 'talks to the user and keeps track of the work',
};
