/** Runs the tool calls of one answer: strict JSON, schema, then reads side by side; results in the order of the calls. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { describeFailure, type Failure, messageOf } from '../failure';
import type { ToolCallPart } from '../message';
import type { Vault } from '../ports';
import type { Tool, ToolPlace, ToolResult, TurnPlace } from '../tools/tool';

export interface CallResult extends ToolResult {
  readonly call: ToolCallPart;
  readonly isError: boolean;
}

/** Never rejects: whatever goes wrong with a call is its result, for the model to read. */
export async function runToolCall(
  call: ToolCallPart,
  tools: readonly Tool[],
  vault: Vault,
  signal: AbortSignal,
  place: TurnPlace,
): Promise<CallResult> {
  const refuse = (text: string): CallResult => ({ call, text, isError: true, sources: [] });
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    return refuse(words.failures.unknownTool(call.name, tools.map(({ name }) => name).join(', ')));
  }
  const parsed = parseArguments(call.argumentsText);
  if (!parsed.ok) return refuse(describeFailure(parsed.failure));
  const checked = tool.parameters.safeParse(parsed.value);
  if (!checked.success) return refuse(words.failures.wrongArguments(call.name, z.prettifyError(checked.error)));
  if (signal.aborted) return refuse(words.failures.callStopped);
  const leak = tool.effect === 'network' ? (place.refuseEgress?.(JSON.stringify(checked.data)) ?? null) : null;
  if (leak !== null) return refuse(describeFailure(leak));
  try {
    const over = tool.showsText === true ? (place.reading ?? vault) : vault;
    const outcome = await tool.run(checked.data, over, signal, placeOf(call, checked.data, place, signal));
    return outcome.ok ? { isError: false, ...outcome.value, call } : refuse(describeFailure(outcome.failure));
  } catch (thrown) {
    return refuse(words.failures.toolBroke(call.name, messageOf(thrown)));
  }
}

/** The place as this call has it: its writes go under its own name (H12). */
function placeOf({ id, name }: ToolCallPart, args: unknown, place: TurnPlace, signal: AbortSignal): ToolPlace {
  const { writesFor, reading: _reading, refuseEgress: _refuseEgress, ...own } = place;
  return writesFor === undefined ? own : { ...own, writes: writesFor({ id, tool: name, arguments: args, signal }) };
}

/** What the pane shows for a call: the tool's own title, or its name while the arguments cannot be read. */
export function titleOfCall(call: Pick<ToolCallPart, 'name' | 'argumentsText'>, tools: readonly Tool[]): string {
  const tool = tools.find(({ name }) => name === call.name);
  const parsed = parseArguments(call.argumentsText);
  if (tool === undefined || !parsed.ok) return call.name;
  const checked = tool.parameters.safeParse(parsed.value);
  return checked.success ? tool.title(checked.data) : call.name;
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: Failure };

/** Strict JSON only; an empty text is an empty object, since some providers send nothing for no arguments. */
function parseArguments(text: string): Parsed {
  try {
    return { ok: true, value: text.trim() === '' ? {} : JSON.parse(text) };
  } catch {
    return {
      ok: false,
      failure: {
        kind: 'invalid-input',
        words: words.failures.argumentsNotJson,
        remedy: words.failures.argumentsNotJsonRemedy,
      },
    };
  }
}
