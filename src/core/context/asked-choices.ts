/** What a prompt or a workspace sets for its chat: a mode, a model, pinned notes, a permission. */
import { words } from '../../text';
import { baseName, type ChatFields, linkTarget, promptsIn, workspacesIn } from '../library/user-notes';
import type { Vault } from '../ports/vault';
import type { ChatChoices } from '../session/entry';
import { type PermissionMode, stricterMode } from '../settings/mode';

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
