/**
 * The baseline for prompts: the builder that seed 004 describes, written down as it comes to mind first. It reads notes
 * one after the other, grows strings, escapes by one replacement after the other, and remembers nothing.
 */

export interface NaiveOptions {
  /** Milliseconds since the epoch. Each build derives the name of its session from this time. */
  readonly now: number;
  readonly contextNotes: readonly string[];
  readonly rootFolders: readonly string[];
  readonly rootFiles: readonly string[];
  readonly workspaces: readonly { id: string; name: string; description?: string; rootFolder: string }[];
  readonly prompts: readonly { id: string; name: string; description: string }[];
  readonly agents: readonly { name: string; description: string; tools: readonly string[] }[];
  readNote(path: string): Promise<string>;
}

export async function buildNaivePrompt(options: NaiveOptions): Promise<string> {
  const parts: string[] = [];
  parts.push(writeTools(options));
  parts.push(writeStructure(options));
  parts.push(writeWorkspaces(options));
  parts.push(writePrompts(options));
  parts.push(await writeFiles(options));
  return parts.filter((part) => part !== '').join('\n');
}

function writeTools({ agents, now }: NaiveOptions): string {
  let text = '<tools_and_context>\nAgents, each with its tools:\n';
  for (const agent of agents) {
    text += `- ${agent.name}: ${agent.description}\n`;
    text += `  Tools: ${agent.tools.join(', ')}\n`;
  }
  text += 'Ask getTools what a tool takes, then run it with useTools.\n';
  text += 'Each call carries workspaceId "default",';
  text += ` sessionId "session_${now}",`;
  text += ' memory, goal, constraints if there are any, and calls.\n';
  return `${text}</tools_and_context>`;
}

function writeStructure({ rootFolders, rootFiles }: NaiveOptions): string {
  if (rootFolders.length === 0 && rootFiles.length === 0) return '';
  let text = '<vault_structure>\n';
  if (rootFolders.length > 0) text += 'Folders:\n';
  for (const folder of rootFolders) text += ` - ${folder}/\n`;
  if (rootFiles.length > 0) text += 'Files:\n';
  for (const file of rootFiles) text += ` - ${file}\n`;
  return `${text}Look further with the tools.\n</vault_structure>`;
}

function writeWorkspaces({ workspaces }: NaiveOptions): string {
  if (workspaces.length === 0) return '';
  let text = '<available_workspaces>\n';
  for (const { id, name, description, rootFolder } of workspaces) {
    text += `- ${escape(name)} (id: "${id}")\n`;
    if (description) text += `  Description: ${escape(description)}\n`;
    text += `  Root folder: ${rootFolder}\n`;
  }
  return `${text}</available_workspaces>`;
}

function writePrompts({ prompts }: NaiveOptions): string {
  if (prompts.length === 0) return '';
  let text = '<available_prompts>\n';
  for (const { id, name, description } of prompts) {
    text += `- ${escape(name)} (id: "${id}")\n`;
    text += `  ${escape(description)}\n`;
  }
  return `${text}</available_prompts>`;
}

async function writeFiles({ contextNotes, readNote }: NaiveOptions): Promise<string> {
  if (contextNotes.length === 0) return '';
  let text = '<files>\n';
  for (const path of contextNotes) {
    const content = await readNote(path);
    text += `<${tagOf(path)}>\n${path}\n\n`;
    text += escape(content || '[File content unavailable]');
    text += `\n</${tagOf(path)}>\n`;
  }
  return `${text}</files>`;
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function tagOf(path: string): string {
  return path
    .replace(/\.md$/, '')
    .replace(/[^a-zA-Z0-9]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
}
