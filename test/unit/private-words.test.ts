import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expectNoFaults } from './expect-no-faults';
import { parseSource } from './read-sources';

const root = path.resolve(__dirname, '../..');
const glossary = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8');
/** Code and style sheets. The classes of a style sheet are public: snippets of users name them. */
const isRead = /\.(?:[cm]?[jt]s|tsx|css)$/;
/** Folders that hold notes and pages of other formats rather than code. */
const skipped = new Set(['node_modules', 'dist', 'demo-vault']);

/** Returns the list items below a heading: the word in backticks, and the text after it. */
function listBelow(heading: string): Map<string, string> {
  const section = glossary.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  const items = section.matchAll(/^- `([^`]+)`(?:: *(.+))?$/gm);
  return new Map([...items].map(([, name = '', text = '']) => [name, text]));
}

const privateWords = listBelow('Private words');
const exempt = listBelow('Names that stay');
/** Beginnings of names, such as `most…`; the other entries are whole words. */
const prefixes = [...privateWords.keys()].filter((word) => word.endsWith('…')).map((word) => word.slice(0, -1));
const prefixed = new RegExp(`^(${prefixes.join('|')})[A-Z]`);

function sourcesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourcesBelow(inner);
    return isRead.test(entry.name) ? [inner] : [];
  });
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());

const hasPrivateWord = (name: string): boolean => wordsOf(name).some((word) => privateWords.has(word));
const named = [...[...privateWords.keys()].filter((word) => !word.endsWith('…')), ...prefixes].join('|');
/** Each whole name, or word of a text, with a private word somewhere in it. */
const suspects = new RegExp(`[\\p{L}\\p{N}_$]*(?:${named})[\\p{L}\\p{N}_$]*`, 'giu');
/** What may follow a name where it is declared; in most prose, another word or the end of a sentence follows. */
const afterDeclared = /^\s*(?:[=:(,;)}\]<>?!{/]|$|(?:in|of|as|from|extends|implements|satisfies)\b)|^\s*\n/;

/**
 * Whether a private word may be in the path, in a comment, or in a name that is declared, by what is around it,
 * because parsing a file takes far longer, and most such words are in strings or in names that are only used.
 */
function mayHaveFaults(file: string, text: string): boolean {
  if (hasPrivateWord(file)) return true;
  for (const { 0: name, index } of text.matchAll(suspects)) {
    if (!hasPrivateWord(name) && !prefixed.test(name)) continue;
    const before = text.slice(0, index);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    if (/\/[/*]/.test(line) || before.lastIndexOf('/*') > before.lastIndexOf('*/')) return true;
    // The name of an attribute may be followed by another attribute.
    const isDeclared =
      file.endsWith('.tsx') || afterDeclared.test(text.slice(index + name.length, index + name.length + 60));
    if (isDeclared && !exempt.has(name)) return true;
  }
  return false;
}

/** One sentence for each private word in a name that is declared, in a comment, or in the path of the file. */
function faultsIn(file: string, text: string): string[] {
  const faults: string[] = [];
  if (!mayHaveFaults(file, text)) return faults;
  const report = (position: number, found: string, where: string): void => {
    const line = text.slice(0, position).split('\n').length;
    faults.push(
      `${file}:${line}: ${where} uses the private word “${found}”: ${privateWords.get(found)} (docs/glossary.md).`,
    );
  };
  const check = (position: number, name: string, where: string): void => {
    for (const word of wordsOf(name)) if (privateWords.has(word)) report(position, word, where);
  };
  check(0, file, 'the path');
  if (file.endsWith('.css')) {
    for (const { 0: comment, index } of text.matchAll(/\/\*.*?\*\//gs)) check(index, comment, 'a comment');
    return faults;
  }
  const seen = new Set<number>();
  const places = new Set<number>();
  const checkComments = (position: number): void => {
    if (places.has(position)) return;
    places.add(position);
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, position) ?? []),
      ...(ts.getTrailingCommentRanges(text, position) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      // Code that a comment quotes is checked where it is declared.
      check(pos, text.slice(pos, end).replace(/`[^`]*`/g, ' '), 'a comment');
    }
  };
  const visit = (node: ts.Node): void => {
    checkComments(node.pos);
    checkComments(node.end);
    const { parent } = node;
    if (ts.isIdentifier(node) && isDeclaredAt(node, parent) && !exempt.has(node.text)) {
      check(node.getStart(), node.text, `the name “${node.text}”`);
      const prefix = prefixed.exec(node.text)?.[1];
      if (prefix !== undefined) report(node.getStart(), `${prefix}…`, `the name “${node.text}”`);
    }
    ts.forEachChild(node, visit);
  };
  visit(parseSource(file, text));
  return faults;
}

function isDeclaredAt(node: ts.Identifier, parent: ts.Node): boolean {
  return (
    'name' in parent && parent.name === node && !ts.isPropertyAccessExpression(parent) && !ts.isImportSpecifier(parent)
  );
}

describe('the list of private words', () => {
  it('is read from the glossary', () => {
    expect(privateWords.size).toBeGreaterThan(20);
    const withoutAdvice = [...privateWords].filter(([, advice]) => !advice.startsWith('write '));
    expectNoFaults(
      withoutAdvice.map(
        ([word]) => `docs/glossary.md bans “${word}” and does not say what to write: add “: write …” to it.`,
      ),
    );
  });

  it.each([
    ['const toldOnce = 1;', 'told'],
    ['// What the model is told.\nexport {};', 'told'],
    ['function f(mostLines: number) { return mostLines; }', 'most…'],
    ['/** Begins anew. */\nclass A {}', 'anew'],
    ['/*\n * Begins\n * anew.\n */\nclass A {}', 'anew'],
    ['export class Meanwhile extends Map {}', 'meanwhile'],
    ['for (const meanwhile of []) f(meanwhile);', 'meanwhile'],
    ['const f = ({ meanwhile, all }) => all;', 'meanwhile'],
    ['enum A {\n  meanwhile\n}', 'meanwhile'],
    ['type A = { meanwhileNote?: string }', 'meanwhile'],
    ['import * as meanwhile from "a";', 'meanwhile'],
  ])('finds the word in %s', (text, word) => {
    expect(faultsIn('src/a.ts', text).join()).toContain(`“${word}”`);
  });

  it('finds the word in a comment of a style sheet, and leaves its classes alone', () => {
    const text = '.docent-pane {\n  /* Stays\n  meanwhile. */\n  color: red;\n}';
    expect(faultsIn('src/a.css', text)).toEqual([expect.stringContaining('src/a.css:2: a comment uses')]);
  });

  it('leaves strings, quoted code and names that are only used alone', () => {
    expect(faultsIn('src/a.ts', "// Reads `told` of a log.\nexport const a = entry.told + 'it stands anew';")).toEqual(
      [],
    );
  });
});

it('appears in no name, comment or path', () => {
  const faults = ['src', 'test', 'scripts']
    .flatMap(sourcesBelow)
    .flatMap((file) => faultsIn(file, readFileSync(path.join(root, file), 'utf8')));
  expectNoFaults(faults);
}, 60_000);
