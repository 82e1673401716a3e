/** How to inspect versions and write a commit message, in a vault that is a Git repository (R086). */
import { readPromptFile } from '../../library/agent-folder';
import { toolNames } from '../../markup/variables';
import { offers, type TurnState, turnState } from '../facts/turn-state';
import { type Fact, section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import full from './prose/git.eta.md';
import brief from './prose/git-brief.eta.md';

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
  full: ({ state, commit }) => [state.tier === 3 && commit === null ? writeBriefly(state) : writeRules(state, commit)],
  brief: ({ state }) => [writeBriefly(state)],
});

function writeBriefly(state: TurnState): string {
  return writeTemplate(brief, recordOf(state));
}

function writeRules(state: TurnState, commit: string | null): string {
  const rules = writeTemplate(full, recordOf(state), { hasOwnRules: commit !== null });
  // The user's own words come last, unformatted.
  return rules.concat(commit === null ? '' : `\n\n${commit}`);
}
