/** AttachedChips: what the unsent message has attached, kept true to the vault, each with what it costs. */
import { useEffect, useState } from 'preact/hooks';
import { isMissing } from '../../core/mentions/mention-text';
import { splitPart } from '../../core/mentions/note-parts';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';
import { mentionContextOf } from '../suggest/mention-context';
import { Chip } from './chip';
import { imageLookOf } from './image-look';
import { openerOf } from './open-mention';
import { useMentionTokens } from './use-mention-tokens';

export function AttachedChips({ model }: { readonly model: PaneModel }) {
  const [changes, setChanges] = useState(0);
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  const mentions = model.mentions.value;
  const pending = model.images.pending.value;
  if (mentions.length === 0 && pending === 0) return null;
  return (
    <div class="docent-chips" role="group" aria-label={words.pane.attachments}>
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
  readonly model: PaneModel;
  /** Of the vault and the settings, counted: with each of them a chip may look different. */
  readonly changes: number;
}

function AttachedChip({ mention, model }: AttachedChipProps) {
  const { ports } = model;
  const modelId = (model.state.value && model.choices?.model) ?? ports.settings().model;
  const version = ports.vault.file(splitPart(mention.id).path)?.modified;
  const tokens = useMentionTokens(mention, modelId, version, ports);
  const look =
    mention.kind === 'image' ? imageLookOf(mention, ports.images, untakenBy(modelId, model)) : { size: tokens };
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

/** The name of the model, when it takes no images; one that is not known says nothing. */
function untakenBy(modelId: string, { ports }: PaneModel): string | null {
  const chosen = ports.prompts.model(modelId);
  if (!chosen.ok || chosen.value.description.takesImages === true) return null;
  return chosen.value.description.label;
}
