/** Writes images: those of the vault as pictures, remote ones as a box with their address, and nothing is loaded. */
import type { Tokens } from 'marked';
import { words } from '../../text';
import { appendCharacters, appendElement } from './allow-list';
import { decodeEntities } from './entities';
import { judgeLink, looksExternal } from './link-gate';
import type { Drawing, InlinePlace } from './drawing';
import { decodePath, writeExternalLink, writeNoteLink } from './link-elements';

const IMAGE_FILE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;
/** Addresses that lead into the app itself; on a phone a vault file has an address on localhost. */
const LOCAL_RESOURCE = /^(?:app|capacitor|blob):|^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//i;

export function writeImage(parent: HTMLElement, token: Tokens.Image, drawing: Drawing, place: InlinePlace): void {
  const destination = decodeEntities(token.href);
  const label = decodeEntities(token.text);
  if (looksExternal(destination)) return writeRemoteImage(parent, destination, label, drawing, place);
  const linkText = decodePath(destination);
  if (writeVaultImage(parent, linkText, label, drawing)) return;
  if (place.insideLink) return appendCharacters(parent, label || linkText);
  writeNoteLink(parent, linkText, (element) => appendCharacters(element, label || linkText), drawing);
}

/** False, with nothing written, when the link text leads to no picture that can be shown. */
export function writeVaultImage(parent: HTMLElement, linkText: string, label: string, { context }: Drawing): boolean {
  const path = context.resolveLink(linkText);
  if (path === null || !IMAGE_FILE.test(path)) return false;
  const source = context.resolveImage?.(path) ?? null;
  if (source === null || !LOCAL_RESOURCE.test(source)) return false;
  appendElement(parent, 'img', { class: 'docent-image', src: source, alt: label || path, title: path });
  return true;
}

function writeRemoteImage(
  parent: HTMLElement,
  destination: string,
  label: string,
  drawing: Drawing,
  place: InlinePlace,
): void {
  const decision = judgeLink(destination, { visibleText: '' });
  const box = appendElement(parent, 'span', { class: 'docent-remote-image' });
  const caption = appendElement(box, 'span', { class: 'docent-remote-image-caption' });
  if (decision.verdict === 'refuse') {
    appendCharacters(caption, label || words.render.imageRefused);
    appendElement(box, 'span', { class: 'docent-remote-image-address', title: words.render.refused[decision.reason] });
    return appendCharacters(box.lastElementChild ?? box, decision.shown.slice(0, 200));
  }
  appendCharacters(caption, words.render.remoteImage(decision.host, label));
  const writeAddress = (element: HTMLElement): void => appendCharacters(element, decision.shown);
  const address = appendElement(box, 'span', { class: 'docent-remote-image-address' });
  if (place.insideLink) writeAddress(address);
  else writeExternalLink(address, destination, writeAddress, drawing);
}
