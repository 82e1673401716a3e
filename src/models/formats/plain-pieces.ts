/** Makes the pieces of chat completions as plain as the package takes them, which else drops a whole answer. */
import { isRecord, writeArguments } from '../http/wire-format';
import { listField, recordField } from './call-content';

/**
 * Returns the piece of an answer without what nothing reads or can be read: names and times in any form, roles, errors
 * that report none, and counts that are no numbers. Any other event stays as it is.
 */
export function plainPiece(event: unknown): unknown {
  const { id: _id, created: _created, model: _model, error, choices, usage, ...rest } = recordField(event);
  const isError = error !== undefined && error !== null && error !== false && error !== '';
  if (isError || !isRecord(event)) return event;
  if (!Array.isArray(choices)) return withoutError(event);
  const counts = plainCounts(recordField(usage));
  // The package would report zero tokens.
  const hasCounts = counts.prompt_tokens !== undefined;
  return { ...rest, choices: choices.map(plainChoice), ...(hasCounts && { usage: counts }) };
}

function withoutError({ error: _error, ...event }: Record<string, unknown>): Record<string, unknown> {
  return event;
}

function plainChoice(choice: unknown): unknown {
  if (!isRecord(choice) || !isRecord(choice.delta)) return choice;
  const { role: _role, reasoning, reasoning_content: thought, tool_calls: calls, ...delta } = choice.delta;
  return {
    ...choice,
    delta: {
      ...delta,
      ...(typeof reasoning === 'string' && { reasoning }),
      ...(typeof thought === 'string' && { reasoning_content: thought }),
      ...(Array.isArray(calls) && { tool_calls: listField(calls).map(plainCall) }),
    },
  };
}

function plainCall({ id, function: called, ...call }: Record<string, unknown>): Record<string, unknown> {
  const { arguments: given, ...rest } = recordField(called);
  return {
    ...call,
    ...((typeof id === 'string' || typeof id === 'number') && { id: `${id}` }),
    function: {
      ...rest,
      ...(given != null && { arguments: typeof given === 'string' ? given : writeArguments(given) }),
    },
  };
}

function plainCounts(usage: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(usage).flatMap(([name, value]): [string, unknown][] => {
      if (isRecord(value)) return [[name, plainCounts(value)]];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}
