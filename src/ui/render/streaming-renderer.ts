/** Draws a growing text: finished blocks once, the last one again with every update. */
import { appendCharacters, appendElement, type RenderContext } from './drawing';
import { attachLinkEvents } from './links';
import { type Definitions, noDefinitions, TEXT_LIMIT } from './tokenize';
import { type DrawnBlock, drawBlock, type SharedByBlocks, writePlainText } from './write-blocks';

const DEFINITION_LIMIT = 1_000;

/**
 * Blocks after which a group may end, and after which it does. The browser looks at each group once per frame, and into
 * those in view alone.
 */
const GROUP_SIZE = 24;
const GROUP_LIMIT = 96;

/** Characters of a block that is not drawn with each frame. */
const LONG_BLOCK = 50_000;

/** Blocks with the same space around them, between which a group may end. */
const EVENLY_SPACED = /^(?:P|[UO]L|H[1-6])$/;

export interface StreamingRenderer {
  /** Takes the text that follows what was drawn so far. The caller calls it at most once per frame. */
  append(added: string): void;
  /** Settles the last block; the result then equals `renderMarkdown` of the same text. */
  finish(): void;
}

/** Empties the target and owns its content from then on. */
export function createStreamingRenderer(target: HTMLElement, context: RenderContext): StreamingRenderer {
  return new BlockCanvas(target, context);
}

/** Draws a whole text of a model or a tool as safe Markdown, and replaces the content of the target. */
export function renderMarkdown(target: HTMLElement, markdown: string, context: RenderContext): void {
  const renderer = createStreamingRenderer(target, context);
  renderer.append(markdown);
  renderer.finish();
}

class BlockCanvas implements StreamingRenderer {
  private text = '';
  /** A carriage return at the end, of which the line feed may still come. */
  private held = '';
  private settledLength = 0;
  /** A text that is too long for Markdown, and how much of it is drawn; null while blocks are. */
  private plain: { readonly element: HTMLElement; length: number } | null = null;
  private settled: DrawnBlock[] = [];
  private tail: DrawnBlock[] = [];
  /** The element that blocks are drawn into: the target, which is the first group, or the group at its end. */
  private group: HTMLElement;
  private groupCount = 0;
  private lastSettled: Node | undefined;
  /** When blocks were drawn last, in milliseconds. */
  private drawnAt = 0;
  private definitions: Definitions = noDefinitions();
  /** Indices of the settled blocks that refer to a label without a definition, by label. */
  private waiting = new Map<string, Set<number>>();
  private definitionCount = 0;
  private finished = false;
  private readonly shared: SharedByBlocks;
  private footnotes = new Footnotes();

  constructor(
    private readonly target: HTMLElement,
    context: RenderContext,
  ) {
    this.group = target;
    this.shared = { context, drawInside: renderMarkdown };
    this.clear();
  }

  append(added: string): void {
    if (this.finished) throw new Error('An answer that is finished cannot grow.');
    const text = this.held + added;
    this.held = text.endsWith('\r') ? '\r' : '';
    this.text += text.slice(0, text.length - this.held.length).replace(/\r\n?/g, '\n');
    this.draw(false);
  }

  finish(): void {
    if (this.finished) return;
    if (this.held !== '') this.text += '\n';
    this.draw(true);
    this.finished = true;
  }

  private draw(isWhole: boolean): void {
    if (this.text.length > TEXT_LIMIT) return this.drawPlain();
    // What takes long to draw again is drawn less often, so that a block costs in proportion to its length.
    const growing = this.text.length - this.settledLength;
    const now = performance.now();
    if (!isWhole && growing > LONG_BLOCK && now - this.drawnAt < growing / 500) return;
    this.drawnAt = now;
    const blocks = splitBlocks(this.text, this.settledLength);
    const sources = blocks.map(({ start, end }) => this.text.slice(start, end));
    this.drawTail(sources);
    const count = isWhole ? blocks.length : countSettled(this.text, blocks);
    const end = blocks[count]?.start ?? (isWhole ? this.text.length : this.settledLength);
    if (count > 0) this.settle(count, end);
  }

  private drawPlain(): void {
    if (this.plain === null) {
      this.clear();
      this.plain = { element: writePlainText(this.target, this.text), length: this.text.length };
      return;
    }
    appendCharacters(this.plain.element, this.text.slice(this.plain.length));
    this.plain.length = this.text.length;
  }

  private clear(): void {
    this.target.empty();
    this.settledLength = 0;
    this.settled = [];
    this.tail = [];
    this.group = this.target;
    this.groupCount = 0;
    this.lastSettled = undefined;
    this.definitions = noDefinitions();
    this.definitionCount = 0;
    this.waiting.clear();
    this.footnotes = new Footnotes();
  }

