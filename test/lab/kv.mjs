// The experiment `kv`: sends the requests of the scripted sessions to a real llama.cpp, and counts how many of their
// tokens it still has from the request before and how many it evaluates.
import { importBundled } from '../../scripts/build/bundle-node.mjs';
import { openEngine } from './engine.mjs';

/**
 * @param windows the context windows that the chats are planned for, in tokens
 * @returns {`kept_share`, sessions}: of the tokens of each request, those that the engine still had when the next one came
 */
export async function measure({ vault, windows, progress }) {
  const { recordBodies } = await importBundled('test/lab/record-bodies.ts');
  const engine = await openEngine();
  const sessions = [];
  for (const window of windows) {
    for (const { name, turns, requests } of await recordBodies(vault, window)) {
      progress(`${name} at ${window}: ${requests.length} requests`);
      const session = { name, window, turns, requests: requests.length, ...(await play(engine, requests)) };
      progress(`  kept_share ${session.kept_share}, breaks ${session.breaks}`);
      sessions.push(session);
    }
  }
  await engine.close();
  const sum = (key) => sessions.reduce((all, each) => all + each[key], 0);
  return {
    engine: `llama.cpp of node-llama-cpp ${engine.version}`,
    kept_share: share(sum('kept'), sum('before')),
    sessions,
  };
}

/** @returns the figures as lines for people */
export function print({ engine, kept_share: kept, sessions }) {
  const rows = sessions.map(
    (each) =>
      `${each.name} at ${each.window}: kept ${each.kept_share}, without breaks at least ${each.lowest_unbroken}, ` +
      `${each.evaluated} tokens evaluated in ${each.requests} requests, ${each.breaks} breaks`,
  );
  return [engine, ...rows, `in all: kept ${kept}`].join('\n');
}

/** @param requests each with its text and whether what was sent was recorded to change before it */
async function play(engine, requests) {
  await engine.clear();
  const figures = { before: 0, kept: 0, evaluated: 0, breaks: 0 };
  let last = 0;
  let lowest = 1;
  for (const { text, isBreak } of requests) {
    const { tokens, kept } = await engine.evaluate(text);
    if (last > 0) {
      figures.before += last;
      figures.kept += Math.min(kept, last);
      figures.breaks += isBreak ? 1 : 0;
      if (!isBreak) lowest = Math.min(lowest, share(Math.min(kept, last), last));
    }
    figures.evaluated += tokens - kept;
    last = tokens;
  }
  return { kept_share: share(figures.kept, figures.before), lowest_unbroken: lowest, ...figures };
}

function share(part, whole) {
  return whole === 0 ? 1 : Math.round((part / whole) * 10_000) / 10_000;
}
