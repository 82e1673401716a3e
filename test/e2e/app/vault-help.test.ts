/**
 * The built-in reader over the notes of a help site, asked in the chat view. Runs only if those notes are available.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { words } from '../../../src/text';
import { folderVault } from '../../support/fake-vault';
import { absentQuestions } from '../../unit/models/built-in-reader/absent-questions';
import { headingQuestions } from '../../unit/models/built-in-reader/heading-questions';
import { activeFile, openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { closeQuiet, isLongRun, type OpenedWorkbench, openWorkbench } from '../driver/workbench';

jest.setTimeout(300_000);

const help = path.resolve(__dirname, '../../../../shared/data/vault-help');
/** Questions in one conversation; then a new one begins. */
const perChat = 20;

interface ShownAnswer {
  readonly text: string;
  /** The notes, in order, that the links on lines of their own below the quotes lead to. */
  readonly sources: readonly string[];
  /** Links whose note is not the one that the app’s own index finds for them. */
  readonly lost: readonly string[];
}

(existsSync(help) ? describe : describe.skip)('over the notes of a help site', () => {
  let workbench: OpenedWorkbench;
  let chatView: OpenedChatView;

  beforeAll(async () => {
    workbench = await openWorkbench({ vault: help });
    chatView = await openChatView(workbench);
  });

  afterAll(async () => {
    await closeQuiet(workbench);
  });

  /** Asks one question after the other through the box and reads what the transcript then shows. */
  async function askAll(questions: readonly string[]): Promise<ShownAnswer[]> {
    await workbench.command('new-chat');
    await chatView.questions.first().waitFor({ state: 'detached' });
    return workbench.page.evaluate(askInPage, questions);
  }

  it('names the source of four questions in five among its first three, and its links lead to notes', async () => {
    const questions = headingQuestions(folderVault(help), isLongRun ? 200 : 60);
    const missed: string[] = [];
    const lost: string[] = [];
    const opened: [string | undefined, string | null][] = [];
    for (let from = 0; from < questions.length; from += perChat) {
      const batch = questions.slice(from, from + perChat);
      const answers = await askAll(batch.map(({ question }) => question));
      for (const [index, answer] of answers.entries()) {
        const { question, source } = batch[index] ?? { question: '', source: '' };
        if (!answer.sources.slice(0, 3).includes(source)) missed.push(`${question} (${source})`);
        lost.push(...answer.lost);
      }
      // By its place in the chat: the number among the answers in the page changes with what is around the view.
      const places = await chatView.answers.evaluateAll((answers) =>
        answers.map((answer) => answer.closest<HTMLElement>('.docent-item')?.dataset['place'] ?? ''),
      );
      for (const place of places.slice(-2)) {
        const answer = chatView.root.locator(`.docent-item[data-place="${place}"] .docent-answer`);
        const link = answer.locator('.docent-markdown > p > a.internal-link').last();
        const destination = (await link.getAttribute('title')) ?? undefined;
        await link.click();
        await until(async () => (await activeFile(workbench)) === destination, `${destination} is open`);
        opened.push([destination, await activeFile(workbench)]);
      }
    }
    expect(lost).toEqual([]);
    expect(opened).toHaveLength(2 * Math.ceil(questions.length / perChat));
    expect(missed.length).toBeLessThanOrEqual(questions.length / 5);
  });

  it('says of 20 questions that the notes hold nothing on them', async () => {
    const answers = await askAll(absentQuestions);
    expect(answers).toHaveLength(20);
    for (const [index, { text, sources }] of answers.entries()) {
      expect([absentQuestions[index], text, sources]).toEqual([
        absentQuestions[index],
        expect.stringContaining(words.reader.nothing),
        [],
      ]);
    }
  });
});

/** Runs in the page. */
async function askInPage(questions: readonly string[]): Promise<ShownAnswer[]> {
  const pause = (): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, 10));
  const root = document.querySelector('.docent-pane');
  const input = root?.querySelector<HTMLTextAreaElement>('.docent-composer-input');
  if (!root || !input) throw new Error('The pane is not open.');
  const press = (key: string): boolean =>
    input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const shown: ShownAnswer[] = [];
  for (const question of questions) {
    const before = root.querySelectorAll('.docent-user').length;
    input.value = question;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    press('Escape');
    press('Enter');
    while (root.querySelectorAll('.docent-user').length === before || root.querySelector('.is-stop')) await pause();
    const answer = [...root.querySelectorAll<HTMLElement>('.docent-answer')].at(-1);
    const links = [...(answer?.querySelectorAll<HTMLElement>('a.internal-link') ?? [])];
    shown.push({
      text: answer?.innerText ?? '',
      sources: links
        .filter((link) => link.matches('.docent-markdown > p > a') && link.parentElement?.innerText === link.innerText)
        .map((link) => link.title),
      lost: links
        .filter((link) => {
          const [target = ''] = (link.dataset['href'] ?? '').split('#');
          return window.app.metadataCache.getFirstLinkpathDest(target, '')?.path !== link.title;
        })
        .map((link) => `${link.dataset['href']} → ${link.title}`),
    });
  }
  return shown;
}
