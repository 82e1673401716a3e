/** The skills that can be activated, of all sources (R063, R134). */
import { listSkills, type Skill } from '../../library/skills';
import { describeWorkspace } from '../../library/user-notes';
import type { Fact } from '../section';
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
