/** Languages of code blocks that are only displayed, and the plugins that run some of the others. */

export const safeLanguages: ReadonlySet<string> = new Set(
  (
    ' text txt plain plaintext md markdown js javascript mjs cjs ts typescript jsx tsx json json5 jsonc jsonl yaml yml ' +
    'toml ini xml html css scss sass less py python python3 rb ruby java kotlin kt scala c h cpp c++ hpp cc cs csharp c# ' +
    'go golang rs rust swift objc objective-c php perl pl lua r julia jl matlab octave haskell hs elm ocaml ml fsharp f# ' +
    'clojure clj lisp scheme racket erlang elixir ex dart zig nim v fortran cobol ada pascal delphi vb vbnet basic asm ' +
    'assembly nasm wasm sh bash zsh fish shell console terminal powershell ps1 bat cmd batch sql mysql postgres ' +
    'postgresql sqlite graphql gql cypher sparql regex http nginx apache dockerfile docker makefile make cmake gradle ' +
    'groovy diff patch git gitignore csv tsv log tex latex bibtex bib mermaid query tasks base vim viml awk sed jq ' +
    'protobuf proto thrift solidity sol terraform tf hcl nix svelte vue astro handlebars hbs jinja jinja2 liquid erb ' +
    'properties env dotenv desktop plist applescript autohotkey ahk arduino verilog vhdl systemverilog prolog coq lean ' +
    'agda idris abc gherkin http1 output stdout ascii poem verse lyrics math'
  )
    .split(' ')
    .filter((name, index) => name !== '' || index === 0),
);

const runners: Readonly<Record<string, string>> = {
  dataview: 'Dataview',
  dataviewjs: 'Dataview',
  datacore: 'Datacore',
  datacorejs: 'Datacore',
  datacorejsx: 'Datacore',
  datacorets: 'Datacore',
  datacoretsx: 'Datacore',
  tasks: 'Tasks',
  mermaid: 'Mermaid',
  base: 'Bases',
  button: 'Buttons',
  'js-engine': 'JS Engine',
  'meta-bind': 'Meta Bind',
  'meta-bind-button': 'Meta Bind',
  'meta-bind-js-view': 'Meta Bind',
  templater: 'Templater',
  leaflet: 'Leaflet',
  excalidraw: 'Excalidraw',
  chart: 'Charts',
  'run-js': 'Execute Code',
};

/** The plugin that would run such a block, else its language. */
export function runnerOf(language: string): string {
  return runners[language] ?? language;
}
