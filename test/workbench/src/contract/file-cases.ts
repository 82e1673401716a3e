/** Cases about making, changing and reading files. */
import { outcome, type ContractCase } from './contract-case';

export const fileCases: ContractCase[] = [
  {
    name: 'create returns the file with its names and size',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/A note.one.MD`, 'four');
      const { name, basename, extension, stat, parent } = file;
      return { name, basename, extension, size: stat.size, inFolder: parent?.path === folder };
    },
  },
  {
    name: 'create refuses a path that exists',
    async run({ app, folder }) {
      await app.vault.create(`${folder}/n.md`, 'first');
      const second = await outcome(app.vault.create(`${folder}/n.md`, 'second'), folder);
      return { second, text: await app.vault.adapter.read(`${folder}/n.md`) };
    },
  },
  {
    name: 'two creates of one path at once',
    async run({ app, folder }) {
      const both = [1, 2].map((number) => outcome(app.vault.create(`${folder}/n.md`, String(number)), folder));
      return { outcomes: await Promise.all(both), text: await app.vault.adapter.read(`${folder}/n.md`) };
    },
  },
  {
    name: 'create in a missing folder',
    run: ({ app, folder }) => outcome(app.vault.create(`${folder}/none/n.md`, ''), folder),
  },
  {
    name: 'create cleans slashes',
    async run({ app, folder }) {
      const file = await app.vault.create(`/${folder}//n.md`, '');
      return { clean: file.path === `${folder}/n.md` };
    },
  },
  {
    name: 'createFolder makes parents and refuses what exists',
    async run({ app, folder }) {
      const made = await app.vault.createFolder(`${folder}/a/b`);
      const again = await outcome(app.vault.createFolder(`${folder}/a/b`), folder);
      return { name: made.name, parent: app.vault.getFolderByPath(`${folder}/a`) !== null, again };
    },
  },
  {
    name: 'modify changes size and time',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, 'x', { mtime: 1_600_000_000_000 });
      const before = file.stat.mtime;
      await app.vault.modify(file, 'longer');
      return { size: file.stat.size, later: file.stat.mtime > before };
    },
  },
  {
    name: 'modify, append and process on a deleted file',
    async run({ app: { vault }, folder }) {
      const file = await vault.create(`${folder}/n.md`, '');
      await vault.delete(file);
      return {
        modify: await outcome(vault.modify(file, 'x'), folder),
        append: await outcome(vault.append(file, 'x'), folder),
        process: await outcome(
          vault.process(file, () => 'x'),
          folder,
        ),
      };
    },
  },
  {
    name: 'process is serial and returns the text',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, '');
      const texts = await Promise.all(['a', 'b', 'c'].map((text) => app.vault.process(file, (old) => old + text)));
      return { texts, disk: await app.vault.read(file) };
    },
  },
  {
    name: 'process with a throwing callback',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, 'kept');
      const failing = app.vault.process(file, () => {
        throw new Error('stopped');
      });
      return { outcome: await outcome(failing, folder), text: await app.vault.read(file) };
    },
  },
  {
    name: 'process that returns the same text',
    variedBy: 'skipsUnchangedWrites',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, 'same', { mtime: 1_600_000_000_000 });
      await app.vault.process(file, (text) => text);
      return { touched: file.stat.mtime !== 1_600_000_000_000 };
    },
  },
  {
    name: 'append adds no line break of its own',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, 'a');
      await app.vault.append(file, 'b\n');
      return app.vault.read(file);
    },
  },
  {
    name: 'bytes round-trip',
    async run({ app, folder }) {
      const file = await app.vault.createBinary(`${folder}/b.bin`, new Uint8Array([0, 255, 10]).buffer);
      await app.vault.modifyBinary(file, new Uint8Array([128, 0]).buffer);
      await app.vault.appendBinary(file, new Uint8Array([7]).buffer);
      return [...new Uint8Array(await app.vault.readBinary(file))];
    },
  },
  {
    name: 'a byte order mark and line ends stay',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, '\uFEFFa\r\nb');
      return { text: await app.vault.read(file), size: file.stat.size };
    },
  },
  {
    name: 'write options set the time of change',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, '', { mtime: 1_600_000_000_000 });
      return file.stat.mtime;
    },
  },
  {
    name: 'names with emoji, right-to-left letters and signs round-trip',
    async run({ app, folder }) {
      const names = ['😀 é.md', 'שלום.md', 'C++ & x.md', "it's 100%.md", 'a+b=c;d,e.md'];
      const seen: boolean[] = [];
      for (const name of names) {
        const file = await app.vault.create(`${folder}/${name}`, name);
        seen.push(file.name === name && (await app.vault.read(file)) === name);
      }
      const listed = await app.vault.adapter.list(folder);
      return { seen, listed: names.filter((name) => !listed.files.includes(`${folder}/${name}`)) };
    },
  },
  {
    name: 'a decomposed path is composed',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/cafe\u0301.md`, 'x');
      return { composed: file.name === 'caf\u00e9.md', text: await app.vault.read(file) };
    },
  },
  {
    name: 'read asks the disk after an adapter write, and so does cachedRead',
    async run({ app, folder }) {
      const file = await app.vault.create(`${folder}/n.md`, 'one');
      await app.vault.cachedRead(file);
      await app.vault.adapter.write(file.path, 'second');
      return { read: await app.vault.read(file), cached: await app.vault.cachedRead(file) };
    },
  },
  {
    name: 'hidden files are for the adapter only',
    async run({ app, folder }) {
      const made = await outcome(app.vault.create(`${folder}/.hidden.md`, 'x'), folder);
      await app.vault.adapter.mkdir(`${folder}/.dot/deep`);
      await app.vault.adapter.write(`${folder}/.dot/deep/x.md`, 'y');
      return {
        made,
        onDisk: await app.vault.adapter.exists(`${folder}/.hidden.md`),
        inTree: app.vault.getAbstractFileByPath(`${folder}/.hidden.md`) !== null,
        deepInTree: app.vault.getAbstractFileByPath(`${folder}/.dot/deep/x.md`) !== null,
        listed: (await app.vault.adapter.list(folder)).folders.map((path) => path.slice(folder.length)),
      };
    },
  },
  {
    name: 'paths are looked up exactly',
    async run({ app, folder }) {
      await app.vault.create(`${folder}/Note.md`, '');
      return {
        exact: app.vault.getFileByPath(`${folder}/Note.md`) !== null,
        otherCase: app.vault.getFileByPath(`${folder}/note.md`) !== null,
        leadingSlash: app.vault.getFileByPath(`/${folder}/Note.md`) !== null,
        folderAsFile: app.vault.getFileByPath(folder) !== null,
        root: app.vault.getAbstractFileByPath('/')?.path ?? null,
        rootName: app.vault.getRoot().name,
        rootIsRoot: app.vault.getRoot().isRoot(),
      };
    },
  },
  {
    name: 'what the adapter says of missing things',
    async run({ app: { vault }, folder }) {
      return {
        stat: await vault.adapter.stat(`${folder}/none`),
        exists: await vault.adapter.exists(`${folder}/none`),
        read: await outcome(vault.adapter.read(`${folder}/none`), folder),
        list: await outcome(vault.adapter.list(`${folder}/none`), folder),
        remove: await outcome(vault.adapter.remove(`${folder}/none`), folder),
        write: await outcome(vault.adapter.write(`${folder}/none/x`, ''), folder),
        mkdirTwice: await outcome(
          vault.adapter.mkdir(`${folder}/made`).then(() => vault.adapter.mkdir(`${folder}/made`)),
          folder,
        ),
      };
    },
  },
];
