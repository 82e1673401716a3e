/** A long chat has few of its messages in the page, and the reader finds all of them where they are. */
import { openLongChat, vaultWithChat } from '../driver/stored-chat';
import { openChatView, until, type OpenedChatView } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(120_000);

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

afterEach(async () => {
  const { errors } = workbench;
  await workbench.close();
  expect(errors).toEqual([]);
});

const list = () => chatView.root.locator('.docent-transcript');
const mounted = (): Promise<number> => chatView.root.locator('.docent-item').count();

/** The question at the top of the view, and where it is. */
const atTop = (): Promise<{ readonly text: string; readonly top: number } | null> =>
  list().evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const shown = [...element.querySelectorAll<HTMLElement>('.docent-user')].find(
      (question) => question.getBoundingClientRect().top >= top,
    );
    return shown === undefined
      ? null
      : { text: shown.innerText, top: Math.round(shown.getBoundingClientRect().top - top) };
  });

/** Waits until what is at the top of the view stays there. */
async function atRest(): Promise<{ readonly text: string; readonly top: number }> {
  let last = await atTop();
  await until(async () => {
    const [before, now] = [last, await atTop()];
    last = now;
    return now !== null && JSON.stringify(now) === JSON.stringify(before);
  }, 'the view is at rest');
  return last!;
}

it('mounts what is around the view, and holds the reader’s place while an answer streams in', async () => {
  workbench = await openWorkbench({
    vault: vaultWithChat(400),
    scripted: () => ({ text: 'It is sound. '.repeat(60), eventsPerSecond: 60 }),
  });
  chatView = await openChatView(workbench);
  await openLongChat(workbench.page);
  await chatView.root.getByText('What of bolt 398?').waitFor();
  expect(await mounted()).toBeLessThanOrEqual(40);
  await chatView.send('And now?');
  await chatView.untilRunning();
  await list().evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  const before = await atRest();
  expect(before.text).toMatch(/^What of bolt (?:1\d\d|2[0-4]\d)\?$/);
  expect(await mounted()).toBeLessThanOrEqual(40);
  await chatView.untilIdle();
  expect(await atRest()).toEqual(before);
  await list().evaluate((element) => element.scrollTo(0, 0));
  await chatView.questions.getByText('What of bolt 0?').waitFor();
  await list().hover();
  for (let bolt = 2; bolt < 60; bolt += 2) {
    const question = chatView.root.getByText(`What of bolt ${bolt}?`, { exact: true });
    await until(async () => {
      if ((await question.count()) > 0) return true;
      await workbench.page.mouse.wheel(0, 300);
      return false;
    }, `bolt ${bolt}`);
  }
  expect(await mounted()).toBeLessThanOrEqual(40);
  await chatView.ask('Is that all?');
  await chatView.root.getByText('Is that all?').waitFor();
  expect((await chatView.questions.allInnerTexts()).slice(-2)).toEqual(['And now?', 'Is that all?']);
});

it('shows the end of a chat that opened while its view was hidden, and holds it when the view changes', async () => {
  workbench = await openWorkbench({
    vault: vaultWithChat(30),
    scripted: () => ({ text: 'It is sound.\n\n'.repeat(60) }),
  });
  chatView = await openChatView(workbench);
  const hide = (isHidden: boolean): Promise<void> =>
    chatView.root.evaluate((root, hidden) => {
      root.closest<HTMLElement>('.workspace-leaf')?.setCssStyles({ display: hidden ? 'none' : '' });
    }, isHidden);
  await hide(true);
  await openLongChat(workbench.page);
  await until(async () => (await mounted()) === 30, 'all of it is mounted');
  await hide(false);
  const below = (): Promise<number> =>
    list().evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await until(async () => (await below()) < 1, 'the end is in view');
  const height = (): Promise<number> => list().evaluate(({ clientHeight }) => clientHeight);
  /** Returns the height once lines below the list, such as that of the tokens, no longer come and go. */
  const restedHeight = async (): Promise<number> => {
    let [last, times] = [0, 0];
    await until(async () => {
      const now = await height();
      times = now === last ? times + 1 : 0;
      last = now;
      return times === 5;
    }, 'the list keeps its height');
    return last;
  };
  const before = await height();
  await chatView.input.fill('One.\nTwo.\nThree.\nFour.');
  await until(async () => (await height()) < before - 20, 'the box takes room from the messages');
  await until(async () => (await below()) < 1, 'the end stays in view');
  await chatView.ask('And now?');
  const end = { text: 'And now?', top: 8 };
  await until(async () => JSON.stringify(await atTop()) === JSON.stringify(end), 'the question is at the top');
  const position = (): Promise<number> => list().evaluate(({ scrollTop }) => scrollTop);
  const asked = await position();
  await list().evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const [full, lines] = [await restedHeight(), 'One.\nTwo.\nThree.\nFour.'];
  await chatView.input.fill(lines);
  await until(async () => (await height()) < full - 20, 'the box takes room from the messages');
  await until(async () => (await below()) < 1, 'the end of a long answer that is read stays in view');
  await chatView.input.fill('');
  await until(async () => (await height()) === full, 'the messages have their room again');
  await list().evaluate((element) => element.scrollBy(0, -200));
  const read = await position();
  await chatView.input.fill(lines);
  await until(async () => (await height()) < full - 20, 'the box takes room from the messages');
  expect(await position()).toBe(read);
  await chatView.input.fill('');
  await list().evaluate((element, top) => element.scrollTo(0, top), asked);
  await until(async () => JSON.stringify(await atTop()) === JSON.stringify(end), 'the question is at the top again');
  // As when its tab is dragged to another place.
  await chatView.root.evaluate((root) => {
    const leaf = root.closest<HTMLElement>('.workspace-leaf');
    leaf?.setCssStyles({ position: 'fixed', inset: '10px', zIndex: '99' });
    if (leaf) document.body.append(leaf);
  });
  await until(async () => JSON.stringify(await atTop()) === JSON.stringify(end), 'the question stays at the top');
});
