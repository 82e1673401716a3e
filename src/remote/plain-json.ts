/** Reads JSON that others wrote: bounded in depth, without names that reach behind objects, cleaned of what stays out. */
import type { RedactKey } from './redact-key';
import { RemoteProblem } from './remote-problem';

const deepest = 64;
/** All but tab and line feed. */
const controls = /(?![\t\n])\p{Cc}/gu;
/** Stands between strings that hold no control characters any more. */
const separator = '\0';

export type PlainRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws RemoteProblem 'broken' for what is no JSON, is nested too deep, or names a prototype */
export function readPlainJson(text: string, redactKey: RedactKey): unknown {
  const strings: string[] = [];
  const value = mapStrings(parse(text), (raw) => {
    const clean = raw.replace(controls, '');
    strings.push(clean);
    return clean;
  });
  if (redactKey === null) return value;
  // One look at all strings together is enough where the key is in none of them.
  const joined = strings.join(separator);
  return redactKey(joined) === joined ? value : mapStrings(value, redactKey);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RemoteProblem('broken');
  }
}

/** The value with each string and each name of a member mapped. */
function mapStrings(value: unknown, map: (text: string) => string, level = 0): unknown {
  if (level > deepest) throw new RemoteProblem('broken');
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map, level + 1));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, item]) => [map(name), mapStrings(item, map, level + 1)] as const);
  if (members.some(([name]) => name === '__proto__')) throw new RemoteProblem('broken');
  return Object.fromEntries(members);
}
