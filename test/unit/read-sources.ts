/** Reads src for the architecture test: its files and folders, their imports, and string literals in the code. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface Import {
  readonly from: string;
  /** As written. */
  readonly name: string;
  /** The file of ours that it leads to; null for a package. */
  readonly to: string | null;
  readonly typesOnly: boolean;
  /** Whether it happens when the code around it runs, and not when the file is loaded. */
  readonly later: boolean;
}

export interface Sources {
  /** Everything below src, folders included, with forward slashes. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly imports: readonly Import[];
  /** The code of a file without its comments. */
  codeOf(path: string): string;
  /** Returns interface texts written as literals in calls, attributes or JSX of a file. */
  literalWords(path: string): string[];
  linesOf(path: string): number;
}

const wordCalls =
  /^(setText|appendText|setName|setDesc|setTitle|setTooltip|setButtonText|setPlaceholder|setHeading|Notice)$/;
const wordAttributes = /^(title|alt|placeholder|label|aria-label|aria-description)$/;

export function readSources(root: string): Sources {
  const below = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = `${folder}/${name}`;
      return statSync(path).isDirectory() ? [path, ...below(path)] : [path];
    });
  const paths = below(root);
  const folders = paths.filter((path) => statSync(path).isDirectory());
  const files = paths.filter((path) => !folders.includes(path));
  const textOf = (path: string): string => readFileSync(path, 'utf8');
  const trees = new Map(
    files
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
      .map((path) => [path, ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true)]),
  );
  return {
    files,
    folders,
    imports: [...trees].flatMap(([path, tree]) => importsOf(path, tree)),
    codeOf: (path) => ts.createPrinter({ removeComments: true }).printFile(trees.get(path) ?? empty),
    literalWords: (path) => literalWords(trees.get(path) ?? empty),
    linesOf: (path) => textOf(path).trimEnd().split('\n').length,
  };
}

/** What is loaded with a file, itself included. */
export function reachedFrom(
  start: string,
  imports: readonly Import[],
): { readonly files: string[]; readonly packages: string[] } {
  const files = new Set([start]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { from, to, name, typesOnly, later } of imports) {
      if (from !== file || typesOnly || later) continue;
      if (to === null) packages.add(name);
      else files.add(to);
    }
  }
  return { files: [...files], packages: [...packages] };
}

const empty = ts.createSourceFile('empty.ts', '', ts.ScriptTarget.Latest);

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node);
  node.forEachChild((child) => visit(child, each));
}

function importsOf(from: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = [];
  visit(tree, (node) => {
    const declared = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    const called =
      ts.isCallExpression(node) && /^(import|require)$/.test(node.expression.getText()) ? node.arguments[0] : undefined;
    const name = declared ?? called;
    if (name === undefined || !ts.isStringLiteralLike(name)) return;
    const to = name.text.startsWith('.') ? fileAt(join(dirname(from), name.text)) : null;
    found.push({ from, name: name.text, to, typesOnly: isTypesOnly(node), later: declared === undefined });
  });
  return found;
}

function isTypesOnly(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = ts.isImportDeclaration(node) ? node.importClause : undefined;
  if (clause === undefined) return false;
  const named = clause.namedBindings;
  const each = named !== undefined && ts.isNamedImports(named) && named.elements.every((one) => one.isTypeOnly);
  return clause.phaseModifier === ts.SyntaxKind.TypeKeyword || (clause.name === undefined && each);
}

function fileAt(base: string): string {
  const ends = ['.ts', '.tsx', '/index.ts', ''];
  return ends.map((end) => base + end).find((path) => existsSync(path) && statSync(path).isFile()) ?? base;
}

function literalWords(tree: ts.SourceFile): string[] {
  const found: string[] = [];
  const isProse = (node: ts.Node): boolean => ts.isStringLiteralLike(node) && /\p{L}+\s+\p{L}+/u.test(node.text);
  visit(tree, (node) => {
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
    const name = isCall ? node.expression.getText().replace(/.*\./s, '') : '';
    const spoken = isCall && wordCalls.test(name) && (node.arguments ?? []).some(isProse);
    const labelled =
      ts.isJsxAttribute(node) &&
      wordAttributes.test(node.name.getText()) &&
      node.initializer !== undefined &&
      ts.isStringLiteral(node.initializer);
    if (spoken || labelled || (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text))) found.push(node.getText().trim());
  });
  return found;
}
