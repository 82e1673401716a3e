/** Changes of the list of servers in the settings, which a sync may have changed since it was drawn. */
import type { McpServerChoice } from '../../core/ports/network';
import type { Settings } from '../../core/settings/settings';

type Servers = Settings['mcpServers'];

/** -1 when it is no longer there. */
export function placeOf(servers: readonly McpServerChoice[], server: McpServerChoice): number {
  const own = servers.indexOf(server);
  return own === -1 ? servers.findIndex(({ name }) => name === server.name) : own;
}

/**
 * @param server null for one that is new
 * @param next null takes it out; one that is no longer there is added anew, so that nothing entered is lost
 */
export function withServer(servers: Servers, server: McpServerChoice | null, next: McpServerChoice | null): Servers {
  const at = server === null ? -1 : placeOf(servers, server);
  if (at === -1) return next === null ? servers : [...servers, { ...next }];
  // What a newer version stores beside these fields is kept.
  const instead = next === null ? [] : [{ ...servers[at], ...next }];
  return [...servers.slice(0, at), ...instead, ...servers.slice(at + 1)];
}
