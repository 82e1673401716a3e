// Unpacks the Chromium that @sparticuz/chromium contains into a private temporary folder, once per version.
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

const require = createRequire(import.meta.url);
const chunkSize = 2 ** 21;

/** Returns null if the package is not installed or has no binary for this machine. */
export async function extractPackagedChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const packageFolder = findPackage();
  if (!packageFolder) return null;
  const bin = path.join(packageFolder, 'bin');
  const { version } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8'));
  const folder = await privateFolder(`docent-chromium-${version}`);
  const executablePath = await once(folder, 'chromium', (target) =>
    pipeline(
      createReadStream(path.join(bin, 'chromium.br')),
      createBrotliDecompress({ chunkSize }),
      createWriteStream(target, { mode: 0o700 }),
    ),
  );
  return { executablePath, folder, bin };
}

/**
 * Unpacks the libraries and fonts that a bare system lacks; returns the environment in which the browser finds them.
 */
export async function extractSystemFiles({ folder, bin }) {
  const { extract } = createRequire(path.join(bin, '../build/index.js'))('tar-fs');
  const unpack = (name) =>
    once(folder, name, (target) =>
      pipeline(
        createReadStream(path.join(bin, `${name}.tar.br`)),
        createBrotliDecompress({ chunkSize }),
        extract(target),
      ),
    );
  const [libraries, fonts] = await Promise.all([unpack('al2023'), unpack('fonts')]);
  const inherited = process.env.LD_LIBRARY_PATH;
  return {
    LD_LIBRARY_PATH: [path.join(libraries, 'lib'), ...(inherited ? [inherited] : [])].join(':'),
    FONTCONFIG_PATH: process.env.FONTCONFIG_PATH ?? fonts,
  };
}

function findPackage() {
  try {
    return path.resolve(path.dirname(require.resolve('@sparticuz/chromium')), '..');
  } catch {
    return null;
  }
}

/** Returns a folder that only this user can write to; if another user took the name, a new one. */
async function privateFolder(name) {
  const folder = path.join(tmpdir(), name);
  await mkdir(folder, { mode: 0o700 }).catch((thrown) => {
    if (thrown.code !== 'EEXIST') throw thrown;
  });
  const stats = await lstat(folder);
  const isOurs = stats.isDirectory() && stats.uid === process.getuid() && (stats.mode & 0o022) === 0;
  return isOurs ? folder : mkdtemp(`${folder}-`);
}

/**
 * Writes a folder once. Another process may unpack the same at the same time: each writes to a temporary name, and the
 * first to finish wins.
 */
async function once(folder, name, write) {
  const target = path.join(folder, name);
  if (await stat(target).catch(() => null)) return target;
  const unfinished = path.join(folder, `${name}.${process.pid}.tmp`);
  try {
    await write(unfinished);
    await rename(unfinished, target);
  } catch (thrown) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await stat(target).catch(() => null))) throw thrown;
  }
  return target;
}
