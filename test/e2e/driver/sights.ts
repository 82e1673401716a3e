/** All sights of Docent's interface, walked one after the other on one page; a visitor looks at each. */
import type { Locator, Page } from 'playwright-core';
import { words } from '../../../src/text';
import { startMcpServer } from '../../support/mcp-server';
import { readRequest, type Script, type ScriptedToolCall } from '../../support/model-server';
import { beginAgain } from './begin-again';
import { readStoredJson, type OpenedChatView } from './chat-view';
import type { Walk } from './reach-walk';
import { openSettingsWindow } from './settings-window';
import type { OpenedWorkbench, OpenOptions } from './workbench';
import { vaultWithChat } from './stored-chat';
import { editNote } from './writing-walk';

const dataFile = '.obsidian/plugins/docent/data.json';
const crew = '# Crew\n\nRui steers by day.\n\nMhairi bails when it rains.\n\nPawel sings all the time.\n';
const vault: Record<string, string> = {
  'Crew.md': crew,
  'Stores.md': '---\nkind: list\n---\n\n| What | How many |\n|---|---|\n| Rope | 3 |\n',
  'Scrap.md': 'Nothing.\n',
  'Boats/The boat with the long name that was built in the yard behind the old lighthouse.md': 'Blue.\n',
};

/** Every kind of block that has an element of its own. */
const drawn = [
  '## Keel bolts\n\nSeven, *galvanised*, with `M12` threads, as [[Crew]] says; see [the chandler](https://example.org/a) #boats.[^1]',
  '| Left | A heading that is wide | Another heading that is wide | Right |\n|:--|:-:|--:|:--|\n| one | two | three | four |',
  '```ts\nconst bolts: readonly number[] = [1, 2, 3]; // and a long comment that goes beyond the edge of every chat view\n```',
  '> [!warning]- Galvanised\n> Zinc and bronze do not go together.',
  '> [!tip] Grease\n> Use little.',
  '> Tighten them by hand.',
  '- [ ] Clean the threads\n- [x] Buy grease',
  '1. Clean\n2. Grease\n   - sparingly',
  'A word without a place to break it: Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnungsentwurf.',
  '[^1]: As they said in May.',
].join('\n\n');
const changes: readonly ScriptedToolCall[] = [
  editNote('Crew.md', 'Rui steers by day.', 'Rui navigates by day.'),
  editNote('Crew.md', 'all the time', 'in the evening'),
  editNote('Stores.md', '| Rope | 3 |', '| Rope | 5 |'),
  {
    name: 'create_note',
    arguments: { path: 'Bolts.md', text: '---\ntype: part\n---\nSix ![bolts](https://example.org/b.png) of bronze.\n' },
  },
  { name: 'delete_note', arguments: { path: 'Scrap.md' } },
];
const question = { question: 'Who steers from now on?', options: ['Rui', 'Mhairi'] };
const todos = [
  { text: 'Look at the crew', state: 'done' },
  { text: 'Choose a helmsman', state: 'doing' },
];

/** Two thousand words that take minutes. */
const long = Array.from({ length: 1_000 }, (_, bolt) => `Bolt ${bolt}.`).join(' ');

/** What the model does, by the message; results of tools are answered in words. */
const script: Script = (request) => {
  const last = readRequest(request).messages.at(-1);
  const asked = (text: string): boolean => last?.results.length === 0 && last.text.includes(text);
  if (asked('Draw everything')) return { toolCalls: [{ name: 'search_notes', arguments: { query: 'bolts' } }] };
  if (asked('Ask me')) {
    return {
      toolCalls: [
        { name: 'write_todos', arguments: { todos } },
        { name: 'ask_user', arguments: question },
      ],
    };
  }
  if (asked('Fail')) return { status: 401 };
  if (asked('Ask the harbour')) return { toolCalls: [{ name: 'boats_tides', arguments: { harbour: 'Kirkwall' } }] };
  if (asked('Propose')) return { toolCalls: [{ name: 'read_notes', arguments: { paths: Object.keys(vault) } }] };
  const { messages } = readRequest(request);
  const isIn = (text: string): boolean => messages.some((message) => message.text.includes(text));
  if (isIn('Propose') && messages.filter(({ results }) => results.length > 0).length === 1)
    return { toolCalls: changes };
  if (asked('Take your time')) return { text: long, delayMs: 100 };
  return { text: last?.results.length !== 0 && isIn('Draw everything') ? drawn : 'Done.' };
};

/** @param roots selects the plugin's own elements of the sight: what is judged */
export type Visit = (page: Page, sight: string, roots: string) => Promise<void>;

export type App = Pick<Walk, 'workbench' | 'chatView'>;

export const view = '.docent-pane';
/** The one in front; a tooltip may follow it in the page. */
export const modal = '.modal-container:not(:has(~ .modal-container)) .modal-content';
export const settingsTab = '.modal.mod-settings .docent-settings';

