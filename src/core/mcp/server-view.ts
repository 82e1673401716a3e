/** What chats see of all servers together: the tools that are ready, under names that no other has, and what is told of them. */
import { toolNames } from '../markup/variables';
import type { McpOffer, McpServerChoice } from '../ports/network';
import type { McpServerInfo } from '../prompt/world';
import type { Tool } from '../tools/tool';
import type { ServerLine } from './server-line';
import { type NamedTools, nameTools, plainLine, serverTool } from './server-tools';

export interface ServerView {
  /** Sorted by name. */
  readonly tools: readonly Tool[];
  readonly infos: readonly McpServerInfo[];
  readonly leftOut: ReadonlyMap<ServerLine, readonly string[]>;
  /** Equal for two views of the same tools and infos. */
  readonly key: string;
}

/** What was approved of a server that is ready, with the names that its tools have. */
interface Ready {
  readonly line: ServerLine;
  readonly pinned: string;
  readonly offer: McpOffer;
  readonly tools: NamedTools;
}

/**
 * What is offered is made from what was approved, as it was stored then. Names stay taken while a server is not ready, so
 * that no other takes them over meanwhile.
 */
export function viewServers(lines: readonly ServerLine[], builtIn: readonly Tool[]): ServerView {
  const taken = new Set([...builtIn.map(({ name }) => name), ...Object.values(toolNames)].map(fold));
  const leftOut = new Map<ServerLine, readonly string[]>();
  const ready: Ready[] = [];
  for (const line of lines) {
    const { choice, approved, approvedOffer: offer } = line;
    const tools = nameTools(choice.name, offer?.tools ?? [], taken);
    leftOut.set(line, nameTools(choice.name, (line.offer ?? offer)?.tools ?? [], taken).leftOut);
    if (line.state === 'ready' && approved !== null && offer !== null) {
      ready.push({ line, pinned: approved, offer, tools });
    }
    if (choice.isOn) tools.named.forEach(({ name }) => taken.add(fold(name)));
  }
  return {
    tools: ready.flatMap(toolsOf).sort(byName),
    infos: ready.map(infoOf).sort(byName),
    leftOut,
    key: JSON.stringify(ready.map(({ line, pinned, tools }) => [addressOf(line.choice), pinned, tools.leftOut])),
  };
}

function toolsOf({ line, pinned, tools }: Ready): Tool[] {
  const { name: server, url } = line.choice;
  const offered = {
    server,
    url,
    refusal: (signal: AbortSignal) => line.refusal(pinned, signal),
    call: (tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal) =>
      line.call(pinned, tool, args, signal),
  };
  return tools.named.map((named) => serverTool(named, offered));
}

function infoOf({ line, offer, tools }: Ready): McpServerInfo {
  return {
    name: line.choice.name,
    tools: tools.named.map(({ name, tool }) => ({ name, description: plainLine(tool.description) })),
    resources: offer.resources.map(({ name, uri }) => ({ name: plainLine(name), uri: plainLine(uri) })),
  };
}

function addressOf({ name, url, keyName }: McpServerChoice): string[] {
  return [name, url, keyName];
}

function fold(name: string): string {
  return name.toLowerCase();
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
