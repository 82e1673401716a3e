/** Prepares a turn: writes its system prompt once, and returns the planner that all of its requests share. */
import { words } from '../../text';
import { nextEventLoopTurn } from '../base/async';
import type { PromptRegistry } from '../library/prompt-registry';
import type { GivenSkill } from '../library/skills';
import type { Message } from '../ports/message';
import type { ModelDescription, Tokenizer } from '../ports/model';
import type { Block, Place, RequestPlan } from '../ports/request-plan';
import type { Vault } from '../ports/vault';
import type { Composed, Layout } from '../prompt/assemble-prompt';
import { escapeAttribute, escapeText } from '../markup/escapes';
import { attachedNotes, contextNotes, type NoteCache, printOfNote } from '../prompt/facts/attached-notes';
import { type AskedTemplate, PromptOrchestrator, type SystemPromptUpdate } from '../prompt/prompt-orchestrator';
import { changeBetween, type PromptChange, type PromptConfig, type ProvidedPrompt } from '../prompt/provide-prompt';
import type { GatheredFacts, Section } from '../prompt/section';
import { contextNotesSection } from '../prompt/sections/notes';
import { SystemPromptBuilder } from '../prompt/system-prompt-builder';
import { builtInTemplates, type ServedTemplate, type TieredPromptStore } from '../prompt/tiered-prompt-store';
import type { AttachedNote, TurnContext } from '../prompt/world';
import { foldLog, messagesForTurn, outcomesToReport } from '../request/history';
import { imageParts, notesIn } from '../request/history-text';
import { isPrinted, layoutFor, planExactly, planOver, printOf } from '../request/plan-request';
import { countReference } from '../request/reference-blocks';
import { type ProposedFiles, selectReference } from '../request/select-reference';
import { nothingSent, type SentFactors, scaleTokenizer, type TokenFactors } from '../request/token-factor';
import type { PendingReview, SentReference, ReferenceSent, SessionEntry, ZonePart } from '../session/entry';
import type { ChosenForms } from '../session/log-state';
import type { ModeId } from '../settings/mode';
import { offeredIn, type Tool } from '../tools/tool';
import { chatToolsOf, type HostState, type ToolPorts } from './chat-tools';
import { noteKey } from './turn-context';

export interface PromptPorts extends OrchestratorPorts, ToolPorts {
  readonly notes: NoteCache;
  readonly tokenizer: Tokenizer;
  /** The learned token factors; without them every model counts alike. */
  readonly factors?: TokenFactors;
  agentFolder(): string;
  readonly hostState: HostState;
  /** Returns the skills without a note; the same array while nothing changes. */
  readonly givenSkills?: () => readonly GivenSkill[];
  /** Reads Obsidian's own settings again, such as the excluded files. */
  refresh(): Promise<void>;
  /** The user's own base prompt with its variables filled in; resolves to null if there is none (R034). */
  readonly customTemplate?: PromptConfig['customTemplate'];
}

export interface PreparedTurn {
  readonly turn: TurnContext;
  /** The tools that all requests of the turn offer and may call, even if some appear or disappear during it (R256). */
  readonly tools: readonly Tool[];
  /** The system prompt of all requests of the turn, and its facts, frozen. */
  readonly prompt: ProvidedPrompt;
  /** The text of the notes that were read for it, by path. */
  readonly read: ReadonlyMap<string, string>;
  /** The context window that the model turned out to hold; null if none was learned. */
  readonly learnedWindow: number | null;
  /** How it differs from the current head; null if it is the same, byte for byte. */
  readonly change: PromptChange | null;
  /** The reference texts from this turn on; null if they are unchanged. */
  readonly reference: ReferenceSent | null;
  /** What the texts around the message send for the first time, by key, each with its fingerprint. */
  readonly told: Readonly<Record<string, string>>;
  /** The texts around the user's message. */
  readonly before: readonly ZonePart[];
  readonly after: readonly ZonePart[];
  /** Pure: equal messages give an equal plan, even if the vault has changed since. */
  plan(messages: readonly Message[]): Promise<RequestPlan>;
  /** Plans the request with this message and the turn's images added; without either, plans the log alone. */
  preview(entries: readonly SessionEntry[], text: string): Promise<RequestPlan>;
}

export interface PrepareOptions {
  readonly orchestrator?: PromptOrchestrator;
  /** The prompt that is the current head. */
  readonly current?: ProvidedPrompt | null;
  /** The factor with which each text was counted when it was first sent. */
  readonly sent?: SentFactors;
  /** The reference texts as they were sent, and why rewriting them costs nothing; null for a new chat. */
  readonly kept?: SentReference | null;
  readonly free?: string | null;
  /** Overrides the setting whether a user is present to answer. */
  readonly interactive?: boolean;
}

