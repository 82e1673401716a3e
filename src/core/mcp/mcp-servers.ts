/**
 * McpServers: the servers in the settings as this device may use them; none can block another, a chat, or Obsidian
 * (F34).
 */
import { type After, subscribeTo } from '../base/async';
import { words } from '../../text';
import { startOf } from '../base/cut';
import { canonicalJson, isEqual } from '../base/equality';
import type { Gate } from '../gate/gate';
import type { PromptRegistry, RegisteredPrompt } from '../library/prompt-registry';
import type { Clock, DeviceStorage } from '../ports/device';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../ports/failure';
import {
  type ConnectMcp,
  type McpAccess,
  type McpCatalog,
  type McpPrompt,
  type McpServerChoice,
  type McpServerStatus,
  type OfferedResource,
  serverName,
} from '../ports/network';
import type { McpServerInfo } from '../prompt/world';
import type { NetworkTarget, Tool, ToolResult } from '../tools/tool';
import { DeviceGrants } from './device-grants';
import { ServerConnection } from './server-connection';
import { plainLine, type ServerView, viewServers } from './server-tools';

export interface McpServersPorts {
  /** Returns the servers in the current settings. */
  choices(): readonly McpServerChoice[];
  readonly connect: ConnectMcp;
  readonly device: DeviceStorage;
  readonly gate: Pick<Gate, 'allowBuffered' | 'revokeBuffered'>;
  readonly registry: Pick<PromptRegistry, 'register' | 'clearMcpPrompts' | 'replaceMcpPrompts' | 'get'>;
  readonly clock: Clock;
  readonly after: After;
  /** The tools whose names servers cannot use. */
  readonly builtIn: readonly Tool[];
  /** Records an event for the diagnostics. */
  note(words: string): void;
}

export class McpServers implements McpAccess {
  private readonly grants: DeviceGrants;
  private readonly listeners = new Set<() => void>();
  private lines: readonly ServerConnection[] = [];
  private view: ServerView | null = null;
  /** The catalog whose prompts were last registered, by server. */
  private readonly registered = new Map<string, McpCatalog>();
  private readonly noted = new WeakMap<ServerConnection, string>();
  private isStarted = false;

  constructor(private readonly ports: McpServersPorts) {
    this.grants = new DeviceGrants(ports.device);
    this.lines = this.connectionsFor(ports.choices());
  }

  /** Connects to all permitted servers that are not open; resolves when each has responded, failed, or been closed. */
  async start(): Promise<void> {
    this.isStarted = true;
    await Promise.all(this.lines.filter(({ isOpen }) => !isOpen).map((connection) => this.startConnection(connection)));
  }

  /** Applies changed settings; unchanged servers keep their connections. */
  choicesChanged(): void {
    const before = this.lines;
    this.lines = this.connectionsFor(this.ports.choices());
    before.filter((connection) => !this.lines.includes(connection)).forEach((connection) => connection.end());
    this.changed();
    for (const connection of this.isStarted ? this.lines : [])
      if (!before.includes(connection)) void this.startConnection(connection);
  }

  /** Closes all connections, such as when the plugin unloads. */
  close(): void {
    this.listeners.clear();
    this.lines.forEach((connection) => connection.end());
    this.isStarted = false;
  }

  /** Returns the tools of all ready servers, sorted by name; the same array while nothing changes. */
  tools(): readonly Tool[] {
    return this.current().tools;
  }

  /** Returns the servers as described in the prompt; the same array while nothing changes. */
  infos(): readonly McpServerInfo[] {
    return this.current().infos;
  }

  /** Returns the resources that messages may name; the same array while nothing changes. */
  resources(): readonly OfferedResource[] {
    const infos = this.infos();
    const known = offeredResources.get(infos);
    if (known !== undefined) return known;
    const all = infos.flatMap(({ name: server, resources }) => resources.map((each) => ({ server, ...each })));
    offeredResources.set(infos, all);
    return all;
  }

