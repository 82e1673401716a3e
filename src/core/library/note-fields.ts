/** Fields of the user's notes for Docent, as properties of Obsidian hold them: text, lists, modes, permissions. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { type ModeId, modeIds, type PermissionMode, permissionModes } from '../settings/mode';

/** Text as YAML returns it: a bare number or yes counts as text, and an empty value counts as missing. */
export const text = (field: string) =>
  z
    .union([z.string(), z.number(), z.boolean()], words.agentFolder.fieldNotText(field))
    .nullish()
    .transform((value) => (value ?? '').toString().trim() || undefined);

const entries = (field: string) =>
  z.union([z.string(), z.array(z.union([z.string(), z.number()]))], words.agentFolder.fieldNotList(field)).nullish();

/** Names as a list, or as one text separated by commas. */
export const names = (field: string) =>
  entries(field).transform((value) => filled(typeof value === 'string' ? value.split(',') : (value ?? []).map(String)));

/** Texts as a list, or a single text, which may contain commas. */
export const texts = (field: string) =>
  entries(field).transform((value) => filled(typeof value === 'string' ? [value] : (value ?? []).map(String)));

function filled(list: readonly string[]): string[] {
  return list.map((each) => each.trim()).filter((each) => each !== '');
}

/** Finds a mode by its id or by the name that the interface shows, in any case; undefined if there is none (R101). */
export function findMode(written: string): ModeId | undefined {
  return findNamed(modeIds, words.settings.modes, written);
}

function findNamed<Id extends string>(
  ids: readonly Id[],
  shown: Readonly<Record<Id, string>>,
  written: string,
): Id | undefined {
  const wanted = written.trim().toLowerCase();
  return ids.find((id) => id === wanted || shown[id].toLowerCase() === wanted);
}

/** One of some ids, or the name that the interface shows for it. */
const oneOf = <Id extends string>(field: string, ids: readonly Id[], shown: () => Readonly<Record<Id, string>>) =>
  text(field).transform((written, context): Id | undefined => {
    const found = written === undefined ? undefined : findNamed(ids, shown(), written);
    if (written === undefined || found !== undefined) return found;
    context.addIssue({ code: 'custom', message: words.agentFolder.fieldNotOneOf(field, ids) });
    return z.NEVER;
  });

/** What a prompt or a workspace sets for the chat that uses it. */
export interface ChatFields {
  readonly mode?: ModeId | undefined;
  /** An id or a name of a model, as written. */
  readonly model?: string | undefined;
  readonly permission?: PermissionMode | undefined;
  /** Links or paths of notes to pin, as written. */
  readonly pinned: readonly string[];
}

/** The fields of ChatFields, for the schema of a note. */
export const chatFields = () => ({
  mode: oneOf('mode', modeIds, () => words.settings.modes),
  model: text('model'),
  permission: oneOf('permission', permissionModes, () => words.asking.permissions),
  pinned: texts('pinned'),
});

/** Returns the target of a link as written, without brackets and alias; a path stays as it is. */
export function linkTarget(written: string): string {
  return written.replace(/^\[\[|\]\]$/g, '').replace(/\|.*$/, '');
}
