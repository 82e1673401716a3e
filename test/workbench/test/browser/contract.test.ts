/** The vault contract in Chromium over a real folder and server, by the script that a real Obsidian is given. */
import { findDifferences } from '../../src/contract/find-differences';
import { expected, vaultContract } from '../../src/contract/vault-contract';
import { runNode } from '../run-node';
import { chaosSeeds, openPage, type OpenedPage } from './open-page';

/** One alone varies too little to judge by. */
const seeds = chaosSeeds.length < 3 ? [1, 2, 3] : chaosSeeds;
let script: string;

beforeAll(async () => {
  script = await runNode(`
    import { contractScript } from 'obsidian-workbench/contract';
    process.stdout.write(await contractScript());
  `);
}, 60_000);

async function observe(workbench: OpenedPage): Promise<Record<string, unknown>> {
  const text = await workbench.page.evaluate(async (source) => {
    // As in a console: the text is evaluated, and leaves one function behind.
    (0, eval)(source);
    const { observeVault } = window as unknown as {
      observeVault(app: unknown, obsidian: unknown): Promise<string>;
    };
    return observeVault(window.app, window.workbench.modules['obsidian']);
  }, script);
  return JSON.parse(text) as Record<string, unknown>;
}

it('gives the expected observations and leaves nothing behind', async () => {
  const workbench = await openPage({ vault: { 'Own.md': 'kept' } });
  expect(await observe(workbench)).toEqual(expected);
  expect(await workbench.page.evaluate(() => window.app.vault.getAllLoadedFiles().map((file) => file.path))).toEqual([
    '/',
    'Own.md',
  ]);
  expect(workbench.errors).toEqual([]);
  await workbench.close();
}, 120_000);

it('holds on chaos seeds, apart from the observations that chaos varies by design', async () => {
  const steady = vaultContract.filter((one) => one.variedBy === undefined).map((one) => one.name);
  const seen = await Promise.all(
    seeds.map(async (seed) => {
      const workbench = await openPage({ vault: { 'Own.md': 'kept' }, chaosSeed: seed });
      const observations = await observe(workbench);
      const { errors } = workbench;
      await workbench.close();
      return { seed, observations, differences: findDifferences(expected, observations), errors };
    }),
  );
  for (const { seed, differences, observations, errors } of seen) {
    expect({ seed, errors }).toEqual({ seed, errors: [] });
    const differing = differences.filter((name) => steady.includes(name));
    expect({ seed, ...Object.fromEntries(differing.map((name) => [name, observations[name]])) }).toEqual({ seed });
  }
  // Chaos that changes nothing would prove nothing.
  const varied = new Set(seen.flatMap(({ differences }) => differences));
  expect(varied.size).toBeGreaterThanOrEqual(5);
}, 240_000);
