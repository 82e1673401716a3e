/**
 * What a chat has chosen, which of its choices are missing, what a prompt or a workspace sets of them, and the chat's
 * auto-edit grant.
 */
import { words } from '../../text';
import { isEqual } from '../base/equality';
import { pathAfterMove } from '../base/fold';
import { type PromptPlace, stateOfPrompt } from '../library/prompt-registry';
import {
  baseName,
  type ChatFields,
  describeWorkspace,
  linkTarget,
  promptsIn,
  workspacesIn,
} from '../library/user-notes';
import type { DeviceStorage } from '../ports/device';
import type { Outcome } from '../ports/failure';
import type { Vault } from '../ports/vault';
import type { ChatChoices, SessionEntry } from '../session/entry';
import { runningFold } from '../session/running-fold';
import { type PermissionMode, permissionModeOf, stricterMode } from '../settings/mode';
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
  const chosen = chosenIn(entries);
  // The permission mode may come from another version or from a forged log entry, so it is checked.
  const permission = permissionModeOf(chosen.permission ?? settings.permission);
  return {
    model: chosen.model ?? settings.model,
    mode: chosen.mode ?? settings.mode,
    permission: permission === 'auto-edit' && !mayEditAlone ? 'review' : permission,
    tier: chosen.tier ?? settings.tier,
    contextNotes: chosen.contextNotes ?? settings.contextNotes,
    selectedPrompt: chosen.selectedPrompt ?? null,
    selectedWorkspace: chosen.selectedWorkspace ?? null,
    sectionsOff: chosen.sectionsOff ?? [],
  };
}

const chosenIn = runningFold<SessionEntry, ChatChoices>({
  start: () => ({}),
  add: (all, entry) => (entry.kind === 'choices' ? { ...all, ...entry.choices } : all),
  copy: (all) => all,
});

/** The choices that name notes. */
const noteChoices = ['contextNotes', 'selectedPrompt', 'selectedWorkspace'] as const;

/** When each of them was made last, in milliseconds since the epoch. */
const noteChoicesIn = runningFold<SessionEntry, Map<(typeof noteChoices)[number], number>>({
  start: () => new Map(),
  add(times, entry) {
    if (entry.kind !== 'choices') return times;
    for (const key of noteChoices) if (entry.choices[key] !== undefined) times.set(key, entry.time);
    return times;
  },
});

/** Returns the moves from a time on, in milliseconds since the epoch, oldest first. */
export type MovesSince = (time: number) => readonly { readonly from: string; readonly to: string }[];

/** Returns what a chat has chosen of notes that were moved since, under their new names; null if none was. */
export function movedChoices(entries: readonly SessionEntry[], movesSince: MovesSince): ChatChoices | null {
  const now = chosenIn(entries);
  const moved = [...noteChoicesIn(entries)].flatMap(([key, time]) => {
    const moves = movesSince(time);
    const follow = (path: string): string =>
      moves.reduce((at, { from, to }) => pathAfterMove(at, from, to) ?? at, path);
    const chosen = now[key];
    const followed = typeof chosen === 'string' ? follow(chosen) : (chosen?.map(follow) ?? null);
    return isEqual(followed, chosen) ? [] : [[key, followed] as const];
  });
  return moved.length === 0 ? null : Object.fromEntries(moved);
}

/** Where the notes that can be chosen are. */
export interface ChosenFrom {
  readonly vault: Pick<Vault, 'file'>;
  agentFolder(): string;
}

/**
 * Whether a note is chosen as a prompt or a workspace without being one. A log may come from another device, and only the
 * notes of these folders direct the agent, once they were let in.
 */
export function isNotOffered(kind: 'prompt' | 'workspace', id: string | null, from: ChosenFrom): boolean {
  return id !== null && !id.startsWith(`${from.agentFolder()}/${kind}s/`) && from.vault.file(id) !== undefined;
}

/** Returns the choices without notes that are no prompt or workspace. */
export function withoutOtherNotes(choices: Required<ChatChoices>, from: ChosenFrom): Required<ChatChoices> {
  const { selectedPrompt, selectedWorkspace } = choices;
  return {
    ...choices,
    selectedPrompt: isNotOffered('prompt', selectedPrompt, from) ? null : selectedPrompt,
    selectedWorkspace: isNotOffered('workspace', selectedWorkspace, from) ? null : selectedWorkspace,
  };
}

export interface MissingChoice {
  readonly kind: 'model' | 'prompt' | 'workspace' | 'note';
  readonly id: string;
  /** The name to show. */
  readonly name: string;
  /** One sentence that explains more than that it is missing; empty if there is no more to say. */
  readonly reason: string;
}

