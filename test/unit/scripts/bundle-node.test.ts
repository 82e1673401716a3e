/** @jest-environment node */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundleNode, forNode, stampOf } from '../../../scripts/build/bundle-node.mjs';
import { temporaryFolder, writeTree } from 'obsidian-workbench/testing/folders';

jest.setTimeout(60_000);

const entry = 'test/bench/median.ts';

it('uses a bundle again while nothing changed, and makes one of other sources anew', async () => {
  const bundle = await bundleNode(entry);
  const { ino } = statSync(bundle);
  expect([await bundleNode(entry), statSync(bundle).ino]).toEqual([bundle, ino]);

  const whole = readFileSync(bundle, 'utf8');
  for (const other of [whole.replace(/[0-9a-f]{64}/, '0'.repeat(64)), whole.slice(whole.indexOf('\n') + 1), '']) {
    writeFileSync(bundle, other);
    expect([await bundleNode(entry), readFileSync(bundle, 'utf8')]).toEqual([bundle, whole]);
  }
});

it('is made for several who ask for it at the same time', async () => {
  const bundle = await bundleNode(entry);
  const whole = readFileSync(bundle, 'utf8');
  writeFileSync(bundle, '');
  expect(await Promise.all([1, 2, 3].map(() => bundleNode(entry)))).toEqual([bundle, bundle, bundle]);
  expect(readFileSync(bundle, 'utf8')).toBe(whole);
  const left = readdirSync(path.dirname(bundle)).filter((name) => name.startsWith('median') && name.includes('.tmp'));
  expect(left).toEqual([]);
});

it('notices a file that was written, added, renamed, or removed, and leaves packages aside', () => {
  const folder = temporaryFolder();
  const file = (name: string): string => path.join(folder, name);
  const tree = { 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'package.json': '{}' };
  const changes: (() => void)[] = [
    () => writeFileSync(file('src/deep/b.ts'), 'longer'),
    () => writeFileSync(file('package.json'), '{"a":1}'),
    () => writeFileSync(file('src/c.ts'), ''),
    () => renameSync(file('src/c.ts'), file('src/d.ts')),
    () => rmSync(file('src/d.ts')),
  ];
  const stamp = (): string => stampOf([file('src'), file('package.json'), file('never')]);
  try {
    writeTree(folder, tree);
    const stamps = [stamp(), ...changes.map((change) => (change(), stamp()))];
    expect(stamps.filter((each, index) => each === stamps[index - 1])).toEqual([]);
    writeTree(folder, { 'src/node_modules/x.js': 'x', 'src/dist/x.js': 'x' });
    expect(stamp()).toBe(stamps.at(-1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('bundles whatever a script or a part of the bench runs', async () => {
  const folders = ['scripts', 'test/bench', 'test/lab', 'test/e2e/driver'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => path.join(folder, `${name}`)),
  );
  const sources = files.filter((file) => file.endsWith('.mjs')).map((file) => readFileSync(file, 'utf8'));
  const entries = sources.flatMap((source) =>
    [...source.matchAll(/(?:importBundled|bundleNode)\(\s*'([^']+)'/g)].map(([, bundled = '']) => bundled),
  );
  expect(entries.length).toBeGreaterThan(15);
  const { warnings } = await build({
    ...forNode,
    entryPoints: [...new Set(entries)],
    outdir: 'dist/node',
    write: false,
    // What several share is made once: apart, they are fifty megabytes.
    splitting: true,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
});
