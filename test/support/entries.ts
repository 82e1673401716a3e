/** Session entries with headers made up, for tests of folds and merges. */
import type { AssistantPart } from '../../src/core/ports/message';
import type { EntryBody, EntryHeader, SessionEntry } from '../../src/core/session/entry';

let count = 0;

export function entry(body: EntryBody, header: Partial<EntryHeader> = {}): SessionEntry {
  count += 1;
  return {
    ...body,
    id: `e${count}`,
    conversation: 'c1',
    writer: 'w',
    session: 's',
    lamport: count,
    time: 0,
    ...header,
  };
}

export function user(text: string): EntryBody {
  return { kind: 'user', text, mentions: [] };
}

export function answer(...parts: (AssistantPart | string)[]): EntryBody & { kind: 'assistant' } {
  return {
    kind: 'assistant',
    parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
    end: 'complete',
    model: 'm',
  };
}

export function toolCall(id: string, name = 'read_note', argumentsText = '{}'): AssistantPart {
  return { type: 'tool-call', id, name, argumentsText };
}

export function result(callId: string, text = `result of ${callId}`, isError = false): EntryBody {
  return { kind: 'tool-result', callId, name: 'read_note', text, isError, sources: [] };
}
