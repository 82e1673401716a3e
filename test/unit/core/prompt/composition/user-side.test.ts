import { formatSkills } from '../../../../../src/core/library/skills';
import { tokensByRule } from '../../../../../src/core/markup/budget';
import { write } from '../../../../../src/core/markup/markup';
import { inBuildOrder } from '../../../../../src/core/prompt/assemble-prompt';
import { availableSkills, subagents } from '../../../../../src/core/prompt/facts/library';
import { turnState } from '../../../../../src/core/prompt/facts/turn-state';
import { sections } from '../../../../../src/core/prompt/sections';
import {
  activeGoal,
  activeGoalSection,
  formatGoalHead,
  formatGoalProgress,
} from '../../../../../src/core/prompt/sections/goal';
import { mcpServers } from '../../../../../src/core/prompt/sections/mcp-servers';
import {
  activeSkills,
  activeSkillsSection,
  availableSkillsSection,
  skillTokens,
} from '../../../../../src/core/prompt/sections/skills';
import { subAgentsSection } from '../../../../../src/core/prompt/sections/sub-agents';
import { projectContext, userMemory } from '../../../../../src/core/prompt/facts/context-texts';
import {
  additionalInstructions,
  projectContextSection,
  userMemorySection,
} from '../../../../../src/core/prompt/sections/user-instructions';
import type { World } from '../../../../../src/core/prompt/world';
import { type Tier, tiers } from '../../../../../src/core/settings/mode';
import { goalValue, turnStateValue } from '../../../../goldens/composition-values';
import { fakeVault } from '../../../../support/fake-vault';
import { roughTokenizer } from '../../../../support/memory-ports';
import { render } from '../../../../support/render-section';
import { never, worldOf } from '../../../../support/turn-world';
import { everyTool, skillNote, skillPath, textOf } from './composed';

const big = 200_000;
const goalText = (tier: 1 | 2 | 3 | 5, contextWindow: number, toolNames = turnStateValue.toolNames) =>
  render(activeGoalSection, { goal: goalValue, state: { ...turnStateValue, tier, contextWindow, toolNames } }) ?? '';

/** The goal as a model sees it: its head among the instructions, and its progress with the message. */
const wholeGoal = (goal: typeof goalValue, tier: Tier): string =>
  `${formatGoalHead(goal, tier)}\n\n${formatGoalProgress(goal, tier)}`;

