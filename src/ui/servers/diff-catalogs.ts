/** Compares a server's catalog with the approved one, part by part and field by field. */
import { canonicalJson } from '../../core/base/equality';
import type { McpCatalog } from '../../core/ports/network';

export type PartKind = 'tool' | 'prompt' | 'resource';
export type FieldName = 'description' | 'schema' | 'text' | 'uri';

export interface ComparedField {
  readonly name: FieldName;
  readonly before: string;
  readonly after: string;
}

export interface ComparedPart {
  readonly kind: PartKind;
  readonly name: string;
  readonly change: 'same' | 'added' | 'removed' | 'changed';
  /** All fields, including the unchanged ones. */
  readonly fields: readonly ComparedField[];
}

interface Part {
  readonly kind: PartKind;
  readonly name: string;
  readonly fields: readonly (readonly [FieldName, string])[];
}

export const partKinds: readonly PartKind[] = ['tool', 'prompt', 'resource'];

/** Returns changed, added, and removed parts first, then the unchanged ones. */
export function diffCatalogs(before: McpCatalog | null, after: McpCatalog): ComparedPart[] {
  const left = before === null ? [] : partsOf(before);
  const compared = partsOf(after).map((part) => {
    // A name that occurs twice in a catalog is matched once per occurrence.
    const at = left.findIndex(({ kind, name }) => kind === part.kind && name === part.name);
    return compare(at === -1 ? undefined : left.splice(at, 1)[0], part);
  });
  const removed = left.map((part) => compare(part, undefined));
  const isSame = ({ change }: ComparedPart): boolean => change === 'same';
  return [...compared.filter((part) => !isSame(part)), ...removed, ...compared.filter(isSame)];
}

export function isSameCatalog(one: McpCatalog | null, other: McpCatalog | null): boolean {
  if (one === null || other === null) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}

function partsOf({ tools, prompts, resources }: McpCatalog): Part[] {
  return [
    ...tools.map(({ name, description, inputSchema }): Part => ({
      kind: 'tool',
      name,
      fields: [
        ['description', description],
        // The order of keys has no meaning, so a different order is no change.
        ['schema', JSON.stringify(JSON.parse(canonicalJson(inputSchema)), null, 2)],
      ],
    })),
    ...prompts.map(({ name, description, text }): Part => ({
      kind: 'prompt',
      name,
      fields: [
        ['description', description],
        ['text', text],
      ],
    })),
    ...resources.map(({ name, uri }): Part => ({ kind: 'resource', name, fields: [['uri', uri]] })),
  ];
}

function compare(before: Part | undefined, after: Part | undefined): ComparedPart {
  const { kind, name, fields } = (after ?? before) as Part;
  const textIn = (part: Part | undefined, field: FieldName): string =>
    part?.fields.find(([each]) => each === field)?.[1] ?? '';
  const compared = fields.map(([field]) => ({
    name: field,
    before: textIn(before, field),
    after: textIn(after, field),
  }));
  const isSame = compared.every((field) => field.before === field.after);
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : isSame ? 'same' : 'changed';
  return { kind, name, change, fields: compared };
}
