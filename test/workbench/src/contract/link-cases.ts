/** Cases about link texts, properties and the pure functions of the API. */
import { createIndexed, outcome, until, type ContractCase } from './contract-case';

export const linkCases: ContractCase[] = [
  {
    name: 'fileToLinktext is the name when it is unique',
    async run({ app: { vault, metadataCache }, folder }) {
      await vault.createFolder(`${folder}/a`);
      const one = await vault.create(`${folder}/contract only.md`, '');
      const twice = await vault.create(`${folder}/contract same.md`, '');
      await vault.create(`${folder}/a/contract same.md`, '');
      const picture = await vault.create(`${folder}/contract.png`, '');
      return [one, twice, picture].flatMap((file) =>
        [true, false].map((omit) => metadataCache.fileToLinktext(file, '', omit).replace(folder, '<folder>')),
      );
    },
  },
  {
    name: 'generateMarkdownLink by the preferences of the vault',
    async run({ app: { vault, fileManager }, folder }) {
      const note = await vault.create(`${folder}/contract note.md`, '');
      const picture = await vault.create(`${folder}/contract (1).png`, '');
      const source = `${folder}/source.md`;
      return [
        fileManager.generateMarkdownLink(note, source),
        fileManager.generateMarkdownLink(note, source, '#Part'),
        fileManager.generateMarkdownLink(note, source, '#Part', 'shown'),
        fileManager.generateMarkdownLink(note, note.path, '#Part'),
        fileManager.generateMarkdownLink(picture, source),
      ].map((link) => link.replace(folder, '<folder>'));
    },
  },
  {
    name: 'renameFile rewrites every kind of link',
    variedBy: 'linkUpdate',
    async run(context) {
      const { vault, metadataCache, fileManager } = context.app;
      const { folder } = context;
      const target = await vault.create(`${folder}/contract old.md`, '# Part');
      const text = [
        '---',
        'up: "[[contract old#Part|top]]"',
        '---',
        '[[contract old]] [[Contract Old|alias]] ![[contract old#Part]] [text](contract%20old.md#Part)',
        '`[[contract old]]` [[contract older]]',
      ].join('\n');
      const source = await createIndexed(context, 'source.md', text);
      await until(() => metadataCache.resolvedLinks[source.path]?.[target.path] !== undefined);
      await fileManager.renameFile(target, `${folder}/contract new.md`);
      await until(async () => (await vault.read(source)) !== text);
      return (await vault.read(source)).split('\n');
    },
  },
  {
    name: 'processFrontMatter changes properties only',
    async run({ app: { vault, fileManager }, folder }) {
      const file = await vault.create(`${folder}/n.md`, '---\na: 1\n# remark\nempty:\nday: 2024-01-02\n---\nBody\n');
      await fileManager.processFrontMatter(file, (values: Record<string, unknown>) => {
        values.a = [1, 'two: x', '[[L]]'];
        values.long = 'word '.repeat(30).trim();
        values.yes = true;
      });
      return (await vault.read(file)).split('\n');
    },
  },
  {
    name: 'processFrontMatter makes and removes the block',
    async run({ app: { vault, fileManager }, folder }) {
      const file = await vault.create(`${folder}/n.md`, 'Body');
      await fileManager.processFrontMatter(file, (values: Record<string, unknown>) => void (values.a = 1));
      const made = await vault.read(file);
      await fileManager.processFrontMatter(file, (values: Record<string, unknown>) => void delete values.a);
      return { made, removed: await vault.read(file) };
    },
  },
  {
    name: 'processFrontMatter on broken YAML and with a throwing callback',
    async run({ app: { vault, fileManager }, folder }) {
      const broken = await vault.create(`${folder}/b.md`, '---\na: [\n---\n');
      const name = await fileManager
        .processFrontMatter(broken, () => {})
        .then(
          () => 'done',
          (error: Error) => error.name,
        );
      const file = await vault.create(`${folder}/n.md`, '---\na: 1\n---\n');
      const thrown = fileManager.processFrontMatter(file, () => {
        throw new Error('stopped');
      });
      return { name, thrown: await outcome(thrown, folder), text: await vault.read(file) };
    },
  },
  {
    name: 'getFrontMatterInfo',
    async run({ obsidian }) {
      const texts = [
        '---\na: 1\n---\nBody',
        '---\r\na: 1\r\n---\r\nx',
        '---\n---\nx',
        '---\na: 1',
        '\n---\na: 1\n---',
        '---\na: 1\n---',
      ];
      return texts.map((text) => obsidian.getFrontMatterInfo(text));
    },
  },
  {
    name: 'YAML in and out',
    async run({ obsidian }) {
      const value = {
        a: null,
        b: [1, 'x: y'],
        c: { d: 'two\nlines' },
        e: '',
        f: 'yes',
        g: '2024-01-01',
        h: '[[L]]',
        i: 'a #b',
      };
      return {
        out: obsidian.stringifyYaml(value).split('\n'),
        in: obsidian.parseYaml('a: [[x]]\nb: 2024-01-01\nc: yes\nd: 012\ne: ~\nf: "q"\ng: 1_000') as unknown,
      };
    },
  },
  {
    name: 'normalizePath',
    async run({ obsidian }) {
      const paths = ['/a//b\\c/', '', '/', 'a\u00a0b', 'cafe\u0301', './a/../b', ' a ', 'a/ b'];
      return paths.map((path) => obsidian.normalizePath(path));
    },
  },
  {
    name: 'headings prepared for comparison and for links',
    async run({ obsidian }) {
      const headings = ['A: *b*  [[c]] #d', 'x | y ^z %%w%%', 'Ünï-cödé (1) / 2'];
      return headings.map((heading) => [obsidian.stripHeading(heading), obsidian.stripHeadingForLink(heading)]);
    },
  },
  {
    name: 'parseLinktext',
    async run({ obsidian }) {
      return ['a', 'a#b#c', '#x', 'a/b.md#^id', 'cafe\u0301#x'].map((text) => obsidian.parseLinktext(text));
    },
  },
  {
    name: 'the preferences file is readable and names the excluded files',
    async run({ app: { vault } }) {
      const path = `${vault.configDir}/app.json`;
      if (!(await vault.adapter.exists(path))) return 'no preferences file';
      const values = JSON.parse(await vault.adapter.read(path)) as { userIgnoreFilters?: unknown };
      return Array.isArray(values.userIgnoreFilters) ? 'a list' : typeof values.userIgnoreFilters;
    },
  },
];
