import type { Plugin } from 'esbuild';

/** A place where a defence is switched off. */
export interface Cut {
  readonly file: string;
  readonly find: string;
  /** An expression in place of the one that is found. */
  readonly off?: string;
  /** A statement at the beginning of the function whose head is found. */
  readonly first?: string;
}

export function weaveDefences(text: string, cuts: readonly (Omit<Cut, 'file'> & { readonly id: string })[]): string;
export function cutsByFile(
  defences: readonly { readonly id: string; readonly cuts: readonly Cut[] }[],
): Map<string, (Cut & { readonly id: string })[]>;
export function switchDefences(root: string, defences: Parameters<typeof cutsByFile>[0]): Plugin;
