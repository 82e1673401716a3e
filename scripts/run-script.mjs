// How a script ends on bad input: one plain sentence with its remedy on standard error, and exit code 1.
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** An error with words for the user; any other error is a defect and keeps its stack. */
export class UserError extends Error {
  // The workbench throws a class of its own of the same name.
  name = 'UserError';
}

/** Runs the script's main function and turns what it throws into an exit code. */
export async function runScript(main) {
  try {
    await main();
  } catch (thrown) {
    if (thrown.name === 'UserError') console.error(thrown.message);
    else if (thrown.code?.startsWith?.('ERR_PARSE_ARGS'))
      console.error(`${thrown.message.split('. ')[0].replace(/\.$/, '')}: see --help.`);
    // esbuild has already printed the errors of the sources.
    else if (thrown.errors) console.error('The build failed; the errors are above.');
    else console.error(thrown);
    process.exitCode = 1;
  }
}

/** Returns the real path of a vault's folder; throws if there is none. */
export async function checkVault(given) {
  const vault = path.resolve(given);
  const stats = await stat(vault).catch(() => null);
  if (!stats) throw new UserError(`There is no folder at ${vault}: name an existing vault with --vault PATH.`);
  if (!stats.isDirectory()) throw new UserError(`${vault} is a file: name the folder of a vault with --vault PATH.`);
  return realpath(vault);
}
