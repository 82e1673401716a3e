/** The draft: its images, added and prepared while the user keeps typing, and how it outlasts a crash of the app. */
import { batch, type Signal, signal } from '@preact/signals';
import type { Chat } from '../../core/chat/chat';
import { type ChatState, queueKeyOf } from '../../core/chat/chat-view-state';
import { type ImageFile, notAnImage, tooMany } from '../../core/images/attached-images';
import { followMove, followAllMoves, formatMention, isMentionKind } from '../../core/mentions/mention-text';
import { linkTextOf } from '../../core/mentions/note';
import type { UnsavedTexts } from '../../core/ports/device';
import { fail, type Failure, type Outcome } from '../../core/ports/failure';
import { imageLimits, isImagePath, isPastedImage } from '../../core/ports/message';
import type { Vault } from '../../core/ports/vault';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { ChatViewPorts, ImagePorts } from './ports';

/** What it reads and changes of the draft. */
export interface DraftWithImages {
  readonly ports: { readonly images: ImagePorts; readonly vault: Vault };
  /** Null while no chat is open. */
  readonly chatId: string | null;
  /** The chat whose draft this is, also while it is being read; null before the first one. */
  readonly shownId: string | null;
  readonly opening: Promise<void>;
  readonly unsaved: UnsavedTexts;
  readonly text: { readonly value: string };
  readonly mentions: { readonly value: readonly Mention[] };
  /** The messages that wait. */
  readonly state: { readonly value: Pick<ChatState, 'queued'> | null };
  readonly messages: { hasImage(digest: string): boolean };
  setText(text: string, mentions: readonly Mention[]): void;
  storeDraft(chat: string, draft: Draft): void;
  /** Shows in its chat why an act of the user failed. */
  showOutcome(outcome: Outcome<unknown>, again: undefined, chat: string | null): unknown;
}

export class DraftImages {
  /** Number of images that are being added. */
  readonly pending = signal(0);
  private readonly preparing = new Set<string>();
  private work: Promise<unknown> = Promise.resolve();

  constructor(private readonly draft: DraftWithImages) {}

  /** Resolves once no image is being added. */
  async idle(): Promise<void> {
    while (this.pending.value > 0) await this.work;
  }

  /** Adds images that were pasted, dropped, or chosen; shows why one cannot be sent, and adds the others. */
  add(files: readonly File[]): void {
    const free = imageLimits.maxImages - imagesIn(this.draft.mentions.value).length - this.pending.value;
    const { shownId } = this.draft;
    if (files.length > free) this.showFailure(tooMany(), shownId);
    for (const file of files.slice(0, Math.max(0, free))) {
      this.pending.value += 1;
      this.work = this.work
        .then(() => this.addOne(file, shownId))
        .catch(() => this.showFailure(unreadable(file.name), shownId ?? this.draft.shownId))
        .finally(() => (this.pending.value -= 1));
    }
  }

  /** Shows that a file that was pasted or dropped is no image: it is not attached. */
  refuse({ name }: File): void {
    this.showFailure(notAnImage(name), this.draft.shownId);
  }

  /**
   * Mentions a dropped note, image, or folder of the vault, as if it were chosen from the list; returns false if it
   * cannot be mentioned.
   */
  addPath(path: string): boolean {
    const mention = this.mentionOf(path);
    if (mention === null) return false;
    const { text, mentions } = this.draft;
    const gap = text.value === '' || /\s$/.test(text.value) ? '' : ' ';
    this.draft.setText(`${text.value}${gap}${formatMention(mention)} `, [...mentions.value, mention]);
    return true;
  }

  private mentionOf(path: string): Mention | null {
    const { vault } = this.draft.ports;
    const entry = vault.file(path) ?? vault.file(`${path}.md`);
    if (entry === undefined)
      return vault.folders().includes(path) ? { kind: 'folder', id: path, label: `${path}/` } : null;
    const kind = entry.kind === 'note' ? 'note' : isImagePath(entry.path) ? 'image' : null;
    return kind && { kind, id: entry.path, label: linkTextOf(vault, entry.path) };
  }

