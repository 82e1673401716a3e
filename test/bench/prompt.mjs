// The part `prompt`: how long a prompt takes to make, and how many tokens the first request of a chat needs.
import { importBundled } from '../../scripts/build/bundle-node.mjs';

const usualRounds = { warmUp: 60, measured: 41 };

export async function measure({ vault, progress, rounds }) {
  const { measureFirstRequest, measurePromptTimes } = await importBundled('test/bench/over-a-vault.ts');
  progress('making prompts');
  const times = await measurePromptTimes(rounds ? { warmUp: rounds, measured: rounds } : usualRounds);
  progress('counting the first request');
  return { ...times, ...(await measureFirstRequest(vault)) };
}
