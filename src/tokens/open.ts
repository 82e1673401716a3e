/** Opens token counting: exact counts, learned factors of other models, counts of notes and mentions. */
import { byteLength } from '../core/base/cut';
import { splitPart, takePart } from '../core/markdown/structure';
import type { MentionCount, MentionTokens } from '../core/mentions/mention-source';
import type { DeviceStorage } from '../core/ports/device';
import type { Outcome } from '../core/ports/failure';
import type { Tokenizer } from '../core/ports/model';
import type { FileEntry, NoteText, Vault } from '../core/ports/vault';
import { correctFactor, factorBounds, type TokenFactor, type TokenFactors } from '../core/request/token-factor';
import type { Mention } from '../core/session/entry';
import { type CountingParts, openBackgroundCounter, type TextCounter } from './text-counter';

export interface Tokens {
  readonly tokenizer: Tokenizer;
  readonly factors: TokenFactors;
  /** Counts the tokens of mentions; `forget` drops the counts of changed notes. */
  mentionsOf(vault: Vault, read: CountMentionsParts['read']): MentionTokens & Pick<NoteTokens, 'forget'>;
  close(): void;
}

/** Opens token counting. Nothing is unpacked and no worker starts before the first count. */
export function openTokens(parts: CountingParts, device: DeviceStorage): Tokens {
  const counter = openBackgroundCounter(parts);
  const factors = new DeviceFactors(device);
  return {
    tokenizer: new ExactTokenizer(counter),
    factors,
    mentionsOf: (vault, read) => {
      const notes = new NoteTokens(vault, read, counter);
      const counted = countMentions({ vault, notes, read, counter, factors });
      return { ...counted, forget: (paths) => notes.forget(paths) };
    },
    close: () => counter.close(),
  };
}

/**
 * Maximum characters of cached texts, several times the largest context window; the least recently used are dropped
 * first.
 */
const retainedCharacters = 16_000_000;
/** Characters; a longer text fits no context window, so an estimate is enough. */
const maxCounted = 4_000_000;

/**
 * ExactTokenizer: returns exact counts of texts counted before; others are estimated and then counted in the
 * background.
 */
export class ExactTokenizer implements Tokenizer {
  private readonly counts = new Map<string, number>();
  private characters = 0;
  /** Texts to be counted, each with its estimate. */
  private readonly missing = new Map<string, number>();
  private estimated = false;
  private settling: Promise<void> = Promise.resolve();

  constructor(private readonly counter: TextCounter) {}

  count(text: string): number {
    if (text === '') return 0;
    const known = this.counts.get(text);
    if (known !== undefined) {
      this.counts.delete(text);
      this.counts.set(text, known);
      return known;
    }
    this.estimated = true;
    const estimate = this.missing.get(text) ?? estimatingTokenizer.count(text);
    this.missing.set(text, estimate);
    if (this.missing.size === 1) void this.settle();
    return estimate;
  }

  get exact(): boolean {
    return !this.estimated;
  }

  settle(): Promise<void> {
    // Concurrent callers run one after another, so a later one finds its texts counted or counts the rest.
    this.settling = this.settling.then(() => this.countMissing());
    return this.settling;
  }

  private async countMissing(): Promise<void> {
    const texts = [...this.missing.keys()].filter((text) => text.length <= maxCounted);
    this.missing.clear();
    const counts = texts.length === 0 ? [] : await this.counter.count(texts).catch(() => []);
    for (const [index, text] of texts.entries()) {
      const count = counts[index] ?? null;
      if (count !== null) this.keep(text, count);
    }
    this.estimated = false;
  }

  private keep(text: string, count: number): void {
    if (!this.counts.has(text)) this.characters += text.length;
    this.counts.set(text, count);
    for (const oldest of this.counts.keys()) {
      if (this.characters <= retainedCharacters || oldest === text) return;
      this.counts.delete(oldest);
      this.characters -= oldest.length;
    }
  }
}

/** Measured against exact counts: +2 % on English, -3 % on Chinese and Japanese, +12 % on code. */
const bytesPerToken = 4;

/** The estimating Tokenizer: UTF-8 bytes divided by four, shown with “≈”. */
export const estimatingTokenizer: Tokenizer = {
  count: (text) => Math.ceil(byteLength(text) / bytesPerToken),
  exact: false,
};

/** DeviceFactors: learned factors of how models count tokens, stored on the device. */
export class DeviceFactors implements TokenFactors {
  constructor(private readonly device: DeviceStorage) {}

