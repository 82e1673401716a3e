import type { TransformOptions } from 'esbuild';

export declare function joinParts(
  outputFiles: readonly { path: string; text: string }[],
  options: TransformOptions,
): Promise<string>;
