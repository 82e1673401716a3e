/** What a chat has chosen, what of it is gone, and what is kept on the device alone. */
import { type PromptPlace, stateOfPrompt } from '../library/prompt-registry';
import { baseName, describeWorkspace } from '../library/user-notes';
import type { DeviceStorage } from '../ports/device';
import type { Outcome } from '../ports/failure';
import type { Vault } from '../ports/vault';
import type { ChatChoices, SessionEntry } from '../session/entry';
import { permissionModeOf } from '../settings/mode';
import type { Settings } from '../settings/settings';

export interface MissingChoice {
  readonly kind: 'model' | 'prompt' | 'workspace' | 'note';
  readonly id: string;
  /** As people know it. */
  readonly name: string;
  /** One sentence, where there is more to say than that it is gone. */
  readonly reason: string;
}

export interface ChoicePlace extends PromptPlace {
  model(id: string): Outcome<unknown>;
  /** The model of the settings, which answers in place of one that is gone. */
  readonly usualModel: string;
}

/** What a chat has chosen and cannot have any more; it goes on without, and the pane says so (design 5). */
export function findMissingChoices(choices: Required<ChatChoices>, place: ChoicePlace): MissingChoice[] {
  const { model, selectedPrompt, selectedWorkspace, contextNotes } = choices;
  const gone: MissingChoice[] = [];
  if (model !== place.usualModel && !place.model(model).ok)
    gone.push({ kind: 'model', id: model, name: model, reason: '' });
  if (selectedPrompt !== null) {
    const { kind, reason } = stateOfPrompt(selectedPrompt, place);
    if (kind !== 'offered') gone.push({ kind: 'prompt', id: selectedPrompt, name: baseName(selectedPrompt), reason });
  }
  const paths = [
    ...(selectedWorkspace === null ? [] : [{ kind: 'workspace' as const, id: selectedWorkspace }]),
    ...contextNotes.map((id) => ({ kind: 'note' as const, id })),
  ];
  for (const { kind, id } of paths) {
    if (place.vault.file(id) === undefined) gone.push({ kind, id, name: baseName(id), reason: '' });
  }
  return gone;
}

/** The choices without what is gone. A model gives way to that of the settings. */
export function withoutMissing(choices: Required<ChatChoices>, gone: MissingChoice, usualModel: string): ChatChoices {
  switch (gone.kind) {
    case 'model':
      return { model: usualModel };
    case 'prompt':
      return { selectedPrompt: null };
    case 'workspace':
      return { selectedWorkspace: null };
    case 'note':
      return { contextNotes: choices.contextNotes.filter((path) => path !== gone.id) };
  }
}

// What a chat has chosen: the newest choice of each kind, over what the settings say.

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

// Leave to edit without asking is kept on the device: a log is a file of the vault, which anyone may write (H11).

/** Takes note of what the user has chosen on this device for a chat. */
export function grantAutoEdit(device: DeviceStorage, conversation: string, { permission }: ChatChoices): void {
  if (permission !== undefined) device.set(keyOf(conversation), permission === 'auto-edit' ? 'given' : null);
}

export function hasAutoEditGrant(device: Pick<DeviceStorage, 'get'> | undefined, conversation: string): boolean {
  return device?.get(keyOf(conversation)) === 'given';
}

function keyOf(conversation: string): string {
  return `auto-edit:${conversation}`;
}

/** Folders whose notes may give instructions as skills: the agent folder's, and the chosen workspace's. */
export function skillFoldersOf(vault: Vault, agentFolder: string, workspacePath: string | null): string[] {
  const workspace = workspacePath === null ? '/' : describeWorkspace(vault, workspacePath).rootFolder;
  return [agentFolder, workspace]
    .map((folder) => folder.replace(/^\/+|\/+$/g, ''))
    .filter((folder) => folder !== '')
    .map((folder) => `${folder}/skills`);
}
