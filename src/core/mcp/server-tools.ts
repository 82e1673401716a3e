/**
 * The tools of MCP servers as declared to chats: with unique names and the server's descriptions, approved per call.
 */
import * as z from 'zod/v4';
import { words } from '../../text';
import { canonicalJson } from '../base/equality';
import { byName } from '../base/list-edits';
import { escapeText, makeVisible } from '../markup/escapes';
import { oneLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import type { Failure, Outcome } from '../ports/failure';
import { mayLookAlike, type McpCallPorts, type McpCatalog, type McpServerChoice, type McpTool } from '../ports/network';
import type { McpServerInfo } from '../prompt/world';
import { fullTier, type NetworkTarget, serverToolName, type Tool, type ToolResult, tool } from '../tools/tool';
import type { ServerConnection } from './server-connection';

/** Maximum characters: of a description sent to the model, and of a title. */
const maxDescriptionLength = 1_000;
const maxTitleLength = 60;
/** Maximum nesting of arguments; no server needs as many levels. */
const deepest = 64;

type Arguments = Readonly<Record<string, unknown>>;

/** The connection that runs one approved tool. */
export interface ApprovedConnection {
  readonly server: string;
  readonly url: string;
  /** Returns why the tool cannot be used now; null if it can. */
  refusal(signal: AbortSignal): Promise<Failure | null>;
  call(args: Arguments, signal: AbortSignal, during?: McpCallPorts): Promise<Outcome<ToolResult>>;
}

export interface NamedTool {
  readonly name: string;
  readonly tool: McpTool;
}

/** Tools with their declared names, and the server's names of those left out because their declared name is taken. */
interface NamedTools {
  readonly named: readonly NamedTool[];
  readonly leftOut: readonly string[];
}

/** @param taken names in lower case, so that no tool can be mistaken for another */
export function nameTools(server: string, tools: readonly McpTool[], taken: ReadonlySet<string>): NamedTools {
  const named: NamedTool[] = [];
  const leftOut: string[] = [];
  const own = new Set<string>();
  for (const each of tools) {
    const name = serverToolName(server, each.name);
    const folded = fold(name);
    if (taken.has(folded) || own.has(folded)) leftOut.push(each.name);
    else named.push({ name, tool: each });
    own.add(folded);
  }
  return { named, leftOut };
}

export function serverTool({ name, tool: offered }: NamedTool, line: ApprovedConnection): Tool {
  const title = cut(plainLine(offered.name), maxTitleLength);
  return tool<Arguments>({
    name,
    agent: `server ${line.server}`,
    description: describeTool(line.server, offered.description),
    parameters: () => z.custom<Arguments>(isArguments, words.servers.argumentsShape),
    schema: escapeSchema(offered.inputSchema),
    effect: 'network',
    needs: 'N',
    // Small context windows have no tokens left for third-party declarations.
    fromTier: fullTier,
    network: {
      ...{ server: line.server, title, url: line.url, pinned: canonicalJson(offered) },
      ...aboutOf(offered),
      refusal: (signal) => line.refusal(signal),
    },
    title: () => words.servers.callTitle(line.server, title),
    run: (args, _vault, signal, { progressed, askForServer }) =>
      line.call(args, signal, {
        ...(progressed && { progressed }),
        ...(askForServer && {
          ask: (question, asked) => askForServer({ server: line.server, title, url: line.url }, question, asked),
        }),
      }),
  });
}

/** What the server says of the tool for people; that it changes things is repeated, that it does not is not. */
function aboutOf({ name, title, annotations }: McpTool): Pick<NetworkTarget, 'about'> {
  const shown = title === undefined ? {} : { title: cut(plainLine(title), maxTitleLength) };
  const warns = annotations?.destructiveHint === true ? { warns: true } : {};
  const about = { ...shown, ...warns, ...(mayLookAlike(name) && { mayLookAlike: true }) };
  return Object.keys(about).length === 0 ? {} : { about };
}

/** Returns a description for the model, on one line and escaped. */
export function describeTool(server: string, description: string): string {
  const said = escapeText(cut(oneLine(description), maxDescriptionLength));
  return `Tool of the server ${server}. Its own description: ${said === '' ? 'none' : said}`;
}

/** Escapes what a schema says in words; what a call must repeat exactly stays as it is. */
function escapeSchema(schema: Arguments): Arguments {
  const escaped = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return inWords.test(name) ? escapeText(value) : value;
    if (Array.isArray(value)) return value.map((item) => escaped(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escaped(member, key)]));
  };
  return escaped(schema) as Arguments;
}

