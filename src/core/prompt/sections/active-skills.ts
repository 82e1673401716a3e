/** The full text of the skills in use, which outlives the history it was first given in (R135, R136). */
import { element } from '../../markup/markup';
import { activeSkills } from '../facts';
import type { ActiveSkill } from '../facts/active-skills';
import { section } from '../section';

const left: Readonly<Record<NonNullable<ActiveSkill['left']>, string>> = {
  cut: '[Cut here: the rest of this skill does not fit.]',
  'no-room': '[Left out: the skills before it fill the room there is.]',
  unreadable: '[Left out: its note cannot be read.]',
};

export const activeSkillsSection = section({
  id: 'active-skills',
  tag: 'active_skills',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 21,
  priority: 88,
  trim: 'tail',
  needs: { skills: activeSkills },
  when: ({ skills }) => skills.length > 0,
  full: ({ skills }) =>
    skills.flatMap((skill, index) => [
      ...(index === 0 ? [] : ['\n']),
      element('instructions', { name: skill.name }, textOf(skill)),
    ]),
  brief: ({ skills }) => [`Skills in use: ${skills.map(({ name, location }) => `${name} (${location})`).join(', ')}`],
});

function textOf({ body, left: reason }: ActiveSkill): string {
  if (reason === undefined) return body ?? '';
  return body === null || body === '' ? left[reason] : `${body}\n${left[reason]}`;
}
