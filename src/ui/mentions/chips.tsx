/** Chips: the attachments of a message, how they look, how many tokens they use, and how they are opened. */
import { Notice } from 'obsidian';
import { useEffect, useState } from 'preact/hooks';
import type { MentionCount } from '../../core/mentions/mention-source';
import { isMissing } from '../../core/mentions/mention-text';
import { splitPart } from '../../core/mentions/note-parts';
import { imageTokens, isPastedImage } from '../../core/ports/message';
import type { Mention } from '../../core/session/entry';
import { formatTokens, words } from '../../text';
import { Icon, IconButton } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';
import type { ImagePorts, ChatViewPorts } from '../state/ports';
import { mentionIcons } from './suggestion-list';
import { mentionContextOf } from './use-suggestions';

interface ChipProps {
  readonly mention: Mention;
  /** Whether the file that it names is missing. */
  readonly isMissing?: boolean;
  /** Its tokens, or how it will be sent instead. */
  readonly size?: string;
  /** Why it will not be sent as it is; empty if it will. */
  readonly warning?: string;
  /** Obsidian's resource URL of a thumbnail. */
  readonly picture?: string | null;
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove?: () => void;
}

/** Chip: one attachment, which can be opened and, in the composer, removed. */
export function Chip(props: ChipProps) {
  const { mention, isMissing = false, size = '', warning = '', picture = null, onOpen, onRemove } = props;
  const missingText = isMissing ? words.chatView.attachmentMissing(mention.label) : undefined;
  const problem = missingText ?? (warning === '' ? undefined : warning);
  const look = { isMissing, warning, picture };
  return (
    <span
      class={`docent-chip ${classesOf(look)}`}
      title={problem ?? (mention.image === undefined ? mention.id : mention.label)}
    >
      <ChipPicture kind={mention.kind} {...look} />
      <span class="docent-chip-words">
        <button
          type="button"
          class="docent-chip-name"
          aria-label={problem}
          onClick={onOpen}
          disabled={onOpen === undefined || isMissing}
        >
          {mention.label}
        </button>
        {size !== '' && !isMissing && <span class="docent-chip-size">{size}</span>}
      </span>
      {onRemove !== undefined && (
        <IconButton
          icon="x"
          label={words.chatView.removeAttachment(mention.label)}
          onClick={onRemove}
          class="docent-chip-remove"
        />
      )}
    </span>
  );
}

interface ChipLook {
  readonly isMissing: boolean;
  readonly warning: string;
  readonly picture: string | null;
}

function classesOf({ isMissing, warning, picture }: ChipLook): string {
  return `${isMissing ? 'is-missing' : ''} ${warning === '' ? '' : 'is-warned'} ${picture === null ? '' : 'has-picture'}`;
}

/** ChipPicture: a thumbnail of an image, or an icon if it has none or cannot be shown. */
function ChipPicture({ kind, isMissing, warning, picture }: ChipLook & { readonly kind: Mention['kind'] }) {
  if (picture !== null && !isMissing) return <img class="docent-chip-picture" src={picture} alt={''} loading="lazy" />;
  return <Icon icon={isMissing ? 'file-x' : warning === '' ? mentionIcons[kind] : 'triangle-alert'} />;
}

/** AttachedChips: the attachments of the unsent message, updated with the vault, each with its tokens. */
export function AttachedChips({ model }: { readonly model: OpenChatState }) {
  const [changes, setChanges] = useState(0);
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  const mentions = model.mentions.value;
  const pending = model.images.pending.value;
  if (mentions.length === 0 && pending === 0) return null;
  return (
    <div class="docent-chips" role="group" aria-label={words.chatView.attachments}>
      {mentions.map((mention) => (
        <AttachedChip key={`${mention.kind} ${mention.id}`} mention={mention} model={model} changes={changes} />
      ))}
      {pending > 0 && (
        <span class="docent-chip is-pending" role="status">
          {words.images.preparing(pending)}
        </span>
      )}
    </div>
  );
}

interface AttachedChipProps {
  readonly mention: Mention;
  readonly model: OpenChatState;
  /** Counts changes of the vault and the settings; each may change how a chip looks. */
  readonly changes: number;
}

