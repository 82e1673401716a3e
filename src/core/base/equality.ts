/** Compares and merges plain data: by value, by a short fingerprint, or by canonical JSON. */

/**
 * Compares plain data by value, and stops early where parts are the same object or string. Anything but arrays and
 * plain records equals only itself.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

/** Whether the value is a plain object, not an array or an instance of a class. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Returns a value that was changed here over what is stored by now: of a record, such as one of records by id, only the
 * members that differ from before were changed; of a list of texts, what was added and removed; of a list of records
 * that all have an id or a name, both of this; of anything else, all of it.
 */
export function mergeChange(before: unknown, changed: unknown, stored: unknown): unknown {
  if (isTexts(before) && isTexts(changed) && isTexts(stored)) {
    const [old, own, other] = [new Set(before), new Set(changed), new Set(stored)];
    const kept = changed.filter((text) => !old.has(text) || other.has(text));
    return [...kept, ...stored.filter((text) => !old.has(text) && !own.has(text))];
  }
  const [were, are, others] = [before, changed, stored].map(recordsByName);
  if (were != null && are != null && others != null) return mergeRecords(were, are, others);
  if (!isRecord(before) || !isRecord(changed) || !isRecord(stored)) return changed;
  const [old, own, other] = [before, changed, stored].map((record) => new Map(Object.entries(record)));
  const memberOf = (key: string): unknown => {
    const [was, is, now] = [old?.get(key), own?.get(key), other?.get(key)];
    return isEqual(is, was) ? now : mergeChange(was, is, now);
  };
  const keys = [...new Set([...Object.keys(stored), ...Object.keys(changed)])];
  return Object.fromEntries(keys.map((key) => [key, memberOf(key)]).filter(([, member]) => member !== undefined));
}

type Named = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** Two records that were added here and there under one name may be two different things, so both stay. */
function mergeRecords(before: Named, changed: Named, stored: Named): readonly unknown[] {
  const own = [...changed].flatMap(([key, is]) => {
    const [was, now] = [before.get(key), stored.get(key)];
    if (now === undefined) return isEqual(is, was) ? [] : [is];
    if (was === undefined) return isEqual(is, now) ? [is] : [is, now];
    return [isEqual(is, was) ? now : mergeChange(was, is, now)];
  });
  const added = [...stored].filter(([key]) => !before.has(key) && !changed.has(key));
  return [...own, ...added.map(([, record]) => record)];
}

/** Returns the records of a list by what they are called, those of one name by their order; null for any other value. */
function recordsByName(value: unknown): Named | null {
  if (!Array.isArray(value)) return null;
  const named = new Map<string, Readonly<Record<string, unknown>>>();
  const counts = new Map<string, number>();
  for (const item of value as readonly unknown[]) {
    const name = isRecord(item) ? (item['id'] ?? item['name']) : undefined;
    if (!isRecord(item) || typeof name !== 'string') return null;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    named.set(`${count} ${name}`, item);
  }
  return named;
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Levels of lists and records, of which no note and no tool needs as many: functions that call themselves hold them. */
const maxLevels = 64;

/** Lists and records of one value. Data whose members appear in it again and again, as by anchors of YAML, has no end. */
const maxParts = 250_000;

/** Whether data is nested too deep to be compared, printed or sent, contains itself, or has far too many parts. */
export function nestsTooDeep(value: unknown, levels = maxLevels): boolean {
  let left = maxParts;
  const isBeyond = (part: unknown, below: number): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    left -= 1;
    return below === 0 || left < 0 || Object.values(part).some((member) => isBeyond(member, below - 1));
  };
  return isBeyond(value, levels);
}

/** Returns the JSON of data; null if it is nested too deep, or if JSON has nothing for it. */
export function jsonOf(value: unknown): string | null {
  return nestsTooDeep(value) ? null : (JSON.stringify(value) ?? null);
}

/** Returns a short hash for detecting changes; two texts collide with a probability of one in four billion. */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/**
 * Returns the same JSON for equal data in any order of keys. Ignores what JSON cannot express; keys are sorted by code
 * unit, so that none can hide behind another.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
