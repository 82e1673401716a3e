/** Chips: the attachments of a message, how they look, how many tokens they use, and how they are opened. */
import { Notice } from 'obsidian';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type AttachedForm, attachedFormIn } from '../../core/context/prepare-turn';
import type { MentionCount } from '../../core/mentions/mention-source';
import { isMissing, targetNameOf } from '../../core/mentions/mention-text';
import { linkTextOf } from '../../core/mentions/note';
import { splitPart } from '../../core/mentions/note-parts';
import { imageTokens, isPastedImage } from '../../core/ports/message';
import { editorContextSection } from '../../core/prompt/sections/editor-context';
import type { Mention } from '../../core/session/entry';
import { formatTokens, words } from '../../text';
import { Icon, IconButton, Named } from '../components/controls';
import { isBeingCompared } from '../components/instruction-files';
import { showInSentence } from '../components/changed-text';
import type { OpenChatState } from '../state/chat-state';
import type { ChatViewPorts } from '../state/ports';
import { mentionContextOf, mentionIcons } from './suggestions';

interface ChipAct {
  readonly label: string;
  readonly run: () => void;
}

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
  /** Changes how it will be sent. */
  readonly act?: ChipAct;
  readonly onOpen?: (() => void) | undefined;
  readonly onRemove?: () => void;
  /** Whether it is pinned to the chat, and what pins and unpins it; absent for what can't be pinned. */
  readonly pin?: { readonly isPinned: boolean; readonly toggle: () => void } | undefined;
}

/** Chip: one attachment, which can be opened and, in the composer, removed. */
export function Chip(props: ChipProps) {
  const { mention, isMissing = false, warning = '', picture = null, onRemove, pin } = props;
  const name = showInSentence(targetNameOf(mention));
  const missingText = isMissing ? words.chatView.attachmentMissing(name) : undefined;
  const problem = missingText ?? (warning === '' ? undefined : warning);
  const look = { isMissing, warning, picture };
  return (
    <span
      class={`docent-chip ${classesOf(look)}`}
      title={problem ?? (mention.image === undefined ? showInSentence(mention.id) : name)}
    >
      <ChipPicture kind={mention.kind} {...look} />
      <ChipWords {...props} problem={problem} />
      {pin !== undefined && !isMissing && (
        <IconButton
          icon={pin.isPinned ? 'pin-off' : 'pin'}
          label={(pin.isPinned ? words.chatView.unpinAttachment : words.chatView.pinAttachment)(name)}
          onClick={pin.toggle}
          class="docent-chip-remove"
        />
      )}
      {onRemove !== undefined && (
        <IconButton
          icon="x"
          label={words.chatView.removeAttachment(name)}
          onClick={onRemove}
          class="docent-chip-remove"
        />
      )}
    </span>
  );
}

