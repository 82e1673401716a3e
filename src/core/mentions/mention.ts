/** Mention: a thing of the vault or of Docent that the user named in a message, or attached to it. */
import type { ImageReference } from '../ports/message';

export interface Mention {
  readonly kind: 'note' | 'heading' | 'block' | 'folder' | 'tag' | 'prompt' | 'workspace' | 'tool' | 'image';
  /**
   * A path for notes, images, folders, prompts and workspaces; `path#Heading` or `path#^id` for a part of a note;
   * `#tag` for a tag; a name for tools; the digest for an image that is no file of the vault.
   */
  readonly id: string;
  /** What the chip shows. */
  readonly label: string;
  /** For a prompt: what the user wrote after its name. */
  readonly arguments?: string;
  /** For an image: what is sent of it, once it has been made ready. */
  readonly image?: ImageReference;
  /** For an image: why it cannot be sent, in words for people. */
  readonly problem?: string;
  /** Whether it is attached beside the text, and not named in it. */
  readonly apart?: true;
}
