/** How to find and call tools, for models that are not given them natively (R154-R160). */
import { toolsAndContext } from '../facts';
import { section } from '../section';

export const toolsAndContextSection = section({
  id: 'tools-and-context',
  tag: 'tools_and_context',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 55,
  priority: 85,
  trim: 'never',
  needs: { tools: toolsAndContext },
  when: ({ tools }) => tools !== null,
  full: ({ tools }) => {
    if (tools === null) return [];
    const agents =
      tools.agents.length === 0
        ? ['Call getTools to learn which agents and tools there are.']
        : tools.agents.map((agent) => `- ${agent.name}: ${agent.description}\n  Tools: ${agent.tools.join(', ')}`);
    return [
      [
        'Agents and their tools, reached through two meta-tools: getTools (look up) and useTools (run).',
        ...agents,
        '',
        '1. getTools returns the parameters of the tools you name.',
        '2. useTools runs them. Every call carries:',
        `   - workspaceId: "${tools.workspaceId}"`,
        `   - sessionId: "${tools.sessionId}"`,
        '   - memory: the conversation so far, in 1-3 sentences',
        '   - goal: what you are working towards, in 1-3 sentences',
        '   - constraints: limits to respect (optional)',
        '   - calls: [{ agent: "name", tool: "name", params: { ... } }]',
        '',
        'Copy workspaceId and sessionId exactly. Bring memory and goal up to date with each call. Arguments go in "params".',
      ].join('\n'),
    ];
  },
});
