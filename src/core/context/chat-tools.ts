/** The tools of a chat: those that are built in, and those of servers as they are now. */
import type { McpServerInfo } from '../prompt/world';
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
export function serversTold({ servers }: ToolPorts, offered: readonly Tool[]): readonly McpServerInfo[] {
  const names = new Set(offered.map(({ name }) => name));
  return (servers?.infos() ?? []).map((info) => ({ ...info, tools: info.tools.filter(({ name }) => names.has(name)) }));
}
