/** Skills in the prompt: those that can be activated, and the text of the active ones (R063, R135). */
import { folderNameOf, formatSkills } from '../../library/skills';
import { bodyOf } from '../../markdown/properties';
import { cutToTokens, tokensByRule } from '../../markup/budget';
import { element } from '../../markup/markup';
import { toolNames } from '../../markup/variables';
import { availableSkills, skillsOf } from '../facts/library';
import { offers, turnState } from '../facts/turn-state';
import { type Fact, section } from '../section';
import type { World } from '../world';

export const availableSkillsSection = section({
  id: 'available-skills',
  tag: 'available_skills',
  composition: true,
  zone: 'instructions',
  buildOrder: 20,
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

interface ActiveSkill {
  readonly name: string;
  readonly location: string;
  /** Null if none of it is shown. */
  readonly body: string | null;
  /** Why its text is incomplete. */
  readonly left?: 'cut' | 'no-room' | 'unreadable';
}

/** Maximum tokens of one skill, and of all together. */
export const skillTokens = { each: 5_000, all: 25_000 } as const;

/** The text of the active skills, within their budget, with a reason for what is omitted (R135). */
export const activeSkills: Fact<readonly ActiveSkill[]> = {
  id: 'active-skills',
  gather: async (world, signal) => {
    const locations = [...new Set(world.turn.activeSkills)];
    const texts = await Promise.all(locations.map((location) => readSkillText(world, location, signal)));
    return withinBudget(texts);
  },
};

async function readSkillText(world: World, location: string, signal: AbortSignal): Promise<ActiveSkill> {
  const registered = world.prompts.registered(location);
  if (registered !== undefined) return { name: registered.name, location, body: registered.content.trim() };
  const given = skillsOf(world).find((skill) => skill.location === location);
  if (given?.body !== undefined) return { name: given.name, location, body: given.body.trim() };
  const outcome = await world.readNote(location, signal);
  const name = given?.name ?? folderNameOf(location);
  return outcome.ok
    ? { name, location, body: bodyOf(outcome.value.text) }
    : { name, location, body: null, left: 'unreadable' };
}

/** Assigns the budget in the order of activation: skills that were activated first keep their share. */
function withinBudget(skills: readonly ActiveSkill[]): ActiveSkill[] {
  let room: number = skillTokens.all;
  return skills.map((skill) => {
    if (skill.body === null) return skill;
    if (room <= 0) return { ...skill, body: null, left: 'no-room' };
    const { text, cut } = cutToTokens(skill.body, Math.min(skillTokens.each, room));
    room -= tokensByRule(text);
    return cut ? { ...skill, body: text, left: 'cut' } : skill;
  });
}

const left: Readonly<Record<NonNullable<ActiveSkill['left']>, string>> = {
  cut: '[Cut here: the rest of this skill does not fit.]',
  'no-room': '[Left out: the skills before it fill the room there is.]',
  unreadable: '[Left out: its note cannot be read.]',
};

/** The full text of the active skills, which outlasts the messages that first contained it (R135, R136). */
export const activeSkillsSection = section({
  id: 'active-skills',
  tag: 'active_skills',
  zone: 'instructions',
  afterBase: true,
  buildOrder: 21,
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
