/** The skills that can be activated (R063). */
import { formatSkills } from '../../library/skills';
import { toolNames } from '../../markup/variables';
import { availableSkills, turnState } from '../facts';
import { offers } from '../facts/turn-state';
import { section } from '../section';

export const availableSkillsSection = section({
  id: 'available-skills',
  tag: 'available_skills',
  composition: true,
  zone: 'instructions',
  flatOrder: 20,
  priority: 55,
  trim: 'never',
  needs: { skills: availableSkills, state: turnState },
  when: ({ skills, state }) => skills.length > 0 && state.tier >= 2 && offers(state, toolNames.activateSkill),
  full: ({ skills, state }) => [state.tier <= 3 ? namesOf(skills) : formatSkills(skills)],
  brief: ({ skills }) => [namesOf(skills)],
});

function namesOf(skills: readonly { readonly name: string }[]): string {
  return `For ${toolNames.activateSkill}: ${skills.map(({ name }) => name).join(', ')}.`;
}
