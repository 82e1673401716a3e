/** The Tool contract: one self-contained file a tool, run over the vault port it is handed. */
import * as z from 'zod/v4';
import type { Outcome } from '../failure';
import type { Vault } from '../ports';
import type { ToolDeclaration } from '../request/request-plan';

/** What a tool may do to the world; the policy and the pane decide by it. */
export type ToolEffect = 'reads' | 'writes' | 'network';

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
}

/** Where the chat's own notes are. */
export interface ToolPlace {
  /** Folders whose notes may give instructions as skills, without a trailing slash. */
  readonly skillFolders: readonly string[];
}

export interface Tool<Arguments = unknown> {
  readonly name: string;
  /** The group it is listed under. */
  readonly agent: 'search' | 'notes' | 'vault';
  /** Read by the model: short, positive, concrete. */
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  readonly effect: ToolEffect;
  /** Never throws for bad input or a missing note: those are failures the model can read and mend. */
  run(args: Arguments, vault: Vault, signal: AbortSignal, place: ToolPlace): Promise<Outcome<ToolResult>>;
  /** What the pane shows for a call, in a few words. */
  title(args: Arguments): string;
}

/** Declares a tool; erases its argument type so that all tools fit in one list. */
export function tool<Arguments>(definition: Tool<Arguments>): Tool {
  return definition;
}

/** The declaration sent to a model: draft-7 JSON Schema of what the model may pass. */
export function declare(entry: Tool): ToolDeclaration {
  const schema = z.toJSONSchema(entry.parameters, { io: 'input', target: 'draft-7' });
  const { $schema: _dialect, ...parameters } = schema;
  return { name: entry.name, description: entry.description, parameters };
}
