import { rename, rm, writeFile } from 'node:fs/promises';

/** A server or another build may read the file at any moment, so it is whole at any moment. */
export async function writeInOneStep(file, contents) {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, contents);
    await rename(unfinished, file);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
}
