// A real llama.cpp with a tiny random model, for the experiments of the lab.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { root } from '../../scripts/build/bundle-node.mjs';
import { makeTinyModel } from './tiny-model.mjs';

/** Tokens of the engine's context: the tiny vocabulary needs several times the tokens of a real one. */
const engineWindow = 131_072;

export async function openEngine() {
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
    /** Writes at most that many tokens after what was evaluated last. */
    async write(text, limit) {
      const tokens = model.tokenize(text, true).slice(-engineWindow + limit + 1);
      await sequence.clearHistory();
      const written = [];
      for await (const token of sequence.evaluate(tokens, { temperature: 0.8, seed: 7 })) {
        written.push(token);
        if (written.length >= limit) break;
      }
      return model.detokenize(written);
    },
    close: () => llama.dispose(),
  };
}
