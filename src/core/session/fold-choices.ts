/** What a chat has chosen: the newest choice of each kind, over what the settings say. */
import type { Settings } from '../settings/settings';
import type { ChatChoices, SessionEntry } from './entry';

export function foldChoices(entries: readonly SessionEntry[], settings: Settings): Required<ChatChoices> {
  const { model, mode, tier, contextNotes } = settings;
  return entries.reduce<Required<ChatChoices>>(
    (all, entry) => (entry.kind === 'choices' ? { ...all, ...entry.choices } : all),
    { model, mode, tier, contextNotes, selectedPrompt: null, selectedWorkspace: null, sectionsOff: [] },
  );
}
