/** What must hold of Docent's own templates: each name that they use is in their record, and each value is text. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { checkableTemplate, compileTemplate } from '../../../../../scripts/build/compile-template.mjs';
import { numberSteps } from '../../../../../src/core/markup/prose';
import { expectNoFaults } from '../../../expect-no-faults';

const root = path.resolve(__dirname, '../../../../..');
const folder = path.join(root, 'src/core/prompt');
const templates = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.eta.md'))
  .map((file) => path.join(folder, file))
  .sort();

const records = `import('${folder}/world')`;
const extrasIn = /readonly '?([\w-]+)'?: \{/g;
const ownRecords = readFileSync(path.join(folder, 'template-record.ts'), 'utf8');
const named = new Set(
  Array.from(
    /interface TemplateExtras \{([^]*?)\n\}/.exec(ownRecords)?.[1]?.matchAll(extrasIn) ?? [],
    ([, name]) => name,
  ),
);

/** The type of a template's record, by its folder and its name. */
function recordOf(file: string): string {
  if (file.includes('/families/')) return `${records}.TemplateContext`;
  const name = path.basename(file).replace(/(?:-brief)?\.eta\.md$/, '');
  const extras = named.has(name) ? ` & import('${folder}/template-record').TemplateExtras['${name}']` : '';
  return `${records}.TemplateRecord${extras}`;
}

/** The files around the templates, which are the same each time: those of the platform are half a million characters. */
const known = new Map<string, ts.SourceFile | undefined>();

/** Returns a sentence with file and line for each fault that the compiler finds in these templates. */
function faultsIn(texts: ReadonlyMap<string, string>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2021,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const code = new Map([...texts].map(([file, text]) => [`${file}.ts`, checkableTemplate(text, recordOf(file))]));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => code.has(file) || fileExists(file);
  host.readFile = (file) => code.get(file) ?? readFile(file);
  host.getSourceFile = (file, version, ...rest) => {
    const text = code.get(file);
    if (text !== undefined) return ts.createSourceFile(file, text, version);
    if (!known.has(file)) known.set(file, getSourceFile(file, version, ...rest));
    return known.get(file);
  };
  const program = ts.createProgram([...code.keys(), path.join(root, 'src/markdown-files.d.ts')], options, host);
  return [...code.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText, file: at }) => {
      const line = (at?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      const shown = path.relative(root, file).replace(/\.ts$/, '');
      return `${shown}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}

it('each uses only what its record has', () => {
  expect(templates.length).toBeGreaterThan(40);
  expectNoFaults(faultsIn(new Map(templates.map((file) => [file, readFileSync(file, 'utf8')]))));
});

it('an unknown name, a value that cannot be, and a value that is no text are faults with file, line and name', () => {
  const file = path.join(folder, 'sections/prose/planted.eta.md');
  const text = [
    'First line.',
    '<% if (it.offers.serch) { %>',
    'Use <%= it.tools.searchNotes %>.',
    "<% } else if (it.permissionMode === 'revue') { %>",
    '<%= it.offers %> and <%= it.hasSkills %>',
    '<% } %>',
  ].join('\n');
  const faults = faultsIn(new Map([[file, text]]));
  expect(faults.map((fault) => fault.replace('src/core/prompt/sections/prose/', ''))).toEqual([
    expect.stringMatching(/^planted\.eta\.md:2: Property 'serch' does not exist on type 'Readonly<Record</),
    expect.stringMatching(
      /^planted\.eta\.md:4: This comparison appears to be unintentional .* '"revue"' have no overlap/,
    ),
    expect.stringMatching(/^planted\.eta\.md:5: Argument of type 'Readonly<Record/),
    expect.stringMatching(/^planted\.eta\.md:5: Property 'hasSkills' does not exist/),
  ]);
});

it('a tag that is not closed fails the build with file and line', () => {
  expect(() => compileTemplate('One.\n<% if (it.interactive) { Two.', 'prose/x.eta.md')).toThrow(
    /prose\/x\.eta\.md: unclosed tag at line 2 col 1/,
  );
});

/** Runs the code of a template, which only a test may do. */
function fill(text: string, it: object): string {
  const code = compileTemplate(text, 'x.eta.md').replace('export default', 'return');
  return (new Function(code)() as (it: object) => string)(it);
}

describe('a compiled template', () => {
  it('gives its text as it is, with quotes, backslashes and signs', () => {
    const text = "It's a \\n `${x}` </script> “—” $& %>\n\n- [[Note]]\n";
    expect(fill(text, {})).toBe(text);
    expect(fill(`${text}<%= it.a %>`, { a: '<b> ${x} <%= y %>' })).toBe(`${text}<b> \${x} <%= y %>`);
  });

  it('loses the lines that hold one condition and nothing else, and no others', () => {
    const text = 'a\n  <% if (it.x) { %>  \nb <% if (it.y) { %>c<% } %>\n<% } else { %>\r\nd\n<% } %>';
    expect(fill(text, { x: true, y: true })).toBe('a\nb c\n');
    expect(fill(text, { x: true, y: false })).toBe('a\nb \n');
    expect(fill(text, { x: false })).toBe('a\nd\n');
    expect(fill('<%= it.a %>\n<%= it.b %>\n', { a: 1, b: 2 })).toBe('1\n2\n');
  });

  it('counts its steps, so that one that is left out leaves no gap', () => {
    const text = '#. One\n<% if (it.two) { %>\n#. Two\n<% } %>\n#. Three, not #. here\n';
    expect(numberSteps(fill(text, { two: false }))).toBe('1. One\n2. Three, not #. here\n');
    expect(numberSteps(fill(text, { two: true }))).toBe('1. One\n2. Two\n3. Three, not #. here\n');
  });
});
