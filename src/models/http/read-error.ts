/** Reads what a provider or a library reported about an error, in any shape; never throws. */
import { startWithEllipsis } from '../../core/base/cut';
import { isRecord, parseJson } from './wire-format';

export interface ReportedError {
  /** HTTP status, or the one that corresponds to an error inside a stream. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The provider's own message. */
  readonly message: string;
  /** The provider's own code for the kind of error. */
  readonly code: string;
  /** How long the provider asks to wait, if its text says so instead of a header. */
  readonly waitMilliseconds?: number;
  /** Whether the exhausted quota resets on another day at the earliest. */
  readonly isDaily?: boolean;
  /** The context window in tokens, if a field of its own reports it. */
  readonly contextWindow?: number;
}

/** Maps error codes in streams to the status they lack. */
const statusOfWord = new Map(
  Object.entries({
    overloaded_error: 529,
    timeout_error: 504,
    api_error: 500,
    server_error: 500,
    internal_server_error: 500,
    service_unavailable_error: 503,
    server_is_overloaded: 503,
    rate_limit_error: 429,
    rate_limit_exceeded: 429,
    insufficient_quota: 429,
    authentication_error: 401,
    invalid_api_key: 401,
    permission_error: 403,
    not_found_error: 404,
    model_not_found: 404,
    request_too_large: 413,
    context_length_exceeded: 400,
    exceed_context_size_error: 400,
    invalid_request_error: 400,
    billing_error: 402,
  }),
);

const maxMessageLength = 400;

export function readError(thrown: unknown): ReportedError {
  const error = isRecord(thrown) || thrown instanceof Error ? (thrown as unknown as Record<string, unknown>) : {};
  const said: Partial<Said> =
    readBody(bodyOf(error)) ?? readBody(error.data) ?? readBody(error.value) ?? readPlain(thrown) ?? {};
  const { code = '', isDaily, contextWindow } = said;
  const waitMilliseconds = said.waitMilliseconds ?? readWait(said.message ?? '');
  const status = readStatus(error, code);
  return {
    ...(status !== undefined && { status }),
    headers: { ...readHeaders(said.headers), ...readHeaders(error.responseHeaders) },
    message: oneLine(said.message ?? readOwnMessage(thrown, error, status)),
    code,
    ...(waitMilliseconds !== undefined && { waitMilliseconds }),
    ...(isDaily === true && { isDaily: true }),
    ...(contextWindow !== undefined && { contextWindow }),
  };
}

/** Returns the body of a refusal; of a list of one, in which Google's endpoint for chat completions has it, that one. */
function bodyOf({ statusCode, responseBody: body }: Record<string, unknown>): unknown {
  if (statusCode === undefined) return body;
  const value = typeof body === 'string' ? parseJson(body) : body;
  return Array.isArray(value) && value.length === 1 ? value[0] : body;
}

/** Returns an empty text for an Error without a status: its message is the library's own, in words for programmers. */
function readOwnMessage(thrown: unknown, { message }: Record<string, unknown>, status: number | undefined): string {
  if (thrown instanceof Error && status === undefined) return '';
  return typeof message === 'string' ? message : '';
}

/**
 * Returns the number in the response, the error or its code, or the status that the code's word means. Providers number
 * their own errors as well, from 1000 on.
 */
function readStatus({ statusCode, status }: Record<string, unknown>, code: string): number | undefined {
  const own = Number(code);
  const named = [statusCode, status, own < 600 ? own : null].find((value) => typeof value === 'number' && value >= 400);
  return typeof named === 'number' ? named : statusOfWord.get(code);
}

/**
 * Reads a thrown value that is not an Error; an Error's own message is written for programmers, and the provider's
 * message is in its other fields.
 */
function readPlain(thrown: unknown): Said | undefined {
  if (thrown instanceof Error) return undefined;
  return typeof thrown === 'string' ? { message: thrown, code: '' } : readBody(thrown);
}

interface Said {
  readonly message: string;
  readonly code: string;
  readonly waitMilliseconds?: number;
  readonly isDaily?: boolean;
  readonly contextWindow?: number;
  /** Headers that a gateway repeats in the body, where a page can see them. */
  readonly headers?: unknown;
}

