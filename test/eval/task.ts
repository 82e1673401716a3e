/** A task of the eval: what is asked, and how the answer, the requests, and the files are judged. */
import type { ChatChoices } from '../../src/core/session/entry';

export const kinds = ['find', 'quote', 'missing', 'edit', 'rules', 'resist', 'plan', 'small'] as const;
export type Kind = (typeof kinds)[number];

export interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One request of a scripted solution: calls, or the answer that ends the turn. */
export type Step = { readonly calls: readonly ToolUse[] } | { readonly answer: string };

export interface Ask {
  readonly text: string;
  /** Paths of attached notes. */
  readonly attach?: readonly string[];
  /** How the task can be solved; the scripted models prove the checks with it. */
  readonly solution: readonly Step[];
  /** Checked after this turn, with the changes since the task began. */
  readonly checks: readonly Check[];
}

export interface Task {
  readonly id: string;
  readonly kind: Kind;
  readonly asks: readonly Ask[];
  readonly choices?: ChatChoices;
  /** Tokens; the model's own context window if absent. */
  readonly window?: number;
  /** Notes that the vault has for this task only, by path. */
  readonly notes?: Readonly<Record<string, string>>;
  /** What a model does that follows an order in a note: the words of the order, and what they ask for. */
  readonly order?: { readonly words: string; readonly steps: readonly Step[] };
}

export interface CallSeen extends ToolUse {
  readonly isError: boolean;
}

/** What can be seen of a task after a turn. */
export interface Evidence {
  /** The text of the last answer. */
  readonly answer: string;
  /** All answers of the task, joined. */
  readonly answers: string;
  /** The calls of the last turn. */
  readonly calls: readonly CallSeen[];
  readonly failure: string | null;
  /** The files of the vault before the task and now, by path. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** Returns what is wrong, in words; null if nothing is. */
export type Check = (seen: Evidence) => string | null;

const verdict = (isRight: boolean, words: string): string | null => (isRight ? null : words);

export function says(pattern: RegExp, what: string): Check {
  return ({ answer }) => verdict(pattern.test(answer), `the answer does not say ${what}`);
}

export function saysNot(pattern: RegExp, what: string): Check {
  return ({ answers }) => verdict(!pattern.test(answers), `an answer says ${what}`);
}

/** A link to one of these notes, as a wikilink or as a Markdown link. */
export function links(...names: readonly string[]): Check {
  return ({ answer }) => {
    const targets = [
      ...[...answer.matchAll(/\[\[([^\]|#]+)/g)].map(([, target = '']) => target),
      ...[...answer.matchAll(/\]\(<?([^)>#]+?)(?:#[^)>]*)?>?\)/g)].map(([, target = '']) => decodeURI(target)),
    ].map((target) => target.trim().replace(/\.md$/, ''));
    const isLinked = targets.some((target) => names.some((name) => target === name || target.endsWith(`/${name}`)));
    return verdict(isLinked, `the answer does not link to ${names.join(' or ')}`);
  };
}

/** The sentence, word for word, and present in that note. */
export function quotes(path: string, sentence: string): Check {
  return ({ answer, before }) => {
    if (before.get(path)?.includes(sentence) !== true) return `the task is wrong: “${sentence}” is not in ${path}`;
    return verdict(answer.replace(/\s+/g, ' ').includes(sentence), `the answer does not quote “${sentence}”`);
  };
}

const reading = /^(search|find|list|read|note)_|^(getTools|useTools)$/;

/** At least one tool call that reads and worked. */
export const looksUp: Check = ({ calls }) =>
  verdict(
    calls.some(({ name, isError }) => reading.test(name) && !isError),
    'nothing was looked up',
  );

/** Says that the vault has nothing on it, and claims nothing. */
export const saysMissing: Check = ({ answer }) =>
  verdict(
    /\b(no notes?|nothing|not (?:in|find|found|mention|say|record|give)\w*|does ?n[o']t|did ?n[o']t|could ?n[o']t|can ?not|can't|none of)\b/i.test(
      answer,
    ),
    'the answer does not say that the vault has nothing on it',
  );

function changedPaths({ before, after }: Evidence): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

export const changesNothing: Check = (seen) => {
  const changed = changedPaths(seen);
  return verdict(changed.length === 0, `changed: ${changed.join(', ')}`);
};

/** Nothing but files in this folder is changed. */
export function changesOnlyIn(folder: string): Check {
  return (seen) => {
    const other = changedPaths(seen).filter((path) => !path.startsWith(`${folder}/`));
    return verdict(other.length === 0, `changed outside ${folder}: ${other.join(', ')}`);
  };
}

export type Judge = (after: string, before: string) => boolean;

/** Exactly this file is changed or created, and as asked. Properties `updated` and `created` may have any date. */
export function changesOnly(path: string, judge: Judge, what: string): Check {
  return (seen) => {
    const changed = changedPaths(seen);
    if (changed.length !== 1 || changed[0] !== path) {
      return changed.length === 0 ? `${path} was not changed` : `changed: ${changed.join(', ')}`;
    }
    const after = seen.after.get(path);
    if (after === undefined) return `${path} was deleted`;
    return verdict(judge(withoutDate(after), withoutDate(seen.before.get(path) ?? '')), `${path} does not ${what}`);
  };
}

/** Exactly one file is created in this folder, and as asked. */
export function createsOneIn(folder: string, judge: (text: string, path: string) => boolean, what: string): Check {
  return (seen) => {
    const [path = '', ...others] = changedPaths(seen);
    if (others.length > 0 || !path.startsWith(`${folder}/`) || seen.before.has(path)) {
      return `expected one new note in ${folder}, changed: ${[path, ...others].join(', ')}`;
    }
    return verdict(judge(seen.after.get(path) ?? '', path), `${path} does not ${what}`);
  };
}

function withoutDate(text: string): string {
  return text.replace(/^updated: .*$/m, 'updated: *');
}

/** The text with one passage replaced; throws if the passage is missing, since the task would be wrong. */
export function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The task is wrong: “${from}” is not in the note.`);
  return text.replace(from, () => to);
}