describe('active goal', () => {
  it('R118 R262 shows goal, priority, status, numbered checkpoints, decisions, artifacts and the next step', () => {
    const text = wholeGoal(goalValue, 3);
    expect(text).toMatch(/^CURRENT GOAL: Launch the boat <by> June\nPriority: high\nStatus: active/);
    expect(text).toMatch(
      /1\. ✅ List the faults\n2\. 🔄 Order the bolts\n3\. ⏳ Book the yard \(blocked: no answer yet\)/,
    );
    expect(text).toMatch(/🔒 Bronze bolts \(no rust\)/);
    expect(text).toMatch(/- Launch from Ardvane/);
    expect(text).toMatch(/- created note: Projects\/Bolts\.md/);
    expect(text).toMatch(/Artifacts:[\s\S]*Next: Ring the yard$/);
  });

  it('R118 K27 marks in ASCII at tiers 1 and 2', () => {
    for (const tier of [1, 2] as const) {
      const text = wholeGoal(goalValue, tier);
      expect(text).toMatch(/1\. \[x\] List .*\n2\. \[~\] Order .*\n3\. \[ \] Book/);
      expect(text).toContain('[locked] Bronze bolts');
      expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    }
  });

  it('K5 keeps what moves out of the head, in every window', () => {
    expect(goalText(5, big)).toContain('🔒 Bronze bolts');
    expect(goalText(5, big)).not.toMatch(/Checkpoints|Ardvane|Artifacts|Next:/);
    expect(goalText(3, 16_384)).not.toMatch(/Checkpoints/);
    const moved = { ...goalValue, checkpoints: [], artifacts: [], next: 'Else' };
    expect(formatGoalHead(moved, 5)).toBe(formatGoalHead(goalValue, 5));
  });

  it('R118 leaves out what a bare goal does not have', () => {
    const { next: _next, ...rest } = goalValue;
    const bare = { ...rest, checkpoints: [], decisions: [], artifacts: [] };
    expect(formatGoalHead(bare, 3)).toBe('CURRENT GOAL: Launch the boat <by> June\nPriority: high\nStatus: active');
    expect(formatGoalProgress(bare, 3)).toBe('');
  });

  it('R121 R143 teaches the tool where it is offered, else the marks of the tier', () => {
    expect(goalText(5, big)).toMatch(/Record with update_goal/);
    expect(goalText(1, 4_096, [])).toMatch(/\[CHECKPOINT\] Order the bolts - COMPLETED/);
    expect(goalText(1, 4_096, [])).not.toMatch(/\[NEXT\]/);
    expect(goalText(2, 8_192, [])).toMatch(/\[NEXT\]/);
    expect(goalText(2, 8_192, [])).not.toMatch(/\[DECISION\]/);
    expect(goalText(3, 16_384, [])).toMatch(/\[NEXT\].*\[DECISION\].*\[ARTIFACT\]/);
    const done = { goal: { ...goalValue, status: 'completed' }, state: turnStateValue };
    expect(render(activeGoalSection, done)).not.toMatch(/update_goal|CHECKPOINT\]/);
  });

  it('R112 stands in the prompt of every tier while there is one', async () => {
    for (const tier of tiers) {
      expect(await textOf('active-goal', { turn: { tier, goal: goalValue } })).toContain('CURRENT GOAL: Launch');
    }
    expect(await textOf('active-goal')).toBeUndefined();
    expect(activeGoal.gather(worldOf(fakeVault({}), { goal: goalValue }), never)).toBe(goalValue);
  });

  it('R119 R011 stands between mandates and skills, checks and additional instructions after them', () => {
    const ids = sections.map(({ id }) => id);
    const order = [
      'preamble',
      'core-mandates',
      'active-goal',
      'sub-agents',
      'available-skills',
      'active-skills',
      'mcp-servers',
      'hook-notice',
      'planning-workflow',
      'primary-workflow',
      'guidelines',
      'permissions',
      'git',
      'additional-instructions',
      'sanity-reality-check',
      'final-reminder',
      'tools-and-context',
      'project-context',
      'user-memory',
    ];
    expect(ids.filter((id) => order.includes(id))).toEqual(order);
    const places = order.filter((id) => !['tools-and-context'].includes(id));
    const positions = places.map((id) => sections.find((section) => section.id === id)?.buildOrder ?? -1);
    expect([...positions].sort((a, b) => a - b)).toEqual(positions);
  });
});

