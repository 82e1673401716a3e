/** Which models take pictures: those of a provider whose row says so, else those whose names are known for it. */
import { findKnownModel, type ProviderRow } from './provider-row';

/**
 * Parts of the names of models that take pictures, as servers list them. Many servers do not say which do; a model
 * that is missing here is told of pictures in words.
 * Source: published model cards; read 2026-11-20.
 */
const namesOfThose =
  /gpt-4o|gpt-4\.1|gpt-5|\bo[34]\b|claude|gemini|gemma-?3|llava|bakllava|moondream|pixtral|internvl|minicpm-v|cogvlm|smolvlm|qwen[\d.]*-?vl|llama-?4|mistral-(?:small-?3\.[12]|medium-?3)|phi-?(?:3\.5|4)-(?:vision|multimodal)|grok-[4-9]|vision|-vl\b/i;

export function takesImages(row: ProviderRow, modelName: string): boolean {
  return findKnownModel(row, modelName)?.takesImages ?? row.takesImages ?? namesOfThose.test(modelName);
}
