// npm run release -- --tag TAG [--folder FOLDER]: whether what is built may be released under a tag. Releases nothing.
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { runScript, UserError } from '../run-script.mjs';
import { root } from './bundle-node.mjs';
import {
  findManifestFaults,
  findScriptFaults,
  findStyleFaults,
  findVersionFaults,
  releaseFiles,
} from './release-rules.mjs';

const help = `npm run release -- --tag TAG [--folder FOLDER] [--released VERSION,…]
  checks, without releasing anything, whether the built files may be released under the tag:
  versions, changelog, the three files, and the rules of the plugin directory
  --folder FOLDER    where the files and their sources are (this project)
  --released LIST    the versions that were released before (the tags of git)
The exit code is 1 when something is in the way; each fault is one sentence.`;
/** Besides the assets: the directory reads them at the head of the repository. */
const sources = ['package.json', 'versions.json', 'CHANGELOG.md', 'README.md', 'LICENSE'];

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      tag: { type: 'string' },
      folder: { type: 'string', default: root },
      released: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  if (values.tag === undefined) throw new UserError('Say which tag: npm run release -- --tag 0.2.0.');
  const faults = await findFaults(values);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`${values.tag} may be released: ${releaseFiles.join(', ')}.`);
});

async function findFaults({ tag, folder, released }) {
  const present = await readdir(folder);
  const missing = [...releaseFiles, ...sources].filter((file) => !present.includes(file));
  if (missing.length > 0) return missing.map((file) => `${file} is missing in ${folder}.`);
  const read = (file) => readFile(path.join(folder, file), 'utf8');
  const parse = async (file) => JSON.parse(await read(file));
  const [manifest, packaged, versions] = await Promise.all([
    parse('manifest.json'),
    parse('package.json'),
    parse('versions.json'),
  ]);
  const changelog = await read('CHANGELOG.md');
  const before = released === undefined ? await tagsOf(folder) : released.split(',');
  return [
    ...findVersionFaults({ tag, manifest, packaged, versions, changelog, released: before }),
    ...findManifestFaults(manifest),
    ...findScriptFaults(await read('main.js')),
    ...findStyleFaults(await read('styles.css')),
  ];
}

async function tagsOf(folder) {
  const { stdout } = await promisify(execFile)('git', ['tag', '--list'], { cwd: folder });
  return stdout.split('\n').filter((tag) => tag !== '');
}
