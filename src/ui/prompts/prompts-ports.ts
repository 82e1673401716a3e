/** PromptsPorts: what the list of prompts, the pickers and the rewriting of a selection ask of the rest of Docent. */
import type { PromptRegistry } from '../../core/library/prompt-registry';
import type { Outcome } from '../../core/ports/failure';
import type { ModelDescription, ModelEvent, Tokenizer } from '../../core/ports/model';
import type { NoteText, Vault } from '../../core/ports/vault';
import type { Settings } from '../../core/settings/settings';
import type { Tool } from '../../core/tools/tool';

/** Changes the notes in which the user keeps prompts, as the user asked. */
export interface PromptNotes {
  /** Makes its folder too; a note that is there already is a failure. */
  create(path: string, text: string): Promise<Outcome<void>>;
  /** Puts a property into the note, or takes it away when undefined; all others stay as they are. */
  setProperty(path: string, key: string, value: string | boolean | undefined): Promise<Outcome<void>>;
  /** To where the app puts what is deleted. */
  trash(path: string): Promise<Outcome<void>>;
}

export interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button says. */
  readonly action: string;
}

export interface PromptsPorts {
  readonly vault: Vault;
  readonly tools: readonly Pick<Tool, 'name'>[];
  readonly tokenizer: Tokenizer;
  /** The user's own stand in it as they were read last. */
  readonly registry: Pick<PromptRegistry, 'list' | 'get'>;
  readonly notes: PromptNotes;
  settings(): Settings;
  /** Calls the listener when the vault, the settings or the registry changed. */
  onChange(listener: () => void): () => void;
  /** Reads for display; may come from a cache that is dropped on change. */
  readNote(path: string, signal: AbortSignal): Promise<Outcome<NoteText>>;
  openNote(linkText: string, newTab: boolean): void;
  openSettings(): void;
  /** Asks before something that a click does not take back. */
  confirm(question: Question): Promise<boolean>;
  /** Opens the list of prompts, with the form for a new one if asked. */
  show(want?: 'new'): void;
  /** Lets a prompt stand in the chat in front. */
  stand(id: string): Promise<void>;
  /** What people call each model that can be chosen, by id; the one in use is among them. */
  modelChoices(used: string): Readonly<Record<string, string>>;
  /** What is known of a model, or why it cannot be used. */
  model(
    id: string,
  ): Outcome<{ readonly description: Pick<ModelDescription, 'label' | 'contextWindow' | 'takesImages'> }>;
  /** Lets the user choose a note; null when none was chosen. */
  chooseNote(): Promise<string | null>;
  /** Asks the model of the settings once, outside of any chat. */
  askOnce(text: string, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Long form, in the user's locale. */
  date(): string;
}
