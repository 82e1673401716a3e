/** What is told to one family of models besides: a template a family, appended to the base prompt (R025). Empty by default. */
import type { TemplateContext } from './template-context';

export interface ModelSuffix {
  /** The beginning of the model's name, without provider and maker. */
  readonly family: string;
  write(context: TemplateContext): string;
}

/** THE list of suffixes; the first whose family fits is used. */
export const modelSuffixes: readonly ModelSuffix[] = [];

/** @param modelId as `provider/model` or `provider/maker/model` */
export function suffixFor(modelId: string, suffixes: readonly ModelSuffix[]): ModelSuffix | undefined {
  const name = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
  return suffixes.find(({ family }) => name.startsWith(family.toLowerCase()));
}
