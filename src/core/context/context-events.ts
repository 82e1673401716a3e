/** What a chat tells of its system prompt and of what is active in it, as of the turn that applies it (R257, K13). */
import { isEqual } from '../base/equality';
import type { PromptChange } from '../prompt/provide-prompt';
import type { TurnContext } from '../prompt/world';
import type { ModeId } from '../settings/mode';
import type { Emitter } from './emitter';

export interface ContextEvents {
  readonly 'system-prompt-updated': PromptChange & {
    /** Of the system prompt, by the counts of budgets. */
    readonly tokens: number;
  };
  readonly 'mode-changed': { readonly from: ModeId; readonly to: ModeId };
  /** Paths of notes, or ids of registered prompts. */
  readonly 'active-skills-updated': readonly string[];
  /** Names. */
  readonly 'active-tools-updated': readonly string[];
  /** Ids. */
  readonly 'active-hooks-updated': readonly string[];
  /** Names of servers. */
  readonly 'active-mcp-updated': readonly string[];
}

/** What is active in a chat during a turn. */
export interface ActiveState {
  readonly mode: ModeId;
  readonly skills: readonly string[];
  readonly tools: readonly string[];
  readonly hooks: readonly string[];
  readonly servers: readonly string[];
}

export function activeStateOf(turn: TurnContext, hooks: readonly { readonly id: string }[]): ActiveState {
  const { mode, activeSkills, toolNames, mcpServers } = turn;
  const servers = mcpServers.map(({ name }) => name);
  return { mode, skills: activeSkills, tools: toolNames, hooks: hooks.map(({ id }) => id), servers };
}

/** Tells what differs from the turn before; nothing for the first one, which starts the chat. */
export function announceActive(
  { emit }: Pick<Emitter<ContextEvents>, 'emit'>,
  before: ActiveState | null,
  after: ActiveState,
): void {
  if (before === null) return;
  if (before.mode !== after.mode) emit('mode-changed', { from: before.mode, to: after.mode });
  if (!isEqual(before.skills, after.skills)) emit('active-skills-updated', after.skills);
  if (!isEqual(before.tools, after.tools)) emit('active-tools-updated', after.tools);
  if (!isEqual(before.hooks, after.hooks)) emit('active-hooks-updated', after.hooks);
  if (!isEqual(before.servers, after.servers)) emit('active-mcp-updated', after.servers);
}
