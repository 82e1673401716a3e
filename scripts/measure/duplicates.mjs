// Finds blocks of code that are written twice, also with other names in them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root, sourcesBelow } from '../house.mjs';

/** A block has at least this many lines of code. Empty lines and comments do not count. */
export const fewestLines = 6;
/** Fewer tokens are brackets and separators, which any two pieces of code share. */
const fewestTokens = 40;
/** What repeats in each file by design: what it imports, and what it hands on. */
const passedOver = new Set([ts.SyntaxKind.ImportDeclaration, ts.SyntaxKind.ExportDeclaration]);

/** Where names are what is said: a list, and the shape of a type. */
const contents = new Set([
  ts.SyntaxKind.ArrayLiteralExpression,
  ts.SyntaxKind.ObjectLiteralExpression,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeLiteral,
  ts.SyntaxKind.ObjectBindingPattern,
]);

/**
 * Returns each pair of blocks once, as long as it reaches: `{ lines, first: { file, from, to }, second }`. Names may
 * differ if each is one other throughout the block; strings and numbers may not.
 *
 * @param files sources with forward slashes
 * @param read returns the text of a file below the root
 */
export function findDuplicates({ files = sourcesBelow('src', 'test'), read = readSource } = {}) {
  const rows = [];
  for (const file of files.filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.endsWith('.d.ts')))
    rows.push(...readRows(file, read(file)), null);
  const starts = new Map();
  for (let at = 0; at + fewestLines <= rows.length; at += 1) {
    const block = rows.slice(at, at + fewestLines);
    if (block.some((row) => row === null)) continue;
    const shape = block.map((row) => row.shape).join('\n');
    if (starts.has(shape)) starts.get(shape).push(at);
    else starts.set(shape, [at]);
  }
  const found = [];
  for (const places of starts.values())
    for (const [index, second] of places.entries())
      for (const first of places.slice(0, index)) {
        // The line before belongs to the same pair, which began there.
        if (isSame(rows, first - 1, second - 1, fewestLines)) continue;
        const lines = reach(rows, first, second);
        const tokens = rows.slice(first, first + lines).reduce((sum, row) => sum + row.tokens.length, 0);
        if (lines >= fewestLines && tokens >= fewestTokens) found.push(pair(rows, first, second, lines));
      }
  return found.sort((a, b) => b.lines - a.lines);
}

const readSource = (file) => readFileSync(path.join(root, file), 'utf8');

function pair(rows, first, second, lines) {
  const placeOf = (at) => ({ file: rows[at].file, from: rows[at].line, to: rows[at + lines - 1].line });
  return { lines, first: placeOf(first), second: placeOf(second) };
}

const isSame = (rows, first, second, lines) => first >= 0 && reach(rows, first, second, lines) >= lines;

/** Returns how many lines from the two places on are equal, with one name for each other; blocks never overlap. */
function reach(rows, first, second, most = second - first) {
  const [there, back] = [new Map(), new Map()];
  let lines = 0;
  for (; lines < Math.min(most, second - first); lines += 1) {
    const [one, other] = [rows[first + lines], rows[second + lines]];
    if (!one || !other || one.shape !== other.shape) break;
    if (!one.names.every((name, at) => isPaired(there, name, other.names[at]) && isPaired(back, other.names[at], name)))
      break;
  }
  return lines;
}

function isPaired(names, name, other) {
  if (!names.has(name)) names.set(name, other);
  return names.get(name) === other;
}

/** Returns the lines that have code, in order; null where code was passed over. */
function readRows(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kindOf(file));
  const rows = [];
  let row = null;
  const add = (node, inContent) => {
    const start = node.getStart(source);
    if (start === node.end) return;
    const { line } = source.getLineAndCharacterOfPosition(start);
    if (row?.line !== line + 1) rows.push((row = { file, line: line + 1, tokens: [], names: [], shape: '' }));
    const isName = node.kind === ts.SyntaxKind.Identifier && !inContent;
    if (isName) row.names.push(node.text);
    row.tokens.push(isName ? '' : text.slice(start, node.end));
  };
  const visit = (node, inContent) => {
    if (passedOver.has(node.kind)) return rows.push((row = null));
    const children = node.getChildren(source);
    if (children.length === 0) return add(node, inContent);
    const isContent = contents.has(node.kind) || (inContent && !ts.isFunctionLike(node));
    for (const child of children) if (!ts.isJSDoc(child)) visit(child, isContent);
  };
  visit(source, false);
  for (const each of rows) if (each) each.shape = each.tokens.join(' ');
  return rows;
}

function kindOf(file) {
  if (file.endsWith('.tsx')) return ts.ScriptKind.TSX;
  return /\.[cm]?js$/.test(file) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}
