/** @jest-environment jsdom */
/** After any events in any order, the lists that follow its events are those that are made at once. */
import 'obsidian-workbench/jest';
import fc from 'fast-check';
import type { CachedMetadata } from 'obsidian';
import { skillsOfChat } from '../../src/core/library/skills';
import { listSubagents } from '../../src/core/library/subagents';
import { promptsIn, workspacesIn } from '../../src/core/library/user-notes';
import { mentionSources } from '../../src/core/mentions';
import { keyOf, type MentionContext, nameOf } from '../../src/core/mentions/mention-source';
import { listVault } from '../../src/core/prompt/listing/vault-listing';
import type { Vault } from '../../src/core/ports/vault';
import { findSuggestions } from '../../src/ui/mentions/find-suggestions';
import { VaultChanges } from '../../src/vault/changes';
import { type HiddenBySettings, openStack } from '../../src/vault/stack';
import { EventApp } from '../bench/vault/event-app';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { fresh } from './drawn-cases';

const names = ['a', 'A', 'b', 'b c', 'Caf\u00e9', 'cafe\u0301', 'private', 'Private', '\u03a3\u03a3', '\u00df'];
const files = [...names.map((name) => `${name}.md`), 'a.png', 'b.png', 'b.txt', 'priv.md', 'AGENTS.md'];
const rules: readonly HiddenBySettings[] = [
  { keptFolders: [], keptTags: [] },
  { keptFolders: ['private'], keptTags: [] },
  { keptFolders: ['b c', 'CAFE\u0301'], keptTags: ['secret'] },
  { keptFolders: ['a/b'], keptTags: ['#x/y'] },
  { keptFolders: [], keptTags: [], isClosed: true },
];
const excluded: readonly (readonly string[])[] = [[], ['Priv'], ['a/'], ['/b\\.md$/', 'stra\u00df']];

const folder = fc.array(fc.constantFrom(...names), { maxLength: 3 }).map((parts) => parts.join('/'));
const libraryNotes = [
  ...['a/prompts/x.md', 'a/prompts/y.md', 'a/prompts/b/x.md', 'a/subagents/x.md', 'a/subagents/y.md'],
  ...['a/workspaces/w.md', 'a/skills/x/SKILL.md', 'a/skills/y/skill.md', 'b/skills/x/SKILL.md', 'skills/x/SKILL.md'],
];
const place = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(folder, fc.constantFrom(...files))
      .map(([inner, name]) => (inner === '' ? name : `${inner}/${name}`)),
  },
  { weight: 1, arbitrary: fc.constantFrom(...libraryNotes) },
);
const record = fc.oneof(
  fc.constant(null),
  fc.record({
    tags: fc.array(
      fc.constantFrom('#secret', '#Secret/deep', '#x', '#x/y', '#X/Y/z', '#open').map((tag) => ({ tag })),
      { maxLength: 3 },
    ),
    frontmatter: fc.constantFrom(
      ...[undefined, { docent: false }, { docent: 'no' }, { Tags: 'secret' }, { tags: ['x'] }],
      ...[{ name: 'x', description: 'One.' }, { name: 'y', description: 'Two.' }, { folder: 'b' }, { folder: 1 }],
    ),
  }),
);
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), path: place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('modify' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), pick: fc.nat(), path: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('removeFolder' as const), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('renameFolder' as const), pick: fc.nat(), path: folder }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('createFolder' as const), path: folder }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('index' as const), pick: fc.nat(), record, late: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rules' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('exclude' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('agentFolder' as const), pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
);
type VaultEvent = typeof event extends fc.Arbitrary<infer Event> ? Event : never;

class World {
  readonly host = new EventApp();
  readonly changes = new VaultChanges(this.host.app, (path) => path.startsWith(`${this.own[0]}/`));
  private hidden = rules[0] as HiddenBySettings;
  private filters: readonly string[] = [];
  private own: readonly string[] = ['a'];
  private time = 1_000;
  private readonly stack = openStack(
    this.host.app,
    this.changes,
    () => this.own,
    () => this.hidden,
  );

  constructor() {
    Object.assign(this.host.app.vault.adapter, {
      exists: () => Promise.resolve(true),
      read: () => Promise.resolve(JSON.stringify({ userIgnoreFilters: this.filters })),
    });
    this.changes.start(() => undefined);
  }

  get vault(): Vault {
    return this.stack.vault;
  }

