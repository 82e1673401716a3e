/** Which files direct the agent, by their place and name in any spelling. */
import { instructionPlaces, kindFinder } from '../../../../../src/core/writing/guard/instruction-places';

const find = kindFinder(instructionPlaces('Docent', [' CLAUDE.md ', 'AGENTS.md'], 'Own prompt.md'));

it.each([
  ['Docent/modes/Poet.md', 'mode'],
  ['Docent/prompts/Deep/A.md', 'prompt'],
  ['Docent/workspaces/A.md', 'workspace'],
  ['Docent/skills/tidy/notes.txt', 'skill'],
  ['Docent/subagents/A.md', 'subagent'],
  ['Docent/system.md', 'base-prompt'],
  ['Docent/system-extra.md', 'base-prompt'],
  ['Docent/system-reminder.md', 'base-prompt'],
  ['Docent/commit.md', 'background'],
  ['Docent/compaction.md', 'background'],
  ['Docent/memory.md', 'memory'],
  ['docent/MEMORY.md', 'memory'],
  ['DOCENT/Skills/a.md', 'skill'],
  ['Docent/memory.mdx', null],
  ['Docent/memory/A.md', null],
  ['Docent/Other.md', null],
  ['Docent/Deep/memory.md', null],
  ['Notes/Docent/memory.md', null],
  ['memory.md', null],
  ['Docent/skills', null],
  ['Docent 2/skills/A.md', null],
  ['Own prompt.md', 'base-prompt'],
  ['own PROMPT.md', 'base-prompt'],
  ['Notes/Own prompt.md', null],
  ['SKILL.md', 'skill'],
  ['Boat/Deep/skill.md', 'skill'],
  ['AGENTS.md', 'context'],
  ['Boat/agents.md', 'context'],
  ['Boat/CLAUDE.md', 'context'],
  ['Boat/CLAUDE.mdx', null],
  ['Boat/xAGENTS.md', null],
  ['Boat/AGENT\u017f.md', 'context'],
  ['Docent/skills/AGENTS.md', 'skill'],
  ['', null],
])('%s is of the kind %s', (path, kind) => {
  expect(find(path)).toBe(kind);
  // After any other place.
  for (const before of ['A.md', 'Docent/A.md', 'Docent/skills/A.md', 'Boat/Deep/A.md'])
    expect([find(before) === 'skill', find(path)]).toEqual([before === 'Docent/skills/A.md', kind]);
});

it('has an own prompt at any place, or none', () => {
  const at = kindFinder(instructionPlaces('Docent', [], 'Notes/Own.md'));
  expect([at('Notes/Own.md'), at('Own.md'), at('Deep/Notes/Own.md')]).toEqual(['base-prompt', null, null]);
  const without = kindFinder(instructionPlaces('Docent', [''], null));
  expect([without('Own prompt.md'), without('AGENTS.md'), without('A/')]).toEqual([null, 'context', null]);
});
