/** Saves the text of a running answer on the device, so that a crash loses at most a second of it (S3, I2). */
import * as z from 'zod/v4';
import { lazy } from '../base/lazy';
import type { SentEscapes } from '../markup/escapes';
import type { Clock, UnsavedTexts } from '../ports/device';
import { type Failure, fail, unexpectedFailure } from '../ports/failure';
import type { AssistantPart } from '../ports/message';
import { writtenBranch } from '../session/branches';
import type { SessionEntry } from '../session/entry';
import type { SessionLog } from '../session/session-log';
import { addDelta } from '../turn/run-turn';
import type { TurnEvent } from '../turn/turn-input';

/** Limits in time and in text since the last save; reaching either one saves. */
const everyMilliseconds = 1000;
const everyCharacters = 2048;
/** A long text is saved whole each time, so it also has to have grown by this share. */
const everyShare = 0.25;

const stored = lazy(() =>
  z.object({
    model: z.string(),
    turn: z.string().optional(),
    branch: z.string().optional(),
    parts: z.array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.literal('reasoning'), text: z.string() }),
      ]),
    ),
    escapes: z.array(z.string()).optional(),
  }),
);

export interface CheckpointPorts {
  readonly unsaved: UnsavedTexts;
  readonly clock: Clock;
  /** Saves what a stream that pauses has left unsaved; without it only further text does. */
  readonly after?: (milliseconds: number, act: () => void) => () => void;
  readonly sent: Pick<SentEscapes, 'used'>;
  /** Called once if the text cannot be saved. */
  failed(failure: Failure): void;
}

/** The answer that is saved: its chat, the message it answers, and the model that writes it. */
interface SavedAnswer {
  readonly conversation: string;
  readonly turn: string;
  readonly branch: string;
  readonly model: string;
}

export class Checkpoint {
  private parts: readonly AssistantPart[] = [];
  private length = 0;
  private unsaved = 0;
  private savedAt: number;
  private cancel: (() => void) | null = null;
  private isFailed = false;

  constructor(
    private readonly answer: SavedAnswer,
    private readonly ports: CheckpointPorts,
  ) {
    this.savedAt = ports.clock.now();
  }

  /** Follows a turn: saves when a limit is reached, and clears the checkpoint once the log has the answer. */
  observe(event: TurnEvent): void {
    // The text of an attempt that is made again is dropped.
    if (event.type === 'answer-ended' || (event.type === 'turn-ended' && event.end === 'narrowed')) {
      this.parts = [];
      this.length = 0;
      this.write(null);
    }
    // An answer that could not be stored is still complete on the device.
    if (event.type === 'turn-ended') this.save();
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta') return;
    this.parts = addDelta(this.parts, event);
    this.length += event.text.length;
    this.unsaved += event.text.length;
    const isDue = this.ports.clock.now() - this.savedAt >= everyMilliseconds;
    if (isDue || this.unsaved >= Math.max(everyCharacters, this.length * everyShare)) this.save();
    else this.cancel ??= this.ports.after?.(everyMilliseconds, () => this.save()) ?? null;
  }

  save(): void {
    this.cancel?.();
    this.cancel = null;
    if (this.parts.length === 0) return;
    this.unsaved = 0;
    this.savedAt = this.ports.clock.now();
    const { model, turn, branch } = this.answer;
    const shown = this.parts.filter((part) => part.type !== 'tool-call').map(({ type, text }) => ({ type, text }));
    const escapes = this.ports.sent.used(shown.map(({ text }) => text));
    const used = escapes.length === 0 ? {} : { escapes };
    this.write(JSON.stringify({ model, turn, branch, parts: shown, ...used }));
  }

  private write(text: string | null): void {
    if (text === null) this.cancel?.();
    if (text === null) this.cancel = null;
    void this.ports.unsaved
      .write(keyOf(this.answer.conversation), text)
      .catch((thrown: unknown) => fail(unexpectedFailure(thrown)))
      .then((outcome) => {
        if (outcome.ok || this.isFailed) return;
        this.isFailed = true;
        this.ports.failed(outcome.failure);
      });
  }
}

/**
 * Appends what a crash cut off to the log, as an interrupted answer to its message. A text that cannot be stored stays on
 * the device, and is shown all the same.
 */
export async function recoverCheckpoint(log: SessionLog, unsaved: UnsavedTexts): Promise<void> {
  const key = keyOf(log.conversation);
  const text = await unsaved.read(key);
  if (text === null) return;
  const cut = decode(text);
  const needless = cut === null || isStored(cut, log.all);
  if (needless || (await append(log, cut))) await unsaved.write(key, null);
}

async function append(log: SessionLog, { turn, branch, ...answer }: CutAnswer): Promise<boolean> {
  return (await log.append({ kind: 'assistant', end: 'interrupted', ...answer }, turn ?? null, branch)).ok;
}

type CutAnswer = z.infer<ReturnType<typeof stored>>;

/** Whether the crash came after the answer reached the log, so that the checkpoint is only a leftover. */
function isStored({ parts, turn, branch }: CutAnswer, entries: readonly SessionEntry[]): boolean {
  const last = entries
    .filter((entry) => turn === undefined || entry.turn === turn || entry.id === turn)
    .filter((entry) => branch === undefined || entry.kind === 'user' || writtenBranch(entry) === branch)
    .filter(({ kind }) => ['user', 'assistant', 'tool-result'].includes(kind))
    .at(-1);
  return last?.kind === 'assistant' && allTextOf(last.parts).startsWith(allTextOf(parts));
}

function allTextOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === 'tool-call' ? '' : part.text)).join('');
}

function decode(text: string): CutAnswer | null {
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
