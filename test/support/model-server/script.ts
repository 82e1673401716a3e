/** The language of a script: what the model says next, and in which ways the connection misbehaves while it does. */

export type Dialect = 'openai' | 'anthropic' | 'responses' | 'gemini' | 'ollama';

export interface ScriptedToolCall {
  name: string;
  /** An object is encoded as JSON. A string is sent unchanged, even if it is invalid JSON. */
  arguments: Record<string, unknown> | string;
  id?: string;
}

export interface ScriptedUsage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

/** One answer. Content fields first; the rest shapes the reply as HTTP. */
export interface ScriptStep {
  reasoning?: string;
  text?: string;
  toolCalls?: readonly ScriptedToolCall[];
  /** Unless given, an estimate from the sizes; null leaves usage out. */
  usage?: ScriptedUsage | null;
  /** In the dialect's own words; unless given, what fits the content. */
  finishReason?: string;
  /** The whole body of the reply instead of an encoded one. */
  raw?: string;

  /** A status of 400 or more is answered with `errorBody` as JSON, or the dialect's usual error. */
  status?: number;
  headers?: Record<string, string>;
  errorBody?: unknown;
  /** Sent as the last event, in place of the proper end. */
  errorEvent?: unknown;

  /** Before the first byte, and between writes. */
  delayMs?: number;
  /** Writes as many events as this calls for, every few milliseconds, in place of one after the other. */
  eventsPerSecond?: number;
  /** Writes of this many bytes, characters split where they fall; unless given, one write an event. */
  chunkBytes?: number;
  /** The connection is reset after this many bytes of the body. */
  cutAfterBytes?: number;
  /** The reset waits for this as well. A page drops what it had no time to read when its connection breaks. */
  cutWhen?: Promise<void>;
  /** The body ends properly after this many bytes. */
  endAfterBytes?: number;
  /** Silence without an end: after the headers and `cutAfterBytes` bytes, or before the headers. */
  hang?: boolean | 'headers';
  /** Without CORS headers, which a browser takes for a failed connection. */
  noCors?: boolean;
}

/** What the server says of its one model when it is asked; for the dialects that say it. */
export interface ScriptedWindows {
  /** The longest window that the model was made for. */
  trained?: number;
  /** The one that it runs with. */
  loaded?: number;
  /** What the model can do. */
  capabilities?: readonly string[];
}

export interface RecordedRequest {
  index: number;
  dialect: Dialect | null;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** The client went away before the answer was complete. */
  aborted: boolean;
}

export type ModelRequest = RecordedRequest & { dialect: Dialect };

/** Steps taken in order, or the step that a request calls for. */
export type Script = readonly ScriptStep[] | ((request: ModelRequest) => ScriptStep);

export interface StreamEvent {
  /** Named for Anthropic and for Responses only. */
  name?: string;
  data: unknown;
}

export function splitText(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

export function encodeArguments(call: ScriptedToolCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}

export function usageOf(step: ScriptStep, request: ModelRequest): ScriptedUsage | null {
  if (step.usage !== undefined) return step.usage;
  const said = [step.reasoning ?? '', step.text ?? '', ...(step.toolCalls ?? []).map(encodeArguments)].join('');
  const tokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
  return { input: tokens(JSON.stringify(request.body ?? null)), output: Math.max(1, tokens(said)) };
}
