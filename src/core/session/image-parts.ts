/** The pictures of a message as they are sent: each a part of its own, or words where it cannot be seen (R218). */
import { element, write } from '../markup/markup';
import { type ImagePart, imageTokens, isHandedOver, type TextPart } from '../ports/message';
import type { Mention } from './entry';

/** What was attached and is not made ready yet is left out. */
export function imageParts(mentions: readonly Mention[]): (ImagePart | TextPart)[] {
  return mentions.flatMap((mention): (ImagePart | TextPart)[] => {
    const { kind, image, problem } = mention;
    if (kind !== 'image' || (image === undefined && problem === undefined)) return [];
    const told = (words: string): string => write([element('image', attributesOf(mention), words)]).text;
    if (image === undefined) return [{ type: 'text', text: told(`Not sent: ${problem ?? ''}`) }];
    if (image.aside === true) return [{ type: 'text', text: told(stands.aside) }];
    return [
      {
        type: 'image',
        name: isHandedOver(mention) ? mention.label : mention.id,
        label: told(stands.label),
        text: told(stands.untaken),
        gone: told(stands.gone),
        image,
        tokens: imageTokens(image.width, image.height),
      },
    ];
  });
}

/** What the model reads before a picture, or in its place. */
const stands = {
  label: 'The image follows.',
  untaken: 'Not sent: this model takes no images. Say so when the answer depends on what it shows.',
  gone: 'Not sent: its file is gone. Ask the user to attach it again when the answer depends on it.',
  aside: 'Taken out to save room. Ask the user to attach it again when it is needed.',
} as const;

/** A picture of the vault is told by its path, so that it can be linked to; one that was handed over has none to tell. */
function attributesOf(mention: Mention): Readonly<Record<string, string>> {
  const { id, label, image } = mention;
  const name: Readonly<Record<string, string>> = isHandedOver(mention) ? { name: label } : { path: id };
  return image === undefined ? name : { ...name, width: String(image.width), height: String(image.height) };
}
