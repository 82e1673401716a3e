/** The unsent message of a chat, kept on the device, and the mentions that still stand in its text. */
import type { Mention } from '../../core/mentions/mention';
import type { DeviceStorage } from '../../core/ports';

export interface Draft {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

const empty: Draft = { text: '', mentions: [] };

export function readDraft(device: DeviceStorage, chat: string): Draft {
  const stored = device.get(keyOf(chat));
  if (stored === null) return empty;
  try {
    const value: unknown = JSON.parse(stored);
    return isDraft(value) ? value : empty;
  } catch {
    return empty;
  }
}

export function writeDraft(device: DeviceStorage, chat: string, draft: Draft): void {
  device.set(keyOf(chat), draft.text === '' ? null : JSON.stringify(draft));
}

/** How a mention stands in the text. */
export function written({ label }: Mention): string {
  return `[[${label}]]`;
}

/** The mentions whose name still stands in the text, each once. */
export function keepWritten(mentions: readonly Mention[], text: string): readonly Mention[] {
  const kept = mentions.filter(
    (mention, index) =>
      text.includes(written(mention)) && mentions.findIndex((other) => other.id === mention.id) === index,
  );
  return kept.length === mentions.length ? mentions : kept;
}

/** The text without the mention's name, and without the double space that would leave. */
export function withoutMention(text: string, mention: Mention): string {
  return text.split(written(mention)).join('').replace(/ {2,}/g, ' ').trimStart();
}

function keyOf(chat: string): string {
  return `draft-${chat}`;
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('mentions' in value)) return false;
  return typeof value.text === 'string' && Array.isArray(value.mentions);
}
