/** A walk: the plugin opened once and asked a little, so that many tests can each look at what became of it. */
import { openChatView, untilNew, type OpenedChatView } from './chat-view';
import { lastSent, sentRequests, type SentRequest } from './sent-request';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from './workbench';

export interface Walk {
  readonly workbench: OpenedWorkbench;
  readonly chatView: OpenedChatView;
  /** A request that the model got; the last one unless another is named. */
  sent(index?: number): SentRequest;
}

/** Opens before the tests of the enclosing block, and closes after them. */
export function walk(options: OpenOptions, drive: (walk: Walk) => Promise<void>): Walk {
  let workbench: OpenedWorkbench | undefined;
  let chatView: OpenedChatView | undefined;
  const opened = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error('The walk has not begun.');
    return part;
  };
  const result: Walk = {
    get workbench() {
      return opened(workbench);
    },
    get chatView() {
      return opened(chatView);
    },
    sent: (index) => sentTo(opened(workbench), index),
  };
  beforeAll(async () => {
    workbench = await openWorkbench({ scripted: () => ({ text: 'Understood.' }), ...options });
    chatView = await openChatView(workbench);
    await drive(result);
  }, 120_000);
  afterAll(async () => {
    const { errors, outsideRequests } = opened(workbench);
    await workbench?.close();
    expect(errors).toEqual([]);
    expect(outsideRequests).toEqual([]);
  });
  return result;
}

/** A request that the model of the workbench got; the last one unless another is named. */
export function sentTo({ model }: OpenedWorkbench, index = -1): SentRequest {
  const found = index === -1 ? lastSent(model) : sentRequests(model).at(index);
  if (found === undefined) throw new Error(`There is no request ${index}.`);
  return found;
}

/** Returns the text between the tags of a section; undefined if the section is missing. */
export function sectionIn(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}(?: [^<>]*)?>\\n?([\\s\\S]*?)\\n?</${tag}>`).exec(text)?.[1];
}

/** Fails unless the text holds all parts, each behind the one before. */
export function expectInOrder(text: string, parts: readonly string[]): void {
  const found = parts.map((part) => text.indexOf(part));
  expect(parts.filter((_, index) => found[index] === -1)).toEqual([]);
  expect(found).toEqual([...found].sort((a, b) => a - b));
}

/** Types with the keyboard, chooses the line of this name in the list that opens, and waits for its chip. */
export async function choose(
  { workbench, chatView }: Pick<Walk, 'workbench' | 'chatView'>,
  typed: string,
  name: string,
): Promise<void> {
  const before = await chatView.chips.count();
  await chatView.input.focus();
  await workbench.page.keyboard.type(typed);
  await chatView.suggestions.locator('.docent-popup-name').getByText(name, { exact: true }).first().click();
  await chatView.chips.nth(before).waitFor();
  await workbench.page.keyboard.type(' ');
}

/** Sends the text in the box and waits for the answer. */
export async function sendTyped({ chatView }: Pick<Walk, 'chatView'>, words = ''): Promise<void> {
  const before = await chatView.questions.count();
  await chatView.input.focus();
  const { keyboard } = chatView.input.page();
  if (words !== '') await keyboard.insertText(words);
  await keyboard.press('Enter');
  await chatView.questions.nth(before).waitFor();
  await chatView.untilIdle();
}

/** Begins a chat of its own. */
export async function startChat({ workbench }: Pick<Walk, 'workbench' | 'chatView'>): Promise<void> {
  await workbench.command('new-chat');
  await untilNew(workbench.page);
}
