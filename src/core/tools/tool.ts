/** The Tool contract: one self-contained file per tool, run on the vault port that is passed to it. */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';
import type { GoalPort } from '../goals/goal-request';
import type { GivenSkill } from '../library/skills';
import type { Failure, Outcome } from '../ports/failure';
import type { Usage } from '../ports/message';
import type { ApprovalRequest, McpImage, McpProgress, McpQuestion, McpReply } from '../ports/network';
import type { ToolDeclaration } from '../ports/request-plan';
import type { Vault } from '../ports/vault';
import type { Mention, ResultFrame, ResultView, Source, Step } from '../session/entry';
import type { PermissionMode, Tier } from '../settings/mode';
import { isOffered, type PermissionTier } from '../writing/guard/policy';
import type { NoteWrites } from '../writing/stage/note-writes';
import type { CallReference } from '../writing/stage/staged-base';

/**
 * The effect of a tool, which the policy and the chat view depend on. 'chat' tools are not available to subagents: they
 * change the state of the chat or start subagents.
 */
export type ToolEffect = 'reads' | 'writes' | 'network' | 'chat';

export interface ToolResult {
  /** The text sent to the model; capped, with a note on how to get the rest. */
  readonly text: string;
  /** The element in which the text is sent; without it, the text is sent alone. */
  readonly frame?: ResultFrame;
  /** What the text lacks, as its frame says too. */
  readonly missing?: string;
  /** Notes that the result shows, best first. */
  readonly sources: readonly Source[];
  /** Notes and folders that the call opened; the context files of their folders are added to the result (R199). */
  readonly touched?: readonly string[];
  /** Notes that were read for the result but are not shown, such as for the report of a subagent. */
  readonly behind?: readonly string[];
  /** Files that the text only names. */
  readonly named?: readonly string[];
  /** Data that the chat view shows as a separate element. */
  readonly view?: ResultView;
  /** Whether the turn ends with this result, because the user must respond next. */
  readonly endsTurn?: boolean;
  /** Whether the text reports a failure with partial results, such as a subagent that did not finish its report. */
  readonly isError?: boolean;
  /** Images as they came from a server, to be redrawn and stored before they are sent. */
  readonly pictures?: readonly McpImage[];
  /** The images that are sent with the text. */
  readonly images?: readonly Mention[];
  /** Name of the MCP server that wrote the text; the chat contains untrusted text from then on. */
  readonly untrustedSource?: string;
  /** The steps of a subagent, in order; shown to the user and never sent to the model. */
  readonly steps?: readonly Step[];
  /** The tokens and cost of its own model requests. */
  readonly usage?: Usage;
}

/** Runs subagents; each call is a separate run. */
export interface SubagentPort {
  run(name: string, task: string, signal: AbortSignal): Promise<Outcome<ToolResult>>;
}

/** The original results of this chat, by the handles that the shortened ones contain. */
export interface OutputPort {
  /** Maximum tokens of a result that is sent whole. */
  readonly tokens: number;
  /**
   * Where the context window holds a few messages: the user's newest one, and the maximum tokens of lines that were
   * chosen by its words or by those of a search.
   */
  readonly matching?: { readonly question: string; readonly tokens: number } | undefined;
  /** Whether the model still sees a result with this text, which then need not be sent again. */
  readonly isShown?: (text: string) => boolean;
  /** Returns the result; null for an unknown handle. */
  read(handle: string): Pick<ToolResult, 'text' | 'frame'> | null;
}

/** The ports of the chat that a tool runs in. */
export interface ToolContext {
  /** Folders whose notes may be skills, which give instructions; without a trailing slash. */
  readonly skillFolders: readonly string[];
  /** Skills without a note, weakest first; none if absent. */
  readonly givenSkills?: readonly GivenSkill[];
  /** Names of the tools that the turn declares; absent where nobody asks. */
  readonly toolNames?: readonly string[];
  /** Returns why the skills of this turn do not allow a tool; null if they do. */
  readonly refusal?: (tool: string) => Failure | null;
  /** The goal of the chat. */
  readonly goals: GoalPort;
  readonly subagents: SubagentPort;
  /** Absent where a turn stores no results, such as in a subagent. */
  readonly outputs?: OutputPort;
  /** The writes of this call; absent where writing is off, such as in a subagent. */
  readonly writes?: NoteWrites;
  /** The permission mode of this turn; absent where writing is off. */
  readonly permission?: PermissionMode;
  /** The folder of prompts, memory, plans and states, without a trailing slash. */
  readonly agentFolder?: string;
  /** The resources of connected servers; absent where none can be asked. */
  readonly serverResources?: ServerResources;
  /** Shows how far this call has come. */
  readonly progressed?: (progress: McpProgress) => void;
  /** Asks the user what a server wants to know during a call to it; absent if nobody can be asked. */
  readonly askForServer?: (
    at: Pick<NetworkTarget, 'server' | 'title' | 'url'>,
    question: McpQuestion,
    signal: AbortSignal,
  ) => Promise<McpReply>;
}