/** Writes the system prompt of a turn and returns a planner that adds the conversation to it. */
export async function prepareTurn(
  ports: PromptPorts,
  model: ModelDescription,
  asked: TurnContext,
  signal: AbortSignal,
  options: PrepareOptions = {},
): Promise<PreparedTurn> {
  const turn = { ...asked, sectionsOn: ports.sections.map(({ id }) => id) };
  const { tokenizer } = ports;
  const tools = offeredIn(chatToolsOf(ports), turn.tier, turn.permissionMode);
  const { orchestrator = createOrchestrator(ports), current = null, sent = nothingSent, interactive } = options;
  const { kept = null, free = null } = options;
  const read = new Map<string, string>();
  const write = (given: TurnContext, known?: GatheredFacts): Promise<ProvidedPrompt> =>
    orchestrator.updateSystemPrompt({
      mode: turn.mode,
      tier: turn.tier,
      activeSkills: turn.activeSkills,
      activeGoal: turn.goal,
      currentContext: { prompt: current, replace: () => undefined },
      contextPool: {
        ...poolOf(ports, model, given, { tools, read }, signal),
        ...(known && { known, refresh: undefined }),
      },
      ...(interactive === undefined ? {} : { interactive }),
    });
  const writing = write(turn).then((first) => {
    const pinsInPart = mentionedInPart(first, turn);
    if (pinsInPart.length === 0) return first;
    // Only the notes that go with the message differ.
    return write({ ...turn, pinsInPart }, new Map([...first.facts].filter(([fact]) => fact !== attachedNotes)));
  });
  // The declarations are hashed while notes are being read, unless that was done before.
  const hashing = isPrinted(tools) ? printOf(tools) : nextEventLoopTurn().then(() => printOf(tools));
  const [fresh, declared] = await Promise.all([writing, hashing]);
  const proposed = proposedFiles(ports.vault, turn.review);
  const question = { prompt: fresh, model, tools: declared, tokenizer, kept, free, proposed };
  await planExactly(tokenizer, () => countReference(fresh.blocks, tokenizer));
  const { sent: reference, changes, ...settled } = await planExactly(tokenizer, () => selectReference(question));
  const prompt = withoutRepeats({ ...fresh, ...settled }, ports.sections, turn);
  const before = partsAt(prompt.blocks, 'before-message');
  const after = partsAt(prompt.blocks, 'after-message');
  const scaled = scaleTokenizer(tokenizer, ports.factors?.of(model.id) ?? 1, sent);
  const chat = { conversationId: turn.sessionId, model, tools, tokenizer, scaled };
  const blocked = prompt.blocked === undefined ? {} : { blocked: prompt.blocked };
  const plan = async (messages: readonly Message[]): Promise<RequestPlan> => {
    const planned = await planExactly(tokenizer, () => ({ ...planOver(prompt, { ...chat, messages }), ...blocked }));
    return linkPromptToPlan(planned, prompt);
  };
  return {
    turn,
    tools,
    prompt,
    read,
    learnedWindow: model.assumedWindow === undefined ? null : model.contextWindow,
    change: changeBetween(current, prompt),
    reference,
    told: { ...changes.told, ...notesSentIn(prompt) },
    before,
    after,
    plan,
    preview: (entries, text) => {
      const history = foldLog(entries);
      const images = imageParts(turn.mentions);
      const own = [...outcomesToReport(entries), { type: 'text', text } as const, ...images];
      const messages = messagesForTurn(before, own, after);
      return plan(text === '' && images.length === 0 ? history : [...history, ...messages]);
    },
  };
}

/** A note also looks changed where a link in it leads to a place that is only proposed. */
function proposedFiles(vault: Pick<Vault, 'outline'>, review: PendingReview | null): ProposedFiles | null {
  if (review === null) return null;
  const { files } = review;
  const isNew = (target: string | undefined): boolean => files.some(({ path, isNew: is }) => is && path === target);
  return {
    files,
    has: (path) =>
      files.some((each) => each.path === path || (path.endsWith('/') && each.path.startsWith(path))) ||
      vault.outline(path)?.links.some((link) => isNew(link.path)) === true,
  };
}

