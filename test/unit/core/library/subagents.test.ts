import { builtInSubagents, formatSubagents, listSubagents, toolsFor } from '../../../../src/core/library/subagents';
import { readingTools } from '../../../../src/core/markup/variables';
import { interpolatePreamble } from '../../../../src/core/turn/run-subagent';
import { fakeVault } from '../../../support/fake-vault';

const own = (front: string): string => `---\n${front}\n---\nYou look for \${query}.`;

describe('sub-agents', () => {
  it('R137 come with three roles, each with its own preamble and reading tools alone', () => {
    const { subagents, problems } = listSubagents(fakeVault({}), 'Docent');
    expect(subagents.map(({ name }) => name)).toEqual(['vault-investigator', 'plugin-help', 'generalist']);
    expect(problems).toEqual([]);
    expect(new Set(subagents.map(({ preamble }) => preamble)).size).toBe(3);
    for (const { preamble, tools } of subagents) {
      expect(preamble).toContain('${query}');
      expect(tools.length).toBeGreaterThan(0);
      expect(tools.filter((name) => !readingTools.includes(name))).toEqual([]);
    }
  });

  it('R137 R129 are added by notes, with their tools, model and variable', () => {
    const vault = fakeVault({
      'Docent/subagents/Archivist.md': own(
        'name: archivist\ndescription: Knows the archive.\ntools: [search_notes, read_note]\nmodel: openai/small\nquery: task',
      ),
      'Docent/subagents/deep/Other.md': own('name: other\ndescription: Too deep.'),
    });
    expect(listSubagents(vault, 'Docent').subagents.at(-1)).toEqual({
      name: 'archivist',
      description: 'Knows the archive.',
      tools: ['search_notes', 'read_note'],
      model: 'openai/small',
      queryVariable: 'task',
      source: 'agent-folder',
      location: 'Docent/subagents/Archivist.md',
      preamble: null,
    });
    expect(listSubagents(vault, 'Docent').subagents).toHaveLength(4);
  });

  it('R137 let a note take the place of a built-in role, and say so', () => {
    const vault = fakeVault({ 'Docent/subagents/G.md': own('name: generalist\ndescription: Mine.') });
    const { subagents, problems } = listSubagents(vault, 'Docent');
    expect(subagents.filter(({ name }) => name === 'generalist').map(({ description }) => description)).toEqual([
      'Mine.',
    ]);
    expect(problems).toEqual([
      {
        kind: 'hidden',
        location: 'built-in/generalist',
        words: 'This one isn’t used: the “generalist” at Docent/subagents/G.md comes first.',
      },
    ]);
  });

  it('R137 keep the first of two notes of one name', () => {
    const vault = fakeVault({
      'Docent/subagents/A.md': own('name: scout\ndescription: First.'),
      'Docent/subagents/B.md': own('name: scout\ndescription: Second.'),
    });
    const { subagents, problems } = listSubagents(vault, 'Docent');
    expect(subagents.at(-1)?.description).toBe('First.');
    expect(problems[0]).toMatchObject({ kind: 'hidden', location: 'Docent/subagents/B.md' });
  });

  it.each([
    ['description: x', 'It has no name.'],
    ['name: scout', 'no description'],
    ['name: Scout Two\ndescription: x', 'lowercase letters'],
    ['name: scout\ndescription: x\ntools: 3', '“tools” is not a list'],
    ['name: scout\ndescription: x\nmodel: [a]', '“model” is not text'],
    ['name: scout\ndescription: x\nquery: "two words"', '“query”'],
  ])('R137 list one with %j as invalid in plain words', (front, reason) => {
    const { subagents, problems } = listSubagents(fakeVault({ 'Docent/subagents/X.md': own(front) }), 'Docent');
    expect(subagents).toHaveLength(3);
    expect(problems[0]).toMatchObject({ kind: 'invalid', location: 'Docent/subagents/X.md' });
    expect(problems[0]?.words).toContain(reason);
  });

  it('R137 get of their tools only what is offered and reads', () => {
    const offered = [
      { name: 'read_note', effect: 'reads' },
      { name: 'search_notes', effect: 'reads' },
      { name: 'edit_note', effect: 'writes' },
      { name: 'fetch_page', effect: 'network' },
    ];
    const names = (tools: readonly string[]): string[] => toolsFor({ tools }, offered).map(({ name }) => name);
    expect(names(['read_note', 'edit_note', 'fetch_page', 'recall_output'])).toEqual(['read_note']);
    expect(names([])).toEqual(['read_note', 'search_notes']);
  });

  it('R062 stand in the directory as one line each, and leave it empty when there are none', () => {
    expect(formatSubagents(builtInSubagents).split('\n')).toHaveLength(3);
    expect(formatSubagents([{ ...builtInSubagents[0]!, name: 'scout', description: 'Looks\n\n around' }])).toBe(
      '- **scout**: Looks around',
    );
    expect(formatSubagents([])).toBe('');
  });
});

describe('a preamble', () => {
  it('R138 gets query and system prompt in every place, literally', () => {
    const text = interpolatePreamble('${query}; ${systemPrompt}; ${query}', { query: "$& $1 $'", systemPrompt: '$$' });
    expect(text).toBe("$& $1 $'; $$; $& $1 $'");
  });

  it('R138 leaves variables inside a value, and unknown ones, as they are', () => {
    expect(
      interpolatePreamble('${query} ${other} $query {query}', { query: '${systemPrompt}', systemPrompt: 'SECRET' }),
    ).toBe('${systemPrompt} ${other} $query {query}');
  });

  it('R138 knows the task under the name that the note gives it, too', () => {
    expect(interpolatePreamble('${task}/${query}', { query: 'Q', systemPrompt: '' }, 'task')).toBe('Q/Q');
    expect(interpolatePreamble('${task}', { query: 'Q', systemPrompt: '' })).toBe('${task}');
  });

  it('R138 R025 decides conditions over the subagent’s own tools, and stays as it is with a mistake', () => {
    const preamble =
      '<% if (it.offers.searchNotes) { %>Search with <%= it.tools.searchNotes %>.<% } else { %>Answer.<% } %> <%= it.query %>';
    const values = { query: 'Find <%= it.query %> ${systemPrompt}', systemPrompt: 'S' };
    expect(interpolatePreamble(preamble, values, 'query', ['search_notes'])).toBe(
      'Search with search_notes. Find <%= it.query %> ${systemPrompt}',
    );
    expect(interpolatePreamble(preamble, values)).toBe('Answer. Find <%= it.query %> ${systemPrompt}');
    expect(interpolatePreamble('<% if (it.query) { %> ${query}', values)).toBe(
      '<% if (it.query) { %> Find <%= it.query %> ${systemPrompt}',
    );
  });
});
