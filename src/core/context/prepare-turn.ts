/** Prepares a turn: its system prompt, written once, and a planner that all of its requests share. */
import { whileReading } from '../base/async';
import { fingerprint } from '../base/equality';
import type { Message } from '../ports/message';
import type { ModelDescription, Tokenizer } from '../ports/model';
import type { Block, Place, RequestPlan } from '../ports/request-plan';
import { attachedNotes, type NoteCache } from '../prompt/facts/attached-notes';
import type { PromptOrchestrator, SystemPromptUpdate } from '../prompt/prompt-orchestrator';
import { changeBetween, type PromptChange, type PromptConfig, type ProvidedPrompt } from '../prompt/provide-prompt';
import type { GatheredFacts } from '../prompt/section';
import type { AttachedNote, DeviceFacts, PromptSettings, ToolAgentInfo, TurnContext } from '../prompt/world';
import { zoneMessages } from '../request/history';
import { imageParts } from '../request/history-text';
import { layoutFor, planExactly, planOver, printOf } from '../request/plan-request';
import { settleReference } from '../request/select-reference';
import { nothingSent, type SentFactors, scaleTokenizer, type TokenFactors } from '../request/token-factor';
import type { EditorState, KeptReference, ReferenceSent, ZonePart } from '../session/entry';
import { noteKey } from '../session/fold-turn-memory';
import { offeredIn, type Tool } from '../tools/tool';
import { chatToolsOf, type ToolPorts } from './chat-tools';
import { createOrchestrator, type OrchestratorPorts } from './create-orchestrator';
import { rememberPrompt } from './prompt-behind';
import { withForms } from './section-forms';

/** What is true around a chat at the moment that a turn starts. */
export interface Surroundings {
  settings(): PromptSettings;
  /** @param at the moment whose date is told, in milliseconds since the epoch; now unless given */
  device(at?: number): DeviceFacts;
  /** What the user has open; null when nothing is known. */
  editor(): EditorState | null;
}

export interface PromptPorts extends OrchestratorPorts, ToolPorts {
  readonly notes: NoteCache;
  readonly tokenizer: Tokenizer;
  /** What was learned of how models count; without it all count alike. */
  readonly factors?: TokenFactors;
  agentFolder(): string;
  readonly surroundings: Surroundings;
  /** Brings what is remembered of the app's own settings up to date, such as the excluded files. */
  refresh(): Promise<void>;
  /** The user's own base prompt, its variables filled in; null when there is none (R034). */
  readonly customTemplate?: PromptConfig['customTemplate'];
}

export interface PreparedTurn {
  readonly turn: TurnContext;
  /** What all the turn's requests offer and what may be called, whatever comes or goes meanwhile (R256). */
  readonly tools: readonly Tool[];
  /** The system prompt of all the turn's requests, and the facts behind it, frozen. */
  readonly prompt: ProvidedPrompt;
  /** The notes that were read for it, by path, with their text. */
  readonly read: ReadonlyMap<string, string>;
  /** How it differs from the prompt that stood at the head before; null when it is the same, byte for byte. */
  readonly change: PromptChange | null;
  /** The reference texts as they are sent from here on; null when they are as before. */
  readonly reference: ReferenceSent | null;
  /** What the texts around the message tell anew, by key, each with its fingerprint. */
  readonly told: Readonly<Record<string, string>>;
  /** What goes around the user's message; in the flat profile the reminder alone. */
  readonly before: readonly ZonePart[];
  readonly after: readonly ZonePart[];
  /** Pure: equal messages give an equal plan, whatever happened in the vault meanwhile. */
  plan(messages: readonly Message[]): Promise<RequestPlan>;
  /** The plan as it would be with this message and the turn's images added; without either nothing is. */
  preview(history: readonly Message[], text: string): Promise<RequestPlan>;
}

export interface PrepareOptions {
  readonly orchestrator?: PromptOrchestrator;
  /** The prompt that stands at the head so far. */
  readonly current?: ProvidedPrompt | null;
  /** How texts were counted when they were first sent. */
  readonly sent?: SentFactors;
  /** The reference texts as they were sent, and why they may be written anew; null for a new chat. */
  readonly kept?: KeptReference | null;
  readonly free?: string | null;
  /** Whether a person is there to answer, whatever the settings say. */
  readonly interactive?: boolean;
}

