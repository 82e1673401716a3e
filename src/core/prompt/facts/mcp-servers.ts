/** The servers that are connected, with what they offer, sorted by name (R133). */
import type { Fact } from '../section';
import type { McpServerInfo } from '../turn-data';

export const mcpServers: Fact<readonly McpServerInfo[]> = {
  id: 'mcp-servers',
  gather: ({ turn }) =>
    turn.mcpServers
      .map(({ name, tools, resources }) => ({
        name,
        tools: [...tools].sort(byName),
        resources: [...resources].sort(byName),
      }))
      .sort(byName),
};

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