/** Empties the blocks of the sections that are sent on change, if the conversation has the same text. */
function withoutRepeats(prompt: ProvidedPrompt, sections: readonly Section[], { lastSent }: TurnContext) {
  const onChange = new Set(sections.flatMap(({ id, onChange = false }) => (onChange ? [id] : [])));
  const blocks = prompt.blocks.map((block): Block => {
    const isSent = onChange.has(block.section) && block.text !== '' && lastSent?.get(block.section) === block.text;
    return isSent ? { ...block, text: '', tokens: 0, outcome: 'repeated', reason: 'sent before' } : block;
  });
  return { ...prompt, blocks };
}

/** Returns the fingerprints of the notes that are sent with the message, without attached parts of notes. */
function notesSentIn({ facts, blocks }: ProvidedPrompt): Record<string, string> {
  const files = blocks.filter(isOfFiles);
  const bodies = files.some(({ outcome }) => outcome !== 'full') ? bodiesIn(files) : null;
  const prints = namedNotes(facts).map((note) => [noteKey + note.path, printOfSent(note, bodies)] as const);
  return Object.fromEntries(prints.filter((each): each is [string, string] => each[1] !== null));
}

/** @param bodies what was sent of each note, by its path as sent; null if all notes were sent as they are */
function printOfSent(note: AttachedNote, bodies: ReadonlyMap<string, string> | null): string | null {
  if (bodies === null) return printOfNote(note);
  const body = bodies.get(escapeAttribute(note.path).text);
  return body === undefined ? null : printOfNote(note, body !== escapeText(note.text ?? ''));
}

/** Returns the notes that go whole with the prompt or with the message, as far as they are sent as a whole. */
export function wholeNotesIn({ facts, blocks }: ProvidedPrompt): readonly AttachedNote[] {
  const sent = blocks.filter((block) => isOfFiles(block) || block.section === contextNotesSection.id);
  const bodies = new Set(sent.flatMap(({ text }) => notesIn(text)).map(({ path, body }) => `${path}\n${body}`));
  const pinned = (facts.get(contextNotes) ?? []) as readonly AttachedNote[];
  return [...namedNotes(facts), ...pinned].filter(
    ({ path, text, whole }) =>
      text !== null && whole === undefined && bodies.has(`${escapeAttribute(path).text}\n${escapeText(text)}`),
  );
}

/** Returns the pinned notes that the message mentions and of which the reference has no room for the whole text. */
function mentionedInPart({ facts, blocks }: ProvidedPrompt, { mentions }: TurnContext): string[] {
  const pinned = blocks.filter(({ section }) => section === contextNotesSection.id);
  const isWholly = pinned.every(({ outcome }) => outcome === 'full');
  if (isWholly || mentions.every(({ kind }) => kind !== 'note')) return [];
  const bodies = bodiesIn(pinned);
  const notes = (facts.get(contextNotes) ?? []) as readonly AttachedNote[];
  return notes.flatMap(({ path, text, whole }) => {
    const isWhole = text === null || bodies.get(escapeAttribute(path).text) === escapeText(text);
    return isWhole || whole !== undefined ? [] : [path];
  });
}

function isOfFiles({ section }: Block): boolean {
  return section === 'files';
}

/** Returns the notes that are mentioned as a whole. */
function namedNotes(facts: GatheredFacts): readonly AttachedNote[] {
  const notes = (facts.get(attachedNotes) ?? []) as readonly AttachedNote[];
  return notes.filter(({ heading, block }) => heading === undefined && block === undefined);
}