describe('skills', () => {
  it('R063 are listed by bold name, description and location under a heading', async () => {
    const text = (await textOf('available-skills', { turn: { tier: 4 } })) ?? '';
    expect(text).toMatch(/^<available_skills>\n# Available skills\n.*activate_skill/);
    expect(text).toContain('- **weekly-review**: Reviews the past week');
    expect(text).toContain(`\n  Location: ${skillPath}`);
  });

  it('R063 R253 say nothing when there is none, or no tool to bring one in', async () => {
    expect(render(availableSkillsSection, { skills: [], state: turnStateValue })).toBeNull();
    expect(await textOf('available-skills', { turn: { toolNames: ['read_note'] } })).toBeUndefined();
    expect(formatSkills([])).toBe('');
  });

  it('R134 come from the selected workspace, too', () => {
    const vault = fakeVault({
      'Docent/workspaces/Boat.md': '---\nfolder: Boat\n---\n',
      'Boat/skills/weekly-review/SKILL.md': skillNote,
      [skillPath]: skillNote,
    });
    const locations = (selectedWorkspace: string | null) =>
      (availableSkills.gather(worldOf(vault, { selectedWorkspace }), never) as readonly { location: string }[])
        .map(({ location }) => location)
        .filter((location) => !location.startsWith('built-in/'));
    expect(locations('Docent/workspaces/Boat.md')).toEqual(['Boat/skills/weekly-review/SKILL.md']);
    expect(locations(null)).toEqual([skillPath]);
    expect(locations('Docent/workspaces/Gone.md')).toEqual([skillPath]);
  });

  const active = (files: Readonly<Record<string, string>>, paths: readonly string[]) =>
    activeSkills.gather(worldOf(fakeVault(files), { activeSkills: paths }), never);

  it('R135 stand verbatim in instructions while they are active', async () => {
    const skills = await active({ [skillPath]: `${skillNote}\n\n\n\n- a <b> & "c"\n` }, [skillPath, skillPath]);
    expect(skills).toEqual([
      { name: 'weekly-review', location: skillPath, body: 'List the daily notes.\n\n\n\n- a <b> & "c"' },
    ]);
    expect(render(activeSkillsSection, { skills })).toBe(
      '<active_skills>\n<instructions name="weekly-review">\nList the daily notes.\n\n\n\n- a <b> & "c"\n</instructions>\n</active_skills>',
    );
    expect(render(activeSkillsSection, { skills: [] })).toBeNull();
  });

  it('R135 are cut at their budget, and what is left out is announced', async () => {
    const bodies = [1, 2, 3, 4, 5, 6].map((n) => [`Docent/skills/s${n}/SKILL.md`, `${n}`.repeat(30_000)] as const);
    const paths = [...bodies.map(([path]) => path), 'Docent/skills/gone/SKILL.md'];
    const skills = await active(Object.fromEntries(bodies), paths);
    expect(skills.map(({ left }) => left)).toEqual(['cut', 'cut', 'cut', 'cut', 'cut', 'no-room', 'unreadable']);
    const tokens = skills.map(({ body }) => tokensByRule(body ?? ''));
    expect(Math.max(...tokens)).toBe(skillTokens.each);
    expect(tokens.reduce((sum, each) => sum + each, 0)).toBe(skillTokens.all);
    const text = render(activeSkillsSection, { skills }) ?? '';
    expect(text.match(/\[Cut here/g)).toHaveLength(5);
    expect(text).toMatch(/name="s6">\n\[Left out: earlier skills use the whole token budget\.\]/);
    expect(text).toMatch(/name="gone">\n\[Left out: its note cannot be read\.\]/);
  });

  it('R135 are used down to the last token of their budget', async () => {
    const sizes = [5_000, 5_000, 5_000, 5_000, 4_999, 2, 1];
    const bodies = sizes.map((size, n) => [`Docent/skills/s${n}/SKILL.md`, 'x'.repeat(4 * size)] as const);
    const skills = await active(
      Object.fromEntries(bodies),
      bodies.map(([path]) => path),
    );
    expect(skills.slice(4).map(({ left, body }) => [left, body?.length])).toEqual([
      [undefined, 4 * 4_999],
      ['cut', 4],
      ['no-room', undefined],
    ]);
  });
});

describe('sub-agents', () => {
  it('R062 stand in a directory where something can start them', async () => {
    expect(await textOf('sub-agents', { turn: { tier: 4 } })).toMatch(/run_subagent.*\n- \*\*vault-investigator\*\*: /);
    expect(await textOf('sub-agents', { turn: { toolNames: ['read_note'] } })).toBeUndefined();
    expect(subagents.gather(worldOf(fakeVault({}), { toolNames: [] }), never)).toEqual([]);
    const agents = subagents.gather(worldOf(fakeVault({}), { toolNames: everyTool }), never);
    expect(render(subAgentsSection, { agents, state: { ...turnStateValue, tier: 4, toolNames: [] } })).toBeNull();
  });

  it('R062 include those of the user', async () => {
    const vault = fakeVault({ 'Docent/subagents/Scout.md': '---\nname: scout\ndescription: Looks & sees.\n---\nGo.' });
    expect(await textOf('sub-agents', { vault, turn: { tier: 4 } })).toContain('- **scout**: Looks & sees.');
  });
});

describe('project context and memory', () => {
  const files = { 'AGENTS.md': '# Rules\n', 'Docent/memory.md': '---\ntype: memory\n---\n\n  - Metric units.\n\n' };

  it('R195 R196 gives the context file at the root between its bounds, and nothing without one', async () => {
    expect(await textOf('project-context', { vault: fakeVault(files) })).toBe(
      '<project_context>\n--- Context from: AGENTS.md ---\n# Rules\n--- End of Context from: AGENTS.md ---\n</project_context>',
    );
    expect(await textOf('project-context', { vault: fakeVault({ 'A/AGENTS.md': 'x' }) })).toBeUndefined();
    expect(await textOf('project-context', { vault: fakeVault({ 'AGENTS.md': ' \n' }) })).toBeUndefined();
  });

  it('R195 looks for the names of the settings', async () => {
    const vault = fakeVault({ 'CLAUDE.md': 'c', ...files });
    const named = (contextFiles: readonly string[]) => textOf('project-context', { vault, settings: { contextFiles } });
    expect(await named(['CLAUDE.md', 'AGENTS.md'])).toContain('Context from: CLAUDE.md');
    expect(await named([])).toBeUndefined();
  });

  it('R195 says in its place that a context file cannot be read', async () => {
    const file = await projectContext.gather(unreadable('AGENTS.md'), never);
    expect(render(projectContextSection, { file })).toMatch(/\[File content unavailable\] .*not a text file/);
  });

  it('R198 gives the memory note, trimmed, after a rule, and nothing when it is blank', async () => {
    expect(await textOf('user-memory', { vault: fakeVault(files) })).toBe(
      '---\n\n<user_memory>\n- Metric units.\n</user_memory>',
    );
    expect(
      await textOf('user-memory', { vault: fakeVault({ 'Docent/memory.md': '---\na: 1\n---\n \n' }) }),
    ).toBeUndefined();
    expect(await textOf('user-memory', { vault: fakeVault({}) })).toBeUndefined();
  });

  it('R198 stays the memory when it is cut to fit', () => {
    const section = sections.find(({ id }) => id === 'user-memory');
    const memory = 'Metric units. '.repeat(200);
    const { text } = write(section?.shorten?.({ memory }, 200, roughTokenizer) ?? []);
    expect(text).toMatch(/^---\n\n<user_memory>\nMetric units\.[^<]*<\/user_memory>$/);
    expect(roughTokenizer.count(text)).toBeLessThanOrEqual(200);
  });

  it('R198 stands behind all other instructions, in either order', () => {
    expect(sections.filter(({ zone }) => zone === 'instructions').at(-1)).toBe(userMemorySection);
    expect(inBuildOrder(sections.filter(({ zone }) => zone !== 'turn')).at(-1)).toBe(userMemorySection);
  });

  it('R198 says in its place that the memory note cannot be read', async () => {
    const memory = await userMemory.gather(unreadable('Docent/memory.md'), never);
    expect(render(userMemorySection, { memory })).toMatch(/\[File content unavailable\]/);
  });

  it('R108 adds the instructions of the settings, trimmed, at every tier', async () => {
    const settings = { additionalInstructions: '  Answer in <verse>.\n' };
    expect(await textOf('additional-instructions', { settings, turn: { tier: 1 } })).toBe(
      '<additional_instructions>\nAnswer in <verse>.\n</additional_instructions>',
    );
    expect(await textOf('additional-instructions', { settings: { additionalInstructions: ' \n' } })).toBeUndefined();
    expect(additionalInstructions.id).toBe('additional-instructions');
  });
});

describe('turn state', () => {
  it('R016 gathers what the composition is written for', () => {
    const world = worldOf(fakeVault({}), { tier: 2, permissionMode: 'plan', modernModel: true, hooked: true });
    expect(turnState.gather(world, never)).toMatchObject({
      tier: 2,
      permissionMode: 'plan',
      modernModel: true,
      hooked: true,
      interactive: true,
      contextWindow: 200_000,
      platform: 'desktop',
      repository: false,
      agentFolder: 'Docent',
      agentName: 'Assistant',
      brevity: 'brief',
      sanityChecks: 'auto',
    });
    const small = worldOf(fakeVault({}), { modernModel: false });
    const unattended = { ...small, settings: { ...small.settings, interactive: false } };
    expect(turnState.gather(unattended, never)).toMatchObject({ modernModel: false, interactive: false });
  });

  it('R133 sorts servers, tools and resources by name', () => {
    const tool = (name: string) => ({ name, description: '' });
    const servers = [
      { name: 'b', tools: [tool('z'), tool('a')], resources: [] },
      {
        name: 'a',
        tools: [],
        resources: [
          { name: 'y', uri: '1' },
          { name: 'x', uri: '2' },
        ],
      },
    ];
    const sorted = mcpServers.gather(worldOf(fakeVault({}), { mcpServers: servers }), never) as typeof servers;
    expect(sorted.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(sorted[1]?.tools.map(({ name }) => name)).toEqual(['a', 'z']);
    expect(sorted[0]?.resources.map(({ name }) => name)).toEqual(['x', 'y']);
  });
});

/** Creates a world in which this note is listed but is not text. */
function unreadable(path: string): World {
  return worldOf(fakeVault({ [path]: new Uint8Array([0, 255]) }));
}
