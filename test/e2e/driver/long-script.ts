/** What long conversations are made of: a model that answers at length and writes snapshots, and notes to read. */
import type { Locator } from 'playwright-core';
import type { ModelRequest, Script, ScriptStep } from '../../support/model-server';
import { chooseInMenu, type OpenedChatView } from './chat-view';

/** The sections that a snapshot has to have. */
export const snapshotParts = [
  'overall_goal',
  'active_constraints',
  'key_knowledge',
  'artifact_trail',
  'file_system_state',
  'recent_actions',
  'task_state',
];
const snapshot = `<state_snapshot>${snapshotParts.map((name) => `<${name}>About ${name}.</${name}>`).join('')}</state_snapshot>`;
const report = `# Report\n\n${Array.from({ length: 120 }, (_, line) => `Line ${line}: the hull is sound.`).join('\n')}\n`;
const boat = `# Boat\n\n${Array.from({ length: 12 }, (_, part) => `## Part ${part}\n\n${'Bronze bolts hold. '.repeat(12)}`).join('\n\n')}\n`;

export const longVault = { 'Report.md': report, 'Boat.md': boat, 'Docent/memory.md': '' };

/**
 * Returns a script that gives long answers, reads the report when the message says so, and writes a summary when the
 * request is for one.
 */
export function longScript(words: number): (request: ModelRequest) => ScriptStep {
  return (request) => {
    const body = JSON.stringify(request.body);
    if (body.includes('[End of the conversation]')) return { text: snapshot };
    const messages = (request.body as { messages: { role: string; content: unknown }[] }).messages;
    const last = messages.at(-1);
    const said = JSON.stringify(last?.content ?? '');
    const isResult = last?.role === 'tool' || said.includes('tool_result');
    if (!isResult && said.includes('Read the report')) {
      return { toolCalls: [{ name: 'read_note', arguments: { path: 'Report.md' } }] };
    }
    return { text: `Noted. ${'The boat is fine. '.repeat(words)}` };
  };
}

export const asScript = (words: number): Script => longScript(words);

/** Types and sends one message after the other inside the page, each as soon as the answer before it is over. */
export async function askMany(chatView: OpenedChatView, texts: readonly string[]): Promise<void> {
  await chatView.root.evaluate(async (root, messages) => {
    const box = root.querySelector<HTMLTextAreaElement>('.docent-composer-input');
    const write = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
    if (box === null || write === undefined) throw new Error('There is no box to write in.');
    const asked = root.getElementsByClassName('docent-user');
    // Older messages may not be in the page.
    const placeOfLast = (): number =>
      Number(asked.item(asked.length - 1)?.closest<HTMLElement>('.docent-item')?.dataset['place'] ?? -1);
    const stops = root.getElementsByClassName('is-stop');
    for (const text of messages) {
      const before = placeOfLast();
      write.call(box, text);
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`No answer to: ${text}`)), 60_000);
        const look = (): void => {
          if (placeOfLast() <= before || stops.length > 0) return;
          clearTimeout(late);
          observer.disconnect();
          resolve();
        };
        const observer = new MutationObserver(look);
        observer.observe(root, { childList: true, subtree: true, attributes: true });
        look();
      });
    }
  }, texts);
}

export const question = (turn: number): string => `Question ${turn} about the boat`;
export const questions = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, index) => question(from + index));

/** Elements of the context bar and of what it opens. */
export function contextParts(chatView: OpenedChatView) {
  const page = chatView.root.page();
  return {
    bar: chatView.root.locator('button.docent-context'),
    divider: chatView.root.locator('.docent-summary'),
    list: page.locator('.docent-list-modal'),
    snapshot: page.locator('.docent-snapshot-modal'),
  };
}

/** Moves by Tab alone until the focus is on the button whose name begins so, and presses it. */
export async function pressByKeyboard(within: Locator, name: RegExp): Promise<void> {
  const page = within.page();
  const { keyboard } = page;
  const parent = await within.elementHandle();
  for (let step = 0; step < 300; step += 1) {
    const said = await page.evaluate((root) => {
      const focused = document.activeElement;
      if (focused === null || root?.contains(focused) !== true) return null;
      return focused.getAttribute('aria-label') ?? focused.textContent;
    }, parent);
    if (said !== null && name.test(said)) return keyboard.press('Enter');
    await keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name.source}`);
}

/**
 * Chooses an act of a row in the list of the context that is in the menu of the row, with the keyboard alone.
 * @param row - the name of the row, as its menu has it
 */
export async function chooseByKeyboard(list: Locator, row: RegExp, act: RegExp): Promise<void> {
  await pressByKeyboard(list, new RegExp(`^More actions: .*${row.source}`));
  await chooseInMenu(list.page(), act);
}