/** What a connected server has besides its tools. */
interface ServerOffer {
  readonly resources: readonly unknown[];
  readonly templates?: readonly unknown[];
}

/** The resources of the connected servers. */
export interface ServerResources {
  /** Returns what the user is asked before a resource is read, or why it cannot be. */
  findResource(server: string, uri: string): Outcome<NetworkTarget>;
  readResource(server: string, uri: string, signal: AbortSignal): Promise<Outcome<ToolResult>>;
}

/** A network call as shown to the user for approval; the approval covers exactly this call. */
export type NetworkCall = Pick<ApprovalRequest, 'title' | 'server' | 'url' | 'argumentsText' | 'about'> & {
  /** What an approval for the whole chat would cover; absent if it cannot be given. */
  readonly key?: string;
};

/** The tool context of a turn, before a specific call is known. */
export type TurnToolContext = Omit<ToolContext, 'writes' | 'progressed'> & {
  /** Shows how far a call has come. */
  readonly callProgressed?: (callId: string, progress: McpProgress) => void;
  /** Stores an image of a server with the chat, as it will be sent; absent where nothing is stored. */
  readonly keepImage?: (image: McpImage, name: string) => Promise<Outcome<Mention>>;
  /** Returns the writes available to a call. */
  readonly writesFor?: (call: CallReference) => NoteWrites;
  /**
   * Asks the user to approve a network call; resolves to the reason for a refusal, or null. Absent if nobody can be
   * asked.
   */
  readonly askNetwork?: (call: NetworkCall, signal: AbortSignal) => Promise<Failure | null>;
  /** The vault for tools that show notes: the notes they read count as seen, and may be edited. */
  readonly reading?: Vault;
};

/** The server that the calls of a tool go to. */
export interface NetworkTarget {
  readonly server: string;
  /** The server's own name for the tool. */
  readonly title: string;
  readonly url: string;
  /** What the server says of the tool, for the user; absent for nothing. */
  readonly about?: ApprovalRequest['about'];
  /** The tool as it was approved, so that an approval for the chat ends when it changes. */
  readonly pinned?: string;
  /** Returns why a call cannot be made even with approval; null if it can. Called before the user is asked. */
  refusal(signal: AbortSignal): Promise<Failure | null>;
}

/** A short declaration for small context windows. */
interface BriefDeclaration {
  readonly description: string;
  /** The descriptions of the parameters whose names do not say enough. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Tool<Arguments = unknown> {
  readonly name: string;
  /** The group under which the tool is listed. */
  readonly agent: 'search' | 'notes' | 'vault' | 'chat' | `server ${string}`;
  /** The description sent to the model: short, positive, concrete. It names no other tool; `others` does. */
  readonly description: string;
  /** Tools that serve better in some cases, each with its case, such as `to read a whole note`. */
  readonly others?: Readonly<Record<string, string>>;
  /** The form that levels 1 and 2 declare; the usual one unless given. */
  readonly brief?: BriefDeclaration;
  /** The descriptions of parameters to declare in place of those in the schema. */
  readonly parameterTexts?: Readonly<Record<string, string>>;
  readonly parameters: z.ZodType<Arguments>;
  /** The JSON Schema declared to the model, if it comes from elsewhere; generated from `parameters` unless given. */
  readonly schema?: ToolDeclaration['parameters'];
  readonly effect: ToolEffect;
  /** For a tool with the effect 'network': the server, as shown in the approval request. */
  readonly network?: NetworkTarget;
  /** The same for a tool whose arguments name the server. */
  networkOf?(args: Arguments, place: TurnToolContext): Outcome<NetworkTarget>;
  /**
   * The lowest level that declares it; all levels unless given. Levels 1 and 2 have small sets of their own; all other
   * tools begin at `fullTier`.
   */
  readonly fromTier?: Tier;
  /** The minimum permission; a mode that denies it does not declare the tool. Always allowed unless given. */
  readonly needs?: PermissionTier;
  /** Whether it is offered next to these connected servers; always unless given. */
  readonly offeredWith?: (servers: readonly ServerOffer[]) => boolean;
  /** The permission modes that declare it; all that allow it unless given. */
  readonly modes?: readonly PermissionMode[];
  /** Whether the result contains note text verbatim, so that the model may edit those notes. */
  readonly showsText?: boolean;
  /**
   * Runs the tool. Never throws for bad input or a missing note; those are failures that the model can read and
   * correct.
   */
  run(args: Arguments, vault: Vault, signal: AbortSignal, place: ToolContext): Promise<Outcome<ToolResult>>;
  /** Returns a few words that the chat view shows for a call. */
  title(args: Arguments): string;
}

