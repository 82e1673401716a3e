/** Trials of vault, index, links and properties. Each takes what it needs and answers with what it saw. */
import {
  type CachedMetadata,
  getAllTags,
  getLinkpath,
  iterateCacheRefs,
  normalizePath,
  parseLinktext,
  parseYaml,
  resolveSubpath,
  stringifyYaml,
  TFile,
  TFolder,
  Vault,
} from 'obsidian';
import type ProbePlugin from './main';
import type { Trials } from './main';

export function createVaultTrials(plugin: ProbePlugin): Trials {
  const untilIndexed = async (file: TFile, isDone: (cache: CachedMetadata) => boolean): Promise<CachedMetadata> => {
    const { metadataCache } = plugin.app;
    for (let tries = 0; tries < 500; tries++) {
      const cache = metadataCache.getFileCache(file);
      if (cache && isDone(cache) && metadataCache.resolvedLinks[file.path]) return cache;
      await sleep(10);
    }
    throw new Error(`${file.path} was not indexed`);
  };

  return {
    async makeFiles() {
      const { vault } = plugin.app;
      const folder = await vault.createFolder('Lab/Deep');
      const note = await vault.create('Lab/Deep/One.md', 'first\n');
      await vault.append(note, 'second\n');
      const processed = await vault.process(note, (text) => text.replace('first', 'FIRST'));
      const binary = await vault.createBinary('Lab/bytes.bin', new Uint8Array([1, 2, 255]).buffer);
      await vault.appendBinary(binary, new Uint8Array([7]).buffer);
      const bytes = [...new Uint8Array(await vault.readBinary(binary))];
      const copy = await vault.copy(note, 'Lab/Copy.md');
      await vault.modify(copy, 'copied');
      await vault.rename(copy, 'Lab/Renamed.md');
      return {
        processed,
        bytes,
        folder: folder instanceof TFolder && folder.children.map((child) => child.name),
        resource: /^(?:https?|app|blob|data):/.test(vault.getResourcePath(note)),
        same: vault.getAbstractFileByPath('Lab/Renamed.md') === copy && copy instanceof TFile,
        cached: await vault.cachedRead(copy),
      };
    },

    async removeFiles() {
      const { vault, fileManager } = plugin.app;
      await vault.delete(plugin.expectFile('Lab/bytes.bin'));
      await vault.trash(plugin.expectFile('Lab/Renamed.md'), false);
      await fileManager.trashFile(plugin.expectFile('Lab/Deep/One.md'));
      const left: string[] = [];
      Vault.recurseChildren(vault.getFolderByPath('Lab')!, (file) => void left.push(file.path));
      return left;
    },

    async useAdapter() {
      const { adapter, configDir } = plugin.app.vault;
      const path = normalizePath(`${configDir}/plugins/probe//store/log.txt`);
      await adapter.mkdir(path.split('/').slice(0, -1).join('/'));
      await adapter.write(path, 'a\n');
      await adapter.append(path, 'b\n');
      await adapter.process(path, (text) => `${text}c\n`);
      const { files } = await adapter.list(path.split('/').slice(0, -1).join('/'));
      return {
        text: await adapter.read(path),
        files,
        size: (await adapter.stat(path))?.size,
        type: (await adapter.stat(path))?.type,
      };
    },

    async useIndex() {
      const { vault, metadataCache } = plugin.app;
      const text = '---\ntitle: T\ntags: [a]\n---\n# Head\n\nto [[Links]] and #b ^id\n\n- [ ] task\n';
      const file = await vault.create('Index.md', text);
      const cache = await untilIndexed(file, (seen) => seen.headings?.length === 1);
      const links: string[] = [];
      iterateCacheRefs(cache, (reference) => void links.push(getLinkpath(reference.link)));
      const block = resolveSubpath(cache, parseLinktext('Index#^id').subpath);
      return {
        tags: getAllTags(cache),
        links,
        block: block?.type,
        task: cache.listItems?.[0]?.task,
        sections: cache.sections?.map((section) => section.type),
        target: metadataCache.getFirstLinkpathDest('Links', file.path)?.path,
        linktext: metadataCache.fileToLinktext(file, ''),
        resolved: metadataCache.resolvedLinks[file.path],
      };
    },

    async renameWithLinks() {
      const { vault, fileManager, metadataCache } = plugin.app;
      const target = await vault.create('Old name.md', '# Part');
      const source = await vault.create('Source.md', '[[Old name#Part|shown]] and [[Old name]]');
      await untilIndexed(source, () => metadataCache.resolvedLinks['Source.md']?.[target.path] !== undefined);
      await fileManager.renameFile(target, 'New name.md');
      return vault.read(source);
    },

    async changeProperties() {
      const { vault, fileManager } = plugin.app;
      const file = await vault.create('Properties.md', '---\nkept: 1\n---\nBody\n');
      await fileManager.processFrontMatter(file, (properties: Record<string, unknown>) => {
        properties['added'] = ['x', '[[Links]]'];
        delete properties['none'];
      });
      return vault.read(file);
    },

    async makeLinks() {
      const { fileManager } = plugin.app;
      const note = plugin.expectFile('Links.md');
      return {
        link: fileManager.generateMarkdownLink(note, 'Index.md', '#Head', 'shown'),
        attachment: await fileManager.getAvailablePathForAttachment('picture.png', 'Index.md'),
        parent: fileManager.getNewFileParent('Index.md').path,
      };
    },

    async useProperties() {
      return { yaml: stringifyYaml(parseYaml('a: [1, two]')), path: normalizePath('/a//b/') };
    },
  };
}
