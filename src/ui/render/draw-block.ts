/** Draws one block of Markdown at the end of an element, as Markdown where that is safe and as plain text elsewhere. */
import { nestsTooDeep } from './bounds';
import type { RenderContext } from './render-context';
import { noDefinitions, tokenizeBlock, TooMuchWork } from './tokenize';
import type { Definitions, TokenizedBlock } from './tokenize';
import { writeBlocks, writePlainText } from './write-blocks';

export interface DrawnBlock {
  readonly source: string;
  readonly nodes: readonly Node[];
  readonly definitions: Definitions;
  /** Labels between brackets that none of the known definitions was for; one that comes later may make links of them. */
  readonly openLabels: readonly string[];
  /** What is done once the block cannot change any more. */
  readonly settle: () => void;
}

export function drawBlock(target: HTMLElement, source: string, known: Definitions, context: RenderContext): DrawnBlock {
  const before = target.lastChild;
  const block = tokenizeSafely(source, known);
  const afterwards: (() => void)[] = [];
  if (block) writeBlocks(target, block.tokens, { context, inline: block.inline, afterwards });
  else writePlainText(target, source);
  return {
    source,
    nodes: nodesAfter(target, before),
    definitions: block?.definitions ?? noDefinitions(),
    openLabels: [...(block?.labels ?? [])].filter((label) => !(label in known)),
    settle: () => afterwards.splice(0).forEach((act) => act()),
  };
}

function tokenizeSafely(source: string, known: Definitions): TokenizedBlock | null {
  const isCode = /^ {0,3}(?:`{3}|~{3})/.test(source);
  if (!isCode && nestsTooDeep(source)) return null;
  try {
    return tokenizeBlock(source, known);
  } catch (thrown) {
    if (thrown instanceof TooMuchWork) return null;
    throw thrown;
  }
}

function nodesAfter(target: HTMLElement, before: Node | null): Node[] {
  const nodes: Node[] = [];
  let node = before ? before.nextSibling : target.firstChild;
  for (; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}