/** What an app is opened with in which sights are walked. */
export const optionsOfSights: OpenOptions = {
  vault,
  scripted: script,
  settings: { model: 'reader/built-in' },
  expectedErrors: /CORS|ERR_FAILED/,
};

/** Visits every sight of an app that is open, as at its first start. */
export async function walkSights(app: App, isPhone: boolean, visit: Visit): Promise<void> {
  const server = await startMcpServer({
    tools: [{ name: 'tides', description: 'Tells the tides of a harbour.', inputSchema: { type: 'object' } }],
  });
  try {
    const mcpServers = [{ name: 'boats', url: server.url, keyName: '', isOn: true }];
    await beginAgain(app, { vault, scripted: script, settings: { model: 'reader/built-in', mcpServers } });
    await new SightWalk(app.workbench, app.chatView, visit, isPhone).walk();
  } finally {
    await server.close();
  }
}

class SightWalk {
  constructor(
    private readonly workbench: OpenedWorkbench,
    private readonly chatView: OpenedChatView,
    private readonly look: Visit,
    private readonly isPhone: boolean,
  ) {}

  private readonly visit = (sight: string, roots: string): Promise<void> =>
    this.look(this.workbench.page, sight, roots);

  /** Opens or closes a sidebar: in a magnified window, there is no room for two. */
  private async showSidebar(side: 'leftSplit' | 'rightSplit', isShown: boolean): Promise<void> {
    await this.workbench.page.evaluate(
      ([split, is]) => {
        const { workspace } = window.app;
        if (is) workspace[split].expand();
        else workspace[split].collapse();
      },
      [side, isShown] as const,
    );
  }

  async walk(): Promise<void> {
    await this.beginning();
    await this.settings();
    await this.chat();
    await this.review();
    await this.storedChat();
    await this.otherViewsAndDialogs();
  }

  private async beginning(): Promise<void> {
    const { chatView, visit, workbench } = this;
    const { root } = chatView;
    if (!this.isPhone) await this.showSidebar('leftSplit', false);
    await root.getByRole('button', { name: words.models.firstRun.hosted.name }).click();
    await root.locator('.docent-first-run-form').waitFor();
    await visit('first run', view);
    const stored = await readStoredJson(workbench, dataFile);
    await workbench.writeNote(dataFile, JSON.stringify({ ...stored, model: 'openai-compatible/scripted' }));
    await root.locator('.docent-first-questions').waitFor();
    await visit('empty chat', view);
  }

  private async chat(): Promise<void> {
    const { chatView, visit, workbench } = this;
    const { root, input } = chatView;
    const { keyboard } = workbench.page;
    await chatView.ask('Draw everything');
    await root.locator('.docent-run-line').first().click();
    await root.locator('.docent-message-actions').last().waitFor();
    await visit('answer', view);
    await chatView.openNoteList('');
    await chatView.suggestions.first().waitFor();
    await visit('suggestions', view);
    await keyboard.press('Escape');
    await input.fill('');
    await chatView.mention('Boats');
    await chatView.mention('The boat with');
    await visit('chips', view);
    await input.fill('/help');
    await chatView.suggestions.first().waitFor();
    await keyboard.press('Enter');
    await root.locator('.docent-help').waitFor();
    await visit('help', view);
    await keyboard.press('Escape');
    await input.fill('');
    await workbench.command('find-in-chat');
    await keyboard.type('bolts');
    await visit('finding', view);
    await keyboard.press('Escape');
    // What was drawn would be judged again in each of the sights that follow.
    await this.newChat();
    await chatView.ask('Ask me');
    await visit('question', view);
    await chatView.send('Ask the harbour');
    await root.locator('.docent-network-question button:enabled').first().waitFor();
    await visit('approval', view);
    await root.getByRole('button', { name: words.serverSettings.question.refuse }).click();
    await chatView.untilIdle();
    await chatView.send('Fail');
    await chatView.failures.first().waitFor();
    await visit('error', view);
    await root.locator('.docent-user').first().hover();
    await this.workbench.command('edit-last-question');
    await root.locator('.docent-editor').waitFor();
    await visit('editing a message', view);
    await keyboard.press('Escape');
    await root.getByRole('button', { name: words.goals.panel, exact: true }).click();
    await visit('goal', view);
    await root.getByRole('button', { name: words.goals.panel, exact: true }).click();
    await this.newChat();
    await chatView.send('Take your time');
    await chatView.untilRunning();
    await input.fill('And this after it');
    await input.press('Enter');
    await root.locator('.docent-queued').first().waitFor();
    await visit('running, with a queue', view);
    await root.getByRole('button', { name: words.chatView.queuedRemove }).click();
    await root.getByRole('button', { name: words.chatView.stop, exact: true }).click();
    await chatView.untilIdle();
  }

  private closeView(type: string): Promise<void> {
    return this.workbench.page.evaluate((view) => window.app.workspace.detachLeavesOfType(view), type);
  }

  private async newChat(): Promise<void> {
    await this.workbench.command('new-chat');
    await this.chatView.questions.first().waitFor({ state: 'detached' });
  }

