/** How to inspect versions and write a commit message, in a vault that is a Git repository (R086). */
import { readPromptFile } from '../../library/agent-folder';
import { points } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { offers, type TurnState, turnState } from '../facts/turn-state';
import { type Fact, section } from '../section';

const gitTools: readonly string[] = [toolNames.gitStatus, toolNames.gitDiff, toolNames.gitLog];

/**
 * The user's rules for commit messages from `commit.md`; null for Docent's own. Read only if there is a repository and
 * its tools are declared (R263).
 */
export const commitRules: Fact<string | null> = {
  id: 'commit-rules',
  gather: (world, signal) =>
    world.device.repository && world.turn.toolNames.some((name) => gitTools.includes(name))
      ? readPromptFile(world, 'commit', signal)
      : null,
};

export const gitSection = section({
  id: 'git',
  tag: 'git',
  composition: true,
  zone: 'instructions',
  afterBase: true,
  buildOrder: 32,
  priority: 42,
  trim: 'never',
  needs: { state: turnState, commit: commitRules },
  when: ({ state }) =>
    state.repository && state.tier >= 3 && offers(state, toolNames.gitStatus, toolNames.gitDiff, toolNames.gitLog),
  full: ({ state, commit }) => [state.tier === 3 && commit === null ? brief : fully(state, commit)],
  brief: () => [brief],
});

const brief = 'Git repository: stage, commit and push nothing unasked; propose messages.';

function fully(state: TurnState, commit: string | null): string {
  const looks = [
    offers(state, toolNames.gitStatus) && toolNames.gitStatus,
    offers(state, toolNames.gitDiff) && `${toolNames.gitDiff} (last commit and staged)`,
    offers(state, toolNames.gitLog) && `${toolNames.gitLog} (last 3)`,
  ].filter((look) => look !== false);
  return points(
    'This vault is a git repository. Stage, commit and push nothing unasked.',
    `Before a commit gather in one round: ${looks.join(', ')}. ${commit === null ? ourRules(state) : 'Propose a message as the user words them, below.'}`,
    offers(state, toolNames.gitStatus) && `Afterwards ${toolNames.gitStatus} confirms it.`,
    'A failure is reported; a workaround only when asked.',
    // The user's own words come last, unformatted.
  ).concat(commit === null ? '' : `\n\n${commit}`);
}

function ourRules({ interactive }: TurnState): string {
  return `Always propose a message in that style, why over what.${interactive ? ' Ask if the purpose is unclear.' : ''}`;
}
