/** The one formatter of a workspace's full record, shared by mentions, selection and tools (R179). */
import type { WorkspaceData } from './prompt-data';

/** Empty parts are left out; the order is fixed so that equal records give equal text. */
export function formatWorkspaceData(data: WorkspaceData): string {
  const parts = [
    formatContext(data.context),
    data.rootFolder === undefined ? '' : `Root folder: ${data.rootFolder}`,
    formatList('Workflows', data.workflows),
    formatList('Folders', data.workspaceStructure),
    formatList('Recent files', data.recentFiles),
    formatList('Key files', data.keyFiles),
    data.preferences === undefined || data.preferences === '' ? '' : `Preferences: ${data.preferences}`,
    formatList('Sessions', data.sessions),
    formatList('Saved states', data.states),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Whether the record carries everything, and not only the basic fields (R173). */
export function isComprehensive(data: WorkspaceData): data is WorkspaceData & { context: { name: unknown } } {
  return typeof data.context === 'object' && data.context !== null && 'name' in data.context;
}

/** The name to show: the context's, the record's, or what the caller falls back to (R177). */
export function nameOf(data: WorkspaceData, fallback: string): string {
  const inContext = isComprehensive(data) && typeof data.context.name === 'string' ? data.context.name : '';
  return inContext || data.name || fallback;
}

/** The basic fields as JSON, for a record without a full context (R173, R178). */
export function formatBasic({ name, description, rootFolder, context }: WorkspaceData): string {
  return JSON.stringify({ name, description, rootFolder, context }, null, 2);
}

function formatContext(context: unknown): string {
  if (typeof context !== 'object' || context === null) return '';
  const lines: string[] = [];
  const fields = context as Readonly<Record<string, unknown>>;
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'instructions' || value === '' || value === null || value === undefined) continue;
    lines.push(
      `${key.charAt(0).toUpperCase()}${key.slice(1)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
  }
  const instructions = fields['instructions'];
  if (typeof instructions === 'string' && instructions !== '') lines.push('', 'Instructions:', instructions);
  return lines.join('\n');
}

function formatList(title: string, items: readonly string[] | undefined): string {
  return items === undefined || items.length === 0 ? '' : [`${title}:`, ...items.map((item) => `- ${item}`)].join('\n');
}
