// Builds the plugin: bundles src/main.ts into the released main.js, and the sheets of src/ui into styles.css; the same
// sources give the same bytes.
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build, context } from 'esbuild';
import { buildStyles, watchStyles } from './scripts/build/build-styles.mjs';
import { promptTemplates } from './scripts/build/compile-template.mjs';
import { countingParts } from './scripts/build/counting-parts.mjs';
import { joinParts } from './scripts/build/join-parts.mjs';
import { thirdPartyNotices } from './scripts/build/third-party-notices.mjs';
import { writeInOneStep } from './scripts/build/write-in-one-step.mjs';

const root = import.meta.dirname;

/** Modules that Obsidian provides, or that only exist on desktop. */
export const external = [
  'obsidian',
  'electron',
  '@codemirror/*',
  '@lezer/*',
  ...builtinModules.filter((name) => !name.startsWith('_')),
  'node:*',
];

/**
 * Replacements for parts of packages that Docent never calls and that the bundler cannot recognize as unused. They
 * would be parsed at every start of Obsidian.
 */
const replaced = [
  // The messages of one language instead of fifty.
  [/zod[\\/]v4[\\/]locales[\\/]index\.js$/, `export { default as en } from './en.js';`],
  [/zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/, 'export const fromJSONSchema = undefined;'],
  // It compiles code from text, which main.js never does.
  [
    /zod[\\/]v4[\\/]core[\\/]compile\.js$/,
    `export const INVALID = Symbol.for('zod.compile.invalid');
    export const [compile, withParser, ZodCompileAsyncError, ZodCompileUnsupportedError] = [];`,
  ],
];

/** Methods by which a text of zod is checked for a format: no schema of Docent or its packages calls one. */
const formatMethods = [/(?<=_ZodString\.init\(inst, def\);\n\}), \{\n {4}email\(params\)[^]*?\n\}(?=\);)/, ''];
/**
 * An object of all helpers of zod, which keeps each of them, and the parser of objects that makes code from text: the
 * plain one that it takes where it may not is the one that Docent sets.
 */
const allHelpers = [
  ['import { util } from "../core/index.js";', 'import * as util from "../core/util.js";'],
  ['core.util.constantCatch(', 'util.constantCatch('],
  ['core.$ZodObjectJIT.init(', 'core.$ZodObject.init('],
];
/** How each kind of schema is described, in one list: schemas that are used bring their own. The same for registries. */
const allDescriptions = [
  [/(?<=export const allProcessors = )\{[^]*?\n\}(?=;)/, '{}'],
  [/ {4}if \("_idmap" in input\) \{[^]*?return \{ schemas \};\n {4}\}\n/, ''],
];

/** The comparer of words without their spaces, which is made where the module is loaded. */
const wordComparer = [['wordDiff = new WordDiff()', 'wordDiff = /* @__PURE__ */ new WordDiff()']];

/** What Eta makes code from text with. Only its parser is used, and the bundler drops what nothing refers to. */
const codeMakers = [
  'const s=(async()=>{}).constructor;',
  'RuntimeErr=o;compile=c;compileToString=l;compileBody=u;',
  'render=C;renderAsync=w;renderString=T;renderStringAsync=E;',
];

/**
 * What the provider of chat completions makes besides models for chats: completions of a text, vectors, and images; and
 * what its models do besides streaming: answer at once.
 */
