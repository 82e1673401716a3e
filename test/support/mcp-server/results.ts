/** What the scripted server answers to each method when nothing goes wrong. */
import type { McpScript, RanCall } from './script';

export type Params = Record<string, unknown>;
export type RpcOutcome = { result: unknown } | { error: { code: number; message: string } };

type Answer = (script: McpScript, params: Params, calls: RanCall[]) => RpcOutcome;

const answers: Readonly<Record<string, Answer>> = {
  initialize: (script) => ({
    result: {
      protocolVersion: script.protocolVersion ?? '2025-06-18',
      capabilities: script.capabilities ?? capabilitiesOf(script),
      serverInfo: { name: 'scripted', version: '1' },
    },
  }),
  ping: () => ({ result: {} }),
  'tools/list': (script, params) => {
    const tools = (script.tools ?? []).map(({ result: _result, ...tool }) => ({
      inputSchema: { type: 'object' },
      ...tool,
    }));
    return pageOf('tools', tools, script, params);
  },
  'prompts/list': (script, params) => {
    const prompts = (script.prompts ?? []).map(({ messages: _messages, ...prompt }) => prompt);
    return pageOf('prompts', prompts, script, params);
  },
  'resources/list': (script, params) => pageOf('resources', script.resources ?? [], script, params),
  'resources/templates/list': (script, params) =>
    script.templates === undefined
      ? refuse(-32601, 'There are no templates.')
      : pageOf('resourceTemplates', script.templates, script, params),
  'prompts/get': ({ prompts = [] }, { name }) => {
    const prompt = prompts.find((candidate) => candidate.name === name);
    if (prompt === undefined) return refuse(-32602, `There is no prompt ${String(name)}.`);
    const { messages } = prompt;
    const userSays = (text: string): object => ({ role: 'user', content: { type: 'text', text } });
    return { result: { messages: typeof messages === 'string' ? [userSays(messages)] : messages } };
  },
  'tools/call': ({ tools = [] }, { name, arguments: given }, calls) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) return refuse(-32602, `There is no tool ${String(name)}.`);
    const args = (given ?? {}) as Record<string, unknown>;
    calls.push({ name: tool.name, args });
    const { result = { content: [{ type: 'text', text: `${tool.name} got ${JSON.stringify(args)}` }] } } = tool;
    return { result: typeof result === 'function' ? (result as (args: Params) => object)(args) : result };
  },
};

/** Runs a call and counts it; everything else has no effect. */
export function answerTo(script: McpScript, method: string, params: Params, calls: RanCall[]): RpcOutcome {
  return answers[method]?.(script, params, calls) ?? refuse(-32601, `There is no method ${method}.`);
}

export function refuse(code: number, message: string): RpcOutcome {
  return { error: { code, message } };
}

function capabilitiesOf({ tools, prompts, resources }: McpScript): Record<string, unknown> {
  return { ...(tools && { tools: {} }), ...(prompts && { prompts: {} }), ...(resources && { resources: {} }) };
}

function pageOf(name: string, items: readonly object[], { pageSize, endless }: McpScript, params: Params): RpcOutcome {
  const size = pageSize ?? Math.max(items.length, 1);
  const start = Number(params.cursor ?? 0);
  const end = start + size;
  const hasMore = endless === true || end < items.length;
  return { result: { [name]: items.slice(start, end), ...(hasMore && { nextCursor: String(end) }) } };
}
