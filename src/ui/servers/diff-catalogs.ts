/** Compares a server's catalog with the approved one, part by part and field by field. */
import { canonicalJson } from '../../core/base/equality';
import { type McpCatalog, mcpHints, type McpPromptArgument, type McpTool } from '../../core/ports/network';
import { words } from '../../text';

export type PartKind = 'tool' | 'prompt' | 'resource' | 'template' | 'instructions';
export type FieldName = 'title' | 'description' | 'schema' | 'says' | 'takes' | 'text' | 'uri';

const fieldNames: readonly FieldName[] = ['title', 'description', 'says', 'takes', 'schema', 'text', 'uri'];

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

export const partKinds: readonly PartKind[] = ['instructions', 'tool', 'prompt', 'resource', 'template'];

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

function partsOf({ tools, prompts, resources, templates = [], instructions }: McpCatalog): Part[] {
  return [
    ...(instructions === undefined
      ? []
      : [{ kind: 'instructions', name: words.serverSettings.offer.whole, fields: [['text', instructions]] } as const]),
    ...tools.map(({ name, title, description, inputSchema, annotations }): Part => ({
      kind: 'tool',
      name,
      fields: [
        ...(title === undefined ? [] : [['title', title] as const]),
        ['description', description],
        ...(annotations === undefined ? [] : [['says', sayHints(annotations)] as const]),
        // The order of keys has no meaning, so a different order is no change.
        ['schema', JSON.stringify(JSON.parse(canonicalJson(inputSchema)), null, 2)],
      ],
    })),
    ...prompts.map(({ name, description, text, arguments: taken }): Part => ({
      kind: 'prompt',
      name,
      fields: [
        ['description', description],
        ...(taken === undefined ? [] : [['takes', taken.map(sayArgument).join('\n')] as const]),
        ...(text === '' ? [] : [['text', text] as const]),
      ],
    })),
    ...resources.map(({ name, uri }): Part => ({ kind: 'resource', name, fields: [['uri', uri]] })),
    ...templates.map(({ name, uriTemplate }): Part => ({ kind: 'template', name, fields: [['uri', uriTemplate]] })),
  ];
}

/** Says what the server says of a tool, each with a yes or a no. */
function sayHints(annotations: NonNullable<McpTool['annotations']>): string {
  const { hints } = words.serverSettings.offer;
  return mcpHints
    .filter((hint) => annotations[hint] !== undefined)
    .map((hint) => hints[hint](annotations[hint] === true))
    .join(' ');
}

function sayArgument({ name, description, required }: McpPromptArgument): string {
  return words.serverSettings.offer.argument(name, description, required);
}

function compare(before: Part | undefined, after: Part | undefined): ComparedPart {
  const { kind, name } = (after ?? before) as Part;
  const own = [...(after?.fields ?? []), ...(before?.fields ?? [])].map(([field]) => field);
  const fields = fieldNames.filter((field) => own.includes(field));
  const textIn = (part: Part | undefined, field: FieldName): string =>
    part?.fields.find(([each]) => each === field)?.[1] ?? '';
  const compared = fields.map((field) => ({
    name: field,
    before: textIn(before, field),
    after: textIn(after, field),
  }));
  const isSame = compared.every((field) => field.before === field.after);
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : isSame ? 'same' : 'changed';
  return { kind, name, change, fields: compared };
}
