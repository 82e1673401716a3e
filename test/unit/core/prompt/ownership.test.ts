/** Who owns the system prompt: one hierarchy, one assembler, one place that writes what is sent (R002, R003, R026). */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { readSources } from '../../read-sources';

const { files, imports, textOf, codeOf } = readSources('src');
const paths = {
  manager: 'src/core/context/context-manager.ts',
  factory: 'src/core/context/prepare-turn.ts',
  orchestrator: 'src/core/prompt/prompt-orchestrator.ts',
  store: 'src/core/prompt/tiered-prompt-store.ts',
  registry: 'src/core/library/prompt-registry.ts',
  builder: 'src/core/prompt/system-prompt-builder.ts',
  entry: 'src/core/prompt/prompt-orchestrator.ts',
  provider: 'src/core/prompt/provide-prompt.ts',
  assembler: 'src/core/prompt/assemble-prompt.ts',
  planner: 'src/core/request/plan-request.ts',
} as const;
const helpers = [paths.store, paths.registry, paths.builder];

/** In order, and once where two names mean one file. */
const fileList = (...given: readonly string[]): string[] => [...new Set(given)].sort();

const importsOf = (from: string): string[] => imports.filter((each) => each.from === from).map(({ to }) => to ?? '');

/** Everything that a file leads to at run time, itself apart. */
function reachOf(start: string): Set<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    for (const { from, to, typesOnly } of imports) {
      if (from !== path || to === null || typesOnly || reached.has(to)) continue;
      reached.add(to);
      visit(to);
    }
  };
  visit(start);
  return reached;
}

const codes = files.filter((path) => /\.tsx?$/.test(path));

/**
 * The files whose code holds this.
 * @param word a part of all that the pattern matches
 */
const code = (word: string, pattern: RegExp): string[] =>
  codes.filter((path) => textOf(path).includes(word) && pattern.test(codeOf(path)));

/** The class of a file: its lines, and the names of the members that can be given another value. */
function classIn(path: string, name: string): { lines: number; mutable: string[] } {
  const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = tree.statements.filter(ts.isClassDeclaration).find((each) => each.name?.text === name);
  if (found === undefined) throw new Error(`There is no class ${name} in ${path}.`);
  const line = (position: number): number => tree.getLineAndCharacterOfPosition(position).line;
  const properties = found.members.filter(ts.isPropertyDeclaration);
  const parameters = found.members.filter(ts.isConstructorDeclaration).flatMap(({ parameters: each }) => [...each]);
  const isFixed = (node: ts.HasModifiers): boolean =>
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) === true;
  return {
    lines: line(found.end) - line(found.getStart()) + 1,
    mutable: [...properties, ...parameters].filter((node) => !isFixed(node)).map((node) => node.name.getText()),
  };
}

