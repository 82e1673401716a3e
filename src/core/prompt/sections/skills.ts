/** Skills in the prompt: those that can be activated, those that a message names, and the text of the active ones (R063, R135). */
import { filesOfSkill, formatSkills, type Skill, skillNameOf, writeSkill } from '../../library/skills';
import { bodyOf } from '../../markdown/properties';
import { cutToTokens, tokensByRule } from '../../markup/budget';
import { element } from '../../markup/markup';
import { toolNames } from '../../markup/variables';
import { availableSkills, skillsOf } from '../facts/library';
import { offeredTools, offers, turnState } from '../facts/turn-state';
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
  when: ({ skills, state }) => skills.length > 0 && state.tier >= 3 && offers(state, toolNames.activateSkill),
  full: ({ skills, state }) => [state.tier === 3 ? namesOf(skills) : formatSkills(skills)],
  brief: ({ skills }) => [namesOf(skills)],
});

function namesOf(skills: readonly { readonly name: string }[]): string {
  return `Skills for ${toolNames.activateSkill}: ${skills.map(({ name }) => name).join(', ')}.`;
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
  const name = given?.name ?? skillNameOf(location);
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
  cut: '[Cut here: the rest of this skill exceeds the token budget.]',
  'no-room': '[Left out: earlier skills use the whole token budget.]',
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
  brief: ({ skills }) => [`Active skills: ${skills.map(({ name, location }) => `${name} (${location})`).join(', ')}`],
});

function textOf({ body, left: reason }: ActiveSkill): string {
  if (reason === undefined) return body ?? '';
  return body === null || body === '' ? left[reason] : `${body}\n${left[reason]}`;
}

interface NamedSkill extends Pick<Skill, 'name' | 'location' | 'allowedTools'> {
  readonly body: string;
  /** Paths of the files in its folder. */
  readonly files: readonly string[];
}

/** The skills that the user named with `/` in this message; those that cannot be read are left out. */
export const namedSkills: Fact<readonly NamedSkill[]> = {
  id: 'named-skills',
  gather: async (world, signal) => {
    const named = world.turn.mentions.filter((mention) => mention.kind === 'skill');
    const skills = await Promise.all(named.map(({ id }) => readNamedSkill(world, id, signal)));
    return skills.filter((skill) => skill !== null);
  },
};

async function readNamedSkill(world: World, location: string, signal: AbortSignal): Promise<NamedSkill | null> {
  const skill = skillsOf(world).find((each) => each.location === location);
  if (skill === undefined) return null;
  const { body } = await readSkillText(world, location, signal);
  if (body === null) return null;
  const { name, allowedTools } = skill;
  const limit = allowedTools === undefined ? {} : { allowedTools };
  return { name, location, ...limit, body, files: filesOfSkill(world.vault, location) };
}

/** The text of the skills that the message names, as activate_skill would load it. */
export const namedSkillsSection = section({
  id: 'named-skills',
  zone: 'turn',
  buildOrder: 84,
  priority: 76,
  trim: 'tail',
  needs: { skills: namedSkills, tools: offeredTools },
  when: ({ skills }) => skills.length > 0,
  full: ({ skills, tools: { toolNames: offered } }) => [
    'Follow these skills for this message. The user chose them:',
    ...skills.flatMap((skill) => {
      const place = { files: skill.files, toolNames: offered, tokens: skillTokens.each };
      const { name, text, lead } = writeSkill(skill, skill.body, place);
      return [lead === '' ? '\n' : `\n${lead}\n`, element('instructions', { name }, text)];
    }),
  ],
  brief: ({ skills }) => [`The user chose these skills: ${skills.map(({ name }) => name).join(', ')}`],
});
