import type { ComparedSight, StyleDifference, StyleLook } from '../test/e2e/driver/compare-styles';

interface LookFigures {
  readonly sights: number;
  readonly elements: number;
  readonly differences: number;
}

export interface StyleFigures {
  readonly looks: Readonly<Record<StyleLook, LookFigures>>;
  readonly first: readonly (StyleDifference & { readonly sight: string })[];
  readonly idle: readonly string[];
}

export declare function measureStyles(revision: string, walks?: readonly string[]): Promise<StyleFigures>;
export declare function sumSights(sights: readonly ComparedSight[]): StyleFigures;