  async apply(happened: VaultEvent): Promise<void> {
    const { host } = this;
    this.time += 1;
    const pick = <Item>(items: Iterable<Item>, at: number): Item | undefined => {
      const all = [...items];
      return all[at % Math.max(1, all.length)];
    };
    switch (happened.kind) {
      case 'create':
        return host.isTaken(happened.path) ? undefined : host.create(happened.path, this.time % 7);
      case 'createFolder':
        return host.createFolder(happened.path);
      case 'modify':
        return host.modify(pick(host.files.keys(), happened.pick) ?? '', this.time, this.time % 3);
      case 'remove':
        return host.remove(pick(host.files.keys(), happened.pick) ?? '');
      case 'removeFolder':
        return host.remove(pick(host.folders.keys(), happened.pick) ?? '');
      case 'rename':
        return host.rename(pick(host.files.keys(), happened.pick) ?? '', happened.path);
      case 'renameFolder':
        return happened.path === ''
          ? undefined
          : host.rename(pick(host.folders.keys(), happened.pick) ?? '', happened.path);
      case 'index': {
        const path = pick(host.files.keys(), happened.pick) ?? '';
        // Obsidian reports each record that replaces another one; only a first one may come without an event.
        const isFirst = !host.records.has(path);
        return host.index(path, happened.record as unknown as CachedMetadata | null, !(happened.late && isFirst));
      }
      case 'rules':
        this.hidden = rules[happened.pick % rules.length] as HiddenBySettings;
        return;
      case 'exclude':
        this.filters = excluded[happened.pick % excluded.length] ?? [];
        return this.stack.refresh();
      case 'agentFolder':
        this.own = [names[happened.pick % 3] ?? 'a'];
        return;
      case 'look':
        this.look();
    }
  }

  /** Asks for what follows the events, of which some may not have come. */
  look(): void {
    this.vault.files();
    this.vault.folders();
    offers(this.vault);
    libraryOf(this.vault);
  }

  /** The same vault, made at once. */
  async whole(): Promise<Vault> {
    const changes = new VaultChanges(this.host.app, () => false);
    const stack = openStack(
      this.host.app,
      changes,
      () => this.own,
      () => this.hidden,
    );
    await stack.refresh();
    return stack.vault;
  }
}

function contextOf(vault: Vault): MentionContext {
  return { vault, agentFolder: 'b', tools: [], prompts: [], commands: [], skills: [], activeNote: null };
}

const typed = ['[[', '[[a', '[[pri', '[[caf', '[[#', '[[#x', '[[b c', '[[.p', '[[\u03c3'];

function offers(vault: Vault): unknown {
  const list = mentionSources.filter(({ triggers }) => triggers.includes('[['));
  return typed.map((text) =>
    findSuggestions(list, contextOf(vault), text, text.length, [])?.groups.map(({ source, candidates }) => [
      source.id,
      candidates.map((one) => [keyOf(one), nameOf(one), one.detail, 'notes' in one ? one.notes : null]),
    ]),
  );
}

function libraryOf(vault: Vault) {
  return {
    prompts: promptsIn(vault, 'a'),
    workspaces: workspacesIn(vault, 'a'),
    subagents: listSubagents(vault, 'a'),
    skills: [null, 'a/workspaces/w.md', 'A/workspaces/w.md'].map((note) => skillsOfChat(vault, 'a', note)),
  };
}

function everything(vault: Vault) {
  const asked = files.flatMap((name) => [name, `a/${name}`, `A/B/${name}`, name.toUpperCase(), name.normalize('NFD')]);
  return {
    files: vault.files(),
    folders: vault.folders(),
    found: asked.map((path) => vault.file(path)),
    tags: asked.map((path) => vault.tags(path)),
    listing: [200, 4_000, 60_000].map((contextWindow) => listVault(vault, { contextWindow, attached: [] })),
    offers: offers(vault),
    library: libraryOf(vault),
  };
}

describe('the model of the vault', () => {
  it('is what is made at once, after any events in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (happened, chances) => {
        const world = new World();
        for (const each of happened) {
          await world.apply(each);
          // Some events come at once, some after others, some much later.
          const { events } = world.host;
          if (events.length > 0 && Number(chances.next().value) % 3 > 0) {
            events.splice(Number(chances.next().value) % events.length, 1)[0]?.();
          }
        }
        world.host.deliver((waiting) => Number(chances.next().value) % waiting);
        expectSame(everything(world.vault), everything(await world.whole()));
        world.changes.stop();
      }),
      fresh(300),
    );
  });

  it('shows nothing that is hidden, once the event or the setting that hides it has come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (happened) => {
        const world = new World();
        for (const each of happened) {
          await world.apply(each);
          world.host.deliver();
          const allowed = new Set((await world.whole()).files().map(({ path }) => path));
          const shown = world.vault.files().map(({ path }) => path);
          expectSame(
            shown.filter((path) => !allowed.has(path)),
            [],
          );
          const suggested = JSON.stringify(offers(world.vault));
          const hidden = [...world.host.files.keys()].filter((path) => !allowed.has(path));
          expectSame(
            hidden.filter((path) => suggested.includes(JSON.stringify(path))),
            [],
          );
        }
        world.changes.stop();
      }),
      fresh(150),
    );
  });
});
