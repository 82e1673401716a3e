// Joins the parts into which the bundler splits the plugin to one file, because a vault takes only one main.js. What
// the plugin imports later, such as when its chat view opens, becomes one function per part: the engine skips such a
// function when it compiles main.js while Obsidian starts, and runs it when the part is first imported.
//
// A part returns what it exports as one object, and takes what it imports into variables of its own. The bundler would
// write a look-up at each use. No part imports one that imports it, since the bundler splits by what reaches a module, so
// what is taken has its value by then. Only what a function assigns again is looked up at each use.
import path from 'node:path';
import { transform } from 'esbuild';
import ts from 'typescript';

/** Modules of Obsidian and of Node are required as usual. */
const prelude = (parts) => `"use strict";
var parts = {${parts.join(',\n')}};
var taken = {};
var outside = require;
function take(name) {
  if (!Object.hasOwn(parts, name)) return outside(name);
  if (!Object.hasOwn(taken, name)) taken[name] = parts[name](take);
  return taken[name];
}
`;

/**
 * Reads a part: its text, the ranges in it that are written otherwise, what it imports and exports, and which names a
 * function assigns.
 * @throws if the bundler writes an import or an export in another way now
 */
function readPart({ path: file, text }) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2021, false, ts.ScriptKind.JS);
  const part = { text, ranges: [], calls: [], imports: [], exports: new Map(), assigned: new Set() };
  for (const statement of source.statements) {
    const mark = ts.canHaveModifiers(statement) && statement.modifiers?.find(isExportMark);
    if (ts.isImportDeclaration(statement)) {
      part.imports.push({ ...readClause(statement.importClause, file), from: statement.moduleSpecifier.text });
      part.ranges.push(statement);
    } else if (ts.isExportDeclaration(statement) && statement.moduleSpecifier === undefined) {
      for (const { name, propertyName } of statement.exportClause.elements)
        part.exports.set(name.text, (propertyName ?? name).text);
      part.ranges.push(statement);
    } else if (mark && ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) part.exports.set(name.text, name.text);
      part.ranges.push(mark);
    } else if (mark || ts.isExportDeclaration(statement) || ts.isExportAssignment(statement))
      throw new Error(`${file}: exports are written in another way now; see join-parts.mjs.`);
  }
  readExpressions(source, part, false);
  return part;
}

const isExportMark = ({ kind }) => kind === ts.SyntaxKind.ExportKeyword;

function readClause(clause, file) {
  const bound = clause?.namedBindings;
  if (clause?.name) throw new Error(`${file}: imports the default of a module; see join-parts.mjs.`);
  if (bound && ts.isNamespaceImport(bound)) return { whole: bound.name.text, names: [] };
  return { names: bound?.elements.map(({ name, propertyName }) => [(propertyName ?? name).text, name.text]) ?? [] };
}

/** Finds where a part imports another later, and the names that are assigned in a function, whichever they are there. */
function readExpressions(node, part, isInFunction) {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) part.calls.push(node);
  if (isInFunction) for (const target of targetsOf(node)) addNames(target, part.assigned);
  const isInside = isInFunction || ts.isFunctionLike(node) || ts.isClassLike(node);
  ts.forEachChild(node, (child) => readExpressions(child, part, isInside));
}

const { FirstAssignment, LastAssignment, PlusPlusToken, MinusMinusToken } = ts.SyntaxKind;

/** Returns what an expression or a loop assigns. */
function targetsOf(node) {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= FirstAssignment && kind <= LastAssignment ? [node.left] : [];
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
    return [PlusPlusToken, MinusMinusToken].includes(node.operator) ? [node.operand] : [];
  return ts.isForInStatement(node) || ts.isForOfStatement(node) ? [node.initializer] : [];
}

/** Adds all names of a pattern, also those that it only reads: one too many costs a few bytes. */
function addNames(node, names) {
  if (ts.isIdentifier(node)) names.add(node.text);
  else if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node))
    ts.forEachChild(node, (child) => addNames(child, names));
}

/** Writes the part as the body of a function of `require`. */
async function writePart(part, isMain, { byName, numbers, options }) {
  const nameOf = (from) => JSON.stringify(numbers.get(from) ?? from);
  const isChanging = ({ exports, assigned }, name) => assigned.has(exports.get(name));
  const changing = [];
  const taking = part.imports.map(({ from, whole, names }) => {
    const other = byName.get(from);
    const fixed = names.filter(([name]) => other === undefined || !isChanging(other, name));
    if (fixed.length < names.length) {
      const others = names.filter((each) => !fixed.includes(each)).map((pair) => pair.join(' as '));
      changing.push(`import { ${others.join(', ')} } from "./${nameOf(from)}";`);
    }
    const into = whole ?? `{${fixed.map(([name, local]) => pairOf(name, local)).join(',')}}`;
    return into === '{}' ? `require(${nameOf(from)});` : `var ${into}=require(${nameOf(from)});`;
  });
  const exports = Array.from(part.exports, ([name, local]) =>
    isChanging(part, name) ? `get ${name}(){return ${local}}` : pairOf(name, local),
  );
  const code = taking.join('') + rewrite(part, nameOf);
  const body = changing.length === 0 ? code : await lookUp(changing.join('') + code, options);
  return `${body}\n${isMain ? `module.exports={__esModule:true,${exports}};` : `return{${exports}};`}`;
}

const pairOf = (name, local) => (name === local ? name : `${name}:${local}`);

function rewrite({ text, ranges, calls }, nameOf) {
  const cuts = [
    ...ranges.map(({ pos, end }) => ({ pos, end, put: ' ' })),
    ...calls.map(({ pos, end, arguments: [from] }) => ({
      pos,
      end,
      put: ` Promise.resolve().then(()=>require(${nameOf(from.text)}))`,
    })),
  ].sort((a, b) => a.pos - b.pos);
  let at = 0;
  const kept = cuts.map(({ pos, end, put }) => {
    const before = text.slice(at, pos);
    at = end;
    return before + put;
  });
  return kept.join('') + text.slice(at);
}

/** Has the bundler write imports of what changes, as look-ups at each use. */
async function lookUp(code, options) {
  const written = await transform(code, { ...options, format: 'cjs', minify: false, logLevel: 'warning' });
  return written.code.replace(/(?<=require\()"\.\/(\d+)"/g, '$1');
}

/**
 * @param outputFiles modules of esbuild that import one another by relative names; the one named main.js is the plugin
 * @param options how esbuild writes each of them
 * @returns the text of a CommonJS script
 */
export async function joinParts(outputFiles, options) {
  const files = [...outputFiles].sort((a, b) => (a.path < b.path ? -1 : 1));
  const nameOf = (file) => `./${path.basename(file.path)}`;
  // A part is named by a number, because every part names most of the others.
  const numbers = new Map(files.map((file, index) => [nameOf(file), index]));
  const byName = new Map(files.map((file) => [nameOf(file), readPart(file)]));
  const parts = [];
  let main = '';
  for (const [name, part] of byName) {
    const isMain = name === './main.js';
    const code = await writePart(part, isMain, { byName, numbers, options });
    if (isMain) main = code;
    else parts.push(`${numbers.get(name)}(require){${code}}`);
  }
  return `${prelude(parts)}(function(require){${main}})(take);\n`;
}
