import { readFileSync } from 'node:fs';
import path from 'node:path';
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

const { minAppVersion } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'manifest.json'), 'utf8'));
const declarations = readFileSync(path.join(import.meta.dirname, 'node_modules/obsidian/obsidian.d.ts'), 'utf8');

/** The names in Obsidian's declarations that its oldest supported version may lack, and some words around them. */
const newNames = new Set(
  [...declarations.matchAll(/@since (\S+)[^]*?\*\/([^;{(:]*)/g)]
    .filter(([, since]) => since.localeCompare(minAppVersion, 'en', { numeric: true }) > 0)
    .flatMap(([, , declared]) => declared.match(/[\w$]+/g) ?? []),
);

const namespacesIn = ({ body }) =>
  body
    .flatMap(({ specifiers = [] }) => specifiers)
    .filter(({ type }) => type === 'ImportNamespaceSpecifier')
    .map(({ local }) => local.name);

/** Spares a rule the nodes in which it can find nothing. */
function lookOnlyAt(rules, name, isWorthALook) {
  const { create, ...rest } = rules[name];
  rules[name] = {
    ...rest,
    create(context) {
      const isWorth = isWorthALook(context);
      const listeners = Object.entries(create(context));
      return Object.fromEntries(
        listeners.map(([selector, look]) => [selector, (node) => (isWorth(node) ? look(node) : undefined)]),
      );
    },
  };
}

const plugins = Object.assign({}, ...obsidianmd.configs.recommended.map((config) => config.plugins));
// It asks for the type of every object with a property, which took half of the linter's time. What a module imports as a
// whole may have other names there than in its declaration.
lookOnlyAt(obsidianmd.rules, 'no-unsupported-api', ({ sourceCode }) => {
  const namespaces = namespacesIn(sourceCode.ast);
  return ({ type, property, object }) =>
    type !== 'MemberExpression' || newNames.has(property.name) || namespaces.includes(object.name);
});
// It finds the file of every import, and reports packages alone.
lookOnlyAt(plugins.import.rules, 'no-extraneous-dependencies', () => (node) => !node.source?.value?.startsWith?.('.'));

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
    languageOptions: { parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname } },
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
