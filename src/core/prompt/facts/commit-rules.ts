/** How the user wants commits worded: `commit.md`, read when a repository and its tools are at hand (R263). */
import { readPromptFile } from '../../library/agent-folder';
import { toolNames } from '../../markup/variables';
import type { Fact } from '../section';

const gitTools: readonly string[] = [toolNames.gitStatus, toolNames.gitDiff, toolNames.gitLog];

/** Null for our own words. */
export const commitRules: Fact<string | null> = {
  id: 'commit-rules',
  gather: (world, signal) =>
    world.device.repository && world.turn.toolNames.some((name) => gitTools.includes(name))
      ? readPromptFile(world, 'commit', signal)
      : null,
};
