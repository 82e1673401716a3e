/** useStatuses: how each server stands, looked up again whenever one changes. */
import { useEffect, useReducer } from 'preact/hooks';
import type { McpAccess, McpServerStatus } from '../../core/ports/network';

export function useStatuses(servers: McpAccess): readonly McpServerStatus[] {
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => servers.subscribe(() => look(undefined)), [servers]);
  return servers.statuses();
}
