/** File operations that follow the user's preferences: links, trash, new files, attachments, properties. */
import type { DataWriteOptions } from 'obsidian';
import { normalizePath } from '../base/text';
import { TFile, TFolder, type TAbstractFile } from './files';
import { getParentPath, ROOT } from './file-tree';
import { toRelativePath } from '../index/link-resolution';
import {
  collectLinkTargets,
  encodeLink,
  findBrokenLinks,
  rewriteCanvasLinks,
  rewriteLinks,
  type LinkTargets,
} from '../index/link-rewriting';
import type { MetadataCache } from '../index/metadata-cache';
import type { Vault } from './vault';
import { getFrontMatterInfo, parseYaml, stringifyYaml } from '../index/yaml';

/** The members of App that are used here. */
export interface FileManagerHost {
  vault: Vault;
  metadataCache: MetadataCache;
  workspace?: { getActiveFile(): unknown };
}

export class FileManager {
  /** Asked before links are rewritten when the preference is to ask; a page may put a dialog here. */
  confirmLinkUpdate: (links: number, files: number) => Promise<boolean> = async () => true;
  /** Asked by `promptForDeletion`. */
  confirmDeletion: (file: TAbstractFile) => Promise<boolean> = async () => true;

  constructor(private app: FileManagerHost) {}

  getNewFileParent(sourcePath: string, _newFilePath?: string): TFolder {
    const { vault } = this.app;
    const location = vault.getConfig('newFileLocation');
    const path =
      location === 'current'
        ? getParentPath(sourcePath)
        : location === 'folder'
          ? normalizePath(vault.getConfig('newFileFolderPath'))
          : ROOT;
    return vault.getFolderByPath(path) ?? vault.getRoot();
  }

  /** Resolves after the links are rewritten, unless chaos makes them late. */
  async renameFile(file: TAbstractFile, newPath: string): Promise<void> {
    const { vault, metadataCache } = this.app;
    const targets = collectLinkTargets(vault, metadataCache, file);
    await vault.rename(file, newPath);
    const broken = findBrokenLinks(metadataCache, targets);
    const delay = vault.chaos.linkUpdate();
    if (broken.size === 0 || delay === 'never' || !(await this.mayUpdateLinks(broken))) return;
    if (delay === 0) return this.updateLinks(broken);
    setTimeout(() => void this.updateLinks(broken).catch((error) => console.error(error)), delay);
  }

  /** A confirmed deletion is carried out. */
  async promptForDeletion(file: TAbstractFile): Promise<boolean> {
    if (!(await this.confirmDeletion(file))) return false;
    await this.trashFile(file);
    return true;
  }

  async trashFile(file: TAbstractFile): Promise<void> {
    const { vault } = this.app;
    const option = vault.chaos.permanentTrash ? 'none' : vault.getConfig('trashOption');
    if (option === 'none') await vault.delete(file, true);
    else await vault.trash(file, option === 'system');
  }

  generateMarkdownLink(file: TFile, sourcePath: string, subpath = '', alias = ''): string {
    const self = file.path === sourcePath && subpath !== '';
    if (!this.app.vault.getConfig('useMarkdownLinks')) {
      const path = self ? '' : this.toLinkPath(file, sourcePath).replace(/\.md$/i, '');
      return `[[${path}${subpath}${alias ? `|${alias}` : ''}]]`;
    }
    const path = self ? '' : this.toLinkPath(file, sourcePath);
    const shown = alias || (self ? subpath.replace(/^#\^?/, '') : file.extension === 'md' ? file.basename : file.name);
    return `[${shown}](${encodeLink(path + subpath)})`;
  }

  async processFrontMatter(file: TFile, fn: (frontmatter: any) => void, options?: DataWriteOptions): Promise<void> {
    await this.app.vault.process(
      file,
      (text) => {
        const info = getFrontMatterInfo(text);
        const parsed: unknown = info.exists ? parseYaml(info.frontmatter) : null;
        const values = parsed && typeof parsed === 'object' && !Array.isArray(parsed) ? parsed : {};
        fn(values);
        const body = info.exists ? text.slice(info.contentStart) : text;
        return Object.keys(values).length ? `---\n${stringifyYaml(values)}---\n${body}` : body;
      },
      options,
    );
  }

  async getAvailablePathForAttachment(filename: string, sourcePath?: string): Promise<string> {
    const { vault } = this.app;
    const active = this.app.workspace?.getActiveFile() as { path: string } | null | undefined;
    const home = getParentPath(sourcePath ?? active?.path ?? '');
    const setting = vault.getConfig('attachmentFolderPath');
    const folder = normalizePath(setting.startsWith('./') ? `${home}/${setting.slice(2)}` : setting);
    if (!(await vault.adapter.exists(folder))) await vault.createFolder(folder);
    const slash = folder === ROOT ? '' : `${folder}/`;
    const dot = filename.lastIndexOf('.') > 0 ? filename.lastIndexOf('.') : filename.length;
    let path = normalizePath(slash + filename);
    for (let number = 1; await vault.adapter.exists(path); number++) {
      path = normalizePath(`${slash}${filename.slice(0, dot)} ${number}${filename.slice(dot)}`);
    }
    return path;
  }

  private async mayUpdateLinks(broken: LinkTargets): Promise<boolean> {
    const { vault } = this.app;
    if (vault.getConfig('alwaysUpdateLinks')) return true;
    if (vault.getConfig('neverUpdateLinks')) return false;
    const links = [...broken.values()].reduce((count, lost) => count + lost.size, 0);
    return this.confirmLinkUpdate(links, broken.size);
  }

  private async updateLinks(broken: LinkTargets): Promise<void> {
    for (const [source, lost] of broken) {
      if (source.deleted) continue;
      const rewrite = source.extension === 'canvas' ? rewriteCanvasLinks : rewriteLinks;
      await this.app.vault.process(source, (text) =>
        rewrite(text, lost, (target) => this.toLinkPath(target, source.path)),
      );
    }
  }

  /** With the extension, in the form the user prefers. */
  private toLinkPath(file: TFile, sourcePath: string): string {
    const format = this.app.vault.getConfig('newLinkFormat');
    if (format === 'absolute') return file.path;
    if (format === 'relative') return toRelativePath(sourcePath, file.path);
    return this.app.metadataCache.fileToLinktext(file, sourcePath, false);
  }
}
