/** How the chip of an image looks: its picture, its size and price, and whether the model will see it. */
import { imageTokens, isHandedOver } from '../../core/ports/message';
import type { Mention } from '../../core/session/entry';
import { formatTokens, words } from '../../text';
import type { ImagePorts } from '../state/ports';

interface ImageLook {
  readonly size: string;
  readonly warning: string;
  readonly picture: string | null;
}

/** @param untakenBy name of the model when it takes no images; null when it does */
export function imageLookOf(mention: Mention, images: ImagePorts, untakenBy: string | null): ImageLook {
  const { image, problem, label } = mention;
  const ofVault = isHandedOver(mention) ? null : images.addressOfFile(mention.id);
  if (problem !== undefined) return { size: '', warning: words.images.notSent(label, problem), picture: null };
  if (image === undefined) return { size: '', warning: '', picture: ofVault };
  const size = words.images.size(image.width, image.height);
  const picture = ofVault ?? images.addressOf(image);
  if (untakenBy !== null) {
    return { size: `${size} · ${words.images.told}`, warning: words.images.notTaken(label, untakenBy), picture };
  }
  const tokens = words.images.tokens(formatTokens(imageTokens(image.width, image.height), true));
  return { size: `${size} · ${tokens}`, warning: '', picture };
}
