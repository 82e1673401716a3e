/** The properties of the prompts and workspaces that the user keeps as notes. Others may stand beside them. */
import * as z from 'zod/v4';
import { words } from '../../text';
import { lazy } from '../base/lazy';

/** Text as YAML gives it: a bare number or yes is text all the same, and an empty value is none. */
const text = (field: string) =>
  z
    .union([z.string(), z.number(), z.boolean()], words.agentFolder.fieldNotText(field))
    .nullish()
    .transform((value) => (value ?? '').toString().trim() || undefined);

const entries = (field: string) =>
  z.union([z.string(), z.array(z.union([z.string(), z.number()]))], words.agentFolder.fieldNotList(field)).nullish();

/** Names as a list, or in one text with commas between them. */
const names = (field: string) =>
  entries(field).transform((value) => filled(typeof value === 'string' ? value.split(',') : (value ?? []).map(String)));

/** Texts as a list, or a single one; they may hold commas. */
const texts = (field: string) =>
  entries(field).transform((value) => filled(typeof value === 'string' ? [value] : (value ?? []).map(String)));

function filled(list: readonly string[]): string[] {
  return list.map((each) => each.trim()).filter((each) => each !== '');
}

export const promptProperties = lazy(() =>
  z.object({
    name: text('name'),
    description: text('description'),
    tags: names('tags'),
    /** Tools without which the prompt is not offered (R128). */
    requiredTools: names('requiredTools'),
    /** For people who keep several (R131). */
    version: text('version'),
    disabled: z
      .boolean(words.agentFolder.fieldNotFlag('disabled'))
      .nullish()
      .transform((value) => value === true),
  }),
);
export type PromptProperties = z.infer<ReturnType<typeof promptProperties>>;

export const workspaceProperties = lazy(() =>
  z.object({
    name: text('name'),
    description: text('description'),
    /** The folder it is about; the whole vault without one. */
    folder: text('folder'),
    /** Links or paths of its key notes. */
    notes: texts('notes'),
    workflows: texts('workflows'),
    preferences: texts('preferences').transform((list) => (list.length === 0 ? undefined : list.join('\n'))),
  }),
);
export type WorkspaceProperties = z.infer<ReturnType<typeof workspaceProperties>>;

export type CheckedProperties<Properties> =
  | { readonly properties: Properties; readonly problem?: undefined }
  | { readonly properties?: undefined; readonly problem: string };

/** The properties as the schema reads them, or one plain sentence for each that it refuses. */
export function checkProperties<Properties>(
  schema: z.ZodType<Properties>,
  properties: Readonly<Record<string, unknown>>,
): CheckedProperties<Properties> {
  const checked = schema.safeParse(properties);
  if (checked.success) return { properties: checked.data };
  return { problem: [...new Set(checked.error.issues.map(({ message }) => message))].join(' ') };
}
