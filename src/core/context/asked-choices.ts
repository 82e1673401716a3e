/** What a prompt or a workspace sets for its chat: a mode, a model, pinned notes, a permission. */
import { words } from '../../text';
import { type ChatFields, linkTarget } from '../library/note-fields';
import { baseName, promptsIn, workspacesIn } from '../library/user-notes';
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
  const { mode = now.mode, permission = now.permission } = fields;
  const model = fields.model === undefined ? now.model : findModel(fields.model, place.models);
  const pins = fields.pinned.map((written) => ({ written, path: findNote(written, path, place.vault) }));
  const fresh = pins.flatMap((pin) => (pin.path === null || now.contextNotes.includes(pin.path) ? [] : [pin.path]));
  const contextNotes = [...now.contextNotes, ...new Set(fresh)];
  const isStricter = permission !== now.permission && stricterMode(permission, now.permission) === permission;
  return {
    choices: {
      ...(mode === now.mode ? {} : { mode }),
      ...(model === null || model === now.model ? {} : { model }),
      ...(isStricter ? { permission } : {}),
      ...(fresh.length === 0 ? {} : { contextNotes }),
    },
    looser: permission === now.permission || isStricter ? null : permission,
    changes: [
      ...(mode === now.mode ? [] : [say.mode(words.settings.modes[mode])]),
      ...(model === null || model === now.model ? [] : [say.model(place.models[model] ?? model)]),
      ...(isStricter ? [say.permission(words.asking.permissions[permission])] : []),
      ...(fresh.length === 0 ? [] : [say.pinned(new Set(fresh).size)]),
    ],
    problems: [
      ...(model === null ? [say.modelMissing(name, fields.model ?? '')] : []),
      ...pins.flatMap((pin) => (pin.path === null ? [say.noteMissing(name, linkTarget(pin.written))] : [])),
    ],
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
