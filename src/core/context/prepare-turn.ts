/** Gathers the facts of a turn once, and hands back a planner that all of the turn's requests share. */
import type { Message } from '../message';
import type { ModeId } from '../mode';
import type { ModelDescription, Tokenizer, Vault } from '../ports';
import { type GatheredFacts, gatherFacts } from '../prompt/gather-facts';
import type { Section } from '../prompt/section';
import type { NoteCache } from '../prompt/note-cache';
import type { ToolAgentInfo } from '../prompt/prompt-data';
import type { DeviceFacts, EditorState, PromptSettings } from '../prompt/turn-data';
import type { TurnContext, World } from '../prompt/world';
import type { Place } from '../prompt/zone';
import { placeBlocks, planRequest } from '../request/plan-request';
import type { Block, RequestPlan } from '../request/request-plan';
import type { ZonePart } from '../session/entry';
import type { Tool } from '../tools/tool';

/** What is true around a chat at the moment that a turn starts. */
export interface Surroundings {
  settings(): PromptSettings;
  device(): DeviceFacts;
  /** What the user has open; null when nothing is known. */
  editor(): EditorState | null;
}

export interface PromptPorts {
  readonly vault: Vault;
  readonly notes: NoteCache;
  readonly sections: readonly Section[];
  readonly tools: readonly Tool[];
  readonly tokenizer: Tokenizer;
  agentFolder(): string;
  readonly surroundings: Surroundings;
  /** Brings what is remembered of the app's own settings up to date, such as the excluded files. */
  refresh(): Promise<void>;
}

export interface PreparedTurn {
  /** What goes around the user's message; empty in the flat profile. */
  readonly before: readonly ZonePart[];
  readonly after: readonly ZonePart[];
  /** The open notes as these parts tell of them. */
  readonly editor: EditorState | null;
  readonly mode: ModeId;
  /** Pure: equal messages give an equal plan, whatever happened in the vault meanwhile. */
  plan(messages: readonly Message[]): RequestPlan;
  /** The plan as it would be with this message added to the history; an empty text adds none. */
  preview(history: readonly Message[], text: string): RequestPlan;
}

/** Gathers and freezes the facts of a turn. */
export async function prepareTurn(
  ports: PromptPorts,
  model: ModelDescription,
  turn: TurnContext,
  signal: AbortSignal,
): Promise<PreparedTurn> {
  const { sections, tools, tokenizer } = ports;
  const gather = (): Promise<GatheredFacts> => gatherFacts(sections, worldOf(ports, turn), signal);
  const listed = ports.vault.files();
  const [, early] = await Promise.all([ports.refresh(), gather()]);
  // A vault that shows other files by now, as after a change of the excluded ones, is looked at again.
  const facts = ports.vault.files() === listed ? early : await gather();
  const input = { model, tier: turn.tier, sections, facts, tokenizer };
  const blocks = placeBlocks(input);
  const before = partsAt(blocks, 'before-message');
  const after = partsAt(blocks, 'after-message');
  const plan = (messages: readonly Message[]): RequestPlan =>
    planRequest({ ...input, conversationId: turn.sessionId, messages, tools });
  return {
    before,
    after,
    editor: turn.editor,
    mode: turn.mode,
    plan,
    preview: (history, text) => {
      const parts = [...before, { text }, ...after].map((part) => ({ type: 'text' as const, text: part.text }));
      return plan(text === '' ? history : [...history, { role: 'user', parts }]);
    },
  };
}

function partsAt(blocks: readonly Block[], place: Place): ZonePart[] {
  return blocks
    .filter((block) => block.place === place && block.text !== '')
    .map(({ section, text }) => ({ section, text }));
}

function worldOf(ports: PromptPorts, turn: TurnContext): World {
  return {
    vault: ports.vault,
    turn,
    agentFolder: ports.agentFolder(),
    settings: ports.surroundings.settings(),
    device: ports.surroundings.device(),
    toolDescriptions: Object.fromEntries(ports.tools.map(({ name, description }) => [name, description])),
    readNote: (path, signal) => ports.notes.read(path, signal),
  };
}

/** Tools grouped by agent, for models that read about them in the prompt (R154). */
export function toolAgentsOf(tools: readonly Tool[]): ToolAgentInfo[] {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) groups.set(tool.agent, [...(groups.get(tool.agent) ?? []), tool]);
  return [...groups].map(([name, members]) => ({
    name,
    description: agentPurposes[name as Tool['agent']],
    tools: members.map((member) => member.name),
  }));
}

const agentPurposes: Readonly<Record<Tool['agent'], string>> = {
  search: 'finds notes and passages',
  notes: 'reads notes, their outlines and links',
  vault: 'shows folders',
};
