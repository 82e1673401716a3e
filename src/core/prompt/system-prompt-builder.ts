/**
 * SystemPromptBuilder: composes system prompts, from gathered facts or from plain options and two callbacks (R021-R023,
 * K32).
 */
import type { PromptSummary, WorkspaceSummary } from '../library/user-notes';
import type { WorkspaceData } from '../library/workspaces';
import type { Tokenizer } from '../ports/model';
import { type AssembledPrompt, type Assembly, assemblePrompt, buildLayout } from './assemble-prompt';
import * as known from './facts';
import type { Fact, GatheredFacts, Section } from './section';
import { sections } from './sections';
import type {
  AttachedNote,
  CompactedContext,
  ContextStatusInfo,
  MentionedWorkspace,
  MessageEnhancement,
  ToolAgentInfo,
  VaultStructure,
} from './world';

const uncounted: Tokenizer = { count: () => 0, exact: false };

export class SystemPromptBuilder {
  /**
   * @param readNoteContent rejects if a note cannot be read; the prompt then says so in place of its text
   * @param loadWorkspace null or a rejection omits that workspace
   */
  constructor(
    private readonly readNoteContent: (path: string) => Promise<string>,
    private readonly loadWorkspace?: (id: string) => Promise<WorkspaceData | null>,
    private readonly list: readonly Section[] = sections,
  ) {}

  /** Returns the prompt, or null if no section has text. */
  async build(options: SystemPromptOptions): Promise<string | null> {
    const facts = await factsFromOptions(options, this.readNoteContent, this.loadWorkspace);
    // Only the orchestrator renders sections whose facts these options do not provide, such as those about the editor.
    const fed = this.list.filter(({ needs }) => Object.values(needs).every((fact) => facts.has(fact)));
    const system = this.compose({ sections: fed, facts });
    return system === '' ? null : system;
  }

  /** Returns the texts of these sections in the order of a prompt without a history; empty if they have none. */
  compose({ sections: composed, facts }: Pick<Assembly, 'sections' | 'facts'>): string {
    return this.assemble({ sections: composed, facts, tokenizer: uncounted, layout: buildLayout }).system;
  }

  assemble(assembly: Assembly): AssembledPrompt {
    return assemblePrompt(assembly);
  }
}

/** The options of seed 004's builder (R023); `modeText` is the template that precedes them. */
export interface SystemPromptOptions {
  readonly sessionId?: string;
  readonly workspaceId?: string;
  readonly contextNotes?: readonly string[];
  readonly messageEnhancement?: MessageEnhancement | null;
  readonly customPrompt?: string | null;
  readonly workspaceContext?: unknown;
  readonly loadedWorkspaceData?: WorkspaceData | null;
  readonly vaultStructure?: VaultStructure | null;
  readonly availableWorkspaces?: readonly WorkspaceSummary[];
  readonly availablePrompts?: readonly PromptSummary[];
  readonly toolAgents?: readonly ToolAgentInfo[];
  readonly skipToolsSection?: boolean;
  readonly contextStatus?: ContextStatusInfo | null;
  readonly previousContext?: CompactedContext | null;
  readonly modeText?: string;
}

/** Turns the builder's plain options into facts for sections. Reads notes and workspaces in parallel. */
async function factsFromOptions(
  options: SystemPromptOptions,
  readNoteContent: (path: string) => Promise<string>,
  loadWorkspace: ((id: string) => Promise<WorkspaceData | null>) | undefined,
): Promise<GatheredFacts> {
  const mentioned = options.messageEnhancement;
  const [contextNotes, references] = await Promise.all([
    Promise.all([...new Set(options.contextNotes ?? [])].map((path) => readAttached(path, readNoteContent))),
    Promise.all((mentioned?.workspaces ?? []).map((summary) => readWorkspace(summary, loadWorkspace))),
  ]);
  const facts = new Map<Fact<unknown>, unknown>();
  for (const { fact, read } of optionFacts) facts.set(fact, read(options));
  const set = <Value>(fact: Fact<Value>, value: Value): void => {
    facts.set(fact, value);
  };
  set(known.attachedNotes, withoutRepeats(contextNotes, mentioned?.notes ?? []));
  set(known.workspaceReferences, references);
  return facts;
}

interface OptionFact<Value> {
  readonly fact: Fact<Value>;
  readonly read: (options: SystemPromptOptions) => Value;
}

/** The facts that need no reading: each one is an option, or the fact's empty value. */
const optionFacts: readonly OptionFact<unknown>[] = [
  fromOptions(known.contextStatus, ({ contextStatus }) => contextStatus ?? null),
  fromOptions(known.previousContext, ({ previousContext }) => previousContext ?? null),
  fromOptions(known.modeTemplate, ({ modeText }) => modeText ?? ''),
  fromOptions(known.toolsAndContext, ({ skipToolsSection, sessionId, workspaceId, toolAgents }) =>
    skipToolsSection === true
      ? null
      : { sessionId: sessionId ?? 'session', workspaceId: workspaceId ?? 'default', agents: toolAgents ?? [] },
  ),
  fromOptions(known.vaultListing, ({ vaultStructure }) =>
    vaultStructure == null ? null : { form: 'root' as const, ...vaultStructure },
  ),
  fromOptions(known.availableWorkspaces, ({ availableWorkspaces }) => availableWorkspaces ?? []),
  fromOptions(known.availablePrompts, ({ availablePrompts }) => availablePrompts ?? []),
  fromOptions(known.attachedLists, () => []),
  fromOptions(known.offeredTools, ({ toolAgents = [] }) => ({ toolNames: toolAgents.flatMap(({ tools }) => tools) })),
  fromOptions(known.toolHints, ({ messageEnhancement }) => messageEnhancement?.tools ?? []),
  fromOptions(known.customPrompts, ({ messageEnhancement }) => messageEnhancement?.prompts ?? []),
  fromOptions(known.selectedPrompt, ({ customPrompt }) => customPrompt ?? null),
  fromOptions(known.selectedWorkspace, ({ loadedWorkspaceData, workspaceContext }) => {
    const selected = { loaded: loadedWorkspaceData ?? null, basic: workspaceContext ?? null };
    return selected.loaded === null && selected.basic === null ? null : selected;
  }),
];

function fromOptions<Value>(fact: Fact<Value>, read: OptionFact<Value>['read']): OptionFact<Value> {
  return { fact, read };
}

async function readAttached(path: string, readNoteContent: (path: string) => Promise<string>): Promise<AttachedNote> {
  try {
    return { path, text: await readNoteContent(path) };
  } catch {
    return { path, text: null };
  }
}

function withoutRepeats(
  notes: readonly AttachedNote[],
  mentioned: readonly { readonly path: string; readonly content: string }[],
): AttachedNote[] {
  const seen = new Set(notes.map(({ path }) => path));
  const added = mentioned.filter(({ path }) => !seen.has(path) && seen.add(path));
  return [...notes, ...added.map(({ path, content }) => ({ path, text: content }))];
}

/** Without a loader, uses the basic fields; a loader that fails or finds nothing omits the workspace (R172, R174). */
async function readWorkspace(
  summary: WorkspaceSummary,
  loadWorkspace: ((id: string) => Promise<WorkspaceData | null>) | undefined,
): Promise<MentionedWorkspace> {
  if (loadWorkspace === undefined) {
    const { name, description, rootFolder } = summary;
    return { summary, data: { name, rootFolder, ...(description === undefined ? {} : { description }) } };
  }
  try {
    return { summary, data: (await loadWorkspace(summary.id)) ?? null };
  } catch {
    return { summary, data: null };
  }
}
