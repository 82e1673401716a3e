/** One working session under everything that the app does not promise, for each seed. */
import { activeFile, openChatView, readStoredJson, until, type OpenedChatView } from '../driver/chat-view';
import { chaosSeeds, closeQuiet, type OpenedWorkbench, openWorkbench } from '../driver/workbench';
import { lastSent, newText, sentRequests, spokenTexts } from '../driver/sent-request';

jest.setTimeout(240_000);

const vault = {
  'Start.md': '# Start\n\nSee [[Harbour]].\n',
  'Harbour.md': '# Harbour\n\nThe harbour of Ardvane has three pontoons and a crane.\n',
  'Boats/Heron.md': '---\nmodified: 2026-01-01\n---\nHeron is a clinker dinghy.\n',
};

const dataFile = '.obsidian/plugins/docent/data.json';

describe.each(chaosSeeds())('seed %i', (chaosSeed) => {
  let workbench: OpenedWorkbench;
  let chatView: OpenedChatView;

  /** Types at the end of the open note; the text is in the editor and perhaps not yet on disk. */
  const typeIntoNote = async (notePath: string, text: string): Promise<void> => {
    await workbench.page.evaluate(
      async ([wanted, typed]) => {
        await window.app.workspace.openLinkText(wanted, '', false);
        const editor = window.app.workspace.activeEditor?.editor;
        if (!editor) throw new Error(`${wanted} is in no editor.`);
        editor.replaceRange(typed, editor.offsetToPos(editor.getValue().length));
      },
      [notePath, text] as const,
    );
  };

  /** Attaches the note, asks, and returns what was sent with that message. */
  const askAbout = async (words: string): Promise<string> => {
    const before = await chatView.questions.count();
    await chatView.input.fill('');
    await chatView.mention('Heron');
    await workbench.page.keyboard.type(words);
    await chatView.input.press('Enter');
    await chatView.questions.nth(before).waitFor();
    await chatView.untilIdle();
    return newText(lastSent(workbench.model));
  };
  afterEach(() => closeQuiet(workbench));

  it('answers with links, reads what is still unsaved in an editor, sends mentions as they stand, and is restored', async () => {
    workbench = await openWorkbench({
      vault,
      chaosSeed,
      scripted: () => ({ text: 'Understood.' }),
      settings: { model: 'reader/built-in' },
    });
    chatView = await openChatView(workbench);
    const answer = await chatView.ask('How many pontoons has the harbour?');
    expect(await answer.innerText()).toContain('three pontoons');
    await answer.locator('a.internal-link[title="Harbour.md"]').first().click();
    await until(async () => (await activeFile(workbench)) === 'Harbour.md', 'the harbour is open');

    await typeIntoNote('Boats/Heron.md', '\nHer sail is vermilion.\n');
    const second = await chatView.ask('What colour is the sail? Is it vermilion?');
    const [shownAnswer, written] = [await second.innerText(), await workbench.readNote('Boats/Heron.md')];
    expect([shownAnswer, written]).toEqual([0, 1].map(() => expect.stringContaining('Her sail is vermilion.')));

    const settings = await readStoredJson(workbench, dataFile);
    await workbench.writeNote(dataFile, JSON.stringify({ ...settings, model: 'openai-compatible/scripted' }));
    await until(
      async () => {
        await chatView.ask('Who answers?');
        return sentRequests(workbench.model).length > 0;
      },
      'the model of the changed settings answers',
      90_000,
    );

    expect(await askAbout('what is she?')).toContain('clinker dinghy');
    await typeIntoNote('Boats/Heron.md', '\nBuilt in 1931.\n');
    expect(await askAbout('how old is she?')).toContain('Built in 1931.');
    await typeIntoNote('Boats/Heron.md', '\nSold in 1977.\n');
    expect(await askAbout('who has her?')).toContain('Sold in 1977.');

    const asked = await chatView.questions.count();
    await workbench.reload();
    chatView = await openChatView(workbench);
    await chatView.answers.nth(asked - 1).waitFor();
    expect(await chatView.answers.nth(1).innerText()).toContain('Her sail is vermilion.');
    expect(await chatView.questions.count()).toBe(asked);
    await chatView.ask('and now?');
    const spoken = spokenTexts(lastSent(workbench.model));
    expect(spoken.filter((text) => text === 'Understood.').length).toBeGreaterThanOrEqual(4);
    expect(spoken.at(-1)).toBe('and now?');
  });
});
