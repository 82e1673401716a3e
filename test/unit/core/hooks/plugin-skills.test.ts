/** The skills that other plugins give: which are taken, in which order they are, and who hears of them. */
import { PluginSkills, type PluginSkill } from '../../../../src/core/hooks/plugin-skills';
import { words } from '../../../../src/text';

const skill = (name: string, more: object = {}): PluginSkill => ({
  ...{ name, description: `Does ${name}.`, body: `How to do ${name}.` },
  ...more,
});
const namesOf = ({ skills }: PluginSkills): string[] => skills.map(({ name }) => name);

it('R134 gives skills in the order of their names, each with a label of its own, until they are taken back', () => {
  const skills = new PluginSkills();
  const releases = ['moor', 'anchor', 'sail'].map((name) => skills.register(skill(name)));
  expect(namesOf(skills)).toEqual(['anchor', 'moor', 'sail']);
  expect(skills.skills[0]).toEqual({ ...skill('anchor'), source: 'plugin', location: 'plugin/anchor' });
  releases[0]?.();
  expect(namesOf(skills)).toEqual(['anchor', 'sail']);
  skills.register(skill('moor'));
  releases[0]?.();
  expect(namesOf(skills)).toEqual(['anchor', 'moor', 'sail']);
});

it('R134 keeps a copy of the tools that a skill is limited to', () => {
  const skills = new PluginSkills();
  const allowedTools = ['read_note', 7];
  skills.register(skill('anchor', { allowedTools }));
  allowedTools.push('edit_note');
  skills.register(skill('moor', { allowedTools: [] }));
  expect(skills.skills.map((each) => each.allowedTools)).toEqual([['read_note', '7'], []]);
});

it('R134 tells its subscribers of each skill that comes or goes, once, until they leave', () => {
  const skills = new PluginSkills();
  const seen: string[][] = [];
  const leave = skills.subscribe(() => seen.push(namesOf(skills)));
  const release = skills.register(skill('anchor'));
  const held = skills.skills;
  release();
  release();
  leave();
  skills.register(skill('moor'));
  expect(seen).toEqual([['anchor'], []]);
  expect(held.map(({ name }) => name)).toEqual(['anchor']);
});

it.each([
  ['without a name', { name: '' }],
  ['with a name that is no text', { name: 7 }],
  ['with a blank description', { description: ' \n' }],
  ['without a body', { body: undefined }],
])('R134 refuses a skill %s', (_name, more) => {
  const skills = new PluginSkills();
  expect(() => skills.register(skill('anchor', more))).toThrow(words.hooks.wrongSkill);
  expect(skills.skills).toEqual([]);
});

it('R134 refuses a second skill of the same name', () => {
  const skills = new PluginSkills();
  for (const name of ['anchor', 'moor']) skills.register(skill(name));
  expect(() => skills.register(skill('anchor'))).toThrow(words.hooks.takenSkill('anchor'));
  expect(skills.skills).toHaveLength(2);
});
