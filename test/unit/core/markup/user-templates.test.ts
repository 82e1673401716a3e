/** Templates of the user's: what they may say, what is refused, and that reading them takes time in proportion. */
import { compileTemplate } from '../../../../scripts/build/compile-template.mjs';
import { fillUserTemplate, readUserTemplate, type TemplateFault } from '../../../../src/core/markup/user-templates';
import { fillVariables } from '../../../../src/core/markup/variables';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const record = {
  tier: 3,
  mode: 'planning',
  interactive: true,
  repository: false,
  agentName: '',
  title: 'Keel <bolts>',
  selection: '<%= it.mode %> ${title} <% if (it.tier) { %>',
  offers: { search: true, writing: false },
  tools: { searchNotes: 'search_notes' },
  run: () => 'never',
};

/** The text as it is sent. */
function fill(text: string, it: object = record): string {
  const read = readUserTemplate(text);
  if (read.kind === 'fault') throw new Error(`${read.fault.kind} in line ${read.fault.line}: ${read.fault.reason}`);
  const { text: decided, values } = fillUserTemplate(read.parts, it);
  return fillVariables(decided, values).text;
}

function faultOf(text: string): TemplateFault | null {
  const read = readUserTemplate(text);
  return read.kind === 'fault' ? read.fault : null;
}

/** Templates, each with the text that it gives. */
const sound: readonly (readonly [template: string, text: string])[] = [
  ['Plain text, 100 % of it.', 'Plain text, 100 % of it.'],
  ['<%= it.mode %>', 'planning'],
  ['<%=it.mode%>!', 'planning!'],
  ['<%~ it.tools.searchNotes %>', 'search_notes'],
  ['Level <%= it.tier %> of 5', 'Level 3 of 5'],
  ['<%= it.interactive %>', 'true'],
  ['<%= it.title %>', 'Keel <bolts>'],
  ['<% if (it.interactive) { %>Ask.<% } %>', 'Ask.'],
  ['<% if (it.repository) { %>Commit.<% } %>', ''],
  ['<% if (!it.repository) { %>No git.<% } %>', 'No git.'],
  ['<% if (it.repository) { %>a<% } else { %>b<% } %>', 'b'],
  ['<% if (it.repository) { %>a<% } else if (it.interactive) { %>b<% } else { %>c<% } %>', 'b'],
  ["<% if (it.mode === 'planning') { %>Plan.<% } %>", 'Plan.'],
  ['<% if (it.mode == "planning") { %>Plan.<% } %>', 'Plan.'],
  ["<% if (it.mode !== 'planning') { %>a<% } else { %>b<% } %>", 'b'],
  ['<% if (it.tier >= 3) { %>Large.<% } %>', 'Large.'],
  ['<% if (it.tier < 3) { %>Small.<% } else { %>Large.<% } %>', 'Large.'],
  ['<% if (it.tier > 2 && it.tier <= 4) { %>Middle.<% } %>', 'Middle.'],
  ['<% if (it.repository || it.offers.search) { %>x<% } %>', 'x'],
  ['<% if (!(it.repository || it.offers.writing)) { %>x<% } %>', 'x'],
  ['<% if (it.repository && it.offers.search || it.interactive) { %>x<% } %>', 'x'],
  ['<% if (it.repository && (it.offers.search || it.interactive)) { %>x<% } %>', ''],
  ['<% if (it.offers.search) { %><% if (it.tier === 3) { %>both<% } %><% } %>', 'both'],
  ['<% if (it.agentName) { %>I am <%= it.agentName %>.<% } else { %>No name.<% } %>', 'No name.'],
  ["<% if (it.agentName === '') { %>No name.<% } %>", 'No name.'],
  ['<% if (true) { %>x<% } %><% if (!true) { %>y<% } %>', 'x'],
  ['a\n<% if (it.interactive) { %>\nb\n<% } %>\nc\n', 'a\nb\nc\n'],
  ['a\n  <% if (it.repository) { %>\nb\n  <% } else { %>\nd\n<% } %>\n', 'a\nd\n'],
  ['<% /* for small models */ %>\nx', 'x'],
  ['It\'s a "test" with \\n, `code`, $& and %>.<%= it.tier %>', 'It\'s a "test" with \\n, `code`, $& and %>.3'],
  ['a <%- if (it.interactive) { -%>\n b <%- } -%>\n c', 'a  b  c'],
  ['${title} stays, <%= it.title %> goes', '${title} stays, Keel <bolts> goes'],
  ['a\r\n<% if (it.interactive) { %>\r\nb\r\n<% } %>\r\n<%= it.tier %>', 'a\nb\n3'],
];

