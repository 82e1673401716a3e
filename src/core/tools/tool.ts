/** The Tool contract: one self-contained file a tool, run over the vault port it is handed. */
import * as z from 'zod/v4';
import type { Outcome } from '../failure';
import type { GoalPort } from '../goals/goal-request';
import type { Usage } from '../message';
import type { Tier } from '../mode';
import type { StateNotes, Vault } from '../ports';
import type { ToolDeclaration } from '../request/request-plan';

/**
 * What a tool may do to the world; the policy and the pane decide by it. 'chat' is the chat's own business, which no
 * sub-agent shares: it changes what the chat keeps of itself, or sends others out.
 */
export type ToolEffect = 'reads' | 'writes' | 'network' | 'chat';

/** A place in the vault that an answer rests on. */
export interface Source {
  readonly path: string;
  /** Heading that the passage stands under. */
  readonly heading?: string;
}

export interface ToolResult {
  /** What the model reads; capped, and saying how to get the rest. */
  readonly text: string;
  /** Notes the result shows, best first. */
  readonly sources: readonly Source[];
  /** Notes and folders that the call opened: the context files of their folders come along with the result (R199). */
  readonly touched?: readonly string[];
  /** Whether the text tells of a failure that left something behind, as when a sub-agent did not get to its report. */
  readonly isError?: boolean;
  /** What a sub-agent did for it, in order; shown, and never sent. */
  readonly steps?: readonly Step[];
  /** What its own requests to a model took. */
  readonly usage?: Usage;
}

/** One look-up of a sub-agent. */
export interface Step {
  readonly title: string;
  /** What it gave, cut. */
  readonly text: string;
  readonly isError: boolean;
}

/** Starts sub-agents; each call is a run of its own. */
export interface SubagentPort {
  run(name: string, task: string, signal: AbortSignal): Promise<Outcome<ToolResult>>;
}

/** Results of this chat as they were, by the handles that stand in the shortened ones. */
export interface OutputPort {
  /** Tokens of a result that is sent whole. */
  readonly tokens: number;
  /** Null for a handle that is none. */
  read(handle: string): string | null;
}

/** What a tool may ask of the chat that it runs in. */
export interface ToolPlace {
  /** Folders whose notes may give instructions as skills, without a trailing slash. */
  readonly skillFolders: readonly string[];
  /** The goal of the chat. */
  readonly goals: GoalPort;
  readonly subagents: SubagentPort;
  /** Absent where a turn keeps no results, as in a sub-agent. */
  readonly outputs?: OutputPort;
  /** Where states are saved, and the folder that they stand in; absent where none can be. */
  readonly states?: StateNotes & { readonly folder: string };
}

export interface Tool<Arguments = unknown> {
  readonly name: string;
  /** The group it is listed under. */
  readonly agent: 'search' | 'notes' | 'vault' | 'chat';
  /** Read by the model: short, positive, concrete. */
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  readonly effect: ToolEffect;
  /** The smallest tier that it is offered in: small windows have room for few declarations; all unless given. */
  readonly fromTier?: Tier;
  /** Never throws for bad input or a missing note: those are failures the model can read and mend. */
  run(args: Arguments, vault: Vault, signal: AbortSignal, place: ToolPlace): Promise<Outcome<ToolResult>>;
  /** What the pane shows for a call, in a few words. */
  title(args: Arguments): string;
}

/** Declares a tool; erases its argument type so that all tools fit in one list. */
export function tool<Arguments>(definition: Tool<Arguments>): Tool {
  return definition;
}

const byTier = new WeakMap<readonly Tool[], Map<Tier, readonly Tool[]>>();

/** The tools that a chat of this tier is offered; the same list each time, as long as the tier holds. */
export function offeredIn(tools: readonly Tool[], tier: Tier): readonly Tool[] {
  const lists = byTier.get(tools) ?? new Map<Tier, readonly Tool[]>();
  byTier.set(tools, lists);
  const known = lists.get(tier);
  if (known !== undefined) return known;
  const offered = tools.filter(({ fromTier = 1 }) => fromTier <= tier);
  lists.set(tier, offered.length === tools.length ? tools : offered);
  return lists.get(tier) ?? tools;
}

/** The declaration sent to a model: draft-7 JSON Schema of what the model may pass. */
export function declare(entry: Tool): ToolDeclaration {
  const schema = z.toJSONSchema(entry.parameters, { io: 'input', target: 'draft-7' });
  const { $schema: _dialect, ...parameters } = schema;
  return { name: entry.name, description: entry.description, parameters };
}
