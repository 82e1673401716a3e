/** Saves the text of a running answer on the device, so that a crash loses at most a second of it (S3, I2). */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';
import type { SentEscapes } from '../markup/escapes';
import type { Clock, DeviceStorage } from '../ports/device';
import type { AssistantPart } from '../ports/message';
import type { SessionLog } from '../session/session-log';
import { addDelta } from '../turn/run-turn';
import type { TurnEvent } from '../turn/turn-input';

/** Limits in time and in text since the last save; reaching either one saves. */
const everyMilliseconds = 1000;
const everyCharacters = 2048;

const stored = lazy(() =>
  z.object({
    model: z.string(),
    parts: z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.literal('reasoning'), text: z.string() }),
      ]),
    ),
    escapes: z.array(z.string()).optional(),
  }),
);

export class Checkpoint {
  private parts: readonly AssistantPart[] = [];
  private unsaved = 0;
  private savedAt: number;

  constructor(
    private readonly conversation: string,
    private readonly model: string,
    private readonly device: DeviceStorage,
    private readonly clock: Clock,
    private readonly sent: Pick<SentEscapes, 'used'>,
  ) {
    this.savedAt = clock.now();
  }

  /** Follows a turn: saves when a limit is reached, and clears the checkpoint once the log has the answer. */
  observe(event: TurnEvent): void {
    // The text of an attempt that is made again is dropped.
    if (event.type === 'answer-ended' || (event.type === 'turn-ended' && event.end === 'narrowed')) {
      this.parts = [];
      this.device.set(keyOf(this.conversation), null);
    }
    // An answer that could not be stored is still complete on the device.
    if (event.type === 'turn-ended') this.save();
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return;
    this.parts = addDelta(this.parts, event);
    this.unsaved += event.text.length;
    if (this.clock.now() - this.savedAt >= everyMilliseconds || this.unsaved >= everyCharacters) this.save();
  }

  save(): void {
    if (this.parts.length === 0) return;
    this.unsaved = 0;
    this.savedAt = this.clock.now();
    const shown = this.parts.filter((part) => part.type !== 'tool-call').map(({ type, text }) => ({ type, text }));
    const escapes = this.sent.used(shown.map(({ text }) => text));
    const used = escapes.length === 0 ? {} : { escapes };
    this.device.set(keyOf(this.conversation), JSON.stringify({ model: this.model, parts: shown, ...used }));
  }
}

/**
 * Appends what a crash cut off to the log, as an interrupted answer. A text that cannot be stored stays on the device.
 */
export async function recoverCheckpoint(log: SessionLog, device: DeviceStorage): Promise<void> {
  const key = keyOf(log.conversation);
  const text = device.get(key);
  if (text === null) return;
  const cut = decode(text);
  const needless = cut === null || isStored(cut.parts, log);
  if (needless || (await log.append({ kind: 'assistant', end: 'interrupted', ...cut })).ok) device.set(key, null);
}

/** Whether the crash came after the answer reached the log, so that the checkpoint is only a leftover. */
function isStored(parts: readonly AssistantPart[], log: SessionLog): boolean {
  const last = log.entries.filter(({ kind }) => ['user', 'assistant', 'tool-result'].includes(kind)).at(-1);
  return last?.kind === 'assistant' && allTextOf(last.parts).startsWith(allTextOf(parts));
}

function allTextOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === 'tool-call' ? '' : part.text)).join('');
}

function decode(text: string): z.infer<ReturnType<typeof stored>> | null {
  try {
    const parsed = stored().safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function keyOf(conversation: string): string {
  return `checkpoint-${conversation}`;
}
