/** The subagents that can be started for a closed task (R062, R137). */
import { formatSubagents } from '../../library/subagents';
import { lines } from '../../markup/prose';
import { toolNames } from '../../markup/variables';
import { subagents } from '../facts/library';
import { offers, turnState } from '../facts/turn-state';
import { section } from '../section';

export const subAgentsSection = section({
  id: 'sub-agents',
  tag: 'sub_agents',
  composition: true,
  zone: 'instructions',
  buildOrder: 18,
  priority: 50,
  trim: 'never',
  needs: { agents: subagents, state: turnState },
  when: ({ agents, state }) => agents.length > 0 && state.tier >= 3 && offers(state, toolNames.runSubagent),
  full: ({ agents, state }) => [
    state.tier === 3 ? namesOf(agents) : lines(`Subagents for ${toolNames.runSubagent}:`, formatSubagents(agents)),
  ],
  brief: ({ agents }) => [namesOf(agents)],
});

function namesOf(agents: readonly { readonly name: string }[]): string {
  return `Subagents for ${toolNames.runSubagent}: ${agents.map(({ name }) => name).join(', ')}.`;
}
