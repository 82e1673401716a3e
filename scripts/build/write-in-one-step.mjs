import { rename, rm, writeFile } from 'node:fs/promises';

let given = 0;

/** Returns a part of a file's name that no other process and no other call has. */
export function uniqueMark() {
  given += 1;
  return `${process.pid}-${given}`;
}

/** A server or another build may read the file at any moment, so it is whole at any moment. */
export async function writeInOneStep(file, contents) {
  const unfinished = `${file}.${uniqueMark()}.tmp`;
  try {
    await writeFile(unfinished, contents);
    await rename(unfinished, file);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw thrown;
  }
}