  of(modelId: string): number {
    return this.read(modelId)?.value ?? 1;
  }

  learn(modelId: string, reported: number, counted: number): void {
    const known = this.read(modelId);
    const corrected = correctFactor(known, reported, counted);
    if (corrected === null || corrected === known) return;
    this.device.set(keyOf(modelId), `${corrected.value} ${corrected.reports}`);
  }

  /** Returns null for a model without a stored factor, and for a value that is not valid. */
  private read(modelId: string): TokenFactor | null {
    const [value = NaN, reports = NaN] = (this.device.get(keyOf(modelId)) ?? '').split(' ').map(Number);
    const isSound = value >= factorBounds.least && value <= factorBounds.most && reports >= 1;
    return isSound ? { value, reports } : null;
  }
}

function keyOf(modelId: string): string {
  return `token-factor-${modelId}`;
}

interface CountMentionsParts {
  readonly vault: Pick<Vault, 'file'>;
  readonly notes: NoteTokens;
  readonly read: ConstructorParameters<typeof NoteTokens>[1];
  readonly counter: TextCounter;
  readonly factors: TokenFactors;
}

/** Counts the tokens of mentions: whole notes by version, parts of notes at each call. */
export function countMentions({ vault, notes, read, counter, factors }: CountMentionsParts): MentionTokens {
  const scaled = (tokens: number, modelId: string, exact: boolean): MentionCount => {
    const factor = factors.of(modelId);
    return { tokens: Math.round(tokens * factor), exact: exact && factor === 1 };
  };
  const countText = async (text: string, modelId: string): Promise<MentionCount | null> => {
    const [tokens] = await counter.count([text]).catch(() => [null]);
    return tokens === null || tokens === undefined ? null : scaled(tokens, modelId, true);
  };
  return {
    known: (mention, modelId) => {
      const entry = isWholeNote(mention) ? vault.file(mention.id) : undefined;
      if (entry === undefined) return null;
      const tokens = notes.known(entry.path);
      return scaled(tokens ?? Math.ceil(entry.size / bytesPerToken), modelId, tokens !== undefined);
    },
    count: async (mention, modelId, signal) => {
      if (isWholeNote(mention)) {
        const tokens = await notes.count(mention.id, signal);
        return tokens === undefined ? null : scaled(tokens, modelId, true);
      }
      if (mention.kind !== 'heading' && mention.kind !== 'block') return null;
      const { path, part } = splitPart(mention.id, vault);
      const note = await read(path, signal);
      const text = note.ok ? takePart(note.value.path, note.value.text, part).text : null;
      return text === null ? null : countText(text, modelId);
    },
    countText,
  };
}

/** Returns false for a prompt or a skill without a note, whose text is not available here. */
function isWholeNote({ kind, id }: Mention): boolean {
  return kind === 'note' || ((kind === 'prompt' || kind === 'skill') && id.endsWith('.md'));
}

/** NoteTokens: exact token counts of notes by path and version, only in memory, dropped on change. */
export class NoteTokens {
  private readonly held = new Map<string, { readonly entry: FileEntry; readonly tokens: number }>();

  /** @param read returns a note's text, from the note cache */
  constructor(
    private readonly vault: Pick<Vault, 'file'>,
    private readonly read: (path: string, signal: AbortSignal) => Promise<Outcome<NoteText>>,
    private readonly counter: TextCounter,
  ) {}

  /** Returns the count without reading the note; undefined if it changed or was never counted. */
  known(path: string): number | undefined {
    const entry = this.vault.file(path);
    const held = entry && this.held.get(entry.path);
    return held && sameVersion(held.entry, entry) ? held.tokens : undefined;
  }

  /** Returns the count, reading the note if needed; undefined if it cannot be read or counted. */
  async count(path: string, signal: AbortSignal): Promise<number | undefined> {
    const known = this.known(path);
    if (known !== undefined) return known;
    const entry = this.vault.file(path);
    const note = await this.read(path, signal);
    if (!note.ok || entry === undefined) return undefined;
    const [tokens] = await this.counter.count([note.value.text]).catch(() => [null]);
    if (tokens === null || tokens === undefined) return undefined;
    // Stored for the version that was requested: a note that changed since then is counted again on the next request.
    this.held.set(entry.path, { entry, tokens });
    return tokens;
  }

  /** Drops the counts of these paths, even if their modification times are unchanged. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) this.held.delete(path);
  }
}

function sameVersion(a: FileEntry, b: FileEntry): boolean {
  return a.modified === b.modified && a.size === b.size;
}
