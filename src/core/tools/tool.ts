/** The Tool contract: one self-contained file a tool, run over the vault port it is handed. */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';
import type { GoalPort } from '../goals/goal-request';
import type { Failure, Outcome } from '../ports/failure';
import type { Usage } from '../ports/message';
import type { ApprovalRequest } from '../ports/network';
import type { ToolDeclaration } from '../ports/request-plan';
import type { Vault } from '../ports/vault';
import type { ResultView, Source, Step } from '../session/entry';
import type { PermissionMode, Tier } from '../settings/mode';
import { isOffered, type PermissionTier } from '../writing/guard/policy';
import type { NoteWrites } from '../writing/stage/note-writes';
import type { CallReference } from '../writing/stage/staged-base';

/**
 * What a tool may do to the world; the policy and the pane decide by it. 'chat' is the chat's own business, which no
 * sub-agent shares: it changes what the chat keeps of itself, or sends others out.
 */
export type ToolEffect = 'reads' | 'writes' | 'network' | 'chat';

export interface ToolResult {
  /** What the model reads; capped, and saying how to get the rest. */
  readonly text: string;
  /** Notes the result shows, best first. */
  readonly sources: readonly Source[];
  /** Notes and folders that the call opened: the context files of their folders come along with the result (R199). */
  readonly touched?: readonly string[];
  /** Notes whose text lies behind it and is not shown, as in the report of a sub-agent. */
  readonly behind?: readonly string[];
  /** Files that the text names and shows nothing more of. */
  readonly named?: readonly string[];
  /** What is shown of it by itself. */
  readonly view?: ResultView;
  /** Whether the turn ends with it, since what comes next is for the user to say. */
  readonly endsTurn?: boolean;
  /** Whether the text tells of a failure that left something behind, as when a sub-agent did not get to its report. */
  readonly isError?: boolean;
  /** Name of the server whose text it is; the chat holds others' text from then on. */
  readonly foreign?: string;
  /** What a sub-agent did for it, in order; shown, and never sent. */
  readonly steps?: readonly Step[];
  /** What its own requests to a model took. */
  readonly usage?: Usage;
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
export interface ToolContext {
  /** Folders whose notes may give instructions as skills, without a trailing slash. */
  readonly skillFolders: readonly string[];
  /** The goal of the chat. */
  readonly goals: GoalPort;
  readonly subagents: SubagentPort;
  /** Absent where a turn keeps no results, as in a sub-agent. */
  readonly outputs?: OutputPort;
  /** The writes of this call; absent where nothing can be written, as in a sub-agent. */
  readonly writes?: NoteWrites;
  /** What the agent may do by itself in this turn; absent where nothing can be written. */
  readonly permission?: PermissionMode;
  /** The folder of prompts, memory, plans and states, without a trailing slash. */
  readonly agentFolder?: string;
}

/** A call that would leave the device, as the user is asked about it; what is allowed is this and nothing else. */
export type NetworkCall = Pick<ApprovalRequest, 'title' | 'server' | 'url' | 'argumentsText'>;

/** The place before it is known which call asks. */
export type TurnToolContext = Omit<ToolContext, 'writes'> & {
  /** The writes that a call may ask for. */
  readonly writesFor?: (call: CallReference) => NoteWrites;
  /** Asks the user about a call that leaves for the network: why it may not be made, or null; absent where nobody can be asked. */
  readonly askNetwork?: (call: NetworkCall, signal: AbortSignal) => Promise<Failure | null>;
  /** The vault for tools that show notes: what they read counts as seen, and may be edited. */
  readonly reading?: Vault;
};

/** Where the calls of a tool go. */
export interface NetworkTarget {
  readonly server: string;
  /** What is called there, as the server names it. */
  readonly title: string;
  readonly url: string;
  /** Why a call cannot be made now whoever allows it; null when it can. Asked before the user is. */
  refusal(signal: AbortSignal): Promise<Failure | null>;
}

export interface Tool<Arguments = unknown> {
  readonly name: string;
  /** The group it is listed under. */
  readonly agent: 'search' | 'notes' | 'vault' | 'chat' | `server ${string}`;
  /** Read by the model: short, positive, concrete. */
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  /** What the model is declared of its parameters, where that was written elsewhere; made from them unless given. */
  readonly schema?: ToolDeclaration['parameters'];
  readonly effect: ToolEffect;
  /** Of a tool whose effect is 'network': who is asked, for the question to the user. */
  readonly network?: NetworkTarget;
  /** The smallest tier that it is offered in: small windows have room for few declarations; all unless given. */
  readonly fromTier?: Tier;
  /** What it needs to be allowed at least; in a mode that denies this it is not offered. Always allowed unless given. */
  readonly needs?: PermissionTier;
  /** Whether the model gets to see text of notes as it stands, so that it may edit them. */
  readonly showsText?: boolean;
  /** Never throws for bad input or a missing note: those are failures the model can read and mend. */
  run(args: Arguments, vault: Vault, signal: AbortSignal, place: ToolContext): Promise<Outcome<ToolResult>>;
  /** What the pane shows for a call, in a few words. */
  title(args: Arguments): string;
}

/** A tool as its file writes it: what it takes is only made out when it is first asked for. */
export type ToolDefinition<Arguments> = Omit<Tool<Arguments>, 'parameters'> & {
  readonly parameters: () => z.ZodType<Arguments>;
};

/** Declares a tool; erases its argument type so that all tools fit in one list. */
export function tool<Arguments>({ parameters, ...rest }: ToolDefinition<Arguments>): Tool {
  const schema = lazy(parameters);
  return {
    ...rest,
    get parameters() {
      return schema();
    },
  };
}

const offers = new WeakMap<readonly Tool[], Map<string, readonly Tool[]>>();

/**
 * The tools that a chat of this tier and permission mode is offered; the same list each time, as long as both hold.
 * @param mode all that can be offered in any mode unless given
 */
export function offeredIn(tools: readonly Tool[], tier: Tier, mode?: PermissionMode): readonly Tool[] {
  const lists = offers.get(tools) ?? new Map<string, readonly Tool[]>();
  offers.set(tools, lists);
  const key = `${tier} ${mode ?? ''}`;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const offered = tools.filter(
    ({ fromTier = 1, needs = 'R1' }) => fromTier <= tier && (mode === undefined || isOffered(mode, needs)),
  );
  lists.set(key, offered.length === tools.length ? tools : offered);
  return lists.get(key) ?? tools;
}

/** The declaration sent to a model: draft-7 JSON Schema of what the model may pass. */
export function declare({ name, description, parameters, schema: given }: Tool): ToolDeclaration {
  if (given !== undefined) return { name, description, parameters: given };
  let schema = schemas.get(parameters);
  if (schema === undefined) {
    const { $schema: _dialect, ...written } = z.toJSONSchema(parameters, { io: 'input', target: 'draft-7' });
    schema = written;
    schemas.set(parameters, schema);
  }
  return { name, description, parameters: schema };
}

/** As models are told of them; they never change, and writing one takes a good part of a millisecond. */
const schemas = new WeakMap<Tool['parameters'], ToolDeclaration['parameters']>();
