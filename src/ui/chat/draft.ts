/** The unsent message of a chat, kept on the device. */
import { isMentionKind } from '../../core/mentions/mention-text';
import type { DeviceStorage } from '../../core/ports/device';
import type { Mention } from '../../core/session/entry';

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
  const isEmpty = draft.text === '' && draft.mentions.length === 0;
  device.set(keyOf(chat), isEmpty ? null : JSON.stringify(draft));
}

function keyOf(chat: string): string {
  return `draft-${chat}`;
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('mentions' in value)) return false;
  return typeof value.text === 'string' && Array.isArray(value.mentions) && value.mentions.every(isMention);
}

function isMention(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id, label } = value as Partial<Record<keyof Mention, unknown>>;
  return typeof kind === 'string' && isMentionKind(kind) && typeof id === 'string' && typeof label === 'string';
}