/** Returns the text of each note as sent, by its path as sent. */
function bodiesIn(files: readonly Block[]): ReadonlyMap<string, string> {
  return new Map(files.flatMap(({ text }) => notesIn(text)).map(({ path, body }) => [path, body]));
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
  { tools, read }: Pick<PreparedTurn, 'tools'> & { readonly read: Map<string, string> },
  signal: AbortSignal,
): SystemPromptUpdate['contextPool'] {
  const { vault, sections, tokenizer, hostState, customTemplate } = ports;
  return {
    world: {
      vault,
      turn,
      agentFolder: ports.agentFolder(),
      ...(ports.givenSkills === undefined ? {} : { givenSkills: ports.givenSkills() }),
      settings: hostState.settings(),
      device: hostState.device(),
      toolDescriptions: Object.fromEntries(tools.map(({ name, description }) => [name, description])),
      readNote: async (path, stop) => {
        const outcome = await ports.notes.read(path, stop);
        if (outcome.ok) read.set(outcome.value.path, outcome.value.text);
        return outcome;
      },
      countTokens: (text) => planExactly(tokenizer, () => tokenizer.count(text)),
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

interface OrchestratorPorts {
  readonly vault: Vault;
  readonly sections: readonly Section[];
  /** The built-in ones if absent. */
  readonly templates?: Pick<TieredPromptStore, 'serve'>;
  /** Prompts with an id, such as the skills of servers. */
  readonly registry?: Pick<PromptRegistry, 'get' | 'list'>;
  /** Notes an event for the diagnostics. */
  note?(words: string): void;
}

/** Creates the orchestrator of a chat: its template store, its registry and its builder (R003). */
export function createOrchestrator(ports: OrchestratorPorts): PromptOrchestrator {
  const { vault, sections, templates = builtInTemplates, registry } = ports;
  const read = async (path: string): Promise<string> => {
    const outcome = await vault.read(path);
    if (!outcome.ok) throw new Error(outcome.failure.words);
    return outcome.value.text;
  };
  // The prompt is written again and again while the user types; the same event is noted once.
  let last = '';
  return new PromptOrchestrator(
    templates,
    (served, asked) => {
      const description = describeServed(served, asked);
      if (description !== last) ports.note?.(description);
      last = description;
    },
    registry,
    new SystemPromptBuilder(read, undefined, sections),
  );
}

/** Describes which step of the chain provided a template other than the requested one (R005, R104). */
function describeServed(served: ServedTemplate, asked: AskedTemplate): string {
  const say = words.diagnostics.templates;
  const nameOf = (mode: ModeId): string => words.settings.modes[mode];
  return served.step === 'built-in'
    ? say.builtInServed(nameOf(asked.mode), asked.tier)
    : say.otherServed(nameOf(asked.mode), asked.tier, nameOf(served.mode), served.tier);
}

/** Above the priority of every section, so that pinned sections get their tokens first and shrink last. */
const pinnedPriority = Number.MAX_SAFE_INTEGER;

/** Applies the user's forms: pinned sections stay whole while others shrink, outlined sections use their brief form. */
export function withForms(layout: Layout, forms: ChosenForms): Layout {
  if (Object.keys(forms).length === 0) return layout;
  return {
    ...layout,
    fit: (composed) => {
      const originals = new Map<Section, Composed>();
      const asked = composed.map((each): Composed => {
        const form = forms[each.section.id];
        const section = form === 'pinned' ? { ...each.section, priority: pinnedPriority } : each.section;
        originals.set(section, each);
        const brief = form === 'outline' ? each.brief() : null;
        return { ...each, section, block: brief === null ? each.block : { ...brief, reason: words.status.outlined } };
      });
      return layout.fit(asked).map(({ section, block }) => {
        const original = originals.get(section);
        if (original === undefined) return { section, block };
        const isPinned = forms[original.section.id] === 'pinned';
        // A pinned section stays whole even above its share; the request reports the overflow if it does not fit.
        return { section: original.section, block: isPinned ? original.block : block };
      });
    },
  };
}

// Links a plan to its prompt, which knows its sections and facts in other forms.

const prompts = new WeakMap<RequestPlan, ProvidedPrompt>();

/** Returns the plan itself, so that the call can wrap it. */
export function linkPromptToPlan(plan: RequestPlan, prompt: ProvidedPrompt): RequestPlan {
  prompts.set(plan, prompt);
  return plan;
}

/** How a plan attaches a note to its message. */
export interface AttachedForm {
  /** Whether the note takes more than a quarter of the context window. */
  readonly isLong: boolean;
  /** Whether only its outline and some parts are to be sent. */
  readonly inPart: boolean;
  /** The text as it is sent now; null if only its name is, or if it was sent before. */
  readonly sent: string | null;
  readonly asBefore: boolean;
  /** Whether the budgets shortened the text. */
  readonly isCut: boolean;
  /** Why the note could not be read; the model gets this in place of its text. */
  readonly problem?: string;
}

/** Returns null for a note that the plan does not attach. */
export function attachedFormIn(plan: RequestPlan, path: string): AttachedForm | null {
  const prompt = promptForPlan(plan);
  const note = prompt === null ? undefined : namedNotes(prompt.facts).find((each) => each.path === path);
  if (note === undefined) return null;
  const { isLong = false, asBefore = false, text, whole, problem } = note;
  const body = bodiesIn(plan.blocks.filter(isOfFiles)).get(escapeAttribute(path).text);
  const sent = asBefore ? null : (body ?? null);
  // Escaping never shortens a text.
  const isCut = text !== null && (sent === null || sent.length < text.length);
  const inPart = whole !== undefined || (asBefore && isLong);
  return { isLong, inPart, sent, asBefore, isCut, ...(problem !== undefined && { problem }) };
}

/** Returns null for a plan that was made without a chat. */
export function promptForPlan(plan: RequestPlan): ProvidedPrompt | null {
  return prompts.get(plan) ?? null;
}