describe('the hierarchy', () => {
  it('R003 R004 goes from the manager to the orchestrator to store, registry and builder, and never back', () => {
    expect(importsOf(paths.manager)).toContain(paths.factory);
    expect(importsOf(paths.factory)).toContain(paths.orchestrator);
    for (const helper of helpers) {
      expect(importsOf(paths.orchestrator)).toContain(helper);
      const above = [...reachOf(helper)].filter((path) => /prompt-orchestrator|\/context\//.test(path));
      expect([helper, above]).toEqual([helper, []]);
    }
    expect([...reachOf(paths.orchestrator)].filter((path) => path.includes('/context/'))).toEqual([]);
  });

  it('R003 has an orchestrator made in one place, with its store, its registry and its builder', () => {
    expect(code('PromptOrchestrator', /new PromptOrchestrator\(/)).toEqual([paths.factory]);
    expect(code('createOrchestrator', /\bcreateOrchestrator\(/).sort()).toEqual(
      fileList(paths.factory, paths.manager, 'src/core/context/prepare-turn.ts'),
    );
    expect(code('ContextManager', /new ContextManager\(/)).toEqual(['src/core/chat/chat.ts']);
  });

  it.each([
    [paths.manager, 'ContextManager'],
    [paths.orchestrator, 'PromptOrchestrator'],
    [paths.store, 'TieredPromptStore'],
    [paths.registry, 'PromptRegistry'],
    [paths.builder, 'SystemPromptBuilder'],
    ['src/core/goals/goal-manager.ts', 'GoalManager'],
  ])('R003 K32 has %s as a façade of at most 60 lines', (path, name) => {
    expect(classIn(path, name).lines).toBeLessThanOrEqual(60);
  });

  it('R002 K32 lets the manager alone remember a conversation', () => {
    expect(classIn(paths.manager, 'ContextManager').mutable.length).toBeGreaterThan(0);
    expect(classIn(paths.orchestrator, 'PromptOrchestrator').mutable).toEqual([]);
    expect(classIn(paths.builder, 'SystemPromptBuilder').mutable).toEqual([]);
    for (const path of [paths.entry, paths.provider, paths.assembler, paths.planner]) {
      expect([path, /^let |^var /m.test(codeOf(path))]).toEqual([path, false]);
    }
  });

  it('R012 has a thin entry over a provider over texts that know neither', () => {
    expect(importsOf(paths.entry)).toContain(paths.provider);
    for (const name of ['getCoreSystemPrompt', 'getCompressionPrompt']) {
      const body = new RegExp(`export function ${name}\\([\\s\\S]*?\\n}\\n`).exec(codeOf(paths.entry))?.[0] ?? '';
      expect([name, body.match(/;/g)?.length]).toEqual([name, 1]);
    }
    const texts = files.filter((path) => /^src\/core\/prompt\/(sections|modes)\//.test(path));
    expect(texts.length).toBeGreaterThan(40);
    // A fact that only one section needs is in the section's file, and reads the store and the registry.
    const above = Object.values(paths).filter((path) => path !== paths.store && path !== paths.registry);
    const upward = imports.filter(({ from, to }) => texts.includes(from) && above.includes(to as never));
    expect(upward).toEqual([]);
  });
});

describe('the system message', () => {
  /** The room that puts what the assembler wrote into a request. */
  const plans = (path: string): boolean => path.startsWith('src/core/request/');

  it('R002 R026 is written by the assembler, put into a request by the planner, and by nobody else', () => {
    const writers = code('system', /^\s*system: (?!string)|[{,] system: (?!string)|\.system = /m);
    expect(writers).toContain(paths.planner);
    // The interface names its parts by their ids.
    const isOfPeople = (path: string): boolean => path.startsWith('src/text/');
    expect(writers.filter((path) => !plans(path) && !isOfPeople(path))).toEqual([paths.assembler]);
    // The one takes it from the plan, the other passes it on in the form of its server.
    expect(code('system', /\brole: ["']system["']/)).toEqual([
      'src/models/encode-plan.ts',
      'src/models/formats/ollama.ts',
    ]);
  });

  it('R026 K32 comes from one assembler, under the options and under the plan of a turn', () => {
    const users = imports.filter(({ to, typesOnly }) => to === paths.assembler && !typesOnly).map(({ from }) => from);
    expect(users).toContain(paths.planner);
    expect(users.filter((path) => !plans(path)).sort()).toEqual(fileList(paths.builder, paths.orchestrator));
    expect(code('composeSections', /\bcomposeSections\(/).sort()).toEqual(
      fileList(paths.assembler, 'src/core/prompt/assemble-prompt.ts'),
    );
  });

  it('R026 is in every request: whoever sends is handed a plan, and only what prepares a turn has one written', () => {
    const senders = code('stream', /\bmodel\.stream\(/).filter((path) => path.startsWith('src/core/'));
    expect(senders).toEqual(expect.arrayContaining(['src/core/turn/background-turn.ts', 'src/core/turn/run-turn.ts']));
    const askers = code('plan', /\bplan(Over|Request)\(/).filter((path) => !plans(path));
    expect(askers.filter((path) => !path.startsWith('src/core/context/'))).toEqual([]);
    expect(askers).toContain('src/core/context/prepare-turn.ts');
    expect(senders.filter((path) => askers.includes(path))).toEqual([]);
  });

  it('R013 is asked for through the public entry by the orchestrator, and by nobody past it', () => {
    expect(code('providePrompt', /\bprovidePrompt\(/).sort()).toEqual(fileList(paths.entry, paths.provider));
    expect(code('getCoreSystemPrompt', /\bgetCoreSystemPrompt\(/).sort()).toEqual(
      fileList(paths.entry, paths.orchestrator),
    );
    expect(code('updateSystemPrompt', /\bupdateSystemPrompt\(/).sort()).toEqual(
      fileList(paths.orchestrator, 'src/core/context/prepare-turn.ts'),
    );
  });
});
