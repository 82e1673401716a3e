/** The record of a changed head: what a turn is stored with, so that the cost of a broken cache can be named (K13). */
import { fingerprint } from '../base/equality';
import { explainSections, headOf, type ProvidedPrompt, textsBySection } from '../prompt/provide-prompt';
import type { EntryBody, PromptRebuilt } from '../session/entry';
import type { PreparedTurn } from './prepare-turn';

export interface RebuildQuestion {
  readonly prepared: Pick<PreparedTurn, 'prompt' | 'change' | 'turn'>;
  /** The prompt of the turn before, when it was made in this session. */
  readonly before: ProvidedPrompt | null;
  readonly last: PromptRebuilt | null;
  /** Reasons that were noted since. */
  readonly noted: ReadonlySet<string>;
  /** Whether the tier was chosen by itself. */
  readonly automatic: boolean;
  /** The window that the user has set. */
  readonly window: number | null;
}

/** Null while head and tier stay as the log has them. */
export function rebuildEntry(question: RebuildQuestion): (EntryBody & { readonly kind: 'prompt-rebuilt' }) | null {
  const { prepared, before, last, noted, automatic, window } = question;
  const { modelId: model, tier, mode, headMode } = prepared.turn;
  const pin = { model, tier, automatic, window };
  const isPinned =
    last !== null && Object.entries(pin).every(([key, value]) => last[key as keyof typeof pin] === value);
  if (isPinned && before !== null && prepared.change === null) return null;
  const head = printsOf(prepared.prompt);
  const sections = last === null ? Object.keys(head) : differencesOf(last.head, head);
  if (isPinned && sections.length === 0) return null;
  const reasons = last === null ? ['start'] : [...differencesOf(pinOf(last), pinOf(pin)), ...noted];
  const explained = last === null || before === null ? [] : explainSections(sections, before, prepared.prompt);
  const all = [...new Set([...reasons, ...explained])];
  return {
    kind: 'prompt-rebuilt',
    ...pin,
    mode,
    headMode,
    sections,
    reasons: all.length === 0 ? ['reopened'] : all,
    head,
  };
}

function pinOf({ model, tier }: Pick<PromptRebuilt, 'model' | 'tier'>) {
  return { model, tier: String(tier) };
}

/** What is told anew with each request, as in the flat profile, is no part of what a cache could keep. */
function printsOf(prompt: ProvidedPrompt): Record<string, string> {
  const kept = headOf(prompt).filter(({ zone }) => zone === 'instructions' || zone === 'reference');
  return Object.fromEntries([...textsBySection(kept)].map(([section, text]) => [section, fingerprint(text)]));
}

function differencesOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  return Object.keys({ ...before, ...after }).filter((key) => before[key] !== after[key]);
}
