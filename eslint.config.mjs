import { defineConfig } from 'eslint/config';
import obsidianmd from 'eslint-plugin-obsidianmd';
import tseslint from 'typescript-eslint';

const raise = (setting) => {
  if (Array.isArray(setting)) return [raise(setting[0]), ...setting.slice(1)];
  return setting === 'warn' || setting === 1 ? 'error' : setting;
};

/** Turns every rule of the plugin directory's review into an error, regardless of its upstream level. */
const asErrors = (configs) =>
  configs.map((config) =>
    config.rules
      ? {
          ...config,
          rules: Object.fromEntries(Object.entries(config.rules).map(([name, setting]) => [name, raise(setting)])),
        }
      : config,
  );

/**
 * Parsers for the manifest rule, which reads JSON as one object expression, and the license rule, which reads text as
 * line tokens.
 */
const jsonAsExpression = { parseForESLint: (code) => tseslint.parser.parseForESLint(`(${code})`) };
const textAsLines = {
  parseForESLint: (code) => {
    const lines = code.split('\n');
    const tokens = lines.map((value, index) => ({
      type: 'Line',
      value,
      range: [0, 0],
      loc: { start: { line: index + 1, column: 0 }, end: { line: index + 1, column: value.length } },
    }));
    const loc = { start: { line: 1, column: 0 }, end: { line: lines.length, column: 0 } };
    return {
      ast: { type: 'Program', body: [], tokens, comments: [], range: [0, code.length], loc, sourceType: 'module' },
    };
  },
};

export default defineConfig([
  // Tests and scripts have no rules that need types, so they are left to oxlint (.oxlintrc.json).
  { ignores: ['node_modules/', 'dist/', 'scripts/', 'test/', '*.mjs', '*.js', 'package-lock.json'] },
  {
    files: ['src/**/*.{ts,tsx}', 'package.json'],
    extends: [asErrors([...obsidianmd.configs.recommended])],
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'zod', message: "Import * as z from 'zod/v4': a second specifier breaks the bundle." }] },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // A function that exceeds these cannot be checked in one reading. A switch counts as one branch.
      complexity: ['error', { max: 15, variant: 'modified' }],
      'max-depth': ['error', 3],
    },
  },
  {
    files: ['manifest.json'],
    plugins: { obsidianmd },
    languageOptions: { parser: jsonAsExpression },
    rules: { 'obsidianmd/validate-manifest': 'error' },
  },
  {
    files: ['LICENSE'],
    plugins: { obsidianmd },
    languageOptions: { parser: textAsLines },
    rules: { 'obsidianmd/validate-license': 'error' },
  },
]);
