/** The typed record that templates of model families are written from (R024). */
import { toolNames } from '../markup/variables';
import { offers } from './facts/turn-state';
import type { World } from './world';

export interface TemplateContext {
  readonly IsGitRepository: boolean;
  /** How far the agent is held back: by review or reading only, on a Mac or elsewhere, or not at all. */
  readonly SandboxStatus: 'macos' | 'generic' | 'none';
  readonly UserMemory: string;
  /** What the vault's context file says; empty without one. */
  readonly ProjectContext: string;
  readonly ProjectContextFile: string;
  /** Empty for a tool that is not offered. */
  readonly ToolNames: Readonly<Record<ToolRole, string>>;
}

export type ToolRole =
  'ReadFile' | 'WriteFile' | 'Grep' | 'Glob' | 'Edit' | 'Shell' | 'ReadManyFiles' | 'Memory' | 'LS';

/** There is no shell in a vault. */
const toolsByRole: Readonly<Record<ToolRole, string | null>> = {
  ReadFile: toolNames.readNote,
  WriteFile: toolNames.createNote,
  Grep: toolNames.searchNotes,
  Glob: toolNames.findNotes,
  Edit: toolNames.editNote,
  Shell: null,
  ReadManyFiles: toolNames.readNotes,
  Memory: toolNames.remember,
  LS: toolNames.listFolder,
};

export interface ContextTexts {
  readonly memory: string;
  readonly file: { readonly name: string; readonly text: string } | null;
}

export function templateContextOf(
  { turn, device }: Pick<World, 'turn' | 'device'>,
  { memory, file }: ContextTexts,
): TemplateContext {
  const roles = Object.entries(toolsByRole).map(([role, name]) => [
    role,
    name !== null && offers(turn, name) ? name : '',
  ]);
  return {
    IsGitRepository: device.repository,
    SandboxStatus: sandboxOf(turn.permissionMode, device.operatingSystem),
    UserMemory: memory.trim(),
    ProjectContext: file?.text.trim() ?? '',
    ProjectContextFile: file?.name ?? '',
    ToolNames: Object.fromEntries(roles) as TemplateContext['ToolNames'],
  };
}

function sandboxOf(mode: World['turn']['permissionMode'], system: string): TemplateContext['SandboxStatus'] {
  if (mode === 'auto-edit') return 'none';
  return system === 'macOS' ? 'macos' : 'generic';
}