function AttachedChip({ mention, model }: AttachedChipProps) {
  const { ports } = model;
  const modelId = (model.state.value && model.choices?.model) ?? ports.settings().model;
  const version = ports.vault.file(splitPart(mention.id).path)?.modified;
  const tokens = useMentionTokens(mention, modelId, version, ports);
  const look =
    mention.kind === 'image' ? describeImageChip(mention, ports.images, untakenBy(modelId, model)) : { size: tokens };
  return (
    <Chip
      mention={mention}
      isMissing={isMissing(mention, mentionContextOf(ports))}
      {...look}
      onOpen={openerOf(mention, ports)}
      onRemove={() => model.removeMention(mention)}
    />
  );
}

/** Returns the model's name if it does not accept images; null if it does, or is unknown. */
function untakenBy(modelId: string, { ports }: OpenChatState): string | null {
  const chosen = ports.prompts.model(modelId);
  if (!chosen.ok || chosen.value.description.takesImages === true) return null;
  return chosen.value.description.label;
}

interface ImageLook {
  readonly size: string;
  readonly warning: string;
  readonly picture: string | null;
}

/**
 * Returns how the chip of an image looks: its thumbnail, its size and tokens, and whether the model will see it.
 * @param untakenBy name of the model if it does not accept images; null if it does
 */
export function describeImageChip(mention: Mention, images: ImagePorts, untakenBy: string | null): ImageLook {
  const { image, problem, label } = mention;
  const ofVault = isPastedImage(mention) ? null : images.addressOfFile(mention.id);
  if (problem !== undefined) return { size: '', warning: words.images.notSent(label, problem), picture: null };
  if (image === undefined) return { size: '', warning: '', picture: ofVault };
  const size = words.images.size(image.width, image.height);
  const picture = ofVault ?? images.addressOf(image);
  if (untakenBy !== null) {
    return { size: `${size} · ${words.images.sentAsText}`, warning: words.images.notTaken(label, untakenBy), picture };
  }
  const tokens = words.images.tokens(formatTokens(imageTokens(image.width, image.height), true));
  return { size: `${size} · ${tokens}`, warning: '', picture };
}

/** Whether a mention of this kind names a file that can be opened. */
const opens: Readonly<Record<Mention['kind'], boolean>> = {
  note: true,
  heading: true,
  block: true,
  image: true,
  prompt: true,
  workspace: true,
  folder: false,
  tag: false,
  tool: false,
};

/** Returns what a click does; undefined if it cannot be opened. A missing note gets a notice and is not created. */
export function openerOf(mention: Mention, ports: ChatViewPorts): (() => void) | undefined {
  // A prompt that is not a note cannot be opened.
  const isFile = mention.kind !== 'prompt' || mention.id.endsWith('.md');
  if (!opens[mention.kind] || !isFile) return undefined;
  return () => {
    if (isMissing(mention, mentionContextOf(ports))) new Notice(words.chatView.attachmentMissing(mention.label));
    else ports.openNote(pathOf(mention, ports), false);
  };
}

/** Returns the path to open: the sent copy for an image that was pasted or is no longer in the vault. */
function pathOf(mention: Mention, { images, vault }: ChatViewPorts): string {
  const { id, image } = mention;
  if (image === undefined || (!isPastedImage(mention) && vault.file(id) !== undefined)) return id;
  return images.pathOf(image);
}

/**
 * useMentionTokens: the tokens of a mention, estimated at first and then counted in the background.
 * @param version changes whenever the text may have changed
 */
function useMentionTokens(
  mention: Mention,
  modelId: string,
  version: unknown,
  { mentionTokens }: Pick<ChatViewPorts, 'mentionTokens'>,
): string {
  const [counted, setCounted] = useState<MentionCount | null>(null);
  const { kind, id } = mention;
  useEffect(() => {
    const abort = new AbortController();
    void mentionTokens.count(mention, modelId, abort.signal).then((count) => {
      if (!abort.signal.aborted) setCounted(count);
    });
    return () => abort.abort();
    // A mention is identified by what it names: another object for the same thing needs no new count.
  }, [kind, id, modelId, version]);
  const shown = counted ?? mentionTokens.known(mention, modelId);
  return shown === null ? '' : words.images.tokens(formatTokens(shown.tokens, shown.exact));
}
