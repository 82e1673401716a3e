/** Who makes the system prompt, seen from outside: one owner, a store, a registry, and a builder, on what is sent. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { readConversation } from '../../support/model-server/read-conversation';
import { until } from '../driver/chat-view';
import { readBuilt } from '../driver/reach';
import { shareChat, sharedWalk } from '../driver/begin-again';
import { choose, sectionIn, sendTyped, startChat } from '../driver/reach-walk';
import { allText, sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';

jest.setTimeout(120_000);

const notes = {
  'Boat.md': 'The boat is blue.\n',
  'Docent/memory.md': '',
  'Docent/prompts/Tighten.md': '---\nname: Tighten this\ndescription: Cuts words\n---\nCut every needless word.\n',
  'Docent/modes/user/tier1.md': 'You are the tutor of the smallest size.\n',
};

shareChat({ vault: notes });

describe('one owner', () => {
  const self = sharedWalk(
    {
      vault: notes,
      scripted: (request) =>
        readConversation(request).userText?.includes('Read') === true
          ? { toolCalls: [{ name: 'read_note', arguments: { path: 'Boat.md' } }] }
          : { text: 'Understood.' },
    },
    async ({ chatView, workbench }) => {
      await chatView.ask('Read of the boat.');
      await workbench.writeNote('Later.md', 'Written meanwhile.\n');
      await chatView.ask('And now?');
    },
  );

  it('R002@request every request of a chat has the same system prompt, whatever tools and the vault do', () => {
    const requests = sentRequests(self.workbench.model);
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ system }) => system)).size).toBe(1);
    expect(requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'system'))).toEqual([]);
  });
});

describe('store, registry, and builder', () => {
  const self = sharedWalk({ vault: notes, settings: { mode: 'planning', tier: 3 } }, async (opened) => {
    await choose(opened, '@Tighten', 'Tighten this');
    await sendTyped(opened, 'The boat is really very blue.');
  });

  it('R003@request the template of the store, a text of the registry, and the sections of the builder meet in one request', () => {
    const request = self.sent();
    expect(request.system.indexOf('<core_mandates>')).toBeGreaterThan(100);
    expect(allText(request)).toContain('Cut every needless word.');
    expect(sectionIn(allText(request), 'custom_prompts')).toContain('Cut every needless word.');
  });

  it('R010@dom a prompt is listed by its name, listed anew when its note changes, and gone with its note', async () => {
    const { workbench, chatView } = self;
    const listed = async (): Promise<string[]> => {
      await chatView.input.fill('');
      await chatView.input.focus();
      await workbench.page.keyboard.type('@');
      await chatView.suggestions.first().waitFor();
      return chatView.suggestions.locator('.docent-popup-name').allInnerTexts();
    };
    expect(await listed()).toContain('Tighten this');
    await workbench.writeNote('Docent/prompts/Tighten.md', '---\nname: Tighten hard\n---\nCut half of it.\n');
    await until(async () => (await listed()).includes('Tighten hard'), 'the new name is listed');
    expect(await listed()).not.toContain('Tighten this');
    await workbench.page.evaluate(async () => {
      const note = window.app.vault.getFileByPath('Docent/prompts/Tighten.md');
      if (note !== null) await window.app.fileManager.trashFile(note);
    });
    await until(async () => !(await listed()).includes('Tighten hard'), 'the prompt is gone');
    await chatView.input.fill('');
  });
});

describe('a template that is missing', () => {
  const self = sharedWalk({ vault: notes, settings: { mode: 'user', tier: 1 } }, async (opened) => {
    await opened.chatView.ask('one');
    await opened.workbench.writeNote('Docent/modes/user/tier1.md', '');
    await startChat(opened);
    await opened.chatView.ask('two');
  });

  it('R009@request is undefined to the store, so that the text of Assistant is sent in its place', () => {
    expect(self.sent(0).system).toMatch(/^You are the tutor of the smallest size\./);
    expect(self.sent(1).system).toMatch(/^You are the assistant/);
    expect(self.sent(1).system).not.toContain('tutor');
  });
});

describe('a window that turns out to be larger', () => {
  const self = sharedWalk(
    { vault: notes, settings: { modelFacts: {}, contextWindow: null } },
    async ({ workbench, chatView, ...rest }) => {
      await chatView.ask('one');
      const file = path.join(workbench.vaultFolder, '.obsidian/plugins/docent/data.json');
      const stored = JSON.parse(await readFile(file, 'utf8')) as { providers: Record<string, object> };
      const own = { ...stored.providers['openai-compatible'], reported: { scripted: { contextWindow: 131_072 } } };
      await writeFile(
        file,
        JSON.stringify({ ...stored, providers: { ...stored.providers, 'openai-compatible': own } }),
      );
      const known = async (): Promise<string | null> => {
        const window = await openSettingsWindow(workbench);
        await window.openPage('Context window and prices');
        const shown = await window.row('Context window').locator('input').getAttribute('placeholder');
        await window.close();
        return shown;
      };
      await until(async () => (await known()) === '131,072', 'the new window is known');
      await chatView.ask('two');
      await startChat({ workbench, chatView, ...rest });
      await chatView.ask('three');
    },
  );

  it('R096@request the size of a chat does not flip; the next chat begins with the one that fits', () => {
    const [one, two, three] = [0, 1, 2].map((index) => self.sent(index).system);
    expect(two).toBe(one);
    const linesOf = (tier: 4 | 5): string[] => builtInTemplates.get('assistant', tier)?.split('\n') ?? [];
    const larger = linesOf(5).filter((line) => line.length > 60 && !linesOf(4).includes(line));
    expect(larger.filter((line) => one?.includes(line))).toEqual([]);
    expect(larger.filter((line) => three?.includes(line)).length).toBeGreaterThan(2);
  });
});

describe.each([
  ['small', 'ollama/llama3.1:8b'],
  ['frontier', 'anthropic/claude-opus-5'],
])('with a %s model', (_family, model) => {
  const self = sharedWalk({ vault: notes, settings: { model, tier: 5 } }, async ({ chatView }) => {
    await chatView.ask('Hello');
  });
  const seen = ((globalThis as { seenFamilies?: string[] }).seenFamilies ??= []);

  it('R012@request the logic is the same, and the texts are those of the model’s family', () => {
    const { system } = self.sent();
    const template = system.slice(0, system.indexOf('<core_mandates>'));
    expect(template).toMatch(/^You are the assistant/);
    expect(seen).not.toContain(template);
    seen.push(template);
  });
});

it('R111@build the page on a mode of one’s own is in the plugin, with an example of each use', async () => {
  const built = await readBuilt('main.js');
  const page = await readFile('docs/user-mode.md', 'utf8');
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  expect(headings.length).toBeGreaterThan(5);
  for (const heading of headings) expect(built).toContain(`## ${heading}`);
});
