/** Opens what a chip names, where it is a note or a place in one. */
import { Notice } from 'obsidian';
import { isMissing } from '../../core/mentions/mention-text';
import { isHandedOver } from '../../core/ports/message';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import type { PanePorts } from '../state/ports';
import { mentionContextOf } from '../suggest/mention-context';

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

/** What a click does; undefined for what cannot be opened. A note that has gone is not made anew. */
export function openerOf(mention: Mention, ports: PanePorts): (() => void) | undefined {
  // A prompt that is no note has nothing to open.
  const isFile = mention.kind !== 'prompt' || mention.id.endsWith('.md');
  if (!opens[mention.kind] || !isFile) return undefined;
  return () => {
    if (isMissing(mention, mentionContextOf(ports))) new Notice(words.pane.attachmentMissing(mention.label));
    else ports.openNote(pathOf(mention, ports), false);
  };
}

/** An image that was handed over is opened as it is sent; one that has gone from the vault as well. */
function pathOf(mention: Mention, { images, vault }: PanePorts): string {
  const { id, image } = mention;
  if (image === undefined || (!isHandedOver(mention) && vault.file(id) !== undefined)) return id;
  return images.pathOf(image);
}
