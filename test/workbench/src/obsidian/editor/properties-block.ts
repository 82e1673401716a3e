/** The properties of a note as a table of names and values above its text. */
import type { App } from '../app/app';
import { getFrontMatterInfo, parseYaml } from '../index/yaml';
import { setIcon } from '../controls/icons';

type Kind = 'text' | 'multitext' | 'number' | 'checkbox' | 'date' | 'datetime' | 'tags' | 'aliases';

const ICONS: Record<Kind, string> = {
  text: 'text',
  multitext: 'list',
  number: 'binary',
  checkbox: 'check-square',
  date: 'calendar',
  datetime: 'clock',
  tags: 'tags',
  aliases: 'forward',
};

function findKind(key: string, value: unknown): Kind {
  if (key === 'tags' || key === 'aliases') return key;
  if (Array.isArray(value)) return 'multitext';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'checkbox';
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return 'datetime';
  return 'text';
}

export function renderProperties(app: App, el: HTMLElement, text: string, sourcePath: string): void {
  el.empty();
  const info = getFrontMatterInfo(text);
  el.toggle(info.exists);
  if (!info.exists) return;
  el.addClass('metadata-container');
  const heading = el.createDiv('metadata-properties-heading');
  setIcon(heading.createDiv('collapse-indicator collapse-icon'), 'chevron-down');
  heading.createDiv({ cls: 'metadata-properties-title', text: 'Properties' });
  const content = el.createDiv('metadata-content');
  heading.addEventListener('click', () => el.toggleClass('is-collapsed', !el.hasClass('is-collapsed')));
  let values: unknown;
  try {
    values = parseYaml(info.frontmatter);
  } catch {
    values = undefined;
  }
  if (values === undefined || (values !== null && (typeof values !== 'object' || Array.isArray(values)))) {
    content.createDiv({ cls: 'metadata-error', text: 'Invalid properties' });
    return;
  }
  const list = content.createDiv('metadata-properties');
  for (const [key, value] of Object.entries((values ?? {}) as Record<string, unknown>)) {
    renderRow(app, list, key, value, sourcePath);
  }
}

function renderRow(app: App, list: HTMLElement, key: string, value: unknown, sourcePath: string): void {
  const kind = findKind(key, value);
  const row = list.createDiv({
    cls: 'metadata-property',
    attr: { 'data-property-key': key, 'data-property-type': kind },
  });
  const keyEl = row.createDiv('metadata-property-key');
  setIcon(keyEl.createSpan('metadata-property-icon'), ICONS[kind]);
  keyEl.createDiv({ cls: 'metadata-property-key-input', text: key });
  const valueEl = row.createDiv('metadata-property-value');
  if (kind === 'tags' || kind === 'aliases' || kind === 'multitext') {
    const pills = valueEl.createDiv('multi-select-container');
    for (const item of ([] as unknown[]).concat(value ?? [])) {
      const text = String(item);
      const pill = pills.createDiv(kind === 'tags' ? 'multi-select-pill mod-tag' : 'multi-select-pill');
      renderText(app, pill.createDiv('multi-select-pill-content'), text, sourcePath);
    }
  } else if (kind === 'checkbox') {
    const input = valueEl.createEl('input', { cls: 'metadata-input-checkbox', type: 'checkbox' });
    input.checked = value === true;
    const file = app.vault.getFileByPath(sourcePath);
    input.addEventListener('click', () => {
      if (!file) return;
      void app.fileManager.processFrontMatter(file, (frontmatter: Record<string, unknown>) => {
        frontmatter[key] = input.checked;
      });
    });
  } else {
    const shown =
      value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
    const text = valueEl.createDiv('metadata-input-longtext');
    if (shown === '') text.createSpan({ cls: 'metadata-empty', text: kind === 'text' ? 'Empty' : '' });
    else renderText(app, text, shown, sourcePath);
  }
}

function renderText(app: App, el: HTMLElement, text: string, sourcePath: string): void {
  const link = /^\[\[([^\]|]+)(?:\|([^\]]*))?\]\]$/.exec(text);
  if (!link) {
    el.setText(text);
    return;
  }
  const target = (link[1] ?? '').trim();
  const a = el.createEl('a', {
    cls: 'internal-link',
    text: link[2] ?? target,
    attr: { 'data-href': target, href: target },
  });
  const path = target.split('#')[0] ?? '';
  if (!app.metadataCache.getFirstLinkpathDest(path, sourcePath)) a.addClass('is-unresolved');
}
