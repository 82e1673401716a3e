/** The skills that can be activated, of all sources (R063, R134). */
import { listSkills } from '../../skills/list-skills';
import type { Skill } from '../../skills/skill';
import type { Fact } from '../section';
import { describeWorkspace } from '../user-notes';
import type { World } from '../world';

export const availableSkills: Fact<readonly Skill[]> = {
  id: 'available-skills',
  gather: (world) => skillsOf(world),
};

export function skillsOf({ vault, turn, agentFolder }: World): readonly Skill[] {
  const { selectedWorkspace } = turn;
  const workspaceFolder =
    selectedWorkspace === null || vault.file(selectedWorkspace) === undefined
      ? null
      : describeWorkspace(vault, selectedWorkspace).rootFolder.replace(/^\/+|\/+$/g, '');
  return listSkills(vault, agentFolder, workspaceFolder).skills;
}