  /** Prepares the images that the draft mentions; must be called whenever its mentions change. */
  look(): void {
    const { chatId } = this.draft;
    if (chatId === null) return;
    for (const mention of imagesIn(this.draft.mentions.value)) {
      const isReady = mention.image !== undefined || mention.problem !== undefined;
      const key = `${chatId} ${mention.id}`;
      if (isReady || this.preparing.has(key)) continue;
      this.preparing.add(key);
      void this.prepare(mention, chatId).finally(() => this.preparing.delete(key));
    }
  }

  /** Deletes the file of a removed image, unless an earlier message was sent with it, or one that waits has it. */
  drop(mention: Mention): void {
    const { chatId, messages, ports, state } = this.draft;
    const { image } = mention;
    // A message that was taken along from another chat names the file of that chat.
    if (image === undefined || image.conversation !== chatId || messages.hasImage(image.digest)) return;
    const waiting = (state.value?.queued ?? []).flatMap(({ mentions }) => mentions);
    if (waiting.some((each) => each.image?.digest === image.digest)) return;
    void ports.images.attached.drop(mention);
  }

  /**
   * Adds an image to the draft of the chat in which it was attached, which need not be in view by then, or shows there why
   * it cannot be sent.
   */
  private async addOne(file: File, shownId: string | null): Promise<void> {
    const { draft } = this;
    if (shownId === null) await draft.opening;
    const chatId = shownId ?? draft.shownId;
    if (chatId === null) return;
    const pasted = imagesIn(draft.mentions.value).filter(isPastedImage).length;
    const added = await draft.ports.images.attached.add(await readImageFile(file, pasted), chatId);
    if (!added.ok) this.showFailure(added.failure, chatId);
    else if (draft.shownId === chatId) draft.setText(draft.text.value, [...draft.mentions.value, added.value]);
    else await addToStored(draft, chatId, { text: '', mentions: [added.value] });
  }

  private showFailure(failure: Failure, chat: string | null): void {
    this.draft.showOutcome(fail(failure), undefined, chat);
  }

  private async prepare(mention: Mention, chatId: string): Promise<void> {
    const prepared = await this.draft.ports.images.attached.prepare(mention, chatId);
    const { text, mentions } = this.draft;
    // A draft that was closed and opened again names the same image by another object.
    const isIt = (each: Mention): boolean => each.kind === mention.kind && each.id === mention.id;
    if (this.draft.chatId !== chatId || !mentions.value.some(isIt)) return;
    this.draft.setText(
      text.value,
      mentions.value.map((each) => (isIt(each) ? prepared : each)),
    );
  }
}

function unreadable(name: string): Failure {
  const { unreadable: text, unreadableRemedy } = words.images;
  return { kind: 'unreadable', words: text(name), remedy: unreadableRemedy };
}

function imagesIn(mentions: readonly Mention[]): Mention[] {
  return mentions.filter(({ kind }) => kind === 'image');
}

/** What browsers name an image that was copied and has no file. */
const nameless = /^(?:image\.(?:png|jpe?g|gif|webp))?$/i;