/** What a template must not do, with the reason that is given. */
const hostile: readonly (readonly [template: string, kind: TemplateFault['kind'], reason: TemplateFault['reason']])[] =
  [
    ['<% while (true) { %>x<% } %>', 'refused', 'loop'],
    ['<% while (true); %>', 'refused', 'loop'],
    ['<% for (;;) { %>x<% } %>', 'refused', 'loop'],
    ['<% do { %>x<% } while (it.a) %>', 'refused', 'loop'],
    ['<%= it.run() %>', 'refused', 'call'],
    ['<%= it.mode.toUpperCase() %>', 'refused', 'call'],
    ['<% if (it.run()) { %>x<% } %>', 'refused', 'call'],
    ['<%= fetch("https://example.com") %>', 'refused', 'call'],
    ['<% alert(1) %>', 'refused', 'call'],
    ['<%= (() => 1)() %>', 'broken', 'condition'],
    ['<%= it.constructor %>', 'refused', 'name'],
    ['<%= it.mode.constructor.constructor("return 1")() %>', 'refused', 'name'],
    ['<% if (it.__proto__.polluted) { %>x<% } %>', 'refused', 'name'],
    ['<%= it.tools.prototype %>', 'refused', 'name'],
    ["<%= it['constructor'] %>", 'refused', 'code'],
    ['<%= it.tools[0] %>', 'refused', 'code'],
    ['<% if (it.mode?) { %>x<% } %>', 'refused', 'code'],
    ['<% it.mode = "x" %>', 'refused', 'assignment'],
    ['<% if (it.mode = "x") { %>x<% } %>', 'refused', 'assignment'],
    ['<% const a = 1 %>', 'refused', 'assignment'],
    ['<% delete it.mode %>', 'refused', 'assignment'],
    ['<%= it.tier++ %>', 'refused', 'assignment'],
    ['<%= process.env.HOME %>', 'refused', 'code'],
    ['<%= globalThis %>', 'refused', 'code'],
    ['<%= this.config %>', 'refused', 'code'],
    ['<%= `${process}` %>', 'refused', 'code'],
    ['<%= it.tier + 1 %>', 'refused', 'code'],
    ['<%= it.mode ? "a" : "b" %>', 'refused', 'code'],
    ['<%= "text" %>', 'refused', 'code'],
    ['<%= it?.mode %>', 'refused', 'code'],
    ['<% tp.date.now("YYYY") %>', 'refused', 'call'],
    ['<% throw it %>', 'refused', 'code'],
    ['<% } finally { %>', 'refused', 'code'],
    ['<%= item.mode %>', 'refused', 'code'],
    ['<%= it %>', 'refused', 'code'],
    [`<%= it.a${' '.repeat(600)}%>`, 'refused', 'tag-length'],
    [`${'<% if (it.a) { %>'.repeat(21)}${'<% } %>'.repeat(21)}`, 'refused', 'depth'],
    [`${'x'.repeat(1_000_000)}<%= it.mode %>`, 'refused', 'length'],
    ['<%= it.mode', 'broken', 'tag'],
    ['<% if (it.mode { <% } %>', 'broken', 'tag'],
    ["<% if (it.mode === 'a) { %>x<% } %>", 'broken', 'quote'],
    ['<% if (it.mode) { %>x', 'broken', 'end'],
    ['x<% } %>', 'broken', 'start'],
    ['<% } else { %>x<% } %>', 'broken', 'start'],
    ['<% if (it.a) { %>x<% } else { %>y<% } else { %>z<% } %>', 'broken', 'start'],
    ['<% if (it.a) { %>x<% } else { %>y<% } else if (it.b) { %>z<% } %>', 'broken', 'start'],
    ['<% if it.a { %>x<% } %>', 'broken', 'condition'],
    ['<% if (it.a) %>x', 'broken', 'condition'],
    ['<% if (it.a &&) { %>x<% } %>', 'broken', 'condition'],
    ['<% if ((it.a) { %>x<% } %>', 'broken', 'condition'],
    ['<% if (it.a it.b) { %>x<% } %>', 'broken', 'condition'],
    ['<% if () { %>x<% } %>', 'broken', 'condition'],
    ['<%= %>', 'broken', 'condition'],
  ];

it.each(sound)('R025 fills in %j', (template, text) => {
  expect(fill(template)).toBe(text);
});

it('R025 gives what Eta itself would give', () => {
  for (const [template, text] of sound) {
    const code = compileTemplate(template, 'x.eta.md').replace('export default', 'return');
    const written = (new Function(code)() as (it: object) => string)(record);
    expect([template, written]).toEqual([template, text]);
  }
});

it.each(hostile.map(([template, ...rest]) => [template.slice(0, 60), template, ...rest] as const))(
  'R025 runs nothing of %j',
  (_shown, template, kind, reason) => {
    expect(faultOf(template)).toEqual({ kind, line: 1, reason });
  },
);

