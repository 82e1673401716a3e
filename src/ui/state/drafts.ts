/** The unsent messages of chats, as they are stored on the device: the draft, and those that waited when a crash came. */
import { type Chat, queueKeyOf } from '../../core/chat/chat';
import { isMentionKind } from '../../core/mentions/mention-text';
import type { UnsavedTexts } from '../../core/ports/device';
import type { Outcome } from '../../core/ports/failure';
import type { Mention } from '../../core/session/entry';

/** The unsent message of a chat, saved on the device. */
export interface Draft {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

export const emptyDraft: Draft = { text: '', mentions: [] };

/** Returns the draft of a chat, after the messages that a crash left unsent. */
export async function readDrafts(unsaved: UnsavedTexts, chat: Chat): Promise<Draft> {
  const [draft, unsent] = await Promise.all([
    readDraft(unsaved, chat.id),
    chat.isIdle ? readStored(unsaved, queueKeyOf(chat.id)) : null,
  ]);
  if (!Array.isArray(unsent) || !unsent.every(isDraft) || unsent.length === 0) return draft;
  const all = joinDrafts([...unsent, draft]);
  // Only once the draft has them may they be dropped where they were.
  if ((await writeDraft(unsaved, chat.id, all)).ok) await unsaved.write(queueKeyOf(chat.id), null);
  return all;
}

export function joinDrafts(drafts: readonly Draft[]): Draft {
  const texts = drafts.map(({ text }) => text).filter((text) => text !== '');
  return { text: texts.join('\n\n'), mentions: drafts.flatMap(({ mentions }) => mentions) };
}

export async function readDraft(unsaved: UnsavedTexts, chat: string): Promise<Draft> {
  const value = await readStored(unsaved, keyOf(chat));
  return isDraft(value) ? value : emptyDraft;
}

async function readStored(unsaved: UnsavedTexts, key: string): Promise<unknown> {
  const stored = await unsaved.read(key);
  try {
    return stored === null ? null : (JSON.parse(stored) as unknown);
  } catch {
    return null;
  }
}

export function writeDraft(unsaved: UnsavedTexts, chat: string, draft: Draft): Promise<Outcome<void>> {
  const isEmpty = draft.text === '' && draft.mentions.length === 0;
  return unsaved.write(keyOf(chat), isEmpty ? null : JSON.stringify(draft));
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
