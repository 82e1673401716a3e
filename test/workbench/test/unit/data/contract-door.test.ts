import { expected } from '../../../src/contract/vault-contract';
import { runNode } from '../../run-node';

const compare = async (recorded: Record<string, unknown>): Promise<unknown> => {
  const ask = `compareObservations(${JSON.stringify(recorded)})`;
  return JSON.parse(
    await runNode(`
      import { compareObservations } from 'obsidian-workbench/contract';
      process.stdout.write(JSON.stringify(await ${ask}));
    `),
  );
};

it('compares what was recorded with what the emulator does', async () => {
  expect(await compare(expected)).toEqual([]);
  expect(await compare({ ...expected, normalizePath: ['other'] })).toEqual([
    { name: 'normalizePath', emulator: expected['normalizePath'], recorded: ['other'] },
  ]);
}, 30_000);
