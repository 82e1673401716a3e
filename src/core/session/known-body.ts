/**
 * Known bodies: entries with what this version can show and send. A line has a checksum and no signature, so a newer
 * version, another program, or whoever writes to a shared folder may have given the parts of its body any shape.
 */
import { isRecord, isTexts } from '../base/equality';
import { failureKinds } from '../ports/failure';
import { modeIds, tiers } from '../settings/mode';
import { type EntryBody, mentionKinds, todoStates } from './entry';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the body of an entry whose shape was checked: parts that this version does not know, or that lack what they
 * need, are left out. Returns the same object if nothing is.
 */
export function knownBody(kind: EntryBody['kind'], body: Fields): Fields {
  const known = repairs[kind]?.(body) ?? body;
  if (!Object.hasOwn(known, 'usage')) return known;
  // Any entry that has one counts, and a request that is stored for its usage alone must have one.
  return withFields(known, { usage: knownUsage(known['usage']) ?? (kind === 'request-beside' ? noUsage : undefined) });
}

const repairs: { readonly [Kind in EntryBody['kind']]?: (body: Fields) => Fields } = {
  user: (body) => withFields(body, { mentions: knownMentions(body['mentions']) }),
  assistant: (body) => withFields(body, { parts: knownItems(body['parts'], knownPart) }),
  'tool-result': (body) =>
    withFields(body, {
      view: knownView(body['view']),
      images: body['images'] === undefined ? undefined : knownMentions(body['images']),
    }),
  failure: (body) => withFields(body, { failure: knownFailure(fieldsOf(body['failure'])) }),
  choices: (body) => withFields(body, { choices: knownChoices(fieldsOf(body['choices'])) }),
};

const noUsage = { inputTokens: 0, outputTokens: 0 };

/** Returns the fields with these in place of their own; one that is undefined is left out. */
function withFields(fields: Fields, changes: Fields): Fields {
  const changed = Object.entries(changes).filter(([key, value]) => fields[key] !== value);
  if (changed.length === 0) return fields;
  const all = Object.entries({ ...fields, ...Object.fromEntries(changed) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** Returns the items of a list that can be read; the same list if nothing changes. */
function knownItems(list: unknown, read: (item: Fields) => Fields | null): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  const known = items.flatMap((item) => (isRecord(item) ? (read(item) ?? []) : []));
  return items === list && known.length === items.length && known.every((item, at) => item === items[at])
    ? items
    : known;
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns the fields without those of these names that are not as they must be. */
function without(fields: Fields, guards: Readonly<Record<string, (value: unknown) => boolean>>): Fields {
  const wrong = Object.entries(guards).filter(([key, isRight]) => fields[key] !== undefined && !isRight(fields[key]));
  return wrong.length === 0 ? fields : withFields(fields, Object.fromEntries(wrong.map(([key]) => [key, undefined])));
}

function knownMentions(list: unknown): readonly unknown[] {
  return knownItems(list, (mention) => {
    const { kind, id, label } = mention;
    const isKnown = mentionKinds.some((each) => each === kind) && isText(id) && isText(label);
    return isKnown ? without(mention, { arguments: isText, problem: isText, image: isRecord }) : null;
  });
}

function knownPart(part: Fields): Fields | null {
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      return isText(part['text']) ? part : withFields(part, { text: '' });
    case 'tool-call': {
      const { id, name, argumentsText } = part;
      const areNotes = (notes: unknown): boolean => isRecord(notes) && Object.values(notes).every(isText);
      return [id, name, argumentsText].every(isText) ? without(part, { written: isText, notes: areNotes }) : null;
    }
    default:
      return null;
  }
}

const isAmount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;
const amounts = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens', 'cost'];
const usageGuards = { ...Object.fromEntries(amounts.map((key) => [key, isAmount])), model: isText };

/** Returns undefined for what is no report; no report takes back what others cost. */
function knownUsage(usage: unknown): Fields | undefined {
  if (!isRecord(usage) || !isAmount(usage['inputTokens']) || !isAmount(usage['outputTokens'])) return undefined;
  return without(usage, usageGuards);
}

/** Returns undefined for a view that this version cannot draw. */
function knownView(view: unknown): Fields | undefined {
  if (!isRecord(view)) return undefined;
  switch (view['kind']) {
    case 'todos':
      return withFields(view, { items: knownItems(view['items'], knownTodo) });
    case 'question': {
      const { question, options, several } = view;
      const known = isTexts(options) ? options : [];
      return isText(question) ? withFields(view, { options: known, several: several === true }) : undefined;
    }
    case 'plan':
      return withFields(view, { path: isText(view['path']) ? view['path'] : null });
    default:
      return undefined;
  }
}

function knownTodo(todo: Fields): Fields | null {
  return isText(todo['text']) && todoStates.some((state) => state === todo['state']) ? todo : null;
}

function knownFailure(failure: Fields): Fields {
  const kind = failureKinds.find((each) => each === failure['kind']) ?? 'protocol';
  return without(withFields(failure, { kind }), { action: isText, actions: isTexts });
}

const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const levels: readonly unknown[] = ['auto', ...tiers];

/** A permission may be anything: what nobody knows allows the least. */
function knownChoices(choices: Fields): Fields {
  return without(choices, {
    model: isText,
    mode: (value) => modeIds.some((mode) => mode === value),
    tier: (value) => levels.includes(value),
    contextNotes: isTexts,
    selectedPrompt: isTextOrNull,
    selectedWorkspace: isTextOrNull,
    sectionsOff: isTexts,
  });
}
