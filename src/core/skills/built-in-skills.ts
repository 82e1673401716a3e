/** THE list of skills that ship with Docent; the weakest source. */
import type { GivenSkill } from './skill';

export const builtInSkills: readonly GivenSkill[] = [];
