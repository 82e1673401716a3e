/** A server in memory: it offers one tool, answers by a script and keeps what it is sent; that record is a sink. */
import { PromptRegistry } from '../../src/core/library/prompt-registry';
import { Gate } from '../../src/core/gate/gate';
import { McpServers } from '../../src/core/mcp/mcp-servers';
import { succeed } from '../../src/core/ports/failure';
import type { ConnectMcp, McpServerChoice, McpTool, ApprovalRequest } from '../../src/core/ports/network';
import { tools } from '../../src/core/tools';
import { clock } from '../../src/vault/device';
import { memoryDevice } from '../support/memory-ports';
import type { Order } from './orders';

const choice: McpServerChoice = { name: 'depot', url: 'https://depot.example/mcp', keyName: '', isOn: true };
const toolName = 'look_up';
/** The name under which chats are offered its tool. */
export const serverTool = `${choice.name}_${toolName}`;
/** What it answers when it has no script. */
export const plainAnswer = 'Nothing found.';

export interface ServerScript {
  /** Text in the description of the server's tool, which the user has approved. */
  readonly description?: string;
  /** What each call is answered with. */
  readonly answer?: string;
}

/** What was allowed of a chat's calls, and what the server got, in the order in which it happened. */
export interface Exchange {
  readonly kind: 'allowed' | 'sent';
  /** The tool, the server and its address. */
  readonly target: string;
  readonly argumentsText: string;
  /** What else the approval request showed the user: passages of notes, and whose text was in view. */
  readonly shown?: Pick<ApprovalRequest, 'passages' | 'taint'>;
}

export function describedTool({ description = '' }: ServerScript): McpTool {
  const query = { type: 'string', description };
  return {
    name: toolName,
    description: `Looks things up. ${description}`,
    inputSchema: { type: 'object', properties: { query } },
  };
}

/** Allowed, and approved as it is, on a device of its own. */
export async function openServer(script: ServerScript, exchanges: Exchange[]): Promise<McpServers> {
  const offer = { tools: [describedTool(script)], prompts: [], resources: [] };
  const connect: ConnectMcp = ({ name, url }) => {
    const callTool = (tool: string, args: object) => {
      const target = targetOf(tool, name, url);
      exchanges.push({ kind: 'sent', target, argumentsText: writeArguments(args) });
      return Promise.resolve(succeed({ text: script.answer ?? plainAnswer, isError: false }));
    };
    return Promise.resolve(succeed({ readCatalog: () => Promise.resolve(succeed(offer)), callTool, close: () => {} }));
  };
  const device = memoryDevice();
  const gate = new Gate({ device, secret: () => null });
  const ports = { choices: () => [choice], connect, device, registry: new PromptRegistry(), clock };
  const servers = new McpServers({ ...ports, gate, builtIn: tools, note: () => {}, after: () => () => {} });
  await servers.connect(choice.name);
  const approved = servers.approve(choice.name, offer);
  if (!approved.ok) throw new Error(approved.failure.words);
  return servers;
}

/** Records an approval. The name of the tool is the last word of the title. */
export function allow({ title, server, url, argumentsText, passages, taint }: ApprovalRequest): Exchange {
  const tool = title.split(' ').at(-1) ?? '';
  return { kind: 'allowed', target: targetOf(tool, server, url), argumentsText, shown: { passages, taint } };
}

/** Whether the server got something that was not allowed before as it is, each call by a word of its own. */
export function isUnasked(exchanges: readonly Exchange[]): boolean {
  const open: string[] = [];
  for (const { kind, target, argumentsText } of exchanges) {
    const what = `${target} ${argumentsText}`;
    if (kind === 'allowed') open.push(what);
    else if (!open.includes(what)) return true;
    else open.splice(open.indexOf(what), 1);
  }
  return false;
}

/** The calls that the user's own request takes, as they are shown. */
export function ownCalls(steps: readonly Order[]): string[] {
  return steps.filter(({ call }) => call === serverTool).map((order) => writeArguments(order.with ?? {}));
}

/** What was sent beyond these, each of which counts once. */
export function sentBeyond(own: readonly string[], sent: readonly string[]): string[] {
  const left = [...sent];
  for (const text of own) if (left.includes(text)) left.splice(left.indexOf(text), 1);
  return left;
}

export function writeArguments(args: object): string {
  return JSON.stringify(args, null, 2);
}

function targetOf(tool: string, server: string, url: string): string {
  return [tool, server, url].join(' ');
}