/** A tool as declared in its file; its parameter schema is built on first use. */
export type ToolDefinition<Arguments> = Omit<Tool<Arguments>, 'parameters'> & {
  readonly parameters: () => z.ZodType<Arguments>;
};

/** Declares a tool; erases its argument type so that all tools fit in one array. */
export function tool<Arguments>({ parameters, ...rest }: ToolDefinition<Arguments>): Tool {
  const schema = lazy(parameters);
  return {
    ...rest,
    get parameters() {
      return schema();
    },
  };
}

/** The lowest level that declares all tools, with full descriptions. */
export const fullTier: Tier = 3;

const offers = new WeakMap<readonly Tool[], Map<string, readonly Tool[]>>();

/**
 * Returns the tools declared at a level and in a permission mode, with descriptions that name only these tools; the same
 * array for the same arguments.
 * @param mode tools of every mode unless given
 */
export function offeredIn(tools: readonly Tool[], tier: Tier, mode?: PermissionMode): readonly Tool[] {
  const lists = offers.get(tools) ?? new Map<string, readonly Tool[]>();
  offers.set(tools, lists);
  const key = `${tier} ${mode ?? ''}`;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const chosen = tools.filter((each) => (each.fromTier ?? 1) <= tier && isDeclaredIn(mode, each));
  const names = new Set(chosen.map(({ name }) => name));
  const offered = chosen.map((each) => inFormOf(each, tier, names));
  const isSame = offered.length === tools.length && offered.every((each, index) => each === tools[index]);
  lists.set(key, isSame ? tools : offered);
  return lists.get(key) ?? tools;
}

function isDeclaredIn(mode: PermissionMode | undefined, { needs = 'R1', modes }: Tool): boolean {
  return mode === undefined || (isOffered(mode, needs) && (modes === undefined || modes.includes(mode)));
}

/** Maximum characters of a tool name, as all providers accept it. */
const maxNameLength = 64;

/** Returns the name under which the tool of a server is declared. */
export function serverToolName(server: string, name: string): string {
  const plain = `${server}_${name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  // Gemini refuses every request with a tool whose name begins with anything else.
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, maxNameLength);
}

function inFormOf(tool: Tool, tier: Tier, offered: ReadonlySet<string>): Tool {
  const { description, brief, others } = tool;
  if (tier < fullTier && brief !== undefined) {
    const { parameters: parameterTexts = {} } = brief;
    return withTexts(tool, { description: brief.description, parameterTexts, others: {} });
  }
  if (others === undefined) return tool;
  const named = Object.fromEntries(Object.entries(others).filter(([name]) => offered.has(name)));
  return withTexts(tool, { description: describe(description, named), others: {} });
}

/** Copies properties as they are declared, so that no schema is built. */
function withTexts(tool: Tool, texts: Pick<Tool, 'description' | 'others' | 'parameterTexts'>): Tool {
  const copy: object = {};
  Object.defineProperties(copy, {
    ...Object.getOwnPropertyDescriptors(tool),
    ...Object.getOwnPropertyDescriptors(texts),
  });
  return copy as Tool;
}

/** Adds which tools serve better in which case. */
function describe(description: string, others: Readonly<Record<string, string>>): string {
  const cases = Object.entries(others).map(([name, when]) => `${name} ${when}`);
  return cases.length === 0 ? description : `${description} Use ${cases.join(', ')}.`;
}

type JsonSchema = ToolDeclaration['parameters'];

/** Generated schemas, cached because they never change and each takes a good part of a millisecond. */
const schemas = new WeakMap<Tool['parameters'], JsonSchema>();

/** Returns the declaration sent to a model, with draft-7 JSON Schema for the parameters. */
export function declare(tool: Tool): ToolDeclaration {
  const { name, others = {}, parameterTexts, schema: given } = tool;
  const description = describe(tool.description, others);
  if (given !== undefined) return { name, description, parameters: given };
  const schema = schemaOf(tool);
  return { name, description, parameters: parameterTexts === undefined ? schema : describedBy(parameterTexts, schema) };
}

function schemaOf({ parameters }: Tool): JsonSchema {
  const known = schemas.get(parameters);
  if (known !== undefined) return known;
  const options = { io: 'input', target: 'draft-7', override: dropUninformative } as const;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(parameters, options);
  schemas.set(parameters, schema);
  return schema;
}

/** Drops bounds that say nothing to a model, which would cost tokens in every request. Arguments are checked anyway. */
function dropUninformative({ jsonSchema: schema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.minimum === 1) delete schema.minimum;
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.minItems === 1) delete schema.minItems;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.propertyNames;
}

function describedBy(texts: Readonly<Record<string, string>>, schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, object>>);
  const described = properties.map(([name, property]): [string, object] => {
    const { description: _long, ...rest } = property as { readonly description?: string };
    const description = texts[name];
    return [name, description === undefined ? rest : { description, ...rest }];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}
