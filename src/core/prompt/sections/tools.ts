/** Tools in the prompt: how models without native tools call them, and those that the user named. */
import { type Fact, section } from '../section';
import type { MentionedTool, ToolAgentInfo } from '../world';

/** The agents and the ids that a model must repeat, if the prompt describes its tools (R154-R160). */
export interface ToolsAndContext {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly agents: readonly ToolAgentInfo[];
}

export const toolsAndContext: Fact<ToolsAndContext | null> = {
  id: 'tools-and-context',
  gather: ({ turn: { toolAgents, toolNames, sessionId, workspaceId } }) =>
    toolAgents === null || toolNames.length === 0 ? null : { sessionId, workspaceId, agents: toolAgents },
};

/** How to find and call tools, for models without native tools (R154-R160). */
export const toolsAndContextSection = section({
  id: 'tools-and-context',
  tag: 'tools_and_context',
  zone: 'instructions',
  afterBase: true,
  buildOrder: 55,
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
        'Call a meta-tool by ending your message with one JSON block, as below. Then stop: the next message brings the results. Never write results yourself. A message without a block is your answer to the user.',
        '',
        '1. getTools returns the parameters of the tools you name. Look a tool up before you first use it:',
        fenced({ getTools: { tools: ['name', 'name'] } }),
        '2. useTools runs them, several at once if they are independent:',
        fenced({
          useTools: {
            workspaceId: tools.workspaceId,
            sessionId: tools.sessionId,
            memory: '...',
            goal: '...',
            calls: [{ agent: 'name', tool: 'name', params: {} }],
          },
        }),
        'Put into every useTools block:',
        `   - workspaceId: "${tools.workspaceId}"`,
        `   - sessionId: "${tools.sessionId}"`,
        '   - memory: the conversation so far, in 1-3 sentences',
        '   - goal: what you work toward, in 1-3 sentences',
        '   - constraints: limits to respect (optional)',
        '   - calls: [{ agent: "name", tool: "name", params: { ... } }]',
        '',
        'Copy workspaceId and sessionId exactly. Update memory and goal with each call. Put arguments in "params". Write line ends inside a text as \\n.',
      ].join('\n'),
    ];
  },
});

/** Writes the example of a call: one line of JSON in a fence. */
function fenced(call: unknown): string {
  return `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``;
}

/** Replaces the description of a tool that this level or permission mode does not have. */
const notOffered = 'Not available in this chat. Say so if the request needs it.';

/** The tools that the user named with `/` in this message (R170). */
export const toolHints: Fact<readonly MentionedTool[]> = {
  id: 'tool-hints',
  gather: ({ turn, toolDescriptions }) =>
    turn.mentions
      .filter((mention) => mention.kind === 'tool')
      .map(({ id }) => ({
        name: id,
        description: turn.toolNames.includes(id) ? (toolDescriptions[id] ?? '') : notOffered,
      })),
};

/** The tools that the user requested with `/` (R170). */
export const toolHintsSection = section({
  id: 'tool-hints',
  tag: 'tool_hints',
  zone: 'turn',
  buildOrder: 80,
  priority: 70,
  trim: 'tail',
  needs: { tools: toolHints },
  when: ({ tools }) => tools.length > 0,
  full: ({ tools }) => [
    [
      'The user asked for these tools. Prioritize them where they apply:',
      ...tools.map(({ name, description }) => `Tool: ${name}\nDescription: ${description}`),
    ].join('\n\n'),
  ],
  brief: ({ tools }) => [`Prioritize: ${tools.map(({ name }) => name).join(', ')}`],
});
