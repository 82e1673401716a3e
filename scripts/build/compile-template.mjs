// Compiles a built-in prompt template, NAME.eta.md, to a module whose default export is a function from a record to
// text. The build and jest both use it, so no code is made from text while the plugin runs.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Eta } from 'eta/core';

/** Texts are for a model, never HTML, and their line ends are part of them. */
const eta = new Eta({ autoEscape: false, autoTrim: false });

/**
 * A line with nothing but one tag that writes nothing: it is removed, so that conditions leave no empty lines. The same
 * expression is in src/core/markup/user-templates.ts, for the user's templates.
 */
const tagLine = /^[ \t]*(<%(?![-_]?\s*[=~])(?:(?!%>)[^\n])*%>)[ \t]*(?:\r?\n|(?![^]))/gm;

/**
 * Returns the code of the module. No arrow functions: the engine parses one with the module, and passes over any other
 * function until it is called.
 * @throws with file and line if a tag cannot be read
 */
export function compileTemplate(text, file) {
  const nodes = parse(text, file);
  if (nodes.every((node) => typeof node === 'string'))
    return `export default function () {\nreturn '${nodes.join('')}';\n}\n`;
  // A variable takes fewer bytes than the property that Eta writes to, 600 times over.
  const body = eta.compileBody(nodes).replace(/^__eta\.res\+=/gm, '__text+=');
  return `export default function (it) {\nlet __text = '';\n${body}return __text;\n}\n`;
}

function parse(text, file) {
  try {
    return eta.parse(text.replace(tagLine, '$1'));
  } catch (thrown) {
    throw new Error(`${file}: ${thrown.message}`, { cause: thrown });
  }
}

/**
 * Returns TypeScript with the same lines as the template, which writes nothing: the compiler checks with it which names
 * and values a template uses.
 * @param record the type of the record
 */
export function checkableTemplate(text, record) {
  const blankLines = (part) => part.replace(/[^\n]/g, '');
  let end = 0;
  let body = '';
  for (const match of text.matchAll(/<%[-_]?(\s*[=~])?([^]*?)[-_]?%>/g)) {
    const [whole, writes, code = ''] = match;
    body += blankLines(text.slice(end, match.index)) + (writes === undefined ? code : `;write(${code});`);
    end = match.index + whole.length;
  }
  return `export default (it: ${record}, write: (text: string | number) => void): void => {${body}\n};\n`;
}

/** A plugin of esbuild. */
export const promptTemplates = {
  name: 'prompt-templates',
  setup(builder) {
    builder.onLoad({ filter: /\.eta\.md$/ }, async ({ path: file }) => {
      const name = path.relative(builder.initialOptions.absWorkingDir ?? process.cwd(), file);
      try {
        return { contents: compileTemplate(await readFile(file, 'utf8'), name), loader: 'js' };
      } catch (thrown) {
        return { errors: [{ text: thrown.message, location: { file: name } }] };
      }
    });
  },
};
