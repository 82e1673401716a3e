/** Keeps the text of a running answer on the device, so that a crash loses at most a second of it (S3, I2). */
import * as z from 'zod/v4';
import type { AssistantPart } from '../message';
import type { Clock, DeviceStorage } from '../ports';
import type { EntryBody } from '../session/entry';

/** Saved when this much time has passed or this much text has come since the last save. */
const everyMilliseconds = 1000;
const everyCharacters = 2048;

const stored = z.object({
  model: z.string(),
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('reasoning'), text: z.string() }),
    ]),
  ),
});

export class Checkpoint {
  private text = 0;
  private savedText = 0;
  private savedAt: number;

  constructor(
    private readonly conversation: string,
    private readonly device: DeviceStorage,
    private readonly clock: Clock,
  ) {
    this.savedAt = clock.now();
  }

  /** Saves when it is time to. */
  advance(parts: readonly AssistantPart[], model: string, added: number): void {
    this.text += added;
    const due = this.clock.now() - this.savedAt >= everyMilliseconds || this.text - this.savedText >= everyCharacters;
    if (due) this.save(parts, model);
  }

  save(parts: readonly AssistantPart[], model: string): void {
    this.savedText = this.text;
    this.savedAt = this.clock.now();
    const shown = parts.filter((part) => part.type !== 'tool-call').map(({ type, text }) => ({ type, text }));
    this.device.set(keyOf(this.conversation), shown.length === 0 ? null : JSON.stringify({ model, parts: shown }));
  }

  clear(): void {
    this.device.set(keyOf(this.conversation), null);
  }
}

/** The entry that keeps what a crash cut off; null when there is nothing to recover. */
export function recoverCheckpoint(conversation: string, device: DeviceStorage): (EntryBody & { kind: 'assistant' }) | null {
  const text = device.get(keyOf(conversation));
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = stored.safeParse(value);
  if (!parsed.success) return null;
  return { kind: 'assistant', parts: parsed.data.parts, end: 'interrupted', model: parsed.data.model };
}

function keyOf(conversation: string): string {
  return `checkpoint-${conversation}`;
}
