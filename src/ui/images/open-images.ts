/** Puts together what makes pictures ready and what shows them. */
import { AttachedImages } from '../../core/images/attached-images';
import type { ImageFiles } from '../../core/ports/message';
import type { DiskVault } from '../../core/ports/vault';
import type { ImagePorts } from '../state/ports';
import { drawImage } from './draw-image';

interface OpenedImages extends ImagePorts {
  readonly attached: AttachedImages;
}

export interface OpenImagesParts {
  readonly vault: DiskVault;
  readonly files: ImageFiles & Omit<ImagePorts, 'attached'>;
  readonly digest: (bytes: Uint8Array) => string;
}

export function openImages({ vault, files, digest }: OpenImagesParts): OpenedImages {
  return {
    attached: new AttachedImages({ vault, files, digest, draw: drawImage }),
    pathOf: (image) => files.pathOf(image),
    addressOf: (image) => files.addressOf(image),
    addressOfFile: (path) => (vault.file(path) === undefined ? null : files.addressOfFile(path)),
  };
}
