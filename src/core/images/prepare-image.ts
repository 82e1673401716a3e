/** Makes a picture ready to be sent: known by its content, drawn anew in the size that models use, named by its digest. */
import { words } from '../../text';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import { type DrawImage, type ImageBytes, type ImageReference, imageLimits, sizeToSend } from '../ports/message';
import { readImageHeader } from './image-header';

export interface PrepareImagePorts {
  readonly draw: DrawImage;
  /** SHA-256 as lowercase hex. */
  readonly digest: (bytes: Uint8Array) => string;
}

/** A file that was handed over, as by the clipboard. */
export interface ImageFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface PreparedImage extends ImageBytes {
  readonly image: ImageReference;
}

/**
 * Drawing anew leaves nothing but pixels: no place, no time, no second frame. What would unpack to more than a phone
 * holds is refused by its header, before anything is unpacked.
 */
export async function prepareImage(
  { name, bytes }: ImageFile,
  conversation: string,
  { draw, digest }: PrepareImagePorts,
): Promise<Outcome<PreparedImage>> {
  if (bytes.length > imageLimits.largestFile) return fail(tooLarge(name, bytes.length));
  const header = readImageHeader(bytes);
  if (header === null) return fail(notAnImage(name));
  const { mediaType, width, height } = header;
  if (width * height > imageLimits.mostPixels) return fail(tooManyPixels(name, width, height));
  try {
    const drawn = await draw({ mediaType, bytes }, sizeToSend);
    const image: ImageReference = {
      digest: digest(drawn.bytes),
      mediaType: drawn.mediaType,
      width: drawn.width,
      height: drawn.height,
      bytes: drawn.bytes.length,
      conversation,
    };
    return succeed({ image, mediaType: drawn.mediaType, bytes: drawn.bytes });
  } catch {
    // A picture that cannot be drawn says so in as many ways as there are engines; none of them helps a person.
    return fail({
      kind: 'unreadable',
      words: words.images.unreadable(name),
      remedy: words.images.unreadableRemedy,
    });
  }
}

export function tooLarge(name: string, bytes: number): Failure {
  return {
    kind: 'too-large',
    words: words.images.tooLarge(name, bytes, imageLimits.largestFile),
    remedy: words.images.smallerRemedy,
  };
}

function tooManyPixels(name: string, width: number, height: number): Failure {
  return {
    kind: 'too-large',
    words: words.images.tooManyPixels(name, width, height),
    remedy: words.images.smallerRemedy,
  };
}

function notAnImage(name: string): Failure {
  return { kind: 'invalid-input', words: words.images.notAnImage(name), remedy: words.images.notAnImageRemedy };
}
