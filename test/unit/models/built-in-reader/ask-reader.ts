/** Runs the real path, reader and tools over a vault, until the reader has answered. */
import { describeFailure } from '../../../../src/core/ports/failure';
import type { AssistantPart, Message, ToolCallPart, ToolResultPart } from '../../../../src/core/ports/message';
import type { ModelEvent } from '../../../../src/core/ports/model';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import type { Vault } from '../../../../src/core/ports/vault';
import { tools } from '../../../../src/core/tools';
import { declare } from '../../../../src/core/tools/tool';
import { createBuiltInReader } from '../../../../src/models/built-in-reader/built-in-reader';
import { goalBench } from '../../../support/goals';
import { noTotals } from '../../../support/scripted-model';
import { noSubagents } from '../../../support/subagents';

export interface Answer {
  readonly text: string;
  /** Paths of the notes the answer links to below its quotes, in order. */
  readonly sources: readonly string[];
  /** Lines in block quotes, without the mark. */
  readonly quoted: readonly string[];
  readonly calls: readonly ToolCallPart[];
  readonly results: readonly ToolResultPart[];
  readonly events: readonly ModelEvent[];
  /** The whole conversation, the answer included. */
  readonly messages: readonly Message[];
}

export function planOf(messages: readonly Message[], system = '', names?: readonly string[]): RequestPlan {
  const declared = tools.filter((tool) => names?.includes(tool.name) ?? true).map(declare);
  return {
    conversationId: 'test',
    modelId: 'reader/built-in',
    blocks: [],
    system,
    messages,
    tools: declared,
    totals: noTotals,
    maxOutputTokens: 4_096,
  };
}

export interface Setting {
  readonly system?: string;
  readonly before?: readonly Message[];
  readonly toolNames?: readonly string[];
}

export async function askReader(vault: Vault, question: string, setting: Setting = {}): Promise<Answer> {
  const reader = createBuiltInReader();
  const signal = new AbortController().signal;
  const messages: Message[] = [...(setting.before ?? []), { role: 'user', parts: [{ type: 'text', text: question }] }];
  const calls: ToolCallPart[] = [];
  const results: ToolResultPart[] = [];
  const events: ModelEvent[] = [];
  for (let round = 0; round < 6; round += 1) {
    const parts: AssistantPart[] = [];
    let text = '';
    let reason = '';
    for await (const event of reader.stream(planOf(messages, setting.system, setting.toolNames), signal)) {
      events.push(event);
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'tool-call') parts.push(event.call);
      if (event.type === 'finish') reason = event.reason;
      if (event.type === 'failure') throw new Error(event.failure.words);
    }
    if (text !== '') parts.unshift({ type: 'text', text });
    messages.push({ role: 'assistant', parts });
    if (reason === 'complete') return { text, ...readAnswer(text), calls, results, events, messages };
    if (reason !== 'tool-calls') throw new Error(`The reader ended with “${reason}”.`);
    const answered: ToolResultPart[] = [];
    for (const part of parts) {
      if (part.type !== 'tool-call') continue;
      calls.push(part);
      const result = await runTool(vault, part, signal);
      results.push(result);
      answered.push(result);
    }
    messages.push({ role: 'tool', parts: answered });
  }
  throw new Error('The reader did not come to an end.');
}

async function runTool(vault: Vault, call: ToolCallPart, signal: AbortSignal): Promise<ToolResultPart> {
  const tool = tools.find((each) => each.name === call.name);
  if (tool === undefined) throw new Error(`There is no tool ${call.name}.`);
  const args = tool.parameters.parse(JSON.parse(call.argumentsText));
  const outcome = await tool.run(args, vault, signal, {
    agentFolder: 'Docent',
    skillFolders: [],
    goals: goalBench().goals,
    subagents: noSubagents,
  });
  const base = { type: 'tool-result', callId: call.id, name: call.name } as const;
  return outcome.ok
    ? { ...base, text: outcome.value.text, isError: false }
    : { ...base, text: describeFailure(outcome.failure), isError: true };
}

function readAnswer(text: string): Pick<Answer, 'sources' | 'quoted'> {
  const lines = text.split('\n');
  return {
    sources: lines.flatMap((line) => {
      const target = /^\[\[([^\]|#]+)(?:#[^\]|]*)?\|[^\]]*\]\]$/.exec(line)?.[1];
      return target === undefined ? [] : [`${target}.md`];
    }),
    quoted: lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2)),
  };
}
