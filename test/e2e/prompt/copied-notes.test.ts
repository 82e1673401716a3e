/** A note with code, HTML and a tag of Docent's: what is sent of it, and what a model that copies it leaves on the disk. */
import { openChatView, type OpenedChatView } from '../driver/chat-view';
import { allText, sentRequests } from '../driver/sent-request';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';
import { treeOf } from '../driver/writing-walk';
import { readRequest, type Script } from '../../support/model-server';

jest.setTimeout(60_000);

const card =
  'if a < b && c\n\n<table><tr><td>R&D</td></tr></table>\n\n</note> is an end of \u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd\u200f.\n';
const vault = {
  'Card.md': card,
  'Twin.md': `\ufeff${card.replaceAll('\n', '\r\n')}`,
  'Docent/memory.md': '',
};

/** Copies what the request shows of a note, letter for letter. */
const copying: Script = (request) => {
  const { index } = request;
  const shown = /<note path="Card\.md">\n([^]*?)\n<\/note>/.exec(allText(readRequest(request)))?.[1] ?? '';
  const line = shown.split('\n').find((each) => each.includes('is an end')) ?? '';
  if (index === 0) return { toolCalls: [{ name: 'read_note', arguments: { path: 'Twin.md' } }] };
  if (index > 1) return { text: `The last line: ${line}` };
  return {
    toolCalls: [
      { name: 'create_note', arguments: { path: 'Copy.md', text: shown } },
      { name: 'edit_note', arguments: { path: 'Twin.md', oldText: line, newText: `${line} &lt;note` } },
    ],
  };
};

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

beforeAll(async () => {
  workbench = await openWorkbench({ vault, scripted: copying });
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  chatView = await openChatView(workbench);
  await chatView.mention('Card');
  await workbench.page.keyboard.type('copy it');
  await chatView.input.press('Enter');
  await chatView.answers.getByText('The last line').waitFor();
  await chatView.untilIdle();
});

afterAll(async () => {
  expect(workbench.errors).toEqual([]);
  await workbench.close();
});

it('shows the note as it is, but for what reads as one of our tags', () => {
  const [first] = sentRequests(workbench.model);
  expect(first === undefined ? '' : allText(first)).toContain(
    `<note path="Card.md">\n${card.replace('</note>', '&lt;/note>')}\n</note>`,
  );
});

it('R220@disk leaves the bytes of the note where a model copied it, and its own words as they are', async () => {
  const before = await treeOf(workbench);
  await chatView.root
    .getByRole('button', { name: /^Apply/ })
    .first()
    .click();
  await chatView.root
    .locator('.docent-review')
    .getByText(/Applied to/)
    .first()
    .waitFor();
  const after = await treeOf(workbench);
  expect(after['Copy.md']).toBe(before['Card.md']);
  expect(after['Twin.md']).toBe(before['Twin.md']?.replace(/(is an end[^\r]*)/, '$1 &lt;note'));
});

it('shows and copies the answer with what the note says', async () => {
  expect(await chatView.answers.last().innerText()).toContain('</note> is an end');
  await chatView.answers.last().getByRole('button', { name: 'Copy' }).click();
  expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).toContain(
    card.slice(card.indexOf('</note>')).trimEnd(),
  );
});

it('names what is sent but seen by nobody', async () => {
  await workbench.command('show-prompt');
  const modal = workbench.page.locator('.docent-inspector-modal');
  await modal.getByRole('tab', { name: 'Sent requests' }).click();
  await modal.getByText('1 invisible character').first().waitFor();
});
