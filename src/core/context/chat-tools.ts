/** The tools of a chat: those that are built in, and those of servers as they are now. */
import type { DeviceFacts, McpServerInfo, PromptSettings, ToolAgentInfo } from '../prompt/world';
import type { EditorState } from '../session/entry';
import type { Tool } from '../tools/tool';

/** The servers that chats may use; what they give stays the same list while nothing changes. */
export interface ChatServers {
  tools(): readonly Tool[];
  /** What is told of those that are ready, sorted by name. */
  infos(): readonly McpServerInfo[];
}

export interface ToolPorts {
  readonly tools: readonly Tool[];
  /** Absent where none are to be had, as in a sub-agent. */
  readonly servers?: ChatServers;
}

const joined = new WeakMap<readonly Tool[], WeakMap<readonly Tool[], readonly Tool[]>>();

/** The same list while nothing changes, so that whatever is made of it is made once. */
export function chatToolsOf({ tools, servers }: ToolPorts): readonly Tool[] {
  const more = servers?.tools() ?? [];
  if (more.length === 0) return tools;
  const lists = joined.get(tools) ?? new WeakMap<readonly Tool[], readonly Tool[]>();
  joined.set(tools, lists);
  const all = lists.get(more) ?? [...tools, ...more];
  lists.set(more, all);
  return all;
}

/** What is told of the servers in a turn: of their tools, those alone that it offers. */
export function offeredServers({ servers }: ToolPorts, offered: readonly Tool[]): readonly McpServerInfo[] {
  const names = new Set(offered.map(({ name }) => name));
  return (servers?.infos() ?? []).map((info) => ({ ...info, tools: info.tools.filter(({ name }) => names.has(name)) }));
}

/** What is true around a chat at the moment that a turn starts. */
export interface HostState {
  settings(): PromptSettings;
  /** @param at the moment whose date is told, in milliseconds since the epoch; now unless given */
  device(at?: number): DeviceFacts;
  /** What the user has open; null when nothing is known. */
  editor(): EditorState | null;
}

/** Tools grouped by agent, for models that read about them in the prompt (R154). */
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

const serverPurpose = 'tools of a connected server; the user is asked about each call';

const agentPurposes: Readonly<Record<BuiltInAgent, string>> = {
  search: 'finds notes and passages',
  notes: 'reads notes, their outlines and links',
  vault: 'shows folders',
  chat: 'keeps the goal of this chat, starts sub-agents',
};