it('R025 names the line of a fault, and the first of two', () => {
  expect(faultOf('a\nb\n<% if (it.a) { %>\nc\n<% evil() %>\n<% worse() %>')).toMatchObject({ line: 5, reason: 'call' });
  expect(faultOf('a\n<% if (it.a) { %>\n<%= it.b\n%>\n\n<% } %>\n<% } %>')).toMatchObject({ line: 7, reason: 'start' });
  expect(faultOf('a\n\n<% if (it.a) { %>\nb\n<% if (it.b) { %>\nc\n<% } %>')).toMatchObject({ line: 3, reason: 'end' });
});

it('R025 gives nothing for what is not there, and lists the names with their lines', () => {
  const template =
    '[<%= it.nothing %>][<%= it.offers %>][<%= it.run %>][<%= it.mode.length %>]\n<% if (it.toString) { %>x<% } %>';
  expect(fill(template)).toBe('[][][][]\n');
  const read = readUserTemplate(template);
  expect(read.kind === 'read' && read.names.map(({ name, line }) => `${line} ${name}`)).toEqual([
    ...['1 nothing', '1 offers', '1 run', '1 mode.length', '2 toString'],
  ]);
});

it('R025 reads no property that a record inherits', () => {
  const it: object = Object.create({ inherited: 'x' });
  expect(fill('[<%= it.inherited %>]<% if (it.inherited) { %>y<% } %>', it)).toBe('[]');
});

it('R039 never reads a value as a template, a variable, or a tag', () => {
  expect(fill('<%= it.selection %>|${it.mode}|<%= it.mode %>')).toBe(`${record.selection}|planning|planning`);
  expect(fill('<%= it.a %><%= it.b %>', { a: '<%= it.b', b: ' %>' })).toBe('<%= it.b %>');
});

it('R025 compares values of different kinds as different, and neither as larger', () => {
  const it = { one: 1, text: '1', none: undefined };
  for (const test of [
    "it.one === '1'",
    'it.one < it.text',
    'it.none < 1',
    'it.none >= 1',
    'it.text > 0',
    'it.one < 1',
  ]) {
    expect([test, fill(`<% if (${test}) { %>yes<% } %>`, it)]).toEqual([test, '']);
  }
  for (const test of ["it.one !== '1'", 'it.one <= 1', "it.text < '2'", 'it.none !== 1', 'it.one > -1.5']) {
    expect([test, fill(`<% if (${test}) { %>yes<% } %>`, it)]).toEqual([test, 'yes']);
  }
});

describe('the time it takes', () => {
  const shapes: Readonly<Record<string, string>> = {
    values: '<%= it.mode %> and ',
    conditions: '<% if (it.tier >= 3 && !it.repository) { %>\na\n<% } else { %>\nb\n<% } %>\n',
    quotes: '\'"`\\',
    blanks: '          \t',
    'blank lines': '     \n',
    'blanks in tags': `<%= it.mode${' '.repeat(400)}%>`,
    'line ends': '\r\n',
    signs: '%> ${ }$ < % > {% %}',
    'long texts in tags': `<% if (it.mode === '${'x'.repeat(400)}') { %>a<% } %>`,
    negations: `<% if (${'!'.repeat(400)}it.mode) { %>a<% } %>`,
  };
  const sized = (shape: string, length: number): string =>
    `<%= it.mode %>${shape.repeat(Math.floor(length / shape.length))}`;

  it.each(Object.entries(shapes))('R025 grows with the length: %s', async (_name, shape) => {
    const read = (text: string) => () => {
      for (let time = 0; time < 12; time += 1) expect(fill(text).length).toBeGreaterThan(0);
    };
    // Eight times the length; work that grows with its square would take 64 times as long.
    await expectGrowthBelow(28, read(sized(shape, 96_000)), read(sized(shape, 12_000)));
  });

  it.each([
    ['tags that are never closed', '<% '],
    ['tags within tags', '<% if (it.a) { <% '],
    ['conditions within conditions', '<% if (it.a) { %>'],
    ['quotes that are never closed', "<%= ' %>"],
    ['parentheses', '<% if (('],
  ])('R025 refuses a megabyte of %s at once', async (_name, shape) => {
    const text = shape.repeat(Math.floor(1_000_000 / shape.length));
    const half = text.slice(0, 99_000);
    expect(faultOf(text)).toMatchObject({ reason: 'length' });
    expect(faultOf(half)).not.toBeNull();
    await expectGrowthBelow(
      28,
      () => faultOf(half),
      () => faultOf(half.slice(0, 12_000)),
    );
  });
});
