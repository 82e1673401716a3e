/** Tells whether what a mention names has gone from the vault. */
import type { Mention } from '../session/entry';
import type { MentionContext } from './mention-source';
import { splitPart } from './note-part';

type Check = (id: string, context: MentionContext) => boolean;

const lacksFile: Check = (id, { vault }) => vault.file(id) === undefined;

const checks: Readonly<Record<Mention['kind'], Check>> = {
  note: lacksFile,
  image: lacksFile,
  prompt: (id, context) =>
    lacksFile(id, context) && context.prompts.every((prompt) => prompt.id !== id || prompt.source === 'config'),
  workspace: lacksFile,
  folder: (id, { vault }) => !vault.folders().includes(id),
  tool: (id, { tools }) => !tools.some(({ name }) => name === id),
  // Knowing that no note has a tag takes a look at every note.
  tag: () => false,
  heading: (id, context) => {
    const { path, part } = splitPart(id);
    if (lacksFile(path, context)) return true;
    return context.vault.outline(path)?.headings.every(({ text }) => text !== part) ?? false;
  },
  block: (id, context) => {
    const { path, part } = splitPart(id);
    if (lacksFile(path, context)) return true;
    return context.vault.outline(path)?.blocks.every((block) => `^${block.id}` !== part) ?? false;
  },
};

export function isMissing({ kind, id, image }: Mention, context: MentionContext): boolean {
  // What is sent of an image was kept when it was made ready.
  return image === undefined && checks[kind](id, context);
}