  findResource(server: string, uri: string): Outcome<NetworkTarget> {
    const found = this.readyLine(server);
    if (!found.ok) return found;
    const { name, url } = found.value.choice;
    const title = words.servers.resourceTitle(name, plainLine(uri));
    return succeed({ server: name, title, url, pinned: `resource ${uri}`, refusal: () => Promise.resolve(null) });
  }

  async readResource(server: string, uri: string, signal: AbortSignal): Promise<Outcome<ToolResult>> {
    const found = this.readyLine(server);
    return found.ok ? found.value.read(uri, signal) : found;
  }

  private readyLine(server: string): Outcome<ServerConnection> {
    const isNamed = ({ choice }: ServerConnection): boolean =>
      choice.name.toLowerCase() === server.trim().toLowerCase();
    const line = this.lines.find((each) => isNamed(each) && each.state === 'ready');
    const { noResources, noResourcesRemedy } = words.servers;
    return line === undefined
      ? fail({ kind: 'not-found', words: noResources(server), remedy: noResourcesRemedy })
      : succeed(line);
  }

  /**
   * Has a server write a prompt with these arguments, and registers it, so that a message can name it until the app is
   * closed. Resolves to its id.
   */
  async fillPrompt(
    id: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Outcome<{ readonly id: string; readonly name: string }>> {
    const { registry, clock } = this.ports;
    const prompt = registry.get(id);
    const server = prompt?.serverName ?? '';
    const line = this.readyLine(server);
    if (prompt === undefined || !line.ok) return line.ok ? fail(promptMissing(server, id)) : line;
    const own = id.slice(server.length + 1);
    const filled = await line.value.fillPrompt(own, args, signal);
    if (!filled.ok) return filled;
    const shown = Object.entries(args).map(([name, value]) => `${name}: ${value}`);
    const name = startOf(plainLine(`${own} (${shown.join(', ')})`), maxFilledName);
    const { arguments: _taken, ...rest } = prompt;
    const registered = registry.register({
      ...rest,
      id: `${own}?${new URLSearchParams(args).toString()}`,
      name,
      content: filled.value,
      isFilled: true,
      registeredAt: clock.now(),
    });
    return succeed({ id: registered.id, name });
  }

  statuses(): readonly McpServerStatus[] {
    const { leftOut } = this.current();
    return this.lines.map((connection) => {
      const { choice, state, failure, offer, omissions, approvedCatalog: approved, hasChanged } = connection;
      const named = leftOut.get(connection) ?? [];
      return { choice, state, failure, offer, approved, hasChanged, leftOut: named, omissions };
    });
  }

  async connect(name: string): Promise<void> {
    const connection = this.connectionOf(name);
    if (connection === undefined || !connection.choice.isOn) return;
    const given = this.grants.give(connection.choice);
    if (!given.ok) return this.ports.note(given.failure.words);
    connection.reviewApproval();
    await this.startConnection(connection);
  }

  async allowSending(name: string): Promise<void> {
    const { choice, failure } = this.connectionOf(name) ?? {};
    if (choice === undefined || failure?.action !== 'allow-sending') return;
    this.ports.gate.allowBuffered(choice.url);
    await this.connect(name);
  }

  approve(name: string, offer: McpCatalog): Outcome<void> {
    const connection = this.connectionOf(name);
    const text = canonicalJson(offer);
    if (connection === undefined || !connection.offers(text) || !this.grants.isGiven(connection.choice)) {
      const { offersOther, offersOtherRemedy } = words.servers;
      return fail({ kind: 'refused', words: offersOther(name), remedy: offersOtherRemedy });
    }
    const stored = this.grants.approve(connection.choice, text);
    if (!stored.ok) return stored;
    connection.reviewApproval();
    return succeed(undefined);
  }

  forget(name: string): void {
    this.grants.takeBack(name);
    const connection = this.connectionOf(name);
    if (connection !== undefined) this.ports.gate.revokeBuffered(connection.choice.url);
    connection?.end();
    connection?.reviewApproval();
    this.changed();
  }

  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Starts a connection; an unexpected error, such as in a listener, is only recorded. */
  private startConnection(connection: ServerConnection): Promise<void> {
    return connection.start().catch((thrown: unknown) => this.ports.note(messageOf(thrown)));
  }

  private connectionOf(name: string): ServerConnection | undefined {
    return this.lines.find(({ choice }) => choice.name === name);
  }

  private connectionsFor(choices: readonly McpServerChoice[]): ServerConnection[] {
    const { connect, clock, after } = this.ports;
    const reusable = [...this.lines];
    return choices.map((choice, index) => {
      const problem = problemOf(choice, choices.slice(0, index));
      const same = reusable.findIndex(
        (connection) => isEqual(connection.choice, choice) && isEqual(connection.problem, problem),
      );
      if (same !== -1) return reusable.splice(same, 1)[0] as ServerConnection;
      return new ServerConnection(choice, {
        ...{ connect, clock, after, problem },
        leave: this.grants,
        changed: () => this.changed(),
      });
    });
  }

  private current(): ServerView {
    return (this.view ??= viewServers(this.lines, this.ports.builtIn));
  }

  private changed(): void {
    const before = this.view;
    const next = viewServers(this.lines, this.ports.builtIn);
    this.view = before?.key === next.key ? { ...next, tools: before.tools, infos: before.infos } : next;
    this.registerPrompts();
    this.noteStates();
    for (const listener of [...this.listeners]) listener();
  }

  private registerPrompts(): void {
    const { registry, clock } = this.ports;
    const ready = new Map(
      this.lines
        .filter(({ state }) => state === 'ready')
        .map((connection) => [connection.choice.name, connection] as const),
    );
    for (const name of [...this.registered.keys()].filter((each) => !ready.has(each))) {
      this.registered.delete(name);
      registry.clearMcpPrompts(name);
    }
    for (const [name, { usable }] of ready) {
      if (usable === null || this.registered.get(name) === usable) continue;
      this.registered.set(name, usable);
      registry.replaceMcpPrompts(name, registeredFrom(name, usable.prompts, clock.now()));
    }
  }

  private noteStates(): void {
    for (const connection of this.lines) {
      const shown =
        connection.failure === null ? connection.state : `${connection.state} (${connection.failure.words})`;
      if (this.noted.get(connection) === shown) continue;
      this.noted.set(connection, shown);
      this.ports.note(words.servers.stateChanged(connection.choice.name, shown));
    }
  }
}

/**
 * Returns why a server cannot be used: duplicate names are ambiguous, and other characters could break texts and ids.
 */
function problemOf({ name, isOn }: McpServerChoice, earlier: readonly McpServerChoice[]): Failure | null {
  const { nameRefused, nameRefusedRemedy, nameTaken, nameTakenRemedy } = words.servers;
  if (!isOn) return null;
  if (!serverName.test(name)) return { kind: 'configuration', words: nameRefused(name), remedy: nameRefusedRemedy };
  if (!earlier.some((each) => each.name.toLowerCase() === name.toLowerCase())) return null;
  return { kind: 'configuration', words: nameTaken(name), remedy: nameTakenRemedy };
}

/** The most characters of the name of a prompt with its arguments. */
const maxFilledName = 80;

function promptMissing(server: string, prompt: string): Failure {
  return {
    kind: 'refused',
    words: words.servers.promptMissing(server, prompt),
    remedy: words.servers.promptMissingRemedy,
  };
}

const offeredResources = new WeakMap<readonly McpServerInfo[], readonly OfferedResource[]>();

// Prompts of servers are registered only while their server is ready (R130).

const tag = 'mcp';

function registeredFrom(serverName: string, prompts: readonly McpPrompt[], registeredAt: number): RegisteredPrompt[] {
  return prompts.map(({ name, description, text, arguments: taken }) => ({
    id: name,
    name: plainLine(name),
    description: plainLine(description),
    content: text,
    ...(taken && { arguments: taken }),
    tags: [tag],
    source: 'mcp',
    serverName,
    registeredAt,
  }));
}
