export interface House {
  readonly figures: Readonly<Record<string, number>>;
  readonly slivers: readonly { readonly file: string; readonly importer: string }[];
  readonly circles: readonly (readonly string[])[];
  readonly roomCircles: readonly (readonly string[])[];
  readonly folders: readonly { readonly folder: string; readonly size: number }[];
  /** A room on the highest floor of core, and rooms below it, one a floor. */
  readonly highest: readonly string[];
}

interface Given {
  readonly read?: (file: string) => string;
  readonly files?: readonly string[];
}

export declare const bounds: Readonly<Record<string, number>>;
export declare function measureHouse(given?: Given): House;
export declare function faultsOf(house: House): string[];
export declare function drawHouse(given?: Given): string;
