const transform = {
  '\\.(md)$': '<rootDir>/scripts/jest-text-transform.cjs',
  '\\.[cm]?[jt]sx?$': [
    '<rootDir>/scripts/jest-source-transform.cjs',
    {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', tsx: true },
        transform: { react: { runtime: 'automatic', importSource: 'preact' } },
      },
      module: { type: 'commonjs' },
    },
  ],
};
const common = {
  rootDir: import.meta.dirname,
  transform,
  // The model libraries, preact and several development packages ship as ES modules only.
  transformIgnorePatterns: [],
  moduleNameMapper: { '^obsidian$': '<rootDir>/test/workbench/emulator/obsidian.ts' },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test/workbench/demo-vault'],
};

export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      setupFilesAfterEnv: ['<rootDir>/scripts/jest-patience.mjs', '<rootDir>/scripts/jest-second-try.mjs'],
      testMatch: ['<rootDir>/test/unit/**/*.test.ts?(x)', '<rootDir>/test/goldens/**/*.test.ts'],
    },
    { ...common, displayName: 'property', testMatch: ['<rootDir>/test/property/**/*.test.ts'] },
    { ...common, displayName: 'conformance', testMatch: ['<rootDir>/test/conformance/**/*.test.ts'] },
    {
      ...common,
      displayName: 'browser',
      setupFilesAfterEnv: ['<rootDir>/scripts/jest-second-try.mjs'],
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
      globalSetup: '<rootDir>/test/e2e/global-setup.mjs',
      globalTeardown: '<rootDir>/test/e2e/global-teardown.mjs',
    },
  ],
};
