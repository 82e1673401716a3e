/** Mention: a thing of the vault or of Docent that the user named in a message. */

export interface Mention {
  readonly kind: 'note' | 'heading' | 'block' | 'folder' | 'tag' | 'prompt' | 'workspace' | 'tool';
  /**
   * A path for notes, folders, prompts and workspaces; `path#Heading` or `path#^id` for a part of a note;
   * `#tag` for a tag; a name for tools.
   */
  readonly id: string;
  /** What the chip shows. */
  readonly label: string;
  /** For a prompt: what the user wrote after its name. */
  readonly arguments?: string;
}
