/** Runs the tool calls of one answer: strict JSON, schema, then reads side by side; results in the order of the calls. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { describeFailure, type Failure, fail, messageOf, type Outcome, succeed } from '../ports/failure';
import type { ToolCallPart } from '../ports/message';
import type { Vault } from '../ports/vault';
import { stopped } from '../tools/results';
import type { Tool, ToolPlace, ToolResult, TurnPlace } from '../tools/tool';
import { nobodyToAsk } from './ask-network';

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
  try {
    const args =
      tool.effect === 'network' ? await askForLeave(tool, checked.data, place, signal) : succeed(checked.data);
    if (!args.ok) return refuse(describeFailure(args.failure));
    const over = tool.showsText === true ? (place.reading ?? vault) : vault;
    const outcome = await tool.run(args.value, over, signal, placeOf(call, args.value, place, signal));
    return outcome.ok ? { isError: false, ...outcome.value, call } : refuse(describeFailure(outcome.failure));
  } catch (thrown) {
    return refuse(words.failures.toolBroke(call.name, messageOf(thrown)));
  }
}

/**
 * Asks about a call that leaves for the network, in every mode and each time (6.1). The arguments that come back are read
 * from the text that was shown, so that nothing else can be sent (H7, H12).
 */
async function askForLeave(
  tool: Tool,
  args: unknown,
  place: TurnPlace,
  signal: AbortSignal,
): Promise<Outcome<unknown>> {
  const argumentsText = JSON.stringify(args, null, 2);
  const { server = tool.name, title = tool.title(args), url = '' } = tool.network ?? {};
  const impossible = (await tool.network?.refusal(signal)) ?? null;
  if (impossible !== null) return fail(impossible);
  if (place.askNetwork === undefined) return fail(nobodyToAsk());
  const refused = await place.askNetwork({ title, server, url, argumentsText }, signal);
  if (refused !== null) return fail(refused);
  return signal.aborted ? fail(stopped()) : succeed<unknown>(JSON.parse(argumentsText));
}

/** The place as this call has it: its writes go under its own name (H12). */
function placeOf({ id, name }: ToolCallPart, args: unknown, place: TurnPlace, signal: AbortSignal): ToolPlace {
  const { writesFor, reading: _reading, askNetwork: _askNetwork, ...own } = place;
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
