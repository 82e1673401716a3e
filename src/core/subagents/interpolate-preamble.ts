/** Fills in a sub-agent's preamble when it is started (R138). */
import { defaultQueryVariable } from '../library/subagents';

export interface PreambleValues {
  readonly query: string;
  readonly systemPrompt: string;
}

/**
 * Replaces `${query}` and `${systemPrompt}` everywhere, literally and in one pass: variables inside a value stay as
 * they are, and so do unknown ones.
 * @param queryVariable another name under which the preamble asks for the task
 */
export function interpolatePreamble(
  preamble: string,
  { query, systemPrompt }: PreambleValues,
  queryVariable: string = defaultQueryVariable,
): string {
  const values = new Map([
    ['systemPrompt', systemPrompt],
    [defaultQueryVariable, query],
    [queryVariable, query],
  ]);
  return preamble.replace(/\$\{([A-Za-z]\w*)\}/g, (written, name: string) => values.get(name) ?? written);
}
