/** The icon of each kind of mention, in the list and on its chip. */
import type { MentionSource } from '../../core/mentions/mention-source';

export const mentionIcons: Readonly<Record<MentionSource['id'], string>> = {
  note: 'file-text',
  heading: 'heading',
  block: 'text-quote',
  image: 'image',
  folder: 'folder',
  tag: 'tag',
  'run-prompt': 'message-square-quote',
  prompt: 'at-sign',
  workspace: 'hash',
  tool: 'wrench',
  command: 'terminal',
};
