/** McpServers: the servers of the settings as this device may use them; none holds up another, a chat or the app (F34). */
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
  /** As the settings have them now. */
  choices(): readonly McpServerChoice[];
  readonly connect: ConnectMcp;
  readonly device: DeviceStorage;
  readonly registry: Pick<PromptRegistry, 'register' | 'clearMcpPrompts' | 'get'>;
  readonly clock: Clock;
  /** The tools whose names are not to be had. */
  readonly builtIn: readonly Tool[];
  /** Notes an event for the diagnostics. */
  note(words: string): void;
}

export class McpServers implements McpAccess {
  private readonly leave: DeviceGrants;
  private readonly listeners = new Set<() => void>();
  private lines: readonly ServerConnection[] = [];
  private view: ServerView | null = null;
  /** What was registered last, by server. */
  private readonly registered = new Map<string, string>();
  private readonly noted = new WeakMap<ServerConnection, string>();
  private isStarted = false;

  constructor(private readonly ports: McpServersPorts) {
    this.leave = new DeviceGrants(ports.device);
    this.lines = this.linesFor(ports.choices());
  }

  /** Asks all servers that may be asked and have no line yet; resolves when each has answered, failed or been given up. */
  async start(): Promise<void> {
    this.isStarted = true;
    await Promise.all(this.lines.filter(({ isOpen }) => !isOpen).map((line) => this.startLine(line)));
  }

  /** Servers that are as before keep their lines. */
  choicesChanged(): void {
    const before = this.lines;
    this.lines = this.linesFor(this.ports.choices());
    before.filter((line) => !this.lines.includes(line)).forEach((line) => line.end());
    this.changed();
    for (const line of this.isStarted ? this.lines : []) if (!before.includes(line)) void this.startLine(line);
  }

  /** Ends all lines, as when the plugin unloads. */
  close(): void {
    this.listeners.clear();
    this.lines.forEach((line) => line.end());
    this.isStarted = false;
  }

  /** Those of all servers that are ready, sorted by name; the same list while nothing changes. */
  tools(): readonly Tool[] {
    return this.current().tools;
  }

  /** What is told of them; the same list while nothing changes. */
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

  /** What goes wrong around a line, such as in a listener, is noted and no more. */
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

/** Two servers of one name would pass for each other, and a name of other signs would reach into texts and ids. */
function problemOf({ name, isOn }: McpServerChoice, earlier: readonly McpServerChoice[]): Failure | null {
  const { nameRefused, nameRefusedRemedy, nameTaken, nameTakenRemedy } = words.servers;
  if (!isOn) return null;
  if (!serverName.test(name)) return { kind: 'configuration', words: nameRefused(name), remedy: nameRefusedRemedy };
  if (!earlier.some((each) => each.name.toLowerCase() === name.toLowerCase())) return null;
  return { kind: 'configuration', words: nameTaken(name), remedy: nameTakenRemedy };
}

// Keeps the registry true to the prompts of servers: there while their server is ready, gone as soon as it is not (R130).

type Registry = Pick<PromptRegistry, 'register' | 'clearMcpPrompts' | 'get'>;

const tag = 'mcp';

/** A prompt whose id another one has is left out, so that none of a server stands in place of the user's. */
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