const inWords = /^(?:description|title|\$comment)$/;

/** Returns untrusted text for the user, on one line and with invisible characters made visible. */
export function plainLine(text: string): string {
  return oneLine(makeVisible(text).text);
}

function cut(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('').trimEnd()}…` : text;
}

/** Whether a value is a plain object. Refuses `__proto__` keys, which could pollute prototypes at the receiver. */
function isArguments(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlain(value, deepest);
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((member) => isPlain(member, depth - 1));
}

/**
 * All servers as chats see them: the tools of ready servers with unique names, and their descriptions in the prompt.
 */
export interface ServerView {
  /** Sorted by name. */
  readonly tools: readonly Tool[];
  readonly infos: readonly McpServerInfo[];
  readonly leftOut: ReadonlyMap<ServerConnection, readonly string[]>;
  /** A key that is equal for two views with the same tools and infos. */
  readonly key: string;
}

/** What of the approved catalog of a ready server may be used, with the names of its tools. */
interface Ready {
  readonly line: ServerConnection;
  readonly usable: McpCatalog;
  readonly tools: NamedTools;
}

/**
 * Builds the view from the catalogs as approved and stored. Names stay reserved while a server is not ready, so that no
 * other server can use them in the meantime.
 */
export function viewServers(lines: readonly ServerConnection[], builtIn: readonly Tool[]): ServerView {
  const taken = new Set([...builtIn.map(({ name }) => name), ...Object.values(toolNames)].map(fold));
  const leftOut = new Map<ServerConnection, readonly string[]>();
  const ready: Ready[] = [];
  for (const line of lines) {
    const { choice, approvedCatalog: offer, usable } = line;
    const tools = nameTools(choice.name, offer?.tools ?? [], taken);
    leftOut.set(line, nameTools(choice.name, (line.offer ?? offer)?.tools ?? [], taken).leftOut);
    if (line.state === 'ready' && usable !== null) {
      const named = tools.named.filter(({ tool: { name } }) => usable.tools.some((each) => each.name === name));
      ready.push({ line, usable, tools: { ...tools, named } });
    }
    if (choice.isOn) tools.named.forEach(({ name }) => taken.add(fold(name)));
  }
  return {
    tools: ready.flatMap(toolsOf).sort(byName),
    infos: ready.map(infoOf).sort(byName),
    leftOut,
    key: JSON.stringify(ready.map(({ line, usable, tools }) => [addressOf(line.choice), usable, tools.leftOut])),
  };
}

function toolsOf({ line, tools }: Ready): Tool[] {
  const { name: server, url } = line.choice;
  return tools.named.map((named) => {
    const { name } = named.tool;
    const pinned = canonicalJson(named.tool);
    return serverTool(named, {
      server,
      url,
      refusal: (signal) => line.refusal(pinned, signal),
      call: (args, signal, during) => line.call({ name, pinned }, args, signal, during),
    });
  });
}

function infoOf({ line, usable, tools }: Ready): McpServerInfo {
  return {
    name: line.choice.name,
    tools: tools.named.map(({ name, tool }) => ({ name, description: oneLine(tool.description) })),
    resources: usable.resources.map(({ name, uri }) => ({ name: oneLine(name), uri: oneLine(uri) })),
    ...(usable.templates && { templates: usable.templates }),
    ...(usable.instructions !== undefined && { instructions: usable.instructions }),
  };
}

function addressOf({ name, url, keyName }: McpServerChoice): string[] {
  return [name, url, keyName];
}

function fold(name: string): string {
  return name.toLowerCase();
}
