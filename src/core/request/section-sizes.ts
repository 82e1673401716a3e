/** What each section of a prompt would come to in its full and in its brief form, for choosing between them. */
import type { Tokenizer } from '../ports/model';
import { measureForms } from '../prompt/assemble-prompt';
import type { ProvidedPrompt } from '../prompt/provide-prompt';

export interface SectionSize {
  readonly full: number;
  /** Null for a section that has no brief form. */
  readonly brief: number | null;
}

/** Tokens by id, of the sections that have something to say. */
export function sectionSizes(prompt: ProvidedPrompt, tokenizer: Tokenizer): ReadonlyMap<string, SectionSize> {
  return measureForms({ ...prompt, tokenizer });
}
