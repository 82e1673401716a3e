// The experiment `kv`: sends the requests of the scripted sessions to a real llama.cpp, and counts how many of their
// tokens it still has from the request before and how many it evaluates.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { importBundled, root } from '../../scripts/build/bundle-node.mjs';
import { makeTinyModel } from './tiny-model.mjs';

/** Tokens of the engine's context: the tiny vocabulary needs several times the tokens of a real one. */
const engineWindow = 131_072;

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

async function openEngine() {
  const file = path.join(root, 'dist/lab/tiny-random.gguf');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, makeTinyModel());
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false });
  const model = await llama.loadModel({ modelPath: file });
  const context = await model.createContext({ contextSize: engineWindow, sequences: 1, batchSize: 512 });
  const sequence = context.getSequence();
  const { dependencies } = JSON.parse(await readFile(path.join(root, 'test/lab/package.json'), 'utf8'));
  const version = dependencies['node-llama-cpp'];
  return {
    version,
    clear: () => sequence.clearHistory(),
    /** Brings the engine to the end of a request, as a server does, and says how many tokens it had already. */
    async evaluate(text) {
      const tokens = model.tokenize(text, true);
      if (tokens.length >= engineWindow)
        throw new Error(`A request has ${tokens.length} tokens, more than the engine holds.`);
      await sequence.adaptStateToTokens(tokens, false);
      const kept = sequence.nextTokenIndex;
      const rest = tokens.slice(kept);
      if (rest.length > 0) await sequence.evaluateWithoutGeneratingNewTokens(rest);
      return { tokens: tokens.length, kept };
    },
    close: () => llama.dispose(),
  };
}
