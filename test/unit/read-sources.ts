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
  textOf(path: string): string;
  /** The code of a file without its comments. Printing takes a while: ask for files whose text has what is looked for. */
  codeOf(path: string): string;
  /** Returns interface texts written as literals in calls, attributes or JSX of a file. */
  literalWords(path: string): string[];
  linesOf(path: string): number;
}

/** Found in all code that has such a call. */
const namesWordCall =
  /setText|appendText|setName|setDesc|setTitle|setTooltip|setButtonText|setPlaceholder|setHeading|Notice/;
const wordCalls =
  /^(setText|appendText|setName|setDesc|setTitle|setTooltip|setButtonText|setPlaceholder|setHeading|Notice)$/;
const wordAttributes = /^(title|alt|placeholder|label|aria-label|aria-description)$/;

/** Returns the tree of a source; what comments say is not parsed, which takes a quarter of the time. */
export function parseSource(path: string, text: string): ts.SourceFile {
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  return ts.createSourceFile(path, text, options, true);
}

/** Parses and prints only what is asked for. */
export function readSources(root: string): Sources {
  const [files, folders]: [string[], string[]] = [[], []];
  const addBelow = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      (entry.isDirectory() ? folders : files).push(path);
      if (entry.isDirectory()) addBelow(path);
    }
  };
  addBelow(root);
  const isCode = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith('.d.ts');
  const textOf = remember((path: string) => readFileSync(path, 'utf8'));
  const treeOf = remember((path: string) => parseSource(path, isCode(path) ? textOf(path) : ''));
  const printer = ts.createPrinter({ removeComments: true });
  let imports: Import[] | undefined;
  return {
    files,
    folders,
    get imports() {
      return (imports ??= files.filter(isCode).flatMap((path) => importsOf(path, textOf(path))));
    },
    textOf,
    codeOf: remember((path) => printer.printFile(treeOf(path))),
    literalWords: (path) =>
      path.endsWith('.tsx') || namesWordCall.test(textOf(path)) ? literalWords(treeOf(path)) : [],
    linesOf: (path) => textOf(path).trimEnd().split('\n').length,
  };
}

function remember<Value>(make: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    const value = known.get(path) ?? make(path);
    known.set(path, value);
    return value;
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

function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node);
  node.forEachChild((child) => visit(child, each));
}

/** Parses no further than to the last import, but all of a file that may import while it runs. */
function importsOf(from: string, text: string): Import[] {
  const last = [...text.matchAll(/(?:\bfrom|^import)\s*['"].*$/gm)].at(-1);
  const end = /\b(?:import|require)\b\s*[(<]/.test(text)
    ? text.length
    : last === undefined
      ? 0
      : last.index + last[0].length;
  const found: Import[] = [];
  visit(parseSource(from, text.slice(0, end)), (node) => {
    const declared = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    const called = ts.isCallExpression(node) && isLoader(node.expression) ? node.arguments[0] : undefined;
    const name = declared ?? called;
    if (name === undefined || !ts.isStringLiteralLike(name)) return;
    const to = name.text.startsWith('.') ? fileAt(join(dirname(from), name.text)) : null;
    found.push({ from, name: name.text, to, typesOnly: isTypesOnly(node), later: declared === undefined });
  });
  return found;
}

function isLoader(node: ts.Expression): boolean {
  return node.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(node) && node.text === 'require');
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
