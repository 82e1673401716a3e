/** Limits what the tools of a sub-agent bring: calls in all, and tokens; what is over the limit is told, not run. */
import { words } from '../../text';
import { cutToTokens, tokensByRule } from '../markup/budget';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { Tool, ToolResult } from '../tools/tool';

/** With fewer tokens than this a result says too little to be worth its frame. */
const leastTokens = 100;
const notice = '[Cut here: no room for more look-ups. Write the report with what you have.]';

export interface LimitedTools {
  readonly tools: readonly Tool[];
  /** Told what the newest request takes. */
  planned(tokens: number): void;
}

/** @param limits tokens of a request from which on nothing is looked up any more */
export function limitLookUps(
  tools: readonly Tool[],
  limits: { readonly calls: number; readonly tokens: number },
): LimitedTools {
  let made = 0;
  let room = limits.tokens;
  const take = (result: ToolResult): Outcome<ToolResult> => {
    const size = tokensByRule(result.text);
    const left = room;
    room -= size;
    if (size <= left) return succeed(result);
    if (left < leastTokens) return fail(lookUpsUsed());
    return succeed({ ...result, text: `${cutToTokens(result.text, left - tokensByRule(notice)).text}\n${notice}` });
  };
  const limit = (tool: Tool): Tool => ({
    ...tool,
    run: async (args, vault, signal, place) => {
      made += 1;
      if (made > limits.calls || room < leastTokens) return fail(lookUpsUsed());
      const outcome = await tool.run(args, vault, signal, place);
      return outcome.ok ? take(outcome.value) : outcome;
    },
  });
  return { tools: tools.map(limit), planned: (tokens) => void (room = limits.tokens - tokens) };
}

function lookUpsUsed(): Failure {
  return { kind: 'limit', words: words.subagents.lookUpsUsed, remedy: words.subagents.lookUpsUsedRemedy };
}