/** Has the system prompt of a turn written, and hands back a planner that puts the conversation behind it. */
export async function prepareTurn(
  ports: PromptPorts,
  model: ModelDescription,
  turn: TurnContext,
  signal: AbortSignal,
  options: PrepareOptions = {},
): Promise<PreparedTurn> {
  const { tokenizer } = ports;
  const tools = offeredIn(chatToolsOf(ports), turn.tier, turn.permissionMode);
  const { orchestrator = createOrchestrator(ports), current = null, sent = nothingSent, interactive } = options;
  const { kept = null, free = null } = options;
  const declared = whileReading(() => printOf(tools));
  const read = new Map<string, string>();
  const fresh = await orchestrator.updateSystemPrompt({
    mode: turn.mode,
    tier: turn.tier,
    activeSkills: turn.activeSkills,
    activeGoal: turn.goal,
    currentContext: { prompt: current, replace: () => undefined },
    contextPool: poolOf(ports, model, turn, read, signal),
    ...(interactive === undefined ? {} : { interactive }),
  });
  const question = { prompt: fresh, model, tools: await declared, tokenizer, kept, free };
  const { sent: reference, news, ...settled } = await planExactly(tokenizer, () => settleReference(question));
  const prompt = { ...fresh, ...settled };
  const before = partsAt(prompt.blocks, 'before-message');
  const after = partsAt(prompt.blocks, 'after-message');
  const scaled = scaleTokenizer(tokenizer, ports.factors?.of(model.id) ?? 1, sent);
  const chat = { conversationId: turn.sessionId, model, tools, tokenizer, scaled };
  const blocked = prompt.blocked === undefined ? {} : { blocked: prompt.blocked };
  const plan = async (messages: readonly Message[]): Promise<RequestPlan> => {
    const planned = await planExactly(tokenizer, () => ({ ...planOver(prompt, { ...chat, messages }), ...blocked }));
    return rememberPrompt(planned, prompt);
  };
  return {
    turn,
    tools,
    prompt,
    read,
    change: changeBetween(current, prompt),
    reference,
    told: turn.notesApart === true ? { ...news.told, ...notesToldIn(prompt.facts) } : {},
    before,
    after,
    plan,
    preview: (history, text) => {
      const images = imageParts(turn.mentions);
      const messages = zoneMessages(before, [{ type: 'text', text }, ...images], after);
      return plan(text === '' && images.length === 0 ? history : [...history, ...messages]);
    },
  };
}

/** Whole notes whose text goes with the message. */
function notesToldIn(facts: GatheredFacts): Record<string, string> {
  const notes = (facts.get(attachedNotes) ?? []) as readonly AttachedNote[];
  const whole = notes.filter(({ heading, block }) => heading === undefined && block === undefined);
  return Object.fromEntries(
    whole.flatMap(({ path, text }) => (text === null ? [] : [[noteKey + path, fingerprint(text)]])),
  );
}

function partsAt(blocks: readonly Block[], place: Place): ZonePart[] {
  return blocks
    .filter((block) => block.place === place && block.text !== '')
    .map(({ section, text }) => ({ section, text }));
}

function poolOf(
  ports: PromptPorts,
  model: ModelDescription,
  turn: TurnContext,
  read: Map<string, string>,
  signal: AbortSignal,
): SystemPromptUpdate['contextPool'] {
  const { vault, sections, tokenizer, surroundings, customTemplate } = ports;
  return {
    world: {
      vault,
      turn,
      agentFolder: ports.agentFolder(),
      settings: surroundings.settings(),
      device: surroundings.device(),
      toolDescriptions: Object.fromEntries(chatToolsOf(ports).map(({ name, description }) => [name, description])),
      readNote: async (path, stop) => {
        const outcome = await ports.notes.read(path, stop);
        if (outcome.ok) read.set(outcome.value.path, outcome.value.text);
        return outcome;
      },
    },
    sections: sections.filter(({ id }) => turn.sectionsOff?.includes(id) !== true),
    layout: withForms(layoutFor(model, turn.tier), turn.sectionForms ?? {}),
    tokenizer,
    signal,
    exactly: (make) => planExactly(tokenizer, make),
    refresh: () => ports.refresh(),
    ...(customTemplate === undefined ? {} : { customTemplate }),
  };
}

/** Tools grouped by agent, for models that read about them in the prompt (R154). */
export function toolAgentsOf(tools: readonly Tool[]): ToolAgentInfo[] {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) groups.set(tool.agent, [...(groups.get(tool.agent) ?? []), tool]);
  return [...groups].map(([name, members]) => ({
    name,
    description: purposeOf(name as Tool['agent']),
    tools: members.map((member) => member.name),
  }));
}

type BuiltInAgent = Exclude<Tool['agent'], `server ${string}`>;

function purposeOf(agent: Tool['agent']): string {
  return isServer(agent) ? serverPurpose : agentPurposes[agent];
}

function isServer(agent: Tool['agent']): agent is `server ${string}` {
  return agent.startsWith('server ');
}

const serverPurpose = 'tools of a connected server; the user is asked about each call';

const agentPurposes: Readonly<Record<BuiltInAgent, string>> = {
  search: 'finds notes and passages',
  notes: 'reads notes, their outlines and links',
  vault: 'shows folders',
  chat: 'keeps the goal of this chat, starts sub-agents',
};