const unusedMakers = [
  [/\tasync prepareRequest\(options\) \{[^]*?(?=\tasync doStream\()/, ''],
  ['=> new OpenAICompatibleCompletionLanguageModel(', '=> ('],
  ['=> new OpenAICompatibleEmbeddingModel(', '=> ('],
  ['=> new OpenAICompatibleImageModel(', '=> ('],
];
/**
 * What all packages of the AI SDK can do and Docent's never do: take schemas of an older zod, read files in responses,
 * tell the kind of a file from its bytes.
 */
const unusedByAll = [
  ['= [...audioMediaTypeSignaturesWithoutMp4, {', '= [{'],
  ['const detected = detectMediaType({', 'const detected = void ({'],
  ['else return zod3Schema(zodSchema, options);', ''],
  ['const scanner = createJsonBinaryFieldScanner(binaryFieldPaths);', 'const scanner = {};'],
];
/**
 * What the client of MCP makes besides itself: transports of its own with their sign-in, whose schemas and errors call one
 * another at the top of the module, tools of the SDK, and events. Docent asks for prompts by itself, and for completions
 * of what is typed never.
 */
const unusedByMcp = [
  [/\tasync getPromptInternal\([^]*?(?=\tasync notification\()/, ''],
  [/\tasync tools\(\{ schemas [^]*?(?=\tlistResources\()/, ''],
  [/\tgetPrompt\(\{[^]*?(?=\tonElicitationRequest\()/, ''],
  [/BaseParamsSchema\.extend\(\{\n\tref:[^]*?\n\}\);\n/, ''],
  [/\/\/#region src\/tool\/oauth-types\.ts\n[^]*?\/\/#endregion\n/, ''],
  [
    /\/\/#region src\/error\/oauth-error\.ts\n[^]*?\/\/#endregion\n/,
    'let MCPClientOAuthError, AuthorizationServerMismatchError;',
  ],
  ['this.transport = createMcpTransport(transportConfig);', ''],
  ['validateMCPEventOperations(operations);', ''],
  ['const directEvents = createMCPEvents({', 'const directEvents = ({'],
  ['operations ? createManagedMCPEvents(operations, directEvents.list) : directEvents', 'directEvents'],
];
/** What marked does besides reading Markdown into tokens: it writes HTML, for which Docent has its own code. */
const markdownWriters = [
  ['provideParser(e=this.block){return e?P.parse:P.parseInline}', ''],
  [/(?<=\};)var v=new ne;[^]*?(?=export\{)/, ''],
  [/(?<=export\{)[^}]*(?=\})/, 'A as Hooks,w as Lexer,_ as Tokenizer'],
];
/** An import by which a package would bring all of zod, since it takes it as one object. */
const wholeZod = ['import { z } from "zod/v4";', 'import * as z from "zod/v4";'];
/** Calls that make a schema; the bundler drops one whose result nothing uses only if it is marked. */
const pureCalls = /(?<=^const [\w$]+ = )(?=lazySchema\(|\w+Schema\.)|\b(?=z\.\w+\()/gm;
const pureMark = '/* @__PURE__ */ ';
/** Members that a symbol names: the bundler keeps a class that has one, though nothing uses it. */
const namedBySymbol = /static \[(WORKFLOW_\w+)\]\(/g;

/** @throws if the package has changed, so that a part would stay in main.js unnoticed */
async function readWithout(file, parts) {
  let contents = await readFile(file, 'utf8');
  for (const [part, instead] of parts) {
    const without = contents.replace(part, instead);
    if (without === contents) throw new Error(`${file} has no ${part} now: see esbuild.config.mjs.`);
    contents = without;
  }
  return contents;
}

/** What packages lose that need nothing else. */
const unused = [
  [/zod[\\/]v4[\\/]classic[\\/]schemas\.js$/, [formatMethods, ...allHelpers]],
  [/zod[\\/]v4[\\/]core[\\/]json-schema-processors\.js$/, allDescriptions],
  [/[\\/]diff[\\/]libesm[\\/]diff[\\/]word\.js$/, wordComparer],
  [/[\\/]eta[\\/]dist[\\/]core\.js$/, codeMakers.map((part) => [part, ''])],
  [/[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/, markdownWriters],
  [/@ai-sdk[\\/]provider-utils[\\/]dist[\\/]index\.js$/, unusedByAll],
];

const leftOut = {
  name: 'left-out',
  setup(builder) {
    for (const [filter, contents] of replaced) builder.onLoad({ filter }, () => ({ contents }));
    for (const [filter, parts] of unused) {
      builder.onLoad({ filter }, async ({ path: file }) => ({ contents: await readWithout(file, parts) }));
    }
    builder.onLoad({ filter: /@ai-sdk[\\/]openai-compatible[\\/]dist[\\/]index\.js$/ }, async ({ path: file }) => ({
      contents: (await readWithout(file, [...unusedMakers, wholeZod]))
        .replace(pureCalls, pureMark)
        .replace(namedBySymbol, 'static $1('),
    }));
    builder.onLoad({ filter: /@ai-sdk[\\/]mcp[\\/]dist[\\/]index\.js$/ }, async ({ path: file }) => ({
      contents: (await readWithout(file, [...unusedByMcp, wholeZod])).replace(pureCalls, pureMark),
    }));
  },
};

/** Output options for each part of main.js. */
const written = {
  platform: 'browser',
  target: 'es2021',
  minify: true,
  charset: 'ascii',
  supported: {
    // Written as require, which Obsidian provides to plugins; a module import fails where there is no Node.
    'dynamic-import': false,
    // Written as constructor calls: the engine checks a literal when it compiles main.js, and Unicode classes are slow
    // to check.
    'regexp-sticky-and-unicode-flags': false,
  },
};

export function pluginBuildOptions(outfile) {
  return {
    ...written,
    supported: { ...written.supported, 'dynamic-import': true },
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts' },
    outdir: path.dirname(outfile),
    chunkNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    splitting: true,
    external,
    loader: { '.md': 'text' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [leftOut, promptTemplates, countingParts],
  };
}

/**
 * Escapes non-ASCII characters in regular expressions, where an escape means the same and the bundler leaves them; a
 * single one would make the engine store the whole file at two bytes per character.
 */
function escapeExpressions(code) {
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Names chosen over the whole file repeat more than those of each part: 15,800 bytes less, compressed. What a part asks
 * of Obsidian and Node stays under the name by which a reader looks for it.
 */
const mangle = { reserved: ['require'] };

/**
 * What is seen only over the whole file, in what the bundler has minified part by part: 23,300 bytes less, and a
 * fortieth of the time to compile. Functions stay where they are: one that is written out where it is called is made
 * again at each call.
 */
const compress = { passes: 2, toplevel: true, inline: 0, reduce_funcs: false };

/** Writes the finished bundle, notices included, in one step, and returns its text. */
async function finish(result, outfile) {
  const joined = await joinParts(result.outputFiles, written);
  const small = await minify(joined, { compress, mangle, ecma: 2021, format: { asciiOnly: true } });
  const code = escapeExpressions(small.code) + (await thirdPartyNotices(result.metafile, root));
  await writeInOneStep(outfile, code);
  return { metafile: result.metafile, bytes: Buffer.byteLength(code), gzipBytes: gzipSync(code, { level: 9 }).length };
}

/** @param plugins of esbuild, besides those of the plugin's own build */
export async function buildPlugin(outfile = path.join(root, 'main.js'), plugins = []) {
  const options = pluginBuildOptions(outfile);
  return finish(await build({ ...options, plugins: [...plugins, ...options.plugins] }), outfile);
}

/** Rebuilds on every change of a source; call the result to stop. */
export async function watchPlugin(outfile, onBuilt) {
  const options = pluginBuildOptions(outfile);
  const announce = {
    name: 'announce',
    setup(builder) {
      builder.onEnd(async (result) => {
        if (result.errors.length === 0) onBuilt(await finish(result, outfile));
      });
    },
  };
  const watching = await context({ ...options, plugins: [...options.plugins, announce] });
  await watching.watch();
  return () => watching.dispose();
}

function report({ bytes, gzipBytes }) {
  const format = (count) => count.toLocaleString('en');
  console.log(`main.js: ${format(bytes)} bytes, ${format(gzipBytes)} gzipped`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const outfile = path.join(root, 'main.js');
  try {
    if (process.argv.includes('--watch')) await Promise.all([watchPlugin(outfile, report), watchStyles()]);
    else {
      await buildStyles();
      report(await buildPlugin(outfile));
    }
  } catch (thrown) {
    // esbuild has already printed the errors of the sources.
    if (!thrown.errors) console.error(thrown.message);
    process.exitCode = 1;
  }
}
