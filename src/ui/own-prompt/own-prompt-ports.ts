/** OwnPromptPorts: what the pane, the settings and the commands ask about the user's own side of the prompt. */
import type { TemplateState } from '../../core/own-prompt/override-steps';
import type { SectionCost } from '../../core/own-prompt/section-costs';
import type { Outcome } from '../../core/ports/failure';
import type { RequestPlan } from '../../core/ports/request-plan';
import type { SectionSwitch } from '../../core/prompt/composition-options';
import type { Override } from '../../core/prompt/override';
import type { ChatChoices } from '../../core/session/entry';

/** What can be done about a system prompt of the user's own. */
export type OverrideStep = 'create' | 'turn-off' | 'allow' | 'append';

/** With its variables, or as the next request has it. */
export type ExportKind = 'template' | 'resolved';

/** A chat as it stands in the pane. */
export interface OpenChat {
  readonly choices: ChatChoices;
  /** The request that the draft would make. */
  plan(signal: AbortSignal): Promise<Outcome<RequestPlan>>;
}

export interface OwnPromptPorts {
  override(): Override;
  /** Does it and says so; what was made is opened. */
  carryOut(step: OverrideStep): Promise<void>;
  /** Ids of all sections, in the order of the prompt. */
  readonly sections: readonly string[];
  switchOf(section: string): SectionSwitch;
  costs(): Promise<Outcome<readonly SectionCost[]>>;
  templates(): Promise<readonly TemplateState[]>;
  /** Makes the templates that are missing, and says so. */
  createTemplates(): Promise<void>;
  /** Whether the agent folder has a note of this name. */
  hasNote(name: string): boolean;
  /** Makes it unless it is there, and opens it. */
  openOrCreate(name: string): Promise<void>;
  openNote(path: string): void;
  export(kind: ExportKind): Promise<void>;
  /** Whether the environment decides if and where the prompt is written. */
  exportsByVariable(): boolean;
}
