// Runs a script several times in one process, which starts and loads what it needs once:
// run-many.mjs SCRIPT, with a JSON list of the arguments of each run on standard input. Prints the results as JSON.
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [node, , script] = process.argv;
const { exit } = process;
const print = process.stdout.write.bind(process.stdout);

/** Thrown by `process.exit`, after which a script does nothing more. */
class Ended extends Error {}

/** Returns the code with which the script would end, and what it prints until then. */
async function run(given, index) {
  const printed = { stdout: '', stderr: '' };
  let code = null;
  process.argv = [node, script, ...given];
  process.exitCode = undefined;
  process.exit = (ending = process.exitCode ?? 0) => {
    code ??= ending;
    throw new Ended();
  };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (chunk, ...rest) => {
      if (code === null) printed[name] += chunk;
      rest.find((each) => typeof each === 'function')?.();
      return true;
    };
  }
  await import(`${pathToFileURL(script)}?run=${index}`).catch((thrown) => {
    if (!(thrown instanceof Ended)) throw thrown;
  });
  return { code: code ?? process.exitCode ?? 0, out: printed.stdout, words: printed.stderr };
}

const results = [];
for (const [index, given] of JSON.parse(await text(process.stdin)).entries()) results.push(await run(given, index));
print(JSON.stringify(results), () => exit(0));
