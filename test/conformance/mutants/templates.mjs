// Patches for R024 and R025: the record of templates, the families of models, and the user's templates.
const record = 'src/core/prompt/template-record.ts';
const reader = 'src/core/markup/user-templates.ts';

export const templates = [
  {
    name: 'tools-by-purpose-unnamed',
    rows: ['R024'],
    file: record,
    find: "name !== null && offers(turn, name) ? name : '',",
    replace: "'',",
  },
  {
    name: 'never-restricted',
    rows: ['R024'],
    file: record,
    find: "if (mode === 'auto-edit') return 'none';",
    replace: "if (mode) return 'none';",
  },
  {
    name: 'memory-unread-for-templates',
    rows: ['R024'],
    file: record,
    find: 'if (text !== undefined && !readFields.some((name) => text.includes(name))) {',
    replace: 'if (text !== undefined) {',
  },
  {
    name: 'families-without-template',
    rows: ['R025'],
    file: 'src/core/prompt/sections/mode.ts',
    find: 'family === world.turn.modelFamily',
    replace: 'family === world.turn.modelId',
  },
  {
    name: 'small-models-unknown',
    rows: ['R025'],
    file: 'src/models/providers/provider.ts',
    find: "return 'small';",
    replace: 'return undefined;',
  },
  {
    name: 'inherited-names-read',
    rows: ['R025'],
    file: reader,
    find: '!Object.hasOwn(value, key)',
    replace: '!(key in value)',
  },
  {
    name: 'ways-out-of-the-record',
    rows: ['R025'],
    file: reader,
    find: "const forbidden = ['constructor', 'prototype', '__proto__'];",
    replace: 'const forbidden: string[] = [];',
  },
  {
    name: 'templates-of-any-length',
    rows: ['R025'],
    file: reader,
    find: 'if (text.length > maxLength)',
    replace: 'if (text.length > Infinity)',
  },
  {
    name: 'first-branch-always',
    rows: ['R025'],
    file: reader,
    find: 'test === null || Boolean(judge(test, record))',
    replace: 'test !== undefined',
  },
  {
    name: 'broken-templates-used',
    rows: ['R104'],
    file: 'src/core/prompt/tiered-prompt-store.ts',
    find: "return bodyOf(text) !== '' && !isBroken(text);",
    replace: "return bodyOf(text) !== '';",
  },
  {
    name: 'faults-unreported',
    rows: ['R025'],
    file: 'src/core/diagnostics/checks/variables.ts',
    find: "if (read.kind === 'fault') {",
    replace: "if (read.kind === 'fault') return [];\n  if (read.kind === 'fault') {",
  },
];
