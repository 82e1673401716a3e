/** What a chat has chosen: the newest choice of each kind, over what the settings say. */
import { permissionModeOf } from '../settings/mode';
import type { Settings } from '../settings/settings';
import type { ChatChoices, SessionEntry } from './entry';

/** @param mayEditAlone whether the user has given this chat leave for Auto-edit on this device */
export function foldChoices(
  entries: readonly SessionEntry[],
  settings: Settings,
  mayEditAlone = false,
): Required<ChatChoices> {
  const { model, mode, permission, tier, contextNotes } = settings;
  const folded = entries.reduce<Required<ChatChoices>>(
    (all, entry) => (entry.kind === 'choices' ? { ...all, ...entry.choices } : all),
    { model, mode, permission, tier, contextNotes, selectedPrompt: null, selectedWorkspace: null, sectionsOff: [] },
  );
  // A mode that another version wrote, or that someone wrote into the log, is no licence.
  const chosen = permissionModeOf(folded.permission);
  return { ...folded, permission: chosen === 'auto-edit' && !mayEditAlone ? 'review' : chosen };
}