/** Returns the images among what was pasted, dropped, or chosen. */
export function imageFilesIn(transfer: DataTransfer | null): File[] {
  return [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** Returns the files that are no images, where there is no text that can be put into the message in their place. */
export function otherFilesIn(transfer: DataTransfer | null): File[] {
  const files = transfer?.getData('text/plain') === '' ? [...transfer.files] : [];
  return files.filter(({ type }) => !type.startsWith('image/'));
}

/** Whether a drag may contain an image: browsers list the files only on the drop. */
export function holdsFiles(transfer: DataTransfer | null): boolean {
  return [...(transfer?.types ?? [])].includes('Files');
}

/** Whether an image is meant: a copied passage may include an image of itself, a copied file includes its name. */
export function isPictureMeant(transfer: DataTransfer | null): boolean {
  const text = transfer?.getData('text/plain') ?? '';
  return text === '' || imageFilesIn(transfer).some(({ name }) => text.includes(name));
}

/** @param count of images that were pasted before */
async function readImageFile(file: File, count: number): Promise<ImageFile> {
  const name = nameless.test(file.name) ? words.images.pasted(count + 1) : file.name;
  return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Whether a drag may come from Obsidian's lists: what it contains can be read only on the drop. */
export function holdsAddresses(transfer: DataTransfer | null): boolean {
  return [...(transfer?.types ?? [])].includes('text/uri-list');
}

/** Returns the paths that Obsidian supplies when files or folders of the vault are dragged; none for anything else. */
export function draggedPaths(transfer: DataTransfer | null): readonly string[] {
  const addresses = (transfer?.getData('text/uri-list') || transfer?.getData('text/plain') || '').split(/\r?\n/);
  const own = addresses.filter((address) => /^obsidian:\/\/open\?/.test(address));
  // What is dragged along with other text is text.
  if (own.length === 0 || own.length < addresses.filter((address) => address.trim() !== '').length) return [];
  return own.flatMap((address) => new URL(address).searchParams.get('file') ?? []);
}

// Unsent messages as they are stored on the device: the draft, and those that waited when a crash came.

/** The unsent message of a chat, saved on the device. */
export interface Draft {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

interface StoredDraft extends Draft {
  /** When it was stored or sent, in milliseconds since the epoch; absent where an older version stored it. */
  readonly at?: number;
}

/** Where drafts are stored, and what they follow. */
type DraftPlace = Pick<DraftWithImages, 'unsaved'> & { readonly ports: Pick<ChatViewPorts, 'vault' | 'movesSince'> };

export const emptyDraft: Draft = { text: '', mentions: [] };

/** Returns the draft of a chat, after the messages that a crash left unsent. */
export async function readDrafts(place: DraftPlace, chat: Chat): Promise<Draft> {
  const { unsaved } = place;
  const [draft, unsent] = await Promise.all([
    readDraft(place, chat.id),
    chat.isIdle ? readStored(unsaved, queueKeyOf(chat.id)) : null,
  ]);
  const waited = Array.isArray(unsent) ? unsent.map(toDraft) : [];
  const messages = waited.filter((each) => each !== null);
  if (messages.length === 0 || messages.length < waited.length) return draft;
  const all = joinDrafts([...messages.map((each) => afterMoves(each, place.ports)), draft]);
  // Only once the draft has them may they be dropped where they were.
  if ((await writeDraft(unsaved, chat.id, all)).ok) await unsaved.write(queueKeyOf(chat.id), null);
  return all;
}

/** Stores what was typed in a chat that is left while it is still being read. */
export function leaveUnread(draft: DraftWithImages): void {
  const { chatId, shownId } = draft;
  const typed = { text: draft.text.value, mentions: draft.mentions.value };
  if (chatId !== null || shownId === null || isEmpty(typed)) return;
  draft.setText('', []);
  void addToStored(draft, shownId, typed);
}

async function addToStored(draft: DraftWithImages, chat: string, more: Draft): Promise<void> {
  draft.storeDraft(chat, joinDrafts([await readDraft(draft, chat), more]));
}

/** A view of a chat, with the draft that it shows. */
interface DraftView extends Pick<DraftWithImages, 'setText'> {
  readonly ports: Pick<ChatViewPorts, 'vault' | 'onMoved'>;
  readonly chatId: string | null;
  readonly text: Signal<string>;
  readonly mentions: Signal<readonly Mention[]>;
  /** Not 0 while something was typed that is not stored yet. */
  readonly draftTimer: number;
  /** The messages that are being edited. */
  readonly messages: { follow(from: string, to: string, linkText: (path: string) => string): void };
}

/** Every view that is open, with what is called once it shows another draft. */
const views = new Map<DraftView, () => void>();

/** Has the draft and the edited messages of a view follow what is moved, until the returned function is called. */
function followMoves(view: DraftView): () => void {
  const { vault, onMoved } = view.ports;
  const follow = (from: string, to: string): void => {
    const draft = { text: view.text.value, mentions: view.mentions.value };
    const linkText = (path: string): string => linkTextOf(vault, path);
    const moved = followMove(draft, from, to, linkText);
    if (moved !== null) view.setText(moved.text, moved.mentions);
    view.messages.follow(from, to, linkText);
  };
  return onMoved?.(follow) ?? ((): void => {});
}

/** DraftStore: stores drafts, except what is typed in a chat while messages of it are being stored. */
export class DraftStore {
  /** What is typed while messages are being stored, and how many those are, by the id of their chat. */
  private readonly held = new Map<string, { draft: Draft; messages: number }>();
  /** Why drafts cannot be stored now; it is said once. */
  private refused: Failure | null = null;

  /** @param failure what is shown */
  constructor(
    private readonly unsaved: UnsavedTexts,
    private readonly failure: Signal<Failure | null>,
  ) {}

  /** Returns what was typed since the message that is being stored; undefined if none is. */
  typedAfter(chat: string | null): Draft | undefined {
    return this.held.get(chat ?? '')?.draft;
  }

  /** Stores no draft of a chat until the returned function is called, which returns the one that was held. */
  hold(chat: string): () => Draft {
    const after = this.held.get(chat) ?? { draft: emptyDraft, messages: 0 };
    this.held.set(chat, after);
    after.messages += 1;
    return () => {
      after.messages -= 1;
      if (after.messages === 0) this.held.delete(chat);
      return after.draft;
    };
  }

  /**
   * Shows in a view what is typed in other views of its chat, and has it follow what is moved, until the returned function
   * is called.
   */
  share(view: DraftView, shown: () => void): () => void {
    views.set(view, shown);
    const release = followMoves(view);
    return () => {
      views.delete(view);
      release();
    };
  }

  store(chat: string, draft: Draft): void {
    for (const [view, shown] of views) {
      const isShown = view.text.peek() === draft.text && view.mentions.peek() === draft.mentions;
      if (view.chatId !== chat || view.draftTimer !== 0 || isShown) continue;
      batch(() => {
        view.text.value = draft.text;
        view.mentions.value = draft.mentions;
      });
      shown();
    }
    const after = this.held.get(chat);
    if (after !== undefined) return void (after.draft = draft);
    void writeDraft(this.unsaved, chat, draft).then((stored) => {
      if (!stored.ok && this.refused === null) this.failure.value = stored.failure;
      if (stored.ok && this.failure.value === this.refused) this.failure.value = null;
      this.refused = stored.ok ? null : (this.refused ?? stored.failure);
    });
  }
}

function isEmpty({ text, mentions }: Draft): boolean {
  return text === '' && mentions.length === 0;
}

export function joinDrafts(drafts: readonly Draft[]): Draft {
  const texts = drafts.map(({ text }) => text).filter((text) => text !== '');
  return { text: texts.join('\n\n'), mentions: drafts.flatMap(({ mentions }) => mentions) };
}

/** Returns the stored draft of a chat, with what it names under the names that it has now. */
export async function readDraft({ unsaved, ports }: DraftPlace, chat: string): Promise<Draft> {
  const stored = toDraft(await readStored(unsaved, keyOf(chat)));
  return stored === null ? emptyDraft : afterMoves(stored, ports);
}

/** Returns a draft, or a message that was sent, with what it names under the names that it has now. */
export function afterMoves({ text, mentions, at }: StoredDraft, { vault, movesSince }: DraftPlace['ports']): Draft {
  const moves = at === undefined ? [] : (movesSince?.(at) ?? []);
  return followAllMoves({ text, mentions }, moves, (path) => linkTextOf(vault, path));
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
  const stored: StoredDraft = { ...draft, at: Date.now() };
  return unsaved.write(keyOf(chat), isEmpty(draft) ? null : JSON.stringify(stored));
}

function keyOf(chat: string): string {
  return `draft-${chat}`;
}

/**
 * Returns a stored draft; null for anything else. An attachment that this version does not know is left out, so that the
 * text is still there after a newer version has run.
 */
function toDraft(value: unknown): StoredDraft | null {
  if (typeof value !== 'object' || value === null) return null;
  const { text, mentions, at } = value as Partial<Record<keyof StoredDraft, unknown>>;
  if (typeof text !== 'string') return null;
  const known = Array.isArray(mentions) ? (mentions as unknown[]).filter(isMention) : [];
  return { text, mentions: known, ...(typeof at === 'number' && { at }) };
}

function isMention(value: unknown): value is Mention {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id, label } = value as Partial<Record<keyof Mention, unknown>>;
  return typeof kind === 'string' && isMentionKind(kind) && typeof id === 'string' && typeof label === 'string';
}
