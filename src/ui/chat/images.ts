/** Opens what prepares images for messages and what shows them. */
import { AttachedImages } from '../../core/images/attached-images';
import type { DrawImage, DrawnImage, ImageFiles, ImageType } from '../../core/ports/message';
import type { DiskVault } from '../../core/ports/vault';
import type { ImagePorts } from '../state/ports';

interface OpenedImages extends ImagePorts {
  readonly attached: AttachedImages;
}

export interface OpenImagesParts {
  readonly vault: DiskVault;
  readonly files: ImageFiles & Omit<ImagePorts, 'attached'>;
  readonly digest: (bytes: Uint8Array) => string;
}

/** Combines what prepares images with what shows them. */
export function openImages({ vault, files, digest }: OpenImagesParts): OpenedImages {
  return {
    attached: new AttachedImages({ vault, files, digest, draw: drawImage }),
    pathOf: (image) => files.pathOf(image),
    addressOf: (image) => files.addressOf(image),
    addressOfFile: (path) => (vault.file(path) === undefined ? null : files.addressOfFile(path)),
  };
}

/** JPEG quality, from 0 to 1. */
const quality = 0.88;
/** Bytes. A PNG beyond this is a photograph, which JPEG stores in a tenth of the size. */
const maxPng = 1_500_000;

/**
 * Redraws an image on a canvas: upright, at the size that is sent, and without the metadata of its file. Keeps
 * photographs as JPEG; draws everything else as PNG, which is lossless, unless the PNG exceeds `maxPng`.
 */
const drawImage: DrawImage = async (image, fit) => {
  const bitmap = await createImageBitmap(new Blob([image.bytes.slice()], { type: image.mediaType }));
  try {
    const size = fit(bitmap.width, bitmap.height);
    const encode = (mediaType: ImageType): Promise<DrawnImage> => encodeAs(mediaType, bitmap, size);
    if (image.mediaType === 'image/jpeg') return await encode('image/jpeg');
    const png = await encode('image/png');
    return png.bytes.length <= maxPng ? png : await encode('image/jpeg');
  } finally {
    bitmap.close();
  }
};

async function encodeAs(
  mediaType: ImageType,
  bitmap: ImageBitmap,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<DrawnImage> {
  const canvas = createEl('canvas', { attr: { width, height } });
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('There is no canvas to draw on.');
  if (mediaType === 'image/jpeg') {
    // JPEG has no transparency and would turn transparent areas black.
    context.fillStyle = 'white';
    context.fillRect(0, 0, width, height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, mediaType, quality));
  if (blob?.type !== mediaType) throw new Error('The canvas could not be written.');
  return { mediaType, width, height, bytes: new Uint8Array(await blob.arrayBuffer()) };
}
