/** ResultView: what a result asks to be shown by itself, besides the text that the model reads. */

export type ResultView =
  | { readonly kind: 'todos'; readonly items: readonly Todo[] }
  /** A question to the user; what they choose or write is their next message. */
  | {
      readonly kind: 'question';
      readonly question: string;
      readonly options: readonly string[];
      readonly several: boolean;
    }
  /** A plan that waits for the user's word; null for one that stands in the answer. */
  | { readonly kind: 'plan'; readonly path: string | null };

export const todoStates = ['open', 'doing', 'done'] as const;

export interface Todo {
  readonly text: string;
  readonly state: (typeof todoStates)[number];
}
