// Part of npm run lint: fails for each export, file, and dependency of the plugin that nothing uses (knip, by
// knip.config.js), for words of src/text/en that no code names, and for classes of the style sheets.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root, sourcesBelow } from '../house.mjs';
import { runScript } from '../run-script.mjs';

const knip = [path.join(root, 'node_modules/knip/bin/knip.js'), '--production', '--no-progress'];
const listed = ['--preprocessor', path.join(root, 'scripts/build/drop-listed-exports.mjs')];
const wordsFolder = 'src/text/en/';
const read = (file) => readFileSync(path.join(root, file), 'utf8');

await runScript(async () => {
  const files = sourcesBelow('src');
  const isText = (file) => file.startsWith(wordsFolder);
  const sources = files
    .filter((file) => !isText(file))
    .map(read)
    .join('\n');
  const texts = files.filter(isText).map((file) => ({ file, text: read(file) }));
  const named = countNames(sources);
  const inTexts = countNames(texts.map(({ text }) => text).join('\n'));
  const words = texts.flatMap(({ file, text }) =>
    keysOf(file, text).filter(({ name }) => !named.has(name) && inTexts.get(name) === 1),
  );
  const styles = readdirSync(path.join(root, 'src'), { recursive: true })
    .map((file) => path.posix.join('src', file.split(path.sep).join('/')))
    .filter((file) => file.endsWith('.css'));
  const faults = [
    ...words.map(({ file, line, name }) => `${file}:${line}: no code names the words “${name}”.`),
    ...styles.flatMap((file) => classesOf(file, named, sources)),
  ];
  for (const fault of faults) console.error(fault);
  const code = await runKnip();
  if (faults.length > 0 || code !== 0) process.exitCode = 1;
});

function runKnip() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, ...knip, ...listed], { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', resolve);
  });
}

/** How often each name is in a text. */
function countNames(text) {
  const counts = new Map();
  for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*(?:-[\w$]+)*/g)) {
    for (const each of new Set([name, ...name.split('-')])) counts.set(each, (counts.get(each) ?? 0) + 1);
  }
  return counts;
}

function keysOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const found = [];
  const visit = (node) => {
    if ((ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) && 'text' in node.name) {
      const { line } = source.getLineAndCharacterOfPosition(node.name.getStart(source));
      found.push({ file, line: line + 1, name: node.name.text });
    }
    // What is handed to a function is not a word.
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A class is named whole, or put together from a part that ends with a hyphen, as in `is-${state}`. */
function classesOf(file, named, code) {
  const classes = new Set([...read(file).matchAll(/\.((?:docent|is|has)-[\w-]+)/g)].map(([, name]) => name));
  const isNamed = (name) =>
    named.has(name) || [...name.matchAll(/-/g)].some(({ index }) => code.includes(`${name.slice(0, index + 1)}\${`));
  return [...classes].filter((name) => !isNamed(name)).map((name) => `${file}: no code names the class “${name}”.`);
}
