/** The list of skills as it stands in a prompt and for `${AgentSkills}` (R035, R063). */
import { lines, oneLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import type { Skill } from '../skills/skill';

/** Empty when there is none. */
export function formatSkills(skills: readonly Pick<Skill, 'name' | 'description' | 'location'>[]): string {
  if (skills.length === 0) return '';
  return lines(
    '# Available skills',
    '',
    `When a task fits, bring its skill in with ${toolNames.activateSkill}, once:`,
    ...skills.map(
      ({ name, description, location }) => `- **${name}**: ${oneLine(description)}\n  Location: ${oneLine(location)}`,
    ),
  );
}
