/** Prints, as JSON, what obsidian.d.ts declares at run time and which of it the emulator's classes declare. */
import { createRequire } from 'node:module';
import path from 'node:path';

// An import would first look for the names that nine megabytes export.
const ts = createRequire(import.meta.url)('typescript');
const root = path.resolve(import.meta.dirname, '../../../..');
const declarations = path.join(root, 'node_modules/obsidian/obsidian.d.ts');
const emulated = path.join(root, 'test/workbench/src/obsidian/obsidian-exports.ts');

// Only names are compared, so the standard library need not be read.
const options = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  noLib: true,
  types: [],
  skipLibCheck: true,
};
const host = ts.createCompilerHost(options);
const { getSourceFile } = host;
// Two thirds of all declarations are those of the icons, of which no class is made.
host.getSourceFile = (file, ...rest) => (file.includes('/lucide/') ? undefined : getSourceFile(file, ...rest));
const program = ts.createProgram([declarations, emulated], options, host);
const checker = program.getTypeChecker();

const exportsOf = (file) => {
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker
    .getExportsOfModule(symbol)
    .map((found) => [found.name, found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found]);
};
const has = (symbol, flag) => (symbol.flags & flag) !== 0;
const statics = (symbol) =>
  checker
    .getPropertiesOfType(checker.getTypeOfSymbol(symbol))
    .map(({ name }) => name)
    .filter((name) => name !== 'prototype');
const members = (symbol) =>
  checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .filter((member) => !has(member, ts.SymbolFlags.Optional))
    .map((member) => ({ name: member.name, method: has(member, ts.SymbolFlags.Method) }));

const ours = new Map(exportsOf(emulated));
const walked = exportsOf(declarations)
  .filter(([, symbol]) => has(symbol, ts.SymbolFlags.Value))
  .map(([name, symbol]) => {
    const kind = has(symbol, ts.SymbolFlags.Class)
      ? 'class'
      : has(symbol, ts.SymbolFlags.Function)
        ? 'function'
        : 'value';
    const own = ours.get(name);
    if (kind !== 'class' || !own || !has(own, ts.SymbolFlags.Class)) return { name, kind, missing: [] };
    const known = new Set(
      [...checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(own))].map((one) => one.name),
    );
    const knownStatics = new Set(statics(own));
    const missing = [
      ...members(symbol)
        .filter((one) => !known.has(one.name))
        .map((one) => one.name),
      ...statics(symbol)
        .filter((one) => !knownStatics.has(one))
        .map((one) => `static ${one}`),
    ];
    return { name, kind, members: members(symbol).length, missing };
  });
process.stdout.write(JSON.stringify(walked));