export interface ChoicePlace extends PromptPlace, ChosenFrom {
  readonly vault: PromptPlace['vault'];
  /** Whether a note waits until the user lets it in. */
  waits(path: string): boolean;
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
  const why = (kind: 'prompt' | 'workspace', id: string): string | null => {
    if (place.waits(id)) return words.instructions.chosenWaits;
    return isNotOffered(kind, id, place) ? words.instructions.notOffered(`${place.agentFolder()}/${kind}s`) : null;
  };
  if (selectedPrompt !== null) {
    const { kind, reason } = stateOfPrompt(selectedPrompt, place);
    const other = why('prompt', selectedPrompt);
    if (kind !== 'offered' || other !== null)
      missing.push({ kind: 'prompt', id: selectedPrompt, name: baseName(selectedPrompt), reason: other ?? reason });
  }
  if (selectedWorkspace !== null) {
    const other = why('workspace', selectedWorkspace);
    if (other !== null || place.vault.file(selectedWorkspace) === undefined)
      missing.push({
        kind: 'workspace',
        id: selectedWorkspace,
        name: baseName(selectedWorkspace),
        reason: other ?? '',
      });
  }
  for (const id of contextNotes) {
    if (place.vault.file(id) === undefined) missing.push({ kind: 'note', id, name: baseName(id), reason: '' });
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

// What a prompt or a workspace sets for its chat: a mode, a model, pinned notes, a permission.

/** The note that asks, and its name for the user. */
export interface AskingNote {
  readonly path: string;
  readonly name: string;
  readonly fields: ChatFields;
}

export interface AskedPlace {
  readonly vault: Pick<Vault, 'file' | 'resolveLink'>;
  /** The name of each model that can be chosen, by id. */
  readonly models: Readonly<Record<string, string>>;
}

export interface AskedChoices {
  /** What changes in the chat; empty if nothing does. */
  readonly choices: ChatChoices;
  /** A permission that allows more than the chat does, which the user is asked about; null for none. */
  readonly looser: PermissionMode | null;
  /** What changes, in words, without the looser permission. */
  readonly changes: readonly string[];
  /** What cannot be done as asked, one sentence each. */
  readonly problems: readonly string[];
}

/** Reads what a note in the folder of prompts or of workspaces sets for its chat; null if it is in neither, or invalid. */
export function readAskingNote(vault: Vault, agentFolder: string, path: string): AskingNote | null {
  const all = [...promptsIn(vault, agentFolder).read, ...workspacesIn(vault, agentFolder).read];
  const fields = all.find((note) => note.path === path)?.properties;
  return fields === undefined ? null : { path, name: fields.name ?? baseName(path), fields };
}

type Now = Required<Pick<ChatChoices, 'mode' | 'model' | 'permission' | 'contextNotes'>>;

/** Returns what a note changes in a chat, and what the user is asked or shown before. */
export function readAskedChoices({ path, name, fields }: AskingNote, now: Now, place: AskedPlace): AskedChoices {
  const say = words.prompts.asked;
  const { looser, ...permission } = readPermission(fields, now);
  const pins = fields.pinned.map((written) => ({ written, path: findNote(written, path, place.vault) }));
  const parts = [readMode(fields, now), readModel(name, fields, now, place), permission, readPins(pins, now)];
  const missing = pins
    .filter((pin) => pin.path === null)
    .map(({ written }) => say.noteMissing(name, linkTarget(written)));
  return {
    choices: Object.assign({}, ...parts.map(({ choices }) => choices)) as ChatChoices,
    looser,
    changes: parts.flatMap(({ changes }) => changes),
    problems: [...parts.flatMap(({ problems = [] }) => problems), ...missing],
  };
}

/** What one field of a note changes; nothing by default. */
interface Part {
  readonly choices: ChatChoices;
  readonly changes: readonly string[];
  readonly problems?: readonly string[];
}

const nothing: Part = { choices: {}, changes: [] };

function readMode({ mode }: ChatFields, now: Now): Part {
  if (mode === undefined || mode === now.mode) return nothing;
  return { choices: { mode }, changes: [words.prompts.asked.mode(words.settings.modes[mode])] };
}

function readModel(name: string, { model: written }: ChatFields, now: Now, { models }: AskedPlace): Part {
  const say = words.prompts.asked;
  if (written === undefined) return nothing;
  const model = findModel(written, models);
  if (model === null) return { ...nothing, problems: [say.modelMissing(name, written)] };
  return model === now.model ? nothing : { choices: { model }, changes: [say.model(models[model] ?? model)] };
}

/** A permission that allows more is only returned, since the user is asked about it. */
function readPermission({ permission }: ChatFields, now: Now): Part & Pick<AskedChoices, 'looser'> {
  if (permission === undefined || permission === now.permission) return { ...nothing, looser: null };
  if (stricterMode(permission, now.permission) !== permission) return { ...nothing, looser: permission };
  const change = words.prompts.asked.permission(words.asking.permissions[permission]);
  return { choices: { permission }, changes: [change], looser: null };
}

function readPins(pins: readonly { readonly path: string | null }[], { contextNotes }: Now): Part {
  const paths = pins.flatMap(({ path }) => (path === null || contextNotes.includes(path) ? [] : [path]));
  const fresh = [...new Set(paths)];
  if (fresh.length === 0) return nothing;
  return {
    choices: { contextNotes: [...contextNotes, ...fresh] },
    changes: [words.prompts.asked.pinned(fresh.length)],
  };
}

/** Finds a model by its id, by its name, or by its name without the provider; null if none or several have it. */
function findModel(written: string, models: AskedPlace['models']): string | null {
  const wanted = written.trim().toLowerCase();
  const ids = Object.keys(models);
  const exact = ids.find((id) => id.toLowerCase() === wanted || models[id]?.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  const [only, ...others] = ids.filter((id) => id.slice(id.indexOf('/') + 1).toLowerCase() === wanted);
  return only === undefined || others.length > 0 ? null : only;
}

function findNote(written: string, from: string, vault: AskedPlace['vault']): string | null {
  const target = linkTarget(written);
  return vault.file(target)?.path ?? vault.resolveLink(target, from) ?? null;
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

/**
 * Returns the folders whose notes may act as skills: in the agent folder, then in the chosen workspace, which may be the
 * whole vault.
 */
export function skillFoldersOf(vault: Vault, agentFolder: string, workspacePath: string | null): string[] {
  const isThere = workspacePath !== null && vault.file(workspacePath) !== undefined;
  const folders = [agentFolder, ...(isThere ? [describeWorkspace(vault, workspacePath).rootFolder] : [])];
  return folders.map((folder) => `${folder.replace(/^\/+|\/+$/g, '')}/skills`.replace(/^\//, ''));
}
