/** ImagePorts: what the pane asks of the pictures that go with messages. */
import type { AttachedImages } from '../../core/images/attached-images';
import type { ImageReference } from '../../core/ports/message';

export interface ImagePorts {
  readonly attached: Pick<AttachedImages, 'add' | 'drop' | 'prepare'>;
  /** The vault path of the file that is sent. */
  pathOf(image: ImageReference): string;
  /** The app's own address of that file. */
  addressOf(image: ImageReference): string;
  /** What the app shows of a picture of the vault; null when it is gone. */
  addressOfFile(path: string): string | null;
}
