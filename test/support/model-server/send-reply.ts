/** Writes a reply at the timing and with the faults its step asks for. */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { anthropicError, anthropicEvents, anthropicObject } from './anthropic-reply';
import { geminiError, geminiEvents, geminiObject } from './gemini-reply';
import { ollamaError, ollamaEvents, ollamaObject } from './ollama-reply';
import { openaiError, openaiEvents, openaiObject } from './openai-reply';
import { responsesEvents, responsesObject } from './responses-reply';
import type { Dialect, ModelRequest, ScriptStep, StreamEvent } from './script';

interface Reply {
  status: number;
  contentType: string;
  parts: string[];
}

const dialects = {
  openai: { events: openaiEvents, object: openaiObject, error: openaiError },
  anthropic: { events: anthropicEvents, object: anthropicObject, error: anthropicError },
  responses: { events: responsesEvents, object: responsesObject, error: openaiError },
  gemini: { events: geminiEvents, object: geminiObject, error: geminiError },
  ollama: { events: ollamaEvents, object: ollamaObject, error: ollamaError },
} as const;

const lines = 'application/x-ndjson';
const events = 'text/event-stream';

export const errorReply = (dialect: Dialect | null, status: number, message: string): object =>
  dialects[dialect ?? 'openai'].error(status, message);

export async function sendReply(
  response: ServerResponse,
  step: ScriptStep,
  request: ModelRequest,
  corsHeaders: Record<string, string>,
): Promise<void> {
  if (step.hang === 'headers') return;
  const { status, contentType, parts } = encodeReply(step, request);
  await pause(step);
  response.writeHead(status, { 'content-type': contentType, ...corsHeaders, ...step.headers });
  response.flushHeaders();
  const body = Buffer.from(parts.join(''));
  const limit = Math.min(step.endAfterBytes ?? body.length, step.cutAfterBytes ?? (step.hang ? 0 : body.length));
  if (step.eventsPerSecond !== undefined) {
    await writeAtRate(response, parts, step.eventsPerSecond);
    response.end();
    return;
  }
  let sent = 0;
  for (const size of writeSizes(parts, step.chunkBytes)) {
    if (sent >= limit || response.destroyed) break;
    const chunk = body.subarray(sent, Math.min(sent + size, limit));
    await new Promise((resolve) => response.write(chunk, resolve));
    sent += chunk.length;
    // Writes at once would reach the reader as one.
    if (sent < limit) await (step.delayMs ? pause(step) : nextTurn());
  }
  if (step.hang) return;
  await step.cutWhen;
  if (step.cutAfterBytes !== undefined && limit === step.cutAfterBytes) response.destroy();
  else response.end();
}

/** Milliseconds between writes at a rate. */
const rateStep = 5;

async function writeAtRate(response: ServerResponse, parts: readonly string[], perSecond: number): Promise<void> {
  const start = performance.now();
  for (let sent = 0; sent < parts.length && !response.destroyed;) {
    const due = Math.min(parts.length, Math.ceil(((performance.now() - start) / 1000) * perSecond));
    if (due > sent) response.write(parts.slice(sent, due).join(''));
    sent = due;
    await wait(rateStep);
  }
}

function encodeReply(step: ScriptStep, request: ModelRequest): Reply {
  const status = step.status ?? 200;
  const dialect = dialects[request.dialect];
  const isLines = request.dialect === 'ollama';
  const contentType = isLines ? lines : events;
  // Gemini is asked to stream by its address.
  const streams = request.dialect === 'gemini' || (request.body as { stream?: boolean } | null)?.stream === true;
  const json = (value: unknown): Reply => ({
    status,
    contentType: 'application/json',
    parts: [typeof value === 'string' ? value : JSON.stringify(value)],
  });
  if (status >= 400) return json(step.errorBody ?? dialect.error(status, `The script answers with status ${status}.`));
  if (step.raw !== undefined) return { status, contentType, parts: [step.raw] };
  if (!streams) return json(dialect.object(step, request));
  return { status, contentType, parts: dialect.events(step, request).map(isLines ? encodeLine : encodeEvent) };
}

function encodeLine({ data }: StreamEvent): string {
  return `${JSON.stringify(data)}\n`;
}

function encodeEvent({ name, data }: StreamEvent): string {
  const line = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${line}\n\n`;
}

function writeSizes(parts: string[], chunkBytes: number | undefined): number[] {
  if (chunkBytes === undefined) return parts.map((part) => Buffer.byteLength(part));
  const total = Buffer.byteLength(parts.join(''));
  return Array.from({ length: Math.ceil(total / chunkBytes) }, () => chunkBytes);
}

async function pause(step: ScriptStep): Promise<void> {
  if (step.delayMs) await wait(step.delayMs);
}
