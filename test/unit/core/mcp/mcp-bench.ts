/** Servers that play a script, and the McpServers over them with device, registry and clock in memory. */
import { PromptRegistry } from '../../../../src/core/library/prompt-registry';
import { Gate } from '../../../../src/core/gate/gate';
import { McpServers } from '../../../../src/core/mcp/mcp-servers';
import { type Failure, fail, succeed } from '../../../../src/core/ports/failure';
import type {
  ConnectMcp,
  McpAnswer,
  McpCatalog,
  McpServerChoice,
  McpServerState,
} from '../../../../src/core/ports/network';
import { tools } from '../../../../src/core/tools';
import { fakeClock, type MemoryDevice, memoryDevice, type MovableClock } from '../../../support/memory-ports';

export const unreachable: Failure = { kind: 'network', words: 'No line.', remedy: 'Wait.' };

/** What one server does; may be changed at any time. */
export interface ScriptedServer {
  offer: McpCatalog;
  /** Null answers; 'hang' never does; 'throw' is a defect of the line. */
  onConnect: Failure | 'hang' | 'throw' | null;
  onList: Failure | 'hang' | 'throw' | null;
  /** What each list waits for. */
  listing?: Promise<void>;
  answer: (name: string) => Promise<McpAnswer | Failure>;
  /** What was sent, in order. */
  readonly calls: { readonly name: string; readonly args: unknown }[];
  connects: number;
  lists: number;
  closes: number;
  /** Says that the catalog has changed. */
  changed?: () => void;
}

export const emptyOffer: McpCatalog = { tools: [], prompts: [], resources: [] };

export function offerOf(...names: string[]): McpCatalog {
  const toolsOf = names.map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } }));
  return { ...emptyOffer, tools: toolsOf };
}

export function scriptedServer(changes: Partial<ScriptedServer> = {}): ScriptedServer {
  return {
    offer: offerOf('look'),
    onConnect: null,
    onList: null,
    answer: (name) => Promise.resolve({ text: `answer of ${name}`, isError: false }),
    calls: [],
    connects: 0,
    lists: 0,
    closes: 0,
    ...changes,
  };
}

export function choiceOf(name: string, changes: Partial<McpServerChoice> = {}): McpServerChoice {
  return { name, url: `https://${name}.example/mcp`, keyName: '', isOn: true, ...changes };
}

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

export interface McpBench {
  readonly servers: McpServers;
  readonly registry: PromptRegistry;
  readonly device: MemoryDevice;
  /** Advancing it runs what is due by then. */
  readonly clock: MovableClock;
  readonly timers: ReadonlySet<Timer>;
  readonly notes: string[];
  choices: McpServerChoice[];
  readonly connects: McpServerChoice[];
  states(): Record<string, McpServerState>;
  /** Connects, and approves what is offered then. */
  allow(...names: string[]): Promise<void>;
  /** The same settings and device in another process. */
  again(device?: MemoryDevice): McpBench;
}

export function mcpBench(scripts: Record<string, ScriptedServer>, device = memoryDevice()): McpBench {
  const connects: McpServerChoice[] = [];
  const connect: ConnectMcp = async (choice) => {
    connects.push(choice);
    const script = scripts[choice.name];
    if (script === undefined) return fail(unreachable);
    script.connects += 1;
    await obey(script.onConnect);
    if (isFailure(script.onConnect)) return fail(script.onConnect);
    return succeed({
      readCatalog: async () => {
        script.lists += 1;
        const { offer } = script;
        await script.listing;
        await obey(script.onList);
        return isFailure(script.onList) ? fail(script.onList) : succeed(offer);
      },
      callTool: async (name, args) => {
        script.calls.push({ name, args });
        const answer = await script.answer(name);
        return 'isError' in answer ? succeed(answer) : fail(answer);
      },
      readResource: async (uri) => {
        const answer = await script.answer(uri);
        return 'isError' in answer ? succeed(answer) : fail(answer);
      },
      fillPrompt: (name) => Promise.resolve(succeed(`text of ${name}`)),
      watch: (changed) => void (script.changed = changed),
      close: () => void (script.closes += 1),
    });
  };
  const registry = new PromptRegistry();
  const time = fakeClock();
  const timers = new Set<Timer>();
  const after = (milliseconds: number, act: () => void): (() => void) => {
    const timer = { at: time.now() + milliseconds, act };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const advance = (milliseconds: number): void => {
    time.advance(milliseconds);
    for (const timer of [...timers].filter(({ at }) => at <= time.now())) {
      timers.delete(timer);
      timer.act();
    }
  };
  const clock = { now: () => time.now(), advance };
  const notes: string[] = [];
  const bench: McpBench = {
    registry,
    device,
    clock,
    timers,
    notes,
    choices: Object.keys(scripts).map((name) => choiceOf(name)),
    connects,
    servers: undefined as unknown as McpServers,
    states: () => Object.fromEntries(bench.servers.statuses().map(({ choice, state }) => [choice.name, state])),
    allow: async (...names) => {
      for (const name of names) {
        await bench.servers.connect(name);
        const offer = bench.servers.statuses().find(({ choice }) => choice.name === name)?.offer;
        if (offer == null) throw new Error(`${name} offers nothing.`);
        const approved = bench.servers.approve(name, offer);
        if (!approved.ok) throw new Error(approved.failure.words);
      }
    },
    again: (other = device) => mcpBench(scripts, other),
  };
  const gate = new Gate({ device, secret: () => null });
  const ports = { choices: () => bench.choices, connect, device, gate, registry, clock, after, builtIn: tools };
  return Object.assign(bench, { servers: new McpServers({ ...ports, note: (text) => void notes.push(text) }) });
}

async function obey(what: ScriptedServer['onConnect']): Promise<void> {
  await Promise.resolve();
  if (what === 'hang') await new Promise(() => undefined);
  if (what === 'throw') throw new Error('a defect of the line');
}

function isFailure(what: ScriptedServer['onConnect']): what is Failure {
  return typeof what === 'object' && what !== null;
}
