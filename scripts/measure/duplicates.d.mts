interface Place {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

export const fewestLines: number;
export function findDuplicates(sources?: {
  readonly files?: readonly string[];
  readonly read?: (file: string) => string;
}): { readonly lines: number; readonly first: Place; readonly second: Place }[];
