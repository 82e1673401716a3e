/** Cases about what the index holds, when, and which links lead where. */
import type { CachedMetadata, TFile } from 'obsidian';
import { createIndexed, until, type ContractCase, type ContractContext } from './contract-case';
import { CONTRACT_NOTE } from './contract-note';

/** Everything that the index says of a text, positions as `line:column-line:column`. */
async function readIndexed(context: ContractContext, text: string): Promise<unknown> {
  const file = await createIndexed(context, 'n.md', text);
  const cache = context.app.metadataCache.getFileCache(file);
  return JSON.parse(
    JSON.stringify(cache, (key, value: unknown) => {
      if (key !== 'position' && key !== 'frontmatterPosition') return value;
      const { start, end } = value as NonNullable<CachedMetadata['frontmatterPosition']>;
      return `${start.line}:${start.col}-${end.line}:${end.col}`;
    }),
  );
}

const withoutFolder = (links: Record<string, number> | undefined, folder: string): Record<string, number> =>
  Object.fromEntries(Object.entries(links ?? {}).map(([path, count]) => [path.replace(`${folder}/`, ''), count]));

export const indexCases: ContractCase[] = [
  {
    name: 'a new note is not in the index at once',
    async run({ app: { vault, metadataCache }, folder }) {
      const file = await vault.create(`${folder}/n.md`, '# H');
      const atOnce = metadataCache.getFileCache(file) !== null;
      const later = await until(() => metadataCache.getFileCache(file)?.headings?.length === 1);
      return { atOnce, later };
    },
  },
  {
    name: 'the old metadata stays until the change is indexed',
    async run(context) {
      const { vault, metadataCache } = context.app;
      const file = await createIndexed(context, 'n.md', '# Old');
      await vault.modify(file, '# New');
      const atOnce = metadataCache.getFileCache(file)?.headings?.[0]?.heading ?? null;
      const later = await until(() => metadataCache.getFileCache(file)?.headings?.[0]?.heading === 'New');
      return { atOnce, later };
    },
  },
  {
    name: 'changed, resolve and resolved come in this order',
    async run({ app: { vault, metadataCache }, folder }) {
      const events: string[] = [];
      const own = (file: TFile, name: string, more = ''): void => {
        if (file.path === `${folder}/n.md`) events.push(name + more);
      };
      const refs = [
        metadataCache.on('changed', (file, text, cache) =>
          own(file, 'changed', ` ${text.length} ${cache.links?.length}`),
        ),
        metadataCache.on('resolve', (file) => own(file, 'resolve')),
        metadataCache.on('resolved', () => void (events.includes('resolve') && events.push('resolved'))),
      ];
      await vault.create(`${folder}/n.md`, '[[x]]');
      await until(() => events.includes('resolved'));
      for (const ref of refs) metadataCache.offref(ref);
      return events.slice(0, 3);
    },
  },
  {
    name: 'deleted brings the last metadata',
    async run(context) {
      const { vault, metadataCache } = context.app;
      const file = await createIndexed(context, 'n.md', '# Last');
      let seen: string | null = null;
      const ref = metadataCache.on('deleted', (deleted, previous) => {
        if (deleted === file) seen = previous?.headings?.[0]?.heading ?? 'none';
      });
      await vault.delete(file);
      await until(() => seen !== null);
      metadataCache.offref(ref);
      return { seen, after: metadataCache.getFileCache(file) };
    },
  },
  {
    name: 'rename keeps the metadata and fires no changed',
    async run(context) {
      const { vault, metadataCache } = context.app;
      const file = await createIndexed(context, 'n.md', '# H');
      let changed = 0;
      const ref = metadataCache.on('changed', (other) => void (other === file && changed++));
      await vault.rename(file, `${context.folder}/m.md`);
      const found = await until(() => metadataCache.getCache(`${context.folder}/m.md`) !== null);
      metadataCache.offref(ref);
      return { found, changed, old: metadataCache.getCache(`${context.folder}/n.md`) };
    },
  },
  {
    name: 'links become resolved when their target appears and unresolved when it goes',
    async run(context) {
      const { vault, metadataCache } = context.app;
      const { folder } = context;
      const source = await createIndexed(context, 'source.md', '[[contract target]] [[contract target#H]]');
      const links = (): unknown => ({
        resolved: withoutFolder(metadataCache.resolvedLinks[source.path], folder),
        unresolved: withoutFolder(metadataCache.unresolvedLinks[source.path], folder),
      });
      const seen = [links()];
      const target = await vault.create(`${folder}/contract target.md`, '');
      await until(() => Object.keys(metadataCache.resolvedLinks[source.path] ?? {}).length > 0);
      seen.push(links());
      await vault.delete(target);
      await until(() => Object.keys(metadataCache.unresolvedLinks[source.path] ?? {}).length > 0);
      return [...seen, links()];
    },
  },
  { name: 'the index of a note with everything', run: (context) => readIndexed(context, CONTRACT_NOTE) },
  {
    name: 'what hides links, tags and headings',
    async run(context) {
      const texts = [
        '`[[a]] #t`',
        '```\n[[a]] #t\n# H\n```',
        '    [[a]] #t',
        '$[[a]] #t$',
        '$$\n[[a]] #t\n$$',
        '%% [[a]] #t %%',
        '<!-- [[a]] #t -->',
        '\\[[a]] \\#t',
        '> [[a]] #t\n> # H',
        '- [[a]] #t\n- # H',
        '<div>[[a]] #t</div>',
        'x#t (#t #1 #1a',
      ];
      const seen: Record<string, string[]> = {};
      for (const [index, text] of texts.entries()) {
        const file = await createIndexed(context, `${index}.md`, text);
        const { links, tags, headings } = context.app.metadataCache.getFileCache(file) ?? {};
        seen[text] = [links && 'links', tags && `tags ${tags.length}`, headings && 'headings'].filter(
          (kind) => kind !== undefined,
        );
      }
      return seen;
    },
  },
  {
    name: 'broken frontmatter',
    run: (context) => readIndexed(context, '---\na: [\n---\n# H'),
  },
  {
    name: 'the best file for a link path',
    async run(context) {
      const { vault, metadataCache } = context.app;
      const { folder } = context;
      for (const path of ['a', 'b', 'b/deep']) await vault.createFolder(`${folder}/${path}`);
      const paths = [
        'contract one.md',
        'a/contract twice.md',
        'b/deep/contract twice.md',
        'a/contract.v1.md',
        'a/contract.png',
      ];
      for (const path of [...paths, 'b/source.md']) await vault.create(`${folder}/${path}`, '');
      const links = [
        'contract one',
        'CONTRACT ONE',
        'contract one.md',
        'contract twice',
        'a/contract twice',
        '../contract one',
        './deep/contract twice',
        '/contract one',
        `/${folder}/contract one`,
        'contract.v1',
        'contract.png',
        'contract',
        '',
      ];
      const find = (link: string): string | null =>
        metadataCache.getFirstLinkpathDest(link, `${folder}/b/source.md`)?.path.slice(folder.length + 1) ?? null;
      return Object.fromEntries(links.map((link) => [link.replace(folder, '<folder>'), find(link)]));
    },
  },
  {
    name: 'resolveSubpath finds headings, blocks and footnotes',
    async run(context) {
      const file = await createIndexed(context, 'n.md', '# A\n## Same: x\n# B\n## Same: x\ntext ^Id\n\n[^n]: foot');
      const cache = context.app.metadataCache.getFileCache(file)!;
      return ['#Same x', '#B#Same: x', '#^id', '#^Id', '#[^n]', '#none', '#A#none'].map((subpath) => {
        const found = context.obsidian.resolveSubpath(cache, subpath);
        return [subpath, found && `${found.type} ${found.start.line}-${found.end?.line ?? 'end'}`];
      });
    },
  },
  {
    name: 'getAllTags joins properties and text',
    async run(context) {
      const file = await createIndexed(context, 'n.md', '---\ntags: [a, "#b", c d]\ntag: e\n---\n#f #f #F');
      return context.obsidian.getAllTags(context.app.metadataCache.getFileCache(file)!);
    },
  },
];
