/** The workflow of a task, outside Plan and in it (R065-R079). */
import { subagents } from '../facts/library';
import { turnState } from '../facts/turn-state';
import { section } from '../section';
import { recordOf, writeTemplate } from '../template-record';
import planning from './prose/planning-workflow.eta.md';
import planningBrief from './prose/planning-workflow-brief.eta.md';
import primary from './prose/primary-workflow.eta.md';
import primaryBrief from './prose/primary-workflow-brief.eta.md';

/** The four phases of Plan, strictly in order (R074-R079); the declarations of the tools are their list. */
export const planningWorkflowSection = section({
  id: 'planning-workflow',
  tag: 'workflow',
  composition: true,
  zone: 'instructions',
  buildOrder: 26,
  priority: 80,
  trim: 'never',
  needs: { state: turnState },
  when: ({ state }) => state.permissionMode === 'plan' && state.tier >= 2,
  full: ({ state }) => [writeTemplate(state.tier <= 3 ? planningBrief : planning, recordOf(state))],
  brief: ({ state }) => [writeTemplate(planningBrief, recordOf(state))],
});

/** The workflow of a task outside Plan: understand, plan, act, verify, finish (R065-R073). */
export const primaryWorkflowSection = section({
  id: 'primary-workflow',
  tag: 'workflow',
  composition: true,
  zone: 'instructions',
  buildOrder: 27,
  priority: 58,
  trim: 'never',
  needs: { state: turnState, agents: subagents },
  when: ({ state }) => state.tier >= 3 && state.permissionMode !== 'plan',
  full: ({ state, agents }) => {
    const hasInvestigator = agents.some(({ name }) => name === investigatorName);
    return [writeTemplate(state.tier === 3 ? primaryBrief : primary, recordOf(state), { hasInvestigator })];
  },
  brief: ({ state }) => [writeTemplate(primaryBrief, recordOf(state))],
});

const investigatorName = 'vault-investigator';
