// The part `startup`: how large main.js is, how long it takes to compile and run, and what it does before it is opened.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buildPluginFolder, folders } from '../../scripts/build/built-folders.mjs';
import { importBundled, root } from '../../scripts/build/bundle-node.mjs';
import { measureEvaluation } from '../../scripts/build/evaluate-plugin.mjs';

const usualEvaluations = 15;
/** Milliseconds after the layout is ready. */
const wait = 2000;

export async function measure({ vault, progress, rounds: evaluations = usualEvaluations }) {
  progress('building main.js');
  const built = await buildPluginFolder();
  const file = path.join(folders.plugin, 'main.js');
  progress(`compiling and running it, ${evaluations} times`);
  const { medianMs, faults } = await measureEvaluation(file, evaluations);
  for (const fault of faults) progress(fault);
  if (medianMs === 0) throw new Error('main.js does not start.');
  progress('starting the app with it, and without');
  const { reads, requests } = await measureBeforeOpen(file, vault);
  for (const read of reads) progress(`read before the pane was opened: ${read}`);
  for (const request of requests) progress(`requested before the pane was opened: ${request}`);
  return {
    main_js_bytes: built.bytes,
    main_js_gzip_bytes: built.gzipBytes,
    compile_and_run_ms: medianMs,
    vault_reads_before_open: reads.length,
    requests_before_open: requests.length,
    bytes_by_package: groupByPackage(built.metafile),
  };
}

async function measureBeforeOpen(file, vault) {
  const entry = await importBundled('test/bench/before-open-disk.ts');
  return entry.measureBeforeOpen({
    main: await readFile(file, 'utf8'),
    manifest: JSON.parse(await readFile(path.join(root, 'manifest.json'), 'utf8')),
    adapter: () => entry.adapterOf(vault),
    wait,
  });
}

/** Bytes in the bundle by package, the largest first; all that comes from no package is our own. */
function groupByPackage({ outputs }) {
  const bytes = new Map();
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? 'docent';
      bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return Object.fromEntries([...bytes].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]));
}