  private drawTail(sources: readonly string[]): void {
    let same = 0;
    while (same < sources.length && this.tail[same]?.source === sources[same]) same++;
    for (const block of this.tail.splice(same)) block.nodes.forEach((node) => node.detach());
    for (const source of sources.slice(same)) {
      this.tail.push(drawBlock(this.group, source, this.definitions, this.shared));
    }
  }

  private settle(count: number, end: number): void {
    this.settledLength = end;
    const changed = new Set<number>();
    const drawnInto = this.group;
    for (const block of this.tail.splice(0, count)) {
      this.assignGroup(block);
      if (this.group !== drawnInto) for (const node of block.nodes) this.group.append(node);
      const index = this.settled.push(block) - 1;
      for (const label of Object.keys(block.definitions)) this.define(label, block, changed);
      for (const label of block.openLabels) this.expect(label, index, changed);
    }
    if (this.group !== drawnInto) for (const node of this.tail.flatMap(({ nodes }) => nodes)) this.group.append(node);
    const firstNew = this.settled.length - count;
    for (const index of changed) this.redraw(index, index < firstNew);
    for (const block of this.settled.slice(-count)) this.finishBlock(block);
    if (this.tail.some(({ openLabels }) => openLabels.some((label) => label in this.definitions))) {
      const sources = this.tail.map(({ source }) => source);
      this.drawTail([]);
      this.drawTail(sources);
    }
  }

  /** Begins a group with the block if the one before is large enough; depends only on the blocks up to this one. */
  private assignGroup({ nodes }: DrawnBlock): void {
    const [first] = nodes;
    if (first === undefined) return;
    const isEven = [this.lastSettled, first].every((node) => EVENLY_SPACED.test(node?.nodeName ?? ''));
    // The link of a citation finds its quote right above it. Of nothing but citations, there are groups all the same.
    const isCitation = (first as Partial<Element>).classList?.contains('docent-citation') === true;
    if (this.groupCount >= (isCitation ? 2 * GROUP_LIMIT : isEven ? GROUP_SIZE : GROUP_LIMIT)) {
      this.group = appendElement(this.target, 'div', { class: 'docent-blocks' });
      this.groupCount = 0;
    }
    this.groupCount += 1;
    this.lastSettled = nodes.at(-1);
  }

  /** The first definition of a label wins. */
  private define(label: string, block: DrawnBlock, changed: Set<number>): void {
    const definition = block.definitions[label];
    if (!definition || label in this.definitions || this.definitionCount >= DEFINITION_LIMIT) return;
    this.definitions[label] = definition;
    this.definitionCount++;
    this.waiting.get(label)?.forEach((index) => changed.add(index));
    this.waiting.delete(label);
  }

  private expect(label: string, index: number, changed: Set<number>): void {
    const definition = this.definitions[label];
    const own = this.settled[index]?.definitions[label];
    if (definition && definition !== own) changed.add(index);
    else if (!definition) this.waiting.set(label, (this.waiting.get(label) ?? new Set<number>()).add(index));
  }

  /** @param isFinished whether the block was finished before, so that nothing else finishes what takes its place */
  private redraw(index: number, isFinished: boolean): void {
    const old = this.settled[index];
    const last = old?.nodes.at(-1);
    if (!old || !last) return;
    const { parentNode: parent, nextSibling: next } = last;
    old.nodes.forEach((node) => node.detach());
    const block = drawBlock(this.group, old.source, this.definitions, this.shared);
    block.nodes.forEach((node) => parent?.insertBefore(node, next));
    if (isFinished) this.finishBlock(block, old.nodes);
    this.settled[index] = block;
  }

  private finishBlock(block: DrawnBlock, before: readonly Node[] = []): void {
    if (block.source.includes('^')) this.footnotes.number(block.nodes, before);
    block.settle();
  }
}

/** Numbers the footnotes of a text in the order of what refers to them, and lets each reference lead to its text. */
class Footnotes {
  private readonly numbers = new Map<string, number>();
  /** The first text of each label. */
  private readonly feet = new Map<string, HTMLElement>();
  private count = 0;

  /**
   * Numbers those of a finished block, which comes after the blocks that were numbered.
   * @param before the same block as it was drawn and numbered before; its footnotes keep their numbers
   */
  number(nodes: readonly Node[], before: readonly Node[]): void {
    for (const foot of findIn(nodes, '.docent-footnote[data-footnote]')) {
      const label = foot.getAttribute('data-footnote') ?? '';
      if (this.feet.get(label)?.isConnected !== true) this.feet.set(label, foot);
      this.mark(label);
    }
    const inline = findIn(nodes, '.docent-footnote.is-inline > .docent-footnote-mark');
    const kept = findIn(before, '.docent-footnote-reference')
      .filter(({ firstElementChild }) => firstElementChild === null)
      .map(({ textContent }) => Number(textContent));
    for (const reference of findIn(nodes, '.docent-footnote-reference')) {
      const link = reference.firstElementChild as HTMLElement | null;
      const label = link?.getAttribute('data-footnote') ?? null;
      const number = (label === null ? kept.shift() : this.numbers.get(label)) ?? (this.count += 1);
      (link ?? reference).textContent = String(number);
      if (label === null || link === null) {
        inline.shift()?.setText(String(number));
        continue;
      }
      this.numbers.set(label, number);
      this.mark(label);
      attachLinkEvents(link, { open: () => this.show(label) });
    }
  }

