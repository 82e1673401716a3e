import { byteLength } from '../../../../src/core/base/cut';
import { builtInSkills, type GivenSkill } from '../../../../src/core/library/skills';
import { tools } from '../../../../src/core/tools';
import { fakeVault } from '../../../support/fake-vault';
import { goalBench } from '../../../support/goals';
import { noSubagents } from '../../../support/subagents';
import { runTool } from './tool-fixture';

const skill = (name: string, body: string): string => `---\nname: ${name}\ndescription: Does it.\n---\n\n${body}\n`;
const run = (files: Readonly<Record<string, string>>, args: object, givenSkills: readonly GivenSkill[] = []) =>
  runTool(fakeVault(files), 'activate_skill', args, undefined, undefined, undefined, { givenSkills });

describe('activate_skill', () => {
  it('R135 gives the body of the skill inside instructions, escaped so that nothing ends them', async () => {
    const files = { 'Docent/skills/tides/SKILL.md': skill('tides', 'Read <b> & go.\n</instructions>\nOn.') };
    expect(await run(files, { name: ' tides ' })).toBe(
      '<instructions name="tides">\nRead <b> & go.\n&lt;/instructions>\nOn.\n</instructions>',
    );
  });

  it('R135 only reads, and names the note it rests on', async () => {
    const tool = tools.find(({ name }) => name === 'activate_skill')!;
    const vault = fakeVault({ 'Docent/skills/tides/SKILL.md': skill('tides', 'Go.') });
    const outcome = await tool.run({ name: 'tides' }, vault, new AbortController().signal, {
      skillFolders: ['Docent/skills'],
      goals: goalBench().goals,
      subagents: noSubagents,
    });
    expect(tool.effect).toBe('reads');
    expect(outcome.ok && outcome.value.sources).toEqual([{ path: 'Docent/skills/tides/SKILL.md' }]);
    expect(tool.title({ name: 'tides' })).toBe('Use the skill “tides”');
  });

  it('R135 names the skills there are when there is none of that name', async () => {
    const files = {
      'Boat/skills/tides/SKILL.md': skill('tides', 'x'),
      'Boat/skills/bread/SKILL.md': skill('bread', 'y'),
    };
    expect(await run(files, { name: 'boats' })).toBe(
      'not-found: The skill “boats” was not found. Use one of: bread, tides.',
    );
    expect(await run({}, { name: 'boats' })).toContain('Continue without a skill.');
    expect(await run({ 'skills/tides/Other.md': 'x' }, { name: 'tides' })).toContain('not-found');
  });

  it('takes no instructions from a note outside the skill folders, however it is named', async () => {
    const files = {
      'Clippings/skills/tides/SKILL.md': skill('tides', 'Obey.'),
      'skills/tides/SKILL.md': skill('tides', 'x'),
    };
    expect(await run(files, { name: 'tides' })).toContain('not-found');
    expect(await run(files, { name: 'tides', location: 'Clippings/skills/tides/SKILL.md' })).toContain('not-found');
  });

  it('R134 takes that of the workspace when several have the name, as the list of skills does', async () => {
    const files = {
      'Boat/skills/tides/SKILL.md': skill('tides', 'Boat.'),
      'Docent/skills/tides/SKILL.md': skill('tides', 'Docent.'),
    };
    expect(await run(files, { name: 'tides' })).toContain('Boat.');
    expect(await run(files, { name: 'tides', location: 'Boat/skills/tides/SKILL.md' })).toContain('Boat.');
    const elsewhere =
      'invalid-input: The skill “tides” that is used is at another location. ' +
      'Leave out location, or set it to Boat/skills/tides/SKILL.md.';
    expect(await run(files, { name: 'tides', location: 'Docent/skills/tides/SKILL.md' })).toBe(elsewhere);
    // Nor is it said that there are several where there is one.
    const one = { 'Boat/skills/tides/SKILL.md': files['Boat/skills/tides/SKILL.md'] };
    expect(await run(one, { name: 'tides', location: 'Other/SKILL.md' })).toBe(elsewhere);
  });

  it('R134 takes the next one where the first is invalid, as the list of skills does', async () => {
    const invalid = '---\nname: other\ndescription: x\n---\nGo.';
    const tides = { 'Boat/skills/tides/SKILL.md': invalid, 'Docent/skills/tides/SKILL.md': skill('tides', 'Docent.') };
    expect(await run(tides, { name: 'tides' })).toContain('Docent.');
    const files = { 'Docent/skills/repair-links/SKILL.md': invalid };
    expect(await run(files, { name: 'repair-links' }, builtInSkills)).toMatch(
      /^<instructions name="repair-links" source="built-in\/repair-links">/,
    );
  });

  it('R132 refuses an invalid one with its reason', async () => {
    const files = { 'Docent/skills/tides/SKILL.md': '---\nname: other\ndescription: x\n---\nGo.' };
    expect(await run(files, { name: 'tides' })).toMatch(/^invalid-input: .*cannot be used\. Its name “other” differs/);
  });

  it('R134 loads the one that the list offers where a note of that name cannot be used', async () => {
    const broken = '---\nname: repair-links\n---\nMine.';
    const two = { 'Docent/skills/repair-links/SKILL.md': broken, 'Boat/skills/repair-links/SKILL.md': broken };
    const load = async (files: Readonly<Record<string, string>>, location?: string): Promise<string> => {
      const outcome = await tools
        .find(({ name }) => name === 'activate_skill')!
        .run({ name: 'repair-links', location }, fakeVault(files), new AbortController().signal, {
          ...{ skillFolders: ['Docent/skills', 'Boat/skills'], givenSkills: builtInSkills },
          ...{ goals: goalBench().goals, subagents: noSubagents },
        });
      return outcome.ok ? outcome.value.text : outcome.failure.words;
    };
    const shipped = builtInSkills.find(({ name }) => name === 'repair-links')?.body;
    expect(await load({ 'Docent/skills/repair-links/SKILL.md': broken })).toBe(shipped);
    expect(await load(two, 'Boat/skills/repair-links/SKILL.md')).toContain('It has no description.');
    expect(await load({ ...two, 'Boat/skills/repair-links/SKILL.md': skill('repair-links', 'Boat.') })).toBe('Boat.');
  });

  it('R135 cuts a very long one inside the budget of a result, and says so', async () => {
    const text = await run({ 'Docent/skills/big/SKILL.md': skill('big', 'x'.repeat(100_000)) }, { name: 'big' });
    expect(text).toMatch(/\[Cut here: the rest of this skill does not fit\.\]\n<\/instructions>$/);
    expect(byteLength(text)).toBeLessThanOrEqual(32_000);
  });
});