/** ChipWords: the name, the size, and what can be done about how it is sent. */
function ChipWords(props: ChipProps & { readonly problem: string | undefined }) {
  const { mention, isMissing = false, size = '', act, onOpen, problem } = props;
  const name = showInSentence(targetNameOf(mention));
  return (
    <span class="docent-chip-words">
      <button
        type="button"
        class="docent-chip-name"
        aria-label={problem}
        onClick={onOpen}
        disabled={onOpen === undefined || isMissing}
      >
        <span>{name}</span>
      </button>
      {size !== '' && !isMissing && <span class="docent-chip-size">{size}</span>}
      {act !== undefined && !isMissing && (
        <button
          type="button"
          class="docent-chip-act"
          aria-label={words.chatView.attachActOf(act.label, name)}
          onClick={act.run}
        >
          {act.label}
        </button>
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
    <Named class="docent-chips" role="group" name={words.chatView.attachments}>
      {mentions.map((mention) => (
        <AttachedChip key={`${mention.kind} ${mention.id}`} mention={mention} model={model} changes={changes} />
      ))}
      {pending > 0 && (
        <span class="docent-chip is-pending" role="status">
          {words.images.preparing(pending)}
        </span>
      )}
    </Named>
  );
}

/**
 * OpenNoteChip: the note in front and its selection, which the model gets. Removed, it stays removed in this chat
 * until it is put back.
 */
export function OpenNoteChip({ model }: { readonly model: OpenChatState }) {
  const [, setSeen] = useState(0);
  const chip = useRef<HTMLDivElement>(null);
  const { ports } = model;
  useEffect(() => {
    const redraw = (): void => setSeen((count) => count + 1);
    const leave = ports.noteInFront?.subscribe(redraw);
    // What was selected is known once the focus comes from the editor.
    const box = chip.current?.parentElement;
    box?.addEventListener('focusin', redraw);
    return () => {
      leave?.();
      box?.removeEventListener('focusin', redraw);
    };
  }, [model]);
  const choices = model.state.value === null ? null : model.choices;
  const { id } = editorContextSection;
  const note = ports.ownPrompt.switchOf(id).isOn ? (ports.noteInFront?.current() ?? null) : null;
  const isListed = note !== null && (ports.vault.file(note.path) !== undefined || isBeingCompared(note.path, ports));
  return (
    <div class="docent-in-front" ref={chip}>
      {choices !== null && note !== null && isListed && (
        <NoteInFront
          label={linkTextOf(ports.vault, note.path)}
          hasSelection={(note.selectedText ?? '') !== ''}
          isOff={choices.sectionsOff.includes(id)}
          onToggle={(isOff) => {
            const others = choices.sectionsOff.filter((section) => section !== id);
            void model.choose({ sectionsOff: isOff ? [...others, id] : others });
          }}
          onOpen={() => ports.openNote(note.path, false)}
        />
      )}
    </div>
  );
}

interface NoteInFrontProps {
  readonly label: string;
  readonly hasSelection: boolean;
  readonly isOff: boolean;
  readonly onToggle: (isOff: boolean) => void;
  readonly onOpen: () => void;
}

function NoteInFront({ label, hasSelection, isOff, onToggle, onOpen }: NoteInFrontProps) {
  const say = words.chatView;
  if (isOff) {
    return (
      <button type="button" class="docent-in-front-add" onClick={() => onToggle(false)}>
        <span>{say.addOpenNote(label)}</span>
      </button>
    );
  }
  return (
    <>
      <Icon icon={mentionIcons.note} />
      <button type="button" class="docent-in-front-name" onClick={onOpen}>
        <span>{label}</span>
      </button>
      <span class="docent-in-front-state">{hasSelection ? say.openWithSelection : say.openNote}</span>
      <IconButton
        icon="x"
        label={say.removeAttachment(label)}
        onClick={() => onToggle(true)}
        class="docent-in-front-remove"
      />
    </>
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
  const modelId = chosenModel(model);
  const { path } = splitPart(mention.id);
  const version = ports.vault.file(path)?.modified;
  const tokens = useMentionTokens(mention, modelId, version, ports);
  const form = attachedFormOf(mention, model);
  const sent = useTextTokens(form?.sent ?? null, modelId, ports);
  const look =
    mention.kind === 'image'
      ? describeImageChip(mention, model, null)
      : describeNoteChip(mention, form, { whole: tokens, sent }, (isWhole) => model.attachWhole(mention, isWhole));
  const isLost = isMissing(mention, mentionContextOf(ports, model.choices?.selectedWorkspace));
  return (
    <Chip
      mention={mention}
      isMissing={isLost && !isBeingCompared(path, ports)}
      {...look}
      onOpen={openerOf(mention, ports)}
      onRemove={() => model.removeMention(mention)}
      pin={pinOf(mention, model)}
    />
  );
}

function pinOf({ kind, id }: Mention, model: OpenChatState): ChipProps['pin'] {
  const pinned = model.choices?.contextNotes ?? [];
  if (kind !== 'note' || model.choices === null) return undefined;
  const isPinned = pinned.includes(id);
  const others = pinned.filter((path) => path !== id);
  return { isPinned, toggle: () => void model.choose({ contextNotes: isPinned ? others : [...others, id] }) };
}

/**
 * Returns how the next request attaches a note that is long, does not fit, or can't be read; null for all others, and
 * until that request is planned.
 */
function attachedFormOf({ kind, id }: Mention, { ports, preview }: OpenChatState): AttachedForm | null {
  const plan = kind === 'note' ? preview.value : null;
  const form = plan === null ? null : attachedFormIn(plan, ports.vault.file(id)?.path ?? id);
  return form?.isLong === true || form?.isCut === true || form?.problem !== undefined ? form : null;
}

interface NoteLook {
  readonly size: string;
  readonly warning?: string;
  readonly act?: ChipAct;
}

/**
 * Returns how the chip of a note looks: its tokens and, for a long one, whether it is sent whole or as its outline, and
 * the other choice.
 * @param tokens as shown, empty while unknown; of what is sent and of the whole note
 */
export function describeNoteChip(
  mention: Mention,
  form: AttachedForm | null,
  { whole, sent }: { readonly whole: string; readonly sent: string },
  attachWhole: (isWhole: boolean) => void,
): NoteLook {
  const say = words.chatView;
  const { form: chosen } = mention;
  const name = targetNameOf(mention);
  const size = whole === '' ? '' : words.images.tokens(whole);
  if (form === null) return { size };
  if (form.problem !== undefined) return { size: '', warning: form.problem };
  const fitting = form.sent === null ? say.nameFits : sent === '' ? size : say.partFits(sent, whole);
  if (!form.isLong) return { size: fitting, warning: say.shortenedWithOthers(name) };
  if (chosen !== 'whole') {
    const act = { label: say.attachWhole(whole), run: () => attachWhole(true) };
    if (form.asBefore) return { size: say.outlineBefore, act };
    return { size: sent === '' || !form.inPart ? say.outline : say.outlineOf(sent), act };
  }
  const act = { label: say.attachOutline, run: () => attachWhole(false) };
  // The last plan may be from before the choice.
  if (form.inPart || !form.isCut) return { size, act };
  return { size: fitting, warning: say.tooLongToAttach(name), act };
}

/** Returns the id of the model that the chat has chosen. */
function chosenModel({ state, choices, ports }: OpenChatState): string {
  return (state.value && choices?.model) ?? ports.settings().model;
}

/** Returns the model's name if it does not accept images; null if it does, or is unknown. */
function untakenBy(modelId: string, ports: ChatViewPorts): string | null {
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
 * Returns how the chip of an image looks: its thumbnail, its size and tokens, and whether the model sees it.
 * @param answerer the model that answered its message; null for one not sent yet, and empty if it is not known
 */
export function describeImageChip(mention: Mention, model: OpenChatState, answerer: string | null): ImageLook {
  const { image, problem, label } = mention;
  const { images } = model.ports;
  const ofVault = isPastedImage(mention) ? null : images.addressOfFile(mention.id);
  if (problem !== undefined) return { size: '', warning: words.images.notSent(label, problem), picture: null };
  if (image === undefined) return { size: '', warning: '', picture: ofVault };
  const size = words.images.size(image.width, image.height);
  const picture = ofVault ?? images.addressOf(image);
  const blind = untakenBy(answerer || chosenModel(model), model.ports);
  if (blind !== null) {
    return { size: `${size} · ${words.images.sentAsText}`, warning: words.images.notTaken(label, blind), picture };
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
  skill: true,
  folder: false,
  resource: false,
  tag: false,
  tool: false,
};

/** Returns what a click does; undefined if it cannot be opened. A missing note gets a notice and is not created. */
export function openerOf(mention: Mention, ports: ChatViewPorts): (() => void) | undefined {
  // A prompt or skill that is not a note cannot be opened.
  const isFile = !['prompt', 'skill'].includes(mention.kind) || mention.id.endsWith('.md');
  if (!opens[mention.kind] || !isFile) return undefined;
  return () => {
    if (isMissing(mention, mentionContextOf(ports)))
      new Notice(words.chatView.attachmentMissing(targetNameOf(mention)));
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
  return formatCount(shown);
}

function formatCount(count: MentionCount | null): string {
  return count === null ? '' : formatTokens(count.tokens, count.exact);
}

/** useTextTokens: the tokens of the text that is sent in place of a note, counted in the background; null for none. */
function useTextTokens(
  text: string | null,
  modelId: string,
  { mentionTokens }: Pick<ChatViewPorts, 'mentionTokens'>,
): string {
  const [counted, setCounted] = useState<{ readonly text: string; readonly count: MentionCount | null } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    if (text !== null) {
      void mentionTokens.countText(text, modelId).then((count) => isCurrent && setCounted({ text, count }));
    }
    return () => void (isCurrent = false);
  }, [text, modelId]);
  return counted?.text === text ? formatCount(counted.count) : '';
}
