/** Skill: expert guidance for one kind of task, kept as a note in the Agent Skills format (R063, R132). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { lazy } from '../base/lazy';

/** Where skills come from, weakest first: a later one takes the place of an earlier one of its name (R134). */
export const skillSources = ['built-in', 'plugin', 'user', 'agent-folder', 'workspace'] as const;
export type SkillSource = (typeof skillSources)[number];

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly allowedTools?: readonly string[];
  readonly source: SkillSource;
  /** Path of its note; for a skill without a note, a label such as `built-in/name`. */
  readonly location: string;
  /** Its text, when it does not stand in a note. */
  readonly body?: string;
}

/** A skill that does not stand in the vault: built in, or handed over by another plugin or from the user's home. */
export interface GivenSkill extends Skill {
  readonly source: 'built-in' | 'plugin' | 'user';
  readonly body: string;
}

export const longestName = 64;
const longestDescription = 1024;
const longestCompatibility = 500;

const text = (field: string): z.ZodString => z.string(words.agentFolder.fieldNotText(field));

/** The name of a skill or sub-agent. */
export function nameSchema() {
  const say = words.agentFolder;
  return z
    .string({ error: ({ input }) => (isMissing(input) ? say.nameMissing : say.nameNotText) })
    .min(1, say.nameMissing)
    .max(longestName, say.nameTooLong(longestName))
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, say.nameShape);
}

export function descriptionSchema() {
  const say = words.agentFolder;
  return z
    .string({ error: ({ input }) => (isMissing(input) ? say.descriptionMissing : say.fieldNotText('description')) })
    .trim()
    .min(1, say.descriptionMissing)
    .max(longestDescription, say.descriptionTooLong(longestDescription));
}

/** Names separated by white space, or a list of names. */
export function namesSchema(field: string) {
  return z
    .union([z.string(), z.array(z.string())], words.agentFolder.fieldNotList(field))
    .transform((value) => (typeof value === 'string' ? value.split(/[\s,]+/) : value.map((each) => each.trim())))
    .transform((names) => names.filter((name) => name !== ''));
}

const plainValue = () => z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** The properties of a SKILL.md note; others are allowed and left alone. */
export const skillSchema = lazy(() =>
  z.object({
    name: nameSchema(),
    description: descriptionSchema(),
    license: text('license').nullish(),
    compatibility: text('compatibility')
      .max(longestCompatibility, words.agentFolder.fieldTooLong('compatibility', longestCompatibility))
      .nullish(),
    metadata: z.record(z.string(), plainValue(), words.agentFolder.fieldNotPairs('metadata')).nullish(),
    'allowed-tools': namesSchema('allowed-tools').nullish(),
  }),
);

function isMissing(input: unknown): boolean {
  return input === undefined || input === null;
}

/** What is wrong, in words, each thing once. */
export function reasonsOf(error: z.ZodError): string {
  return [...new Set(error.issues.map(({ message, path }) => plain(message, path)))].join(' ');
}

/** Values inside a set of pairs have no words of their own. */
function plain(message: string, path: readonly PropertyKey[]): string {
  return path.length > 1 ? words.agentFolder.fieldNotPairs(String(path[0])) : message;
}
