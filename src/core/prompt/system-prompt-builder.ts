/** SystemPromptBuilder: composes system prompts, from gathered facts or from plain options and two callbacks (R021-R023, K32). */
import type { WorkspaceData } from '../library/workspaces';
import type { Tokenizer } from '../ports/model';
import { type AssembledPrompt, type Assembly, assemblePrompt, wholeFlatLayout } from './assemble-prompt';
import { factsFromOptions, type SystemPromptOptions } from './facts-from-options';
import type { Section } from './section';
import { sections } from './sections';

const uncounted: Tokenizer = { count: () => 0, exact: false };

export class SystemPromptBuilder {
  /**
   * @param readNoteContent rejects when a note cannot be read; the prompt then says so in its place
   * @param loadWorkspace null or a rejection leaves that workspace out
   */
  constructor(
    private readonly readNoteContent: (path: string) => Promise<string>,
    private readonly loadWorkspace?: (id: string) => Promise<WorkspaceData | null>,
    private readonly list: readonly Section[] = sections,
  ) {}

  /** The prompt, or null when no section has anything to say. */
  async build(options: SystemPromptOptions): Promise<string | null> {
    const facts = await factsFromOptions(options, this.readNoteContent, this.loadWorkspace);
    // Sections that these options cannot feed, such as those about the editor, are told by the orchestrator alone.
    const fed = this.list.filter(({ needs }) => Object.values(needs).every((fact) => facts.has(fact)));
    const { system } = this.assemble({ sections: fed, facts, tokenizer: uncounted, layout: wholeFlatLayout });
    return system === '' ? null : system;
  }

  assemble(assembly: Assembly): AssembledPrompt {
    return assemblePrompt(assembly);
  }
}
