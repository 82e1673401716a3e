/** Says where a request stops being a continuation of the one before, and what changed there (design 6, R231). */
import { words } from '../../text';
import type { Message } from '../ports/message';
import type { Block, RequestPlan } from '../ports/request-plan';
import { countedText } from './token-factor';

export interface PrefixBreak {
  /** `model`, `tools`, the id of a section, or `conversation`. */
  readonly place: string;
  readonly reasons: readonly string[];
}

/** In the order in which they are sent. */
const places = ['system', 'reference', 'first-message'] as const;

/** Null when all that was sent before is sent again, byte for byte, with what is new behind it. */
export function explainBreak(before: RequestPlan, after: RequestPlan): PrefixBreak | null {
  const say = words.request;
  if (before.modelId !== after.modelId) return { place: 'model', reasons: [after.modelId] };
  const [tools, other] = [before.tools, after.tools].map((list) => list.map((tool) => JSON.stringify(tool)));
  if (tools?.join() !== other?.join()) {
    const differs = [...before.tools, ...after.tools].filter(
      (tool) => !(tools?.includes(JSON.stringify(tool)) && other?.includes(JSON.stringify(tool))),
    );
    return { place: 'tools', reasons: [say.toolsChanged([...new Set(differs.map(({ name }) => name))])] };
  }
  const [old = [], now = []] = [before, after].map(({ blocks }) =>
    places.flatMap((place) => blocks.filter((block) => block.place === place && block.text !== '')),
  );
  const found = firstDifference(old, now);
  if (found !== null) return found;
  if (before.system !== after.system) return { place: 'system', reasons: [say.textChanged] };
  const at = before.messages.findIndex((message, index) => !isSame(message, after.messages[index]));
  return at === -1 ? null : { place: 'conversation', reasons: [say.messageChanged(at + 1)] };
}

/** One line for a person. */
export function describeBreak(found: PrefixBreak | null): string {
  return found === null ? words.request.prefixHeld : words.request.prefixBroke(found.place, found.reasons);
}

function firstDifference(old: readonly Block[], now: readonly Block[]): PrefixBreak | null {
  const say = words.request;
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    const [was, is] = [old[index], now[index]];
    if (was !== undefined && is !== undefined && was.text === is.text) continue;
    const section = (was ?? is)?.section ?? '';
    const files = filesThatDiffer(old, now, section);
    if (files.length > 0) return { place: section, reasons: files };
    if (was === undefined || !now.some((block) => idOf(block) === idOf(was))) {
      return was === undefined
        ? { place: is?.section ?? '', reasons: [say.added] }
        : { place: was.section, reasons: [say.left] };
    }
    if (is !== undefined && !old.some((block) => idOf(block) === idOf(is))) {
      return { place: is.section, reasons: [say.added] };
    }
    return { place: section, reasons: [say.textChanged] };
  }
  return null;
}

const idOf = ({ section, item = '' }: Block): string => `${section} ${item}`;

/** Files that a map tells of in another way, by the lines of their folders. */
function filesThatDiffer(old: readonly Block[], now: readonly Block[], section: string): string[] {
  const say = words.request;
  const [before, after] = [entriesOf(old, section), entriesOf(now, section)];
  const created = [...after.keys()].filter((path) => !before.has(path)).map(say.created);
  const changed = [...after].filter(([path, text]) => before.has(path) && before.get(path) !== text);
  const gone = [...before.keys()].filter((path) => !after.has(path)).map(say.gone);
  return [...created, ...changed.map(([path]) => say.changed(path)), ...gone];
}

function entriesOf(blocks: readonly Block[], section: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const { section: id, item = '', text } of blocks) {
    if (id !== section || !item.startsWith('map:')) continue;
    const folder = item.slice('map:'.length);
    for (const entry of text.split(/\n(?=- )/).map((part) => part.replace(/^<[^>]*>\n/, ''))) {
      const name = /^- (.*?), /.exec(entry)?.[1];
      // Links in belong to the notes that link.
      if (name !== undefined) {
        entries.set(folder === '' ? name : `${folder}/${name}`, entry.replace(/ ←\d+|\n<\/folder>$/g, ''));
      }
    }
  }
  return entries;
}

function isSame(one: Message, other: Message | undefined): boolean {
  return (
    one.role === other?.role &&
    one.parts.length === other.parts.length &&
    one.parts.every((part, index) => {
      const twin = other.parts[index];
      if (part.type === 'image' && twin?.type === 'image') return part.image.digest === twin.image.digest;
      return part === twin || (twin?.type === part.type && countedText(part) === countedText(twin));
    })
  );
}
