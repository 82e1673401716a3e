/**
 * McpServers: the servers in the settings as this device may use them; none can block another, a chat, or Obsidian
 * (F34).
 */
import { words } from '../../text';
import { canonicalJson, isEqual } from '../base/equality';
import type { PromptRegistry } from '../library/prompt-registry';
import type { Clock, DeviceStorage } from '../ports/device';
import { type Failure, fail, messageOf, type Outcome, succeed } from '../ports/failure';
import {
  type ConnectMcp,
  type McpAccess,
  type McpCatalog,
  type McpPrompt,
  type McpServerChoice,
  type McpServerStatus,
  serverName,
} from '../ports/network';
import type { McpServerInfo } from '../prompt/world';
import type { Tool } from '../tools/tool';
import { DeviceGrants } from './device-grants';
import { ServerConnection } from './server-connection';
import { plainLine, type ServerView, viewServers } from './server-tools';

export interface McpServersPorts {
  /** Returns the servers in the current settings. */
  choices(): readonly McpServerChoice[];
  readonly connect: ConnectMcp;
  readonly device: DeviceStorage;
  readonly registry: Pick<PromptRegistry, 'register' | 'clearMcpPrompts' | 'get'>;
  readonly clock: Clock;
  /** The tools whose names servers cannot use. */
  readonly builtIn: readonly Tool[];
  /** Records an event for the diagnostics. */
  note(words: string): void;
}

export class McpServers implements McpAccess {
  private readonly leave: DeviceGrants;
  private readonly listeners = new Set<() => void>();
  private lines: readonly ServerConnection[] = [];
  private view: ServerView | null = null;
  /** The catalog text whose prompts were last registered, by server. */
  private readonly registered = new Map<string, string>();
  private readonly noted = new WeakMap<ServerConnection, string>();
  private isStarted = false;

  constructor(private readonly ports: McpServersPorts) {
    this.leave = new DeviceGrants(ports.device);
    this.lines = this.linesFor(ports.choices());
  }

  /** Connects to all permitted servers that are not open; resolves when each has responded, failed, or been closed. */
  async start(): Promise<void> {
    this.isStarted = true;
    await Promise.all(this.lines.filter(({ isOpen }) => !isOpen).map((line) => this.startLine(line)));
  }

  /** Applies changed settings; unchanged servers keep their connections. */
  choicesChanged(): void {
    const before = this.lines;
    this.lines = this.linesFor(this.ports.choices());
    before.filter((line) => !this.lines.includes(line)).forEach((line) => line.end());
    this.changed();
    for (const line of this.isStarted ? this.lines : []) if (!before.includes(line)) void this.startLine(line);
  }

  /** Closes all connections, such as when the plugin unloads. */
  close(): void {
    this.listeners.clear();
    this.lines.forEach((line) => line.end());
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

  statuses(): readonly McpServerStatus[] {
    const { leftOut } = this.current();
    return this.lines.map((line) => {
      const { choice, state, failure, offer, approvedCatalog: approved } = line;
      return { choice, state, failure, offer, approved, leftOut: leftOut.get(line) ?? [] };
    });
  }

  async connect(name: string): Promise<void> {
    const line = this.lineOf(name);
    if (line === undefined || !line.choice.isOn) return;
    const given = this.leave.give(line.choice);
    if (!given.ok) return this.ports.note(given.failure.words);
    line.reviewApproval();
    await this.startLine(line);
  }

  approve(name: string, offer: McpCatalog): Outcome<void> {
    const line = this.lineOf(name);
    const text = canonicalJson(offer);
    if (line === undefined || !line.offers(text) || !this.leave.isGiven(line.choice)) {
      const { offersOther, offersOtherRemedy } = words.servers;
      return fail({ kind: 'refused', words: offersOther(name), remedy: offersOtherRemedy });
    }
    const kept = this.leave.approve(line.choice, text);
    if (!kept.ok) return kept;
    line.reviewApproval();
    return succeed(undefined);
  }

  forget(name: string): void {
    this.leave.takeBack(name);
    const line = this.lineOf(name);
    line?.end();
    line?.reviewApproval();
    this.changed();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Starts a connection; an unexpected error, such as in a listener, is only recorded. */
  private startLine(line: ServerConnection): Promise<void> {
    return line.start().catch((thrown: unknown) => this.ports.note(messageOf(thrown)));
  }

  private lineOf(name: string): ServerConnection | undefined {
    return this.lines.find(({ choice }) => choice.name === name);
  }

  private linesFor(choices: readonly McpServerChoice[]): ServerConnection[] {
    const { connect, clock } = this.ports;
    const kept = [...this.lines];
    return choices.map((choice, index) => {
      const problem = problemOf(choice, choices.slice(0, index));
      const same = kept.findIndex((line) => isEqual(line.choice, choice) && isEqual(line.problem, problem));
      if (same !== -1) return kept.splice(same, 1)[0] as ServerConnection;
      return new ServerConnection(choice, {
        connect,
        leave: this.leave,
        clock,
        problem,
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
      this.lines.filter(({ state }) => state === 'ready').map((line) => [line.choice.name, line] as const),
    );
    for (const name of [...this.registered.keys()].filter((each) => !ready.has(each))) {
      this.registered.delete(name);
      registry.clearMcpPrompts(name);
    }
    for (const [name, { approved, approvedCatalog }] of ready) {
      if (approved === null || this.registered.get(name) === approved) continue;
      this.registered.set(name, approved);
      registerServerPrompts(registry, name, approvedCatalog?.prompts ?? [], clock.now());
    }
  }

  private noteStates(): void {
    for (const line of this.lines) {
      const told = line.failure === null ? line.state : `${line.state} (${line.failure.words})`;
      if (this.noted.get(line) === told) continue;
      this.noted.set(line, told);
      this.ports.note(words.servers.stateChanged(line.choice.name, told));
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

// Prompts of servers are registered only while their server is ready (R130).

type Registry = Pick<PromptRegistry, 'register' | 'clearMcpPrompts' | 'get'>;

const tag = 'mcp';

/** Registers a server's prompts, skipping ids that are taken, so that a server cannot override the user's prompts. */
function registerServerPrompts(
  registry: Registry,
  serverName: string,
  prompts: readonly McpPrompt[],
  registeredAt: number,
): void {
  registry.clearMcpPrompts(serverName);
  for (const { name, description, text } of prompts) {
    if (registry.get(`${serverName}/${name}`) !== undefined) continue;
    registry.register({
      id: name,
      name: plainLine(name),
      description: plainLine(description),
      content: text,
      tags: [tag],
      source: 'mcp',
      serverName,
      registeredAt,
    });
  }
}
