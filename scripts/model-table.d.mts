/** Types of model-table.mjs, for its tests. */
type Catalogue = Record<string, Record<string, object>>;
interface Difference {
  readonly provider: string;
  readonly name: string;
  readonly before: object | null;
  readonly entry: object;
}
export function readCatalogue(value: object): Catalogue;
export function compareRow(
  row: { readonly id: string; readonly table: { readonly models: readonly object[] } },
  catalogue: Catalogue,
  missing: boolean,
): readonly Difference[];
