/** @jest-environment jsdom */
/** Labels in bold on the pages for users are words of the interface: buttons, commands, and paths through the settings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Plugin } from 'obsidian';
import { closeTestApps } from 'obsidian-workbench/jest';
import ts from 'typescript';
import type { Loading } from '../../../src/core/base/lazy';
import { type CommandPorts, registerCommands } from '../../../src/ui/commands';
import { groupsWith, type Item } from '../../support/settings-groups';
import { expectNoFaults } from '../expect-no-faults';

const root = join(__dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Pages for engineers, and the one that is made from the words themselves. */
const others = ['architecture.md', 'glossary.md', 'hooks.md', 'settings.md'];
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !others.includes(name))
    .map((name) => `docs/${name}`),
];

/** Labels of Obsidian itself, and of programs that the pages name. */
const ofOthers = [
  ...['Settings', 'Community plugins', 'Browse', 'Excluded files', 'Files and links', 'File recovery', 'Reload app'],
  ...['Enable CORS', 'Keychain', 'Command palette', 'Hotkeys', 'Trash', 'Deleted files'],
];

/** The words of the interface: whole texts, and the forms of those that are put together. */
const catalog = ((): { readonly alone: ReadonlySet<string>; readonly forms: readonly RegExp[] } => {
  const alone = new Set<string>();
  const forms: RegExp[] = [];
  const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) alone.add(node.text);
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      // One that begins with what is put into it, such as “… in …”, would fit nearly any label.
      if (/\p{L}{2}/u.test(node.head.text)) forms.push(new RegExp(`^${parts.map(escape).join('.+')}$`, 'u'));
      // A button that ends in a number goes by its beginning.
      alone.add(node.head.text.replace(/[ (]+$/, ''));
    }
    node.forEachChild(visit);
  };
  for (const name of readdirSync(join(root, 'src/text/en'))) {
    visit(ts.createSourceFile(name, read(`src/text/en/${name}`), ts.ScriptTarget.Latest, true));
  }
  return { alone, forms };
})();

const commands = ((): readonly string[] => {
  const added: Command[] = [];
  const plugin = { addCommand: (command: Command) => added.push(command) } as unknown as Plugin;
  const never = { loaded: null, load: () => Promise.reject(new Error('Nothing runs.')) } as Loading<CommandPorts>;
  registerCommands(plugin, never);
  return added.map(({ name }) => name);
})();

/** What a page has in bold, without the words that begin a paragraph, which end in a mark. */
function labelsIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\*\*([^*\n]+)\*\*/g)]
    .map(([, label = '']) => label)
    .filter((label) => !/[.:?!]$/.test(label) || catalog.alone.has(label));
}

const isWord = (label: string): boolean =>
  [...ofOthers, ...commands].includes(label) ||
  catalog.alone.has(label) ||
  catalog.forms.some((form) => form.test(label)) ||
  // Signs, such as +, and the numbers of a switch.
  !/\p{L}/u.test(label);

/** What a text calls a command, in bold: “the command **A**”, “the commands **A** and **B**”. */
function commandsIn(text: string): string[] {
  const runs = [...text.matchAll(/\bcommands? ((?:\*\*[^*\n]+\*\*(?:, | and |, and | or |, or )?)+)/g)];
  return runs.flatMap(([, run = '']) => [...run.matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, name = '']) => name));
}

/** Names of the settings by the names above them. */
async function readSettings(): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  const add = (items: readonly Item[], above: readonly string[]): void => {
    for (const { name = '', items: inner = [] } of items) {
      paths.add([...above, name].join(' → '));
      add(inner, [...above, name]);
    }
  };
  const providers = { ollama: { baseUrl: 'http://localhost:11434', keyName: '', models: ['small'] } };
  for (const chosen of [{}, { model: 'ollama/small', providers }]) {
    for (const { items } of await groupsWith(chosen)) add(items, []);
  }
  return paths;
}

let settings: ReadonlySet<string>;
beforeAll(async () => {
  settings = await readSettings();
});
afterAll(closeTestApps);

/** What is wrong with the bold words of a page, one sentence each. */
function faultsIn(page: string, text: string): string[] {
  const labels = [...new Set(labelsIn(text))];
  const paths = labels.filter((label) => label.includes(' → '));
  const ways = paths.filter((label) => label.startsWith('Settings → Docent →'));
  const wrongWays = ways.filter((label) => !settings.has(label.split(' → ').slice(2).join(' → ')));
  const wrongWords = labels
    .filter((label) => !ways.includes(label))
    .flatMap((label) => label.split(' → '))
    .filter((label) => label !== 'Docent' && !isWord(label));
  const wrongCommands = [...new Set(commandsIn(text))].filter((name) => !commands.includes(name));
  return [
    ...wrongWays.map((label) => `${page} names **${label}**, which is not in the settings: see docs/settings.md.`),
    ...wrongWords.map(
      (label) => `${page} has **${label}**, which the interface does not say: use its words (src/text/en).`,
    ),
    ...wrongCommands.map(
      (name) => `${page} names the command **${name}**, which does not exist: see src/ui/commands.ts.`,
    ),
  ];
}

it.each(pages)('%s uses the words of the interface', (page) => {
  expectNoFaults(faultsIn(page, read(page)));
});

it('finds a setting, a button, and a command that do not exist', () => {
  const wrong =
    'Go to **Settings → Docent → Nowhere → Model**, select **Frobnicate**, **Frobnicate of all**, or **Nowhere in this**, or run the command **Open chat** or **Open nothing**.';
  expect(faultsIn('docs/a.md', wrong)).toHaveLength(5);
  const right =
    '**Bold.** Go to **Settings → Docent → Long chats and summaries**, or **Settings → Community plugins**. Run the command **Open chat**.';
  expect(faultsIn('docs/a.md', right)).toEqual([]);
});
