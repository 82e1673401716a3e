/** Opens the way from a chat's tools to its sub-agents: each call runs by itself, beside others and beside the chat. */
import { readBody } from '../context/prepare-inner-turn';
import type { PreparedTurn } from '../context/prepare-turn';
import type { Model } from '../ports/model';
import { runSubagentTurn } from '../subagents/run-subagent-turn';
import type { SubagentPort, ToolPlace } from '../tools/tool';
import type { ChatChanges } from '../writing/chat-changes';
import type { TurnPorts } from './open-turn';
import { runInnerTurn } from './run-inner-turn';
import { taintByResult } from './taint-chat';

export interface SubagentsOf {
  readonly conversation: string;
  readonly ports: TurnPorts;
  readonly model: Model;
  readonly prepared: Pick<PreparedTurn, 'prompt'>;
  readonly place: Omit<ToolPlace, 'subagents'>;
  /** Tainted by what its sub-agents are told; they change nothing themselves. */
  readonly changes: ChatChanges | null;
  /** Dollars that the chat has cost so far. */
  readonly spent: () => number;
}

export function openSubagents({
  conversation,
  ports,
  model,
  prepared,
  place,
  changes,
  spent,
}: SubagentsOf): SubagentPort {
  const inner: ToolPlace = {
    ...place,
    subagents: {
      run: () => {
        throw new Error('A sub-agent was offered a tool that starts another one.');
      },
    },
  };
  return {
    run: (name, task, signal) =>
      runSubagentTurn(
        {
          vault: ports.vault,
          agentFolder: () => ports.agentFolder(),
          tools: ports.tools,
          model,
          findModel: (id) => ports.model(id),
          systemPrompt: () => instructionsOf(prepared),
          readBody: (path, stop) => {
            taintByResult(changes, ports, { text: '', sources: [{ path }] });
            return readBody(ports, path, stop);
          },
          run: (request, stop) => {
            const inside = { conversation: `${conversation}/${request.name}`, changes, spent };
            return runInnerTurn(ports, inner, { ...request, ...inside }, stop);
          },
        },
        name,
        task,
        signal,
      ),
  };
}

/** What the chat is told to do; what it is told about the user's notes stays with it. */
function instructionsOf({ prompt }: Pick<PreparedTurn, 'prompt'>): string {
  return prompt.blocks
    .filter(({ zone, place, text }) => zone === 'instructions' && place === 'system' && text !== '')
    .map(({ text }) => text)
    .join('\n\n');
}
