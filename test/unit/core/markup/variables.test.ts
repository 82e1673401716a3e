import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import {
  fillVariables,
  findNearest,
  findUnknown,
  promptNames,
  promptVariables,
  templateNames,
  templateVariables,
  toolNames,
} from '../../../../src/core/markup/variables';

const values = { agentSkills: 'SKILLS', subAgents: 'AGENTS', availableTools: ['search_notes', 'edit_note'] };
const filled = (text: string): string => fillVariables(text, templateVariables(values)).text;

describe('variables in the user’s texts', () => {
  it('R035 R036 put the skills and the sub-agents in', () => {
    expect(filled('a ${AgentSkills} b ${SubAgents} c')).toBe('a SKILLS b AGENTS c');
  });

  it('R037 list the tools, one a line and sorted, and say so when there is none', () => {
    expect(filled('${AvailableTools}')).toBe('- edit_note\n- search_notes');
    const none = templateVariables({ ...values, availableTools: [] });
    expect(fillVariables('${AvailableTools}', none).text).toBe('No tools are currently available.');
  });

  it('R038 know both forms of a tool’s name, offered or not, those of servers too', () => {
    expect(filled('${ToolName_search_notes} ${search_notes_ToolName} ${ToolName_fetch_page}')).toBe(
      'search_notes search_notes fetch_page',
    );
    const served = templateVariables({ ...values, availableTools: ['maps.find-place'] });
    expect(fillVariables('${ToolName_maps.find-place}', served).text).toBe('maps.find-place');
  });

  it('R143 spell each tool as it is declared, whether it is offered or not', () => {
    const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(Object.values(toolNames)).toEqual(Object.keys(toolNames).map(snake));
    expect(
      filled(
        Object.values(toolNames)
          .map((name) => `\${ToolName_${name}}`)
          .join(' '),
      ),
    ).toBe(Object.values(toolNames).join(' '));
  });

  it('R038 leave unknown names in place and tell of each once, with the nearest known one', () => {
    const { text, unknown } = fillVariables(
      '${AgentSkils} ${AgentSkils} ${ToolName_serach_notes} ${whatever} $AgentSkills ${}',
      templateVariables(values),
    );
    expect(text).toBe('${AgentSkils} ${AgentSkils} ${ToolName_serach_notes} ${whatever} $AgentSkills ${}');
    expect(unknown).toEqual([
      { name: 'AgentSkils', nearest: 'AgentSkills' },
      { name: 'ToolName_serach_notes', nearest: 'ToolName_search_notes' },
      { name: 'whatever', nearest: null },
    ]);
    expect(findUnknown('${agentskills}', templateNames([]))).toEqual([{ name: 'agentskills', nearest: 'AgentSkills' }]);
  });

  it('R039 replace every occurrence, literally and once: no sign in a value is special, no variable in it is filled', () => {
    const signs = templateVariables({ ...values, agentSkills: "$& $1 $$ $` $' ${SubAgents}" });
    expect(fillVariables('<${AgentSkills}><${AgentSkills}>', signs).text).toBe(
      "<$& $1 $$ $` $' ${SubAgents}><$& $1 $$ $` $' ${SubAgents}>",
    );
  });

  it('R171 fill in what a saved prompt asks for', () => {
    const asked = promptVariables({
      selection: 'S',
      activeNote: 'X/A.md',
      title: 'A',
      noteText: 'text',
      dailyNote: 'D.md',
      arguments: 'now',
      date: 'Friday',
      time: '14:05',
    });
    const text = [...asked.keys()].map((name) => `\${${name}}`).join(', ');
    expect(fillVariables(text, asked)).toEqual({
      text: 'S, X/A.md, A, text, D.md, now, Friday, 14:05',
      unknown: [],
    });
    expect(findUnknown('${selection} ${AvailableTools} ${query}', promptNames([]))).toMatchObject([{ name: 'query' }]);
  });
});

it.each<[string, string[], string | null]>([
  ['anchor', ['anchor'], 'anchor'],
  ['ANCHOR', ['anchor'], 'anchor'],
  ['anchr', ['anchor'], 'anchor'],
  ['anchoor', ['anchor'], 'anchor'],
  ['ancher', ['anchor'], 'anchor'],
  // Swapped letters count once.
  ['ab', ['ba'], null],
  ['abcde', ['badce'], 'badce'],
  ['abcde', ['bcaed'], null],
  // At most two fifths of the longer name may differ.
  ['abxyz', ['abcyz'], 'abcyz'],
  ['abxxz', ['abcyz'], 'abcyz'],
  ['axxxz', ['abcyz'], null],
  ['abc', ['abcde'], 'abcde'],
  ['ab', ['abcde'], null],
  ['anchor', ['anchors', 'anchor', 'anchored'], 'anchor'],
  ['anchorx', ['anchory', 'anchorz'], 'anchory'],
  ['', ['a'], null],
  ['a', [], null],
])('takes %j for a misspelling among %j of %j', (name, known, nearest) => {
  expect(findNearest(name, known)).toBe(nearest);
});

describe('a text with more variables than anyone writes', () => {
  const names = (length: number): string =>
    Array.from({ length: length / 20 }, (_, at) => `\${name${String(at).padStart(12, '0')}}`).join('');
  const known = promptNames(Array.from({ length: 60 }, (_, at) => `server_tool_${at}`));

  it('is told of a hundred of them, in time', async () => {
    await expectCostBelow(400, () => expect(findUnknown(names(400_000), known)).toHaveLength(100));
  });

  it('is told of very long ones in time', async () => {
    await expectCostBelow(200, () => {
      expect(findUnknown(`\${${'x'.repeat(1_000_000)}}`, known)).toMatchObject([{ nearest: null }]);
    });
  });

  it('is filled in until its values are two million characters, and stays as it is written from there on', async () => {
    const value = 'v'.repeat(100_000);
    const many = '${selection} ${date}\n'.repeat(100_000);
    await expectCostBelow(800, () => {
      const { text } = fillVariables(many, new Map([...Object.entries({ selection: value, date: '' })]));
      expect(text.length).toBe(many.length + 20 * (value.length - '${selection}'.length) - 100_000 * '${date}'.length);
      expect(text.endsWith('${selection} \n')).toBe(true);
    });
  });
});
