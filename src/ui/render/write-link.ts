/** Writes the links of Markdown and of Obsidian. */
import type { Token, Tokens } from 'marked';
import { appendCharacters } from './allow-list';
import type { Drawing, InlinePlace, WriteLabel } from './drawing';
import { decodeEntities } from './entities';
import { decodePath, writeExternalLink, writeNoteLink } from './link-elements';
import { looksExternal } from './link-gate';
import type { WikilinkToken } from './obsidian-syntax';
import { writeVaultImage } from './write-image';

/** Handed in, since words hold links and links hold words. */
type WriteInline = (parent: HTMLElement, tokens: readonly Token[], drawing: Drawing, place: InlinePlace) => void;

export function writeMarkdownLink(
  parent: HTMLElement,
  token: Tokens.Link,
  drawing: Drawing,
  place: InlinePlace,
  writeInline: WriteInline,
): void {
  const inside: InlinePlace = { depth: place.depth + 1, insideLink: true };
  if (place.insideLink) return writeInline(parent, token.tokens, drawing, inside);
  const destination = token.autolink ? token.href : decodeEntities(token.href);
  const writeLabel: WriteLabel = (element) => {
    writeInline(element, token.tokens, drawing, inside);
    if (element.textContent.trim() === '') appendCharacters(element, destination);
  };
  if (looksExternal(destination)) writeExternalLink(parent, destination, writeLabel, drawing);
  else writeNoteLink(parent, decodePath(destination), writeLabel, drawing);
}

export function writeWikilink(
  parent: HTMLElement,
  token: WikilinkToken,
  drawing: Drawing,
  { insideLink }: InlinePlace,
): void {
  const label = decodeEntities(token.alias || token.target);
  if (insideLink) return appendCharacters(parent, label);
  const target = decodeEntities(token.target);
  if (token.embed && writeVaultImage(parent, target, label, drawing)) return;
  writeNoteLink(parent, target, (element) => appendCharacters(element, label), drawing);
}