/** Reads `{"error": {...}}`, `{"error": "words"}` or `{"message": "words"}`, as an object or as JSON text. */
function readBody(body: unknown): Said | undefined {
  const value = typeof body === 'string' ? parseJson(body) : body;
  if (!isRecord(value)) return undefined;
  if (isRecord(value.error)) return readDetails(value.error);
  if (typeof value.error === 'string') return { message: value.error, code: '' };
  return readDetails(value);
}

function readDetails(value: unknown): Said | undefined {
  if (!isRecord(value)) return undefined;
  const message = [value.message, value.detail, readRefusedFields(value.detail ?? value.message)].find(
    (text) => typeof text === 'string',
  );
  const code = [value.code, value.type].find(
    (word) => typeof word === 'number' || (typeof word === 'string' && word !== ''),
  );
  if (message === undefined && code === undefined) return undefined;
  return {
    message: [message, readBehind(value.metadata)].filter((text) => typeof text === 'string' && text !== '').join(': '),
    code: typeof code === 'string' || typeof code === 'number' ? `${code}` : '',
    ...(typeof value.n_ctx === 'number' && value.n_ctx > 0 && { contextWindow: value.n_ctx }),
    ...(isRecord(value.metadata) && { headers: value.metadata.headers }),
    ...readLimits(value.details),
  };
}

/** Reads what the provider behind OpenRouter said, whose own message for it says only that there was an error. */
function readBehind(metadata: unknown): string | undefined {
  const raw = isRecord(metadata) ? metadata.raw : undefined;
  return typeof raw === 'string' ? (readBody(raw)?.message ?? raw) : undefined;
}

/** Reads which fields a server of Pydantic refused, and why; Mistral puts the list below `detail` of the message. */
function readRefusedFields(detail: unknown): string | undefined {
  const entries: unknown = isRecord(detail) ? detail.detail : detail;
  const said = (Array.isArray(entries) ? entries.filter(isRecord) : []).flatMap(({ loc, msg }) =>
    Array.isArray(loc) && typeof msg === 'string' ? [`${loc.join('.')}: ${msg}`] : [],
  );
  return said.length === 0 ? undefined : said.join('; ');
}

/** Reads limits that Google reports next to the message: how long to wait, and which quota was exceeded. */
function readLimits(details: unknown): Pick<Said, 'waitMilliseconds' | 'isDaily'> {
  const entries = Array.isArray(details) ? details.filter(isRecord) : [];
  const delay = entries.map(({ retryDelay }) => retryDelay).find((value) => typeof value === 'string');
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '')?.[1];
  const isDaily = entries.some(
    ({ violations }) =>
      Array.isArray(violations) && violations.filter(isRecord).some(({ quotaId }) => isPerDay(quotaId)),
  );
  return { ...(seconds !== undefined && { waitMilliseconds: Number(seconds) * 1000 }), ...(isDaily && { isDaily }) };
}

const millisecondsIn: Readonly<Record<string, number>> = { ms: 1, mil: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * Reads how long to wait from a message, such as “Please try again in 1m0.36s.” of OpenAI and Groq. A page sees the
 * header that says it only where the provider allows that.
 */
function readWait(message: string): number | undefined {
  const stated = /\b(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)? ?(?:ms|[hms])[a-z]*[ ,]*)+)/i.exec(message)?.[1];
  if (stated === undefined) return undefined;
  const waits = [...stated.toLowerCase().matchAll(/([\d.]+) ?(ms|mil|[hms])/g)];
  return Math.ceil(waits.reduce((sum, [, count, unit = '']) => sum + Number(count) * (millisecondsIn[unit] ?? 0), 0));
}

const isPerDay = (quota: unknown): boolean => typeof quota === 'string' && quota.includes('PerDay');

function readHeaders(headers: unknown): Record<string, string> {
  if (!isRecord(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );
}

function oneLine(text: string): string {
  return startWithEllipsis(text.replace(/\s+/g, ' ').trim(), maxMessageLength);
}
