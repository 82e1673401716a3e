/** Tools for tests of turns: one that answers, one that waits to be let go, one that fails, one that never returns. */
import * as z from 'zod/v4';
import { fail, succeed } from '../../src/core/ports/failure';
import { type Tool, tool } from '../../src/core/tools/tool';

export interface TestTools {
  readonly tools: readonly Tool[];
  /** Names and arguments of the runs, in the order in which they began. */
  readonly runs: string[];
  /** The most that ran at the same time. */
  maxAtOnce: number;
}

export function testTools(): TestTools {
  const kit = { runs: [] as string[], maxAtOnce: 0 };
  let open = 0;
  const base = { agent: 'notes', description: 'd', effect: 'reads' } as const;
  const parameters = () => z.object({ path: z.string() });
  const note = (name: string, path: string): void => void kit.runs.push(`${name} ${path}`);
  const tools = [
    tool({
      ...base,
      name: 'read',
      parameters,
      title: ({ path }) => `Read ${path}`,
      run: async ({ path }) => {
        note('read', path);
        kit.maxAtOnce = Math.max(kit.maxAtOnce, ++open);
        await new Promise((resolve) => setTimeout(resolve, path === 'slow' ? 20 : 2));
        open -= 1;
        return succeed({ text: `text of ${path}`, sources: [{ path }] });
      },
    }),
    tool({
      ...base,
      name: 'refuse',
      parameters,
      title: () => 'Refuse',
      run: async ({ path }) => {
        note('refuse', path);
        return fail({ kind: 'not-found', words: `No ${path}.`, remedy: 'Look elsewhere.' });
      },
    }),
    tool({
      ...base,
      name: 'break',
      parameters,
      title: () => 'Break',
      run: async ({ path }) => {
        note('break', path);
        throw new Error('boom');
      },
    }),
    tool({
      ...base,
      name: 'hang',
      parameters,
      title: () => 'Hang',
      run: ({ path }) => {
        note('hang', path);
        return new Promise(() => undefined);
      },
    }),
  ];
  return Object.assign(kit, { tools });
}