  private mark(label: string): void {
    const number = this.numbers.get(label);
    if (number !== undefined) this.feet.get(label)?.firstElementChild?.setText(String(number));
  }

  private show(label: string): void {
    const foot = this.feet.get(label);
    foot?.scrollIntoView({ block: 'nearest' });
    foot?.focus({ preventScroll: true });
  }
}

function findIn(nodes: readonly Node[], selector: string): HTMLElement[] {
  const elements = nodes.filter((node): node is HTMLElement => node.nodeType === 1);
  return elements.flatMap((element) => [
    ...(element.matches(selector) ? [element] : []),
    ...Array.from(element.querySelectorAll<HTMLElement>(selector)),
  ]);
}

/** One or more whole top-level blocks of Markdown, whose bounds later text cannot move. */
export interface SourceBlock {
  readonly start: number;
  readonly end: number;
}

interface Fence {
  readonly closing: RegExp;
}

const LIST_MARKER = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const ITEM_MARKERS = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=\S))+/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const FENCE = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * Splits a text whose line ends are line feeds into blocks, from an offset at which a block may begin. The split is
 * conservative: a block may contain several Markdown blocks, but no Markdown block is ever split. Each boundary depends
 * only on the text up to the end of the line after it.
 */
export function splitBlocks(text: string, from = 0): SourceBlock[] {
  const blocks: SourceBlock[] = [];
  let block = emptyBlock();
  const close = (): void => {
    if (block.start !== -1) blocks.push({ start: block.start, end: block.end });
    block = emptyBlock();
  };
  for (let lineStart = from; lineStart < text.length;) {
    const newline = text.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    const line = text.slice(lineStart, lineEnd);
    if (block.fence) {
      block.end = lineEnd;
      const isFenceClosed = block.fence.closing.test(line);
      if (isFenceClosed) block.fence = null;
      if (isFenceClosed && !block.hasList) close();
    } else if (line.trim() === '') {
      block.blankSeen = true;
    } else {
      if (block.start !== -1 && beginsBlock(line, block)) close();
      if (block.start === -1) block = { ...emptyBlock(), start: lineStart };
      block.end = lineEnd;
      block.blankSeen = false;
      block.hasList ||= LIST_MARKER.test(line);
      block.fence = openedFence(line, block.hasList);
      if (HEADING.test(line)) close();
    }
    lineStart = lineEnd + 1;
  }
  close();
  return blocks;
}

/** Returns how many blocks at the start cannot change, whichever text is appended. */
export function countSettled(text: string, blocks: readonly SourceBlock[]): number {
  const last = blocks.at(-1);
  if (!last) return 0;
  const lineIsComplete = text.indexOf('\n', last.start) !== -1;
  return Math.max(0, blocks.length - (lineIsComplete ? 1 : 2));
}

interface OpenBlock {
  start: number;
  end: number;
  hasList: boolean;
  blankSeen: boolean;
  fence: Fence | null;
}

function emptyBlock(): OpenBlock {
  return { start: -1, end: -1, hasList: false, blankSeen: false, fence: null };
}

function beginsBlock(line: string, block: OpenBlock): boolean {
  if (HEADING.test(line)) return true;
  if (block.blankSeen) {
    if (block.hasList) return !/^[ \t]/.test(line) && !LIST_MARKER.test(line);
    return !/^(?: {4}| {0,3}\t)/.test(line);
  }
  const indent = FENCE.exec(line)?.[1];
  if (indent === undefined || indent.includes('\t')) return false;
  return indent.length <= (block.hasList ? 1 : 3);
}

function openedFence(line: string, insideList: boolean): Fence | null {
  const match = FENCE.exec(insideList ? line.replace(ITEM_MARKERS, '') : line);
  const indent = match?.[1] ?? '';
  const marker = match?.[2];
  if (marker === undefined) return null;
  if (!insideList && (indent.length > 3 || indent.includes('\t'))) return null;
  const space = insideList ? '[ \\t]*' : ' {0,3}';
  const character = marker.startsWith('`') ? '`' : '~';
  return { closing: new RegExp(`^${space}${character}{${marker.length},} *$`) };
}
