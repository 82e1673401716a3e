/** The text of the skills in use, within their budget, with what was left out (R135). */
import { folderNameOf } from '../../library/skills';
import { bodyOf } from '../../markdown/properties';
import { cutToTokens, tokensByRule } from '../../markup/budget';
import type { Fact } from '../section';
import type { World } from '../world';
import { skillsOf } from './available-skills';

export interface ActiveSkill {
  readonly name: string;
  readonly location: string;
  /** Null when nothing of it is shown. */
  readonly body: string | null;
  /** Why its text is not all there. */
  readonly left?: 'cut' | 'no-room' | 'unreadable';
}

/** Tokens of one skill, and of all together. */
export const skillTokens = { each: 5_000, all: 25_000 } as const;

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

/** In the order in which they were activated: the ones that came first keep their room. */
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
