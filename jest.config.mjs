import { testFolders } from './scripts/test-folders.mjs';

const transform = {
  '\\.(md)$': '<rootDir>/scripts/jest/text-transform.mjs',
  '\\.[cm]?[jt]sx?$': [
    '<rootDir>/scripts/jest/source-transform.cjs',
    {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic', importSource: 'preact' } },
      },
      module: { type: 'commonjs' },
      // In a file of its own, which is read for a stack alone: inside the code, it is three quarters of what is compiled.
      sourceMaps: true,
    },
  ],
};
/**
 * Globals of the language itself, which no test replaces: reading a global of a test's context takes a tenth of a
 * microsecond, which made code that counts or parses five times as slow as in Obsidian.
 */
const builtIns = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'Boolean', 'DataView', 'Error', 'Float64Array', 'Infinity', 'Int32Array'],
  ...['JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'Reflect', 'RegExp', 'Set'],
  ...['String', 'Symbol', 'SyntaxError', 'TypeError', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'WeakMap', 'WeakSet'],
  ...['decodeURIComponent', 'encodeURIComponent', 'isNaN', 'parseFloat', 'parseInt'],
];
const common = {
  rootDir: import.meta.dirname,
  // In a place that a test that runs jest also finds, although it has a temporary folder of its own.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testRunner: '<rootDir>/scripts/jest/runner.cjs',
  sandboxInjectedGlobals: builtIns,
  transform,
  // Nearly nothing is ignored: the model libraries, preact and several development packages ship as ES modules only.
  // The compiler is CommonJS of nine megabytes that reads like a module: compiling it took seven seconds.
  transformIgnorePatterns: ['/node_modules/playwright-core/', '/node_modules/typescript/'],
  moduleNameMapper: {
    '^obsidian$': 'obsidian-workbench/obsidian',
    '^lucide$': '<rootDir>/scripts/jest/lucide.cjs',
    // The words of zod in sixty languages, of which only the English ones are used.
    '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test/workbench/dist', '<rootDir>/test/support/demo-vault'],
};

/** @param project one of `testFolders` */
const testsOf = (project) => testFolders[project].map((folder) => `<rootDir>/${folder}**/*.test.ts?(x)`);

export default {
  testSequencer: '<rootDir>/scripts/jest/longest-first.cjs',
  projects: [
    {
      ...common,
      displayName: 'unit',
      setupFilesAfterEnv: ['<rootDir>/scripts/jest/patience.mjs'],
      testMatch: testsOf('unit'),
    },
    {
      ...common,
      displayName: 'property',
      setupFilesAfterEnv: ['<rootDir>/scripts/jest/patience.mjs'],
      testMatch: testsOf('property'),
    },
    { ...common, displayName: 'conformance', testMatch: testsOf('conformance') },
    {
      ...common,
      displayName: 'browser',
      testRunner: '<rootDir>/scripts/jest/browser-runner.mjs',
      setupFilesAfterEnv: ['<rootDir>/scripts/jest/second-try.mjs'],
      testMatch: testsOf('browser'),
      globalSetup: '<rootDir>/test/e2e/driver/global-setup.mjs',
      globalTeardown: '<rootDir>/test/e2e/driver/global-teardown.mjs',
    },
  ],
};
