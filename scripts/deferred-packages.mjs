// Keeps packages that no start of the app needs out of its way. Each becomes one function, which the engine passes over
// when it compiles main.js and runs when our code first calls something of the package.
import path from 'node:path';
import { build } from 'esbuild';
import * as zod from 'zod/v4';

const root = path.resolve(import.meta.dirname, '..');

/** What our code may call of a package, by the name that it imports. */
const calls = {
  'zod/v4': Object.keys(zod).filter((name) => typeof zod[name] === 'function'),
  '@ai-sdk/anthropic': ['createAnthropic'],
  '@ai-sdk/openai-compatible': ['createOpenAICompatible'],
};

// It would else try out generated code.
const configured = `import { config } from 'zod/v4'; config({ jitless: true }); export * from 'zod/v4';`;
const makers = Object.entries(calls).filter(([name]) => name.startsWith('@ai-sdk/'));
/** The code of each function, with the names of the others that it asks for; packages that share code are one. */
const functions = {
  'zod/v4': { code: configured, asks: [] },
  'zod/v4/core': { code: `module.exports = require('zod/v4').core;`, asks: ['zod/v4'] },
  '@ai-sdk': {
    code: makers.map(([name, each]) => `export { ${each.join(', ')} } from '${name}';`).join('\n'),
    asks: ['zod/v4', 'zod/v4/core'],
  },
};

const isOneOf = new RegExp(`^(?:${[...new Set([...Object.keys(calls), ...Object.keys(functions)])].join('|')})$`);

/** Each call loads the package first; a name that is not among them stops the build. */
function writeCalls(name) {
  const load = `const load = () => require('${name.startsWith('@ai-sdk/') ? '@ai-sdk' : name}');`;
  const each = calls[name].map(
    (call) => `const d_${call} = (...given) => load().${call}(...given); export { d_${call} as ${call} };`,
  );
  return [load, ...each].join('\n');
}

/** Leaves what one package asks of another to the bundle around them. Names are meant as they are, not as folders. */
function leave(names) {
  return {
    name: 'leave',
    setup(builder) {
      builder.onResolve({ filter: isOneOf }, ({ path: name }) =>
        names.includes(name) ? { path: name, external: true } : undefined,
      );
    },
  };
}

/** A plugin of esbuild. @param plugins those that the packages are built with */
export function deferredPackages(plugins = []) {
  return {
    name: 'deferred-packages',
    setup(builder) {
      const { platform, target, supported, charset, define, minify } = builder.initialOptions;
      const inputs = new Map();

      builder.onResolve({ filter: isOneOf }, ({ path: name, namespace, importer }) => {
        const isOurs = namespace === 'file' && !importer.includes('node_modules');
        return { path: name, namespace: isOurs ? 'calls' : 'whole' };
      });
      builder.onLoad({ filter: isOneOf, namespace: 'calls' }, ({ path: name }) => ({
        contents: writeCalls(name),
        resolveDir: root,
      }));
      builder.onLoad({ filter: isOneOf, namespace: 'whole' }, async ({ path: name }) => {
        const { outputFiles, metafile } = await build({
          ...{ platform, target, supported, charset, define, minify },
          stdin: { contents: functions[name].code, resolveDir: root },
          absWorkingDir: root,
          bundle: true,
          format: 'cjs',
          legalComments: 'none',
          metafile: true,
          write: false,
          logLevel: 'warning',
          plugins: [...plugins, leave(functions[name].asks)],
        });
        inputs.set(`whole:${name}`, Object.values(metafile.outputs)[0].inputs);
        return { contents: outputFiles[0].text, resolveDir: root, loader: 'js' };
      });
      // The notices and the sizes by package name where the code is from.
      builder.onEnd(({ metafile }) => {
        for (const output of Object.values(metafile?.outputs ?? {})) {
          for (const name of Object.keys(output.inputs).filter((each) => inputs.has(each))) {
            delete output.inputs[name];
            for (const [file, { bytesInOutput }] of Object.entries(inputs.get(name))) {
              const bytes = output.inputs[file]?.bytesInOutput ?? 0;
              output.inputs[file] = { bytesInOutput: bytes + bytesInOutput };
            }
          }
        }
      });
    },
  };
}
