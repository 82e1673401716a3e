// Checks the built plugin: the same bytes twice, nothing that mobile cannot parse, and that it starts.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { buildPlugin } from '../../esbuild.config.mjs';
import { folders, writePluginFolder } from './built-folders.mjs';
import { root } from './bundle-node.mjs';
import { measureEvaluation } from './evaluate-plugin.mjs';
import { findScriptFaults } from './release-rules.mjs';
import { runScript } from '../run-script.mjs';

const provided = /^(?:obsidian|electron|@codemirror\/[\w-]+|@lezer\/[\w-]+)$/;
/** The only module of Node that the plugin may ask for; none that starts a program. */
const allowedOfNode = new Set(['fs/promises', 'node:fs/promises']);
const nodeModules = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
const maxBytes = 2_700_000;
const maxGzipBytes = 1_250_000;
const evaluations = 7;

await runScript(async () => {
  const folder = path.join(root, 'dist/check');
  await mkdir(folder, { recursive: true });
  const again = path.join(folder, `second.${process.pid}.js`);
  // The first build stays for what runs after the checks.
  const main = path.join(folders.plugin, 'main.js');
  try {
    const built = await writePluginFolder();
    await buildPlugin(again);
    const [first, second] = await Promise.all([main, again].map((file) => readFile(file)));
    const faults = [
      ...(first.equals(second) ? [] : ['Two builds of the same sources differ.']),
      ...(built.bytes <= maxBytes ? [] : [`main.js has ${built.bytes} bytes, more than ${maxBytes}.`]),
      ...(built.gzipBytes <= maxGzipBytes
        ? []
        : [`main.js has ${built.gzipBytes} bytes gzipped, over ${maxGzipBytes}.`]),
      ...findScriptFaults(first.toString('utf8')),
      ...findModuleFaults(built.metafile),
    ];
    const evaluation = await measureEvaluation(main, evaluations);
    faults.push(...evaluation.faults);
    const { bytes, gzipBytes } = built;
    console.log(JSON.stringify({ bytes, gzip_bytes: gzipBytes, evaluate_ms: evaluation.medianMs, faults }));
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    await rm(again, { force: true });
  }
});

/**
 * Finds modules that the bundle may not import: Obsidian's are allowed anywhere, Node's only on demand and under
 * src/desktop.
 */
function findModuleFaults(metafile) {
  const faults = [];
  for (const [importer, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path: name, kind, external } of imports) {
      // '<runtime>' is the bundler's own name for the few functions it adds.
      if (!external || name === '<runtime>' || provided.test(name)) continue;
      if (!nodeModules.has(name)) faults.push(`${importer} asks for ${name}, which nobody provides.`);
      else if (!allowedOfNode.has(name))
        faults.push(`${importer} asks for ${name}, but the plugin only reads and writes files.`);
      else if (!importer.startsWith('src/desktop/')) faults.push(`${importer} asks for the Node module ${name}.`);
      else if (kind !== 'require-call' && kind !== 'dynamic-import') {
        faults.push(`${importer} imports ${name} at once; a phone stops there. Import it when it is needed.`);
      }
    }
  }
  return faults;
}
