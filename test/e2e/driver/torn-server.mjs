// A workbench server in a process of its own that writes files piece by piece, so that killing it tears a write.
//   node torn-server.mjs SETTINGS   settings as JSON; reports its address to the parent
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Pieces of a write, and milliseconds between them. */
const pieces = 4;
const pauseMilliseconds = 3;

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));

async function writeInPieces(file, data, flags) {
  const bytes = Buffer.from(data);
  const handle = await files.open(file, flags);
  try {
    const size = Math.ceil(bytes.length / pieces);
    for (let start = 0; start < bytes.length; start += size) {
      if (start > 0) await pause();
      await handle.appendFile(bytes.subarray(start, start + size));
    }
  } finally {
    await handle.close();
  }
}

files.writeFile = (file, data) => writeInPieces(file, data, 'w');
files.appendFile = (file, data) => writeInPieces(file, data, 'a');
syncBuiltinESMExports();

const { startWorkbench } = await import('obsidian-workbench/server');
const workbench = await startWorkbench(JSON.parse(process.argv[2]));
process.send(workbench.url);
