/** Cases about moving, copying and removing, and about the events of every change. */
import { outcome, pause, recordEvents, until, type ContractCase } from './contract-case';

export const structureCases: ContractCase[] = [
  {
    name: 'rename keeps the object and moves the path',
    async run({ app: { vault }, folder }) {
      const file = await vault.create(`${folder}/a.md`, 'x');
      await vault.rename(file, `${folder}/b.txt`);
      return {
        same: vault.getFileByPath(`${folder}/b.txt`) === file,
        old: vault.getFileByPath(`${folder}/a.md`),
        names: [file.name, file.basename, file.extension],
        text: await vault.read(file),
      };
    },
  },
  {
    name: 'rename onto a file, and into a missing folder',
    async run({ app: { vault }, folder }) {
      const file = await vault.create(`${folder}/a.md`, 'a');
      await vault.create(`${folder}/b.md`, 'b');
      return {
        onto: await outcome(vault.rename(file, `${folder}/b.md`), folder),
        into: await outcome(vault.rename(file, `${folder}/none/a.md`), folder),
        text: await vault.adapter.read(`${folder}/b.md`),
      };
    },
  },
  {
    name: 'rename that changes letter case only',
    async run({ app: { vault }, folder }) {
      const file = await vault.create(`${folder}/note.md`, 'x');
      const done = await outcome(vault.rename(file, `${folder}/Note.md`), folder);
      return {
        done,
        name: file.name,
        listed: (await vault.adapter.list(folder)).files.map((path) => path.split('/').pop()),
      };
    },
  },
  {
    name: 'rename of a folder moves all below it',
    variedBy: 'eventDelay, reversesFolderEvents',
    async run(context) {
      const { vault } = context.app;
      const { folder } = context;
      await vault.createFolder(`${folder}/a/b`);
      const file = await vault.create(`${folder}/a/b/n.md`, 'x');
      const { events, stop } = recordEvents(context);
      await vault.rename(vault.getFolderByPath(`${folder}/a`)!, `${folder}/z`);
      await until(() => events.length >= 3, 1000);
      stop();
      return { path: file.path.slice(folder.length), text: await vault.read(file), events };
    },
  },
  {
    name: 'copy of a file and of a folder',
    async run({ app: { vault }, folder }) {
      await vault.createFolder(`${folder}/a`);
      const file = await vault.create(`${folder}/a/n.md`, 'x');
      const copy = await vault.copy(file, `${folder}/copy.md`);
      const again = await outcome(vault.copy(file, `${folder}/copy.md`), folder);
      await vault.copy(vault.getFolderByPath(`${folder}/a`)!, `${folder}/c`);
      const found = await until(() => vault.getFileByPath(`${folder}/c/n.md`) !== null);
      return { name: copy.name, other: copy !== file, again, found };
    },
  },
  {
    name: 'delete takes the file out of tree and disk',
    async run({ app: { vault }, folder }) {
      const file = await vault.create(`${folder}/n.md`, '');
      await vault.delete(file);
      return {
        tree: vault.getFileByPath(`${folder}/n.md`),
        disk: await vault.adapter.exists(`${folder}/n.md`),
        path: file.path.slice(folder.length),
        parent: file.parent === null,
        again: await outcome(vault.delete(file), folder),
      };
    },
  },
  {
    name: 'delete of a folder with content',
    variedBy: 'eventDelay, reversesFolderEvents',
    async run(context) {
      const { vault } = context.app;
      const { folder } = context;
      await vault.createFolder(`${folder}/a/b`);
      await vault.create(`${folder}/a/b/n.md`, '');
      const { events, stop } = recordEvents(context);
      const done = await outcome(vault.delete(vault.getFolderByPath(`${folder}/a`)!), folder);
      await until(() => events.length >= 3, 1000);
      stop();
      return { done, events };
    },
  },
  {
    name: 'delete of a folder with hidden content',
    async run({ app: { vault }, folder }) {
      const made = await vault.createFolder(`${folder}/a`);
      await vault.adapter.write(`${folder}/a/.hidden`, '');
      const plain = await outcome(vault.delete(made), folder);
      const forced = vault.getFolderByPath(`${folder}/a`)
        ? await outcome(vault.delete(made, true), folder)
        : 'gone already';
      return { plain, forced };
    },
  },
  {
    name: 'the local trash is the folder .trash',
    async run({ app: { vault }, folder }) {
      const name = `contract ${folder.split('/').pop()}.md`;
      const file = await vault.create(`${folder}/${name}`, 'kept');
      await vault.trash(file, false);
      const moved = await vault.adapter.exists(`.trash/${name}`);
      if (moved) await vault.adapter.remove(`.trash/${name}`);
      return { moved, tree: vault.getFileByPath(`${folder}/${name}`) };
    },
  },
  {
    name: 'events are heard before the operation resolves',
    variedBy: 'eventDelay',
    async run(context) {
      const { vault } = context.app;
      const { events, stop } = recordEvents(context);
      const counts: number[] = [];
      const file = await vault.create(`${context.folder}/a.md`, '');
      counts.push(events.length);
      await vault.modify(file, 'x');
      counts.push(events.length);
      await vault.rename(file, `${context.folder}/b.md`);
      counts.push(events.length);
      await vault.delete(file);
      counts.push(events.length);
      await until(() => events.length >= 4, 1000);
      stop();
      return { counts, events };
    },
  },
  {
    name: 'each of three quick modifies is heard',
    variedBy: 'eventDelay',
    async run(context) {
      const file = await context.app.vault.create(`${context.folder}/a.md`, '');
      const { events, stop } = recordEvents(context);
      await Promise.all(['1', '2', '3'].map((text) => context.app.vault.modify(file, text)));
      await pause(300);
      stop();
      return { events, text: await context.app.vault.read(file) };
    },
  },
  {
    name: 'an adapter write to a visible path is heard',
    variedBy: 'eventDelay',
    async run(context) {
      const { vault } = context.app;
      const { events, stop } = recordEvents(context);
      await vault.adapter.write(`${context.folder}/a.md`, 'x');
      const found = await until(() => vault.getFileByPath(`${context.folder}/a.md`) !== null);
      await vault.adapter.write(`${context.folder}/a.md`, 'longer');
      await until(() => events.length >= 2, 3000);
      await vault.adapter.remove(`${context.folder}/a.md`);
      await until(() => events.length >= 3, 3000);
      stop();
      return { found, events };
    },
  },
];
