/** EditorState: what the user has open, as a model is told of it. */

export interface EditorState {
  /** The note in front, or null. */
  readonly activeNote: {
    readonly path: string;
    /** One-based. */
    readonly cursor: { readonly line: number; readonly character: number } | null;
    readonly selectedText: string;
  } | null;
  /** Paths of the other open notes, sorted. */
  readonly otherOpenNotes: readonly string[];
}
