// Compiles and runs a built main.js in fresh processes, as Obsidian does at its start, and measures how long it takes.
//   node scripts/build/evaluate-plugin.mjs MAIN.js   one run in this process, its result as JSON
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import vm from 'node:vm';

const run = promisify(execFile);
const script = fileURLToPath(import.meta.url);

/** @returns {Promise<{ medianMs: number, faults: string[] }>} */
export async function measureEvaluation(file, times) {
  const faults = new Set();
  const durations = [];
  for (let time = 0; time < times; time++) {
    try {
      const { stdout } = await run(process.execPath, [script, file]);
      const result = JSON.parse(stdout);
      durations.push(result.ms);
      for (const fault of result.faults) faults.add(fault);
    } catch (thrown) {
      const lines = String(thrown.stderr ?? thrown.message).split('\n');
      faults.add(`main.js does not start: ${lines.find((line) => /^\w*Error\b/.test(line)) ?? lines[0]}`);
      break;
    }
  }
  durations.sort((a, b) => a - b);
  return { medianMs: durations[Math.floor(durations.length / 2)] ?? 0, faults: [...faults] };
}

/** Compiling is part of the measurement, because Obsidian compiles the text at every start. */
async function evaluateOnce(file) {
  const code = await readFile(file, 'utf8');
  const faults = [];
  const module = { exports: {} };
  const require = (name) => {
    if (/^(?:obsidian|@codemirror\/|@lezer\/)/.test(name)) return anyModule();
    throw new Error(`main.js asks for ${name} while it starts`);
  };
  const globals = { window: globalThis, self: globalThis, activeWindow: globalThis };
  Object.assign(globalThis, globals);
  const RealFunction = globalThis.Function;
  globalThis.Function = new Proxy(RealFunction, {
    apply: (target, self, given) => (faults.push('main.js builds code from text'), Reflect.apply(target, self, given)),
    construct: (target, given) => (faults.push('main.js builds code from text'), Reflect.construct(target, given)),
  });
  const start = performance.now();
  const compiled = vm.runInThisContext(`(function (module, exports, require) {${code}\n})`, { filename: 'main.js' });
  compiled(module, module.exports, require);
  const ms = performance.now() - start;
  globalThis.Function = RealFunction;
  const plugin = module.exports.default ?? module.exports;
  if (typeof plugin !== 'function') faults.push('main.js exports no plugin class');
  return { ms: Math.round(ms * 100) / 100, faults: [...new Set(faults)] };
}

/** Imitates a module: every name of it is a class that can be extended, called and read. */
function anyModule() {
  return new Proxy({ __esModule: true }, { get: (known, name) => known[name] ?? class {}, has: () => true });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(JSON.stringify(await evaluateOnce(process.argv[2])));
}
