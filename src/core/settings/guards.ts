/**
 * Guards: each tells whether a stored value is of its kind. The settings are decoded whenever the app starts, and a
 * library for schemas would take longer to start than they take to check.
 */
export type Guard<Value> = (value: unknown) => value is Value;

/** What holds members beside those that are known, of any kind. */
export type Fields<Guards> = { [member: string]: unknown } & {
  -readonly [Key in keyof Guards as undefined extends Guarded<Guards[Key]> ? never : Key]: Guarded<Guards[Key]>;
} & {
  -readonly [Key in keyof Guards as undefined extends Guarded<Guards[Key]> ? Key : never]?: Guarded<Guards[Key]>;
};
type Guarded<Each> = Each extends Guard<infer Value> ? Value : never;

export const flag: Guard<boolean> = (value) => typeof value === 'boolean';

/** @param least characters */
export function text(least = 0): Guard<string> {
  return (value): value is string => typeof value === 'string' && value.length >= least;
}

/** Between these two, and not infinite. */
export function number(least: number, most = Infinity): Guard<number> {
  return (value): value is number => Number.isFinite(value) && isWithin(value as number, least, most);
}

/** A number without fractions that is held exactly. */
export function whole(least: number, most = Infinity): Guard<number> {
  return (value): value is number => Number.isSafeInteger(value) && isWithin(value as number, least, most);
}

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}

export function oneOf<const Values extends readonly unknown[]>(values: Values): Guard<Values[number]> {
  return (value): value is Values[number] => values.includes(value);
}

export function optional<Value>(guard: Guard<Value>): Guard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || guard(value);
}

export function orNull<Value>(guard: Guard<Value>): Guard<Value | null> {
  return (value): value is Value | null => value === null || guard(value);
}

export function listOf<Value>(guard: Guard<Value>): Guard<Value[]> {
  return (value): value is Value[] => Array.isArray(value) && value.every(guard);
}

export function recordOf<Value>(guard: Guard<Value>): Guard<Record<string, Value>> {
  return (value): value is Record<string, Value> => isObject(value) && Object.values(value).every(guard);
}

export function fields<Guards extends Readonly<Record<string, Guard<unknown>>>>(guards: Guards): Guard<Fields<Guards>> {
  const known = Object.entries(guards);
  return (value): value is Fields<Guards> => isObject(value) && known.every(([key, guard]) => guard(value[key]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
