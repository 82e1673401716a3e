/** What a chat has chosen, which of its choices are missing, and its auto-edit grant. */
import { type PromptPlace, stateOfPrompt } from '../library/prompt-registry';
import { baseName, describeWorkspace } from '../library/user-notes';
import type { DeviceStorage } from '../ports/device';
import type { Outcome } from '../ports/failure';
import type { Vault } from '../ports/vault';
import type { ChatChoices, SessionEntry } from '../session/entry';
import { runningFold } from '../session/running-fold';
import { permissionModeOf } from '../settings/mode';
import type { Settings } from '../settings/settings';

/**
 * Returns the newest choice of each kind, with defaults from settings.
 * @param mayEditAlone whether this device has an auto-edit grant for the chat
 */
export function foldChoices(
  entries: readonly SessionEntry[],
  settings: Settings,
  mayEditAlone = false,
): Required<ChatChoices> {
  const { model, mode, permission, tier, contextNotes } = settings;
  const usual = { model, mode, permission, tier, contextNotes };
  const folded = { ...usual, selectedPrompt: null, selectedWorkspace: null, sectionsOff: [], ...chosenIn(entries) };
  // The permission mode may come from another version or from a forged log entry, so it is checked.
  const chosen = permissionModeOf(folded.permission);
  return { ...folded, permission: chosen === 'auto-edit' && !mayEditAlone ? 'review' : chosen };
}

const chosenIn = runningFold<SessionEntry, ChatChoices>({
  start: () => ({}),
  add: (all, entry) => (entry.kind === 'choices' ? { ...all, ...entry.choices } : all),
  copy: (all) => all,
});

export interface MissingChoice {
  readonly kind: 'model' | 'prompt' | 'workspace' | 'note';
  readonly id: string;
  /** The name to show. */
  readonly name: string;
  /** One sentence that explains more than that it is missing; empty if there is no more to say. */
  readonly reason: string;
}

export interface ChoicePlace extends PromptPlace {
  model(id: string): Outcome<unknown>;
  /** The id of the model from settings, which replaces a missing one. */
  readonly usualModel: string;
}

/**
 * Returns the choices that cannot be used any more; the chat continues without them and its view reports them (design
 * 5).
 */
export function findMissingChoices(choices: Required<ChatChoices>, place: ChoicePlace): MissingChoice[] {
  const { model, selectedPrompt, selectedWorkspace, contextNotes } = choices;
  const missing: MissingChoice[] = [];
  if (model !== place.usualModel && !place.model(model).ok)
    missing.push({ kind: 'model', id: model, name: model, reason: '' });
  if (selectedPrompt !== null) {
    const { kind, reason } = stateOfPrompt(selectedPrompt, place);
    if (kind !== 'offered')
      missing.push({ kind: 'prompt', id: selectedPrompt, name: baseName(selectedPrompt), reason });
  }
  const paths = [
    ...(selectedWorkspace === null ? [] : [{ kind: 'workspace' as const, id: selectedWorkspace }]),
    ...contextNotes.map((id) => ({ kind: 'note' as const, id })),
  ];
  for (const { kind, id } of paths) {
    if (place.vault.file(id) === undefined) missing.push({ kind, id, name: baseName(id), reason: '' });
  }
  return missing;
}

/** Returns the change that removes the missing choice; a missing model becomes the one from settings. */
export function withoutMissing(
  choices: Required<ChatChoices>,
  missing: MissingChoice,
  usualModel: string,
): ChatChoices {
  switch (missing.kind) {
    case 'model':
      return { model: usualModel };
    case 'prompt':
      return { selectedPrompt: null };
    case 'workspace':
      return { selectedWorkspace: null };
    case 'note':
      return { contextNotes: choices.contextNotes.filter((path) => path !== missing.id) };
  }
}

// Auto-edit grants are stored on the device, not in the log, because anyone who can write to the vault could forge a
// log entry (H11).

/** Stores or removes the grant when the user chooses a permission mode on this device. */
export function grantAutoEdit(device: DeviceStorage, conversation: string, { permission }: ChatChoices): void {
  if (permission !== undefined) device.set(keyOf(conversation), permission === 'auto-edit' ? 'given' : null);
}

export function hasAutoEditGrant(device: Pick<DeviceStorage, 'get'> | undefined, conversation: string): boolean {
  return device?.get(keyOf(conversation)) === 'given';
}

function keyOf(conversation: string): string {
  return `auto-edit:${conversation}`;
}

/** Returns the folders whose notes may act as skills: in the agent folder and in the chosen workspace. */
export function skillFoldersOf(vault: Vault, agentFolder: string, workspacePath: string | null): string[] {
  const workspace = workspacePath === null ? '/' : describeWorkspace(vault, workspacePath).rootFolder;
  return [agentFolder, workspace]
    .map((folder) => folder.replace(/^\/+|\/+$/g, ''))
    .filter((folder) => folder !== '')
    .map((folder) => `${folder}/skills`);
}