  private async review(): Promise<void> {
    const { chatView, visit, workbench } = this;
    const card = chatView.root.locator('.docent-review').last();
    await this.newChat();
    await chatView.ask('Propose');
    await card.locator('.mod-cta:enabled').first().waitFor();
    await visit('review', view);
    await card.getByRole('checkbox').nth(1).uncheck();
    await card.getByRole('button', { name: words.review.rejectAll }).click();
    await visit('rejecting', view);
    await card.getByRole('button', { name: words.review.cancel }).click();
    await card.getByRole('button', { name: words.review.editOf('Bolts') }).click();
    await card.locator('textarea').waitFor();
    await visit('editing a change', view);
    await card.locator('.docent-review-edit button').last().click();
    await card.locator('textarea').waitFor({ state: 'detached' });
    await card.locator('.mod-cta:enabled').first().waitFor();
    await workbench.command('apply-changes');
    await card.getByRole('button', { name: words.review.undoAll }).waitFor();
    await visit('history of changes', view);
  }

  private async storedChat(): Promise<void> {
    const { chatView, visit, workbench } = this;
    const { page } = workbench;
    for (const [file, text] of Object.entries(vaultWithChat(12, 4))) await workbench.writeNote(file, text);
    await chatView.root.getByRole('button', { name: words.commandNames['show-chats'] }).click();
    await chatView.root.locator('.docent-chats-row').nth(1).waitFor();
    await visit('list of chats', view);
    await chatView.root.locator('.docent-chats-row', { hasText: 'bolt' }).locator('.docent-chats-open').click();
    await chatView.root.locator('.docent-summary').waitFor();
    await chatView.root.locator('.docent-summary').scrollIntoViewIfNeeded();
    await visit('summary', view);
    await this.show('show-prompt', 'inspector', '.docent-inspector-part', async (box) => {
      await box.locator('.docent-inspector-part').first().locator('summary').click();
      await box.getByRole('searchbox').fill('e');
    });
    await this.show('show-context', 'context', '.docent-list-row');
    await workbench.command('open-inspector');
    await page.locator('.docent-inspector-view .docent-inspector-part').first().locator('summary').click();
    await visit('inspector as a view', '.docent-inspector-view');
    // A page with a long chat and its whole prompt takes several times as long to judge as what is seen over it.
    await this.closeView('docent-inspector');
    await workbench.command('open-chat');
    await this.newChat();
  }

  private async otherViewsAndDialogs(): Promise<void> {
    const { visit, workbench } = this;
    const { page } = workbench;
    await workbench.command('open-chat-list');
    const list = page.locator('.workspace-leaf-content[data-type="docent-chats"]');
    await list.locator('.docent-chats-row').first().waitFor();
    if (!this.isPhone) await this.showSidebar('rightSplit', false);
    await visit('list of chats as a view', '.workspace-leaf-content[data-type="docent-chats"] .view-content');
    if (!this.isPhone) {
      await this.showSidebar('leftSplit', false);
      await this.showSidebar('rightSplit', true);
    }
    await workbench.command('show-usage');
    await page.locator('.docent-usage-table').waitFor();
    await visit('usage', '.docent-usage');
    for (const type of ['docent-chats', 'docent-usage']) await this.closeView(type);
    await workbench.command('open-chat');
    await this.show('show-prompts', 'saved prompts', '.docent-prompt');
    await this.show('show-diagnostics', 'diagnostics', '.docent-diagnostics');
  }

  private async settings(): Promise<void> {
    const { visit, workbench } = this;
    const { page } = workbench;
    const settings = await openSettingsWindow(workbench);
    await visit('settings', settingsTab);
    for (const [id, { name }] of Object.entries(words.settings.pages)) {
      await settings.openPage(name);
      if (id === 'servers') {
        await settings.row('boats').getByRole('button', { name: words.serverSettings.connect }).click();
        await settings.row('boats').getByRole('button', { name: words.serverSettings.look }).click();
        await page.locator('.docent-offer .mod-cta:enabled').waitFor();
        await visit('catalog of a server', modal);
        await page.locator('.docent-offer .mod-cta').click();
        await page.locator('.docent-offer').waitFor({ state: 'detached' });
      }
      await visit(`settings: ${name}`, settingsTab);
      if (id === 'providers') {
        await settings.row('OpenAI').click();
        await visit('settings: a provider', settingsTab);
        await settings.back();
      }
      if (id === 'model') {
        await settings.row(words.models.facts.page).click();
        await visit('settings: a model', settingsTab);
        await settings.back();
      }
      await settings.back();
    }
    await settings.close();
  }

  /** Visits the dialog that a command opens, and closes it. */
  private async show(
    command: string,
    sight: string,
    ready: string,
    then?: (box: Locator) => Promise<void>,
  ): Promise<void> {
    const { page } = this.workbench;
    await this.workbench.command(command);
    const box = page.locator('.modal').last();
    await box.locator(ready).first().waitFor();
    await then?.(box);
    await this.visit(sight, modal);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
  }
}
