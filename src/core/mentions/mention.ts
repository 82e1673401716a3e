/** Mention: a thing of the vault or of Docent that the user named in a message. */

export interface Mention {
  readonly kind: 'note' | 'prompt' | 'workspace' | 'tool';
  /** A path for notes, prompts and workspaces; a name for tools. */
  readonly id: string;
  /** What the chip shows. */
  readonly label: string;
}
