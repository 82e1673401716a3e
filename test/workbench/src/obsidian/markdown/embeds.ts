/** Fills `![[…]]` places with images, players and parts of other notes. */
import type { App } from '../app/app';
import { Component } from '../base/component';
import type { TFile } from '../vault/files';
import { parseLinktext, resolveSubpath } from '../index/links';
import { setIcon } from '../controls/icons';
import type { RenderOptions } from './renderer';

const IMAGES = new Set(['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'avif', 'bmp']);
const AUDIO = new Set(['mp3', 'wav', 'm4a', 'ogg', 'flac', '3gp']);
const VIDEO = new Set(['mp4', 'webm', 'ogv', 'mov', 'mkv']);
const DEEPEST = 5;

type RenderNote = (text: string, el: HTMLElement, options: RenderOptions) => Promise<void>;

export async function fillEmbeds(root: HTMLElement, options: RenderOptions, renderNote: RenderNote): Promise<void> {
  for (const image of Array.from(root.querySelectorAll('img[src]')))
    resolveImage(options.app, image as HTMLElement, options.sourcePath);
  for (const el of Array.from(root.querySelectorAll<HTMLElement>('span.internal-embed'))) {
    await fillEmbed(el, options, renderNote);
  }
}

/** Images in plain Markdown syntax may point into the vault. */
function resolveImage(app: App, image: HTMLElement, sourcePath: string): void {
  const src = image.getAttribute('src') ?? '';
  if (/^[a-z][a-z0-9+.-]*:/i.test(src)) return;
  let path = src;
  try {
    path = decodeURIComponent(src);
  } catch {
    // An address that does not decode is taken as it stands.
  }
  const file = app.metadataCache.getFirstLinkpathDest(path, sourcePath);
  if (file) image.setAttribute('src', app.vault.getResourcePath(file));
}

async function fillEmbed(el: HTMLElement, options: RenderOptions, renderNote: RenderNote): Promise<void> {
  const { app, sourcePath } = options;
  const { path, subpath } = parseLinktext(el.getAttribute('src') ?? '');
  const file =
    path === '' ? app.vault.getFileByPath(sourcePath) : app.metadataCache.getFirstLinkpathDest(path, sourcePath);
  const label = el.getAttribute('alt') ?? '';
  if (!file) {
    el.addClass('file-embed', 'mod-empty', 'is-loaded');
    el.empty();
    el.createDiv({ cls: 'file-embed-title', text: `“${path}” is not created yet. Click to create.` });
    return;
  }
  el.empty();
  el.addClass('is-loaded');
  if (IMAGES.has(file.extension)) embedImage(app, el, file, label);
  else if (AUDIO.has(file.extension)) embedMedia(app, el, file, 'audio');
  else if (VIDEO.has(file.extension)) embedMedia(app, el, file, 'video');
  else if (file.extension === 'md') await embedNote(el, file, subpath, options, renderNote);
  else embedFile(el, file);
}

function embedImage(app: App, el: HTMLElement, file: TFile, label: string): void {
  el.addClass('media-embed', 'image-embed');
  const image = el.createEl('img', { attr: { src: app.vault.getResourcePath(file), alt: label } });
  const size = /^(\d+)(?:x(\d+))?$/.exec(label);
  if (size?.[1]) image.setAttr('width', size[1]);
  if (size?.[2]) image.setAttr('height', size[2]);
}

function embedMedia(app: App, el: HTMLElement, file: TFile, kind: 'audio' | 'video'): void {
  el.addClass('media-embed', `${kind}-embed`);
  el.createEl(kind, { attr: { src: app.vault.getResourcePath(file), controls: '' } });
}

function embedFile(el: HTMLElement, file: TFile): void {
  el.addClass('file-embed', 'mod-generic');
  const title = el.createDiv('file-embed-title');
  setIcon(title.createSpan('file-embed-icon'), 'file');
  title.appendText(` ${file.name}`);
}

async function embedNote(
  el: HTMLElement,
  file: TFile,
  subpath: string,
  options: RenderOptions,
  renderNote: RenderNote,
): Promise<void> {
  el.addClass('markdown-embed', 'inline-embed');
  const depth = (options.depth ?? 0) + 1;
  if (depth > DEEPEST) {
    el.setText(file.basename);
    return;
  }
  const text = await options.app.vault.cachedRead(file);
  const cache = options.app.metadataCache.getFileCache(file);
  const part = subpath && cache ? resolveSubpath(cache, subpath) : null;
  const shown = part ? text.slice(part.start.offset, part.end?.offset ?? text.length) : text;
  if (!subpath) el.createDiv({ cls: 'embed-title markdown-embed-title', text: file.basename });
  const content = el
    .createDiv('markdown-embed-content')
    .createDiv('markdown-preview-view markdown-rendered node-insert-event');
  const owner = options.component.addChild(new Component());
  await renderNote(shown, content, { ...options, sourcePath: file.path, component: owner, depth });
  const link = el.createDiv({ cls: 'markdown-embed-link', attr: { 'aria-label': 'Open link' } });
  setIcon(link, 'maximize-2');
  link.setAttr('data-href', file.path);
}
