/** Images that are attached to a message: how they are added, and what of them is sent, shown and stored. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makePng } from '../../support/make-png';
import { chatInView, openChatView, readLogInView, until, untilUnsaved, type OpenedChatView } from '../driver/chat-view';
import { readdir, readFile } from '../driver/reach';
import { startChat } from '../driver/reach-walk';
import { closeQuiet, type OpenedWorkbench, type OpenOptions, openWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const harbour = 'The harbour of Ardvane has three pontoons, and a crane that nobody has used since 1974.\n';
/** By js-tiktoken, whose table of o200k takes a second to load. */
const harbourTokens = 23;
const vault = { 'Harbour.md': harbour, 'Pics/note.md': 'A note.\n' };
const small = makePng(300, 200);
const large = makePng(2400, 1600, [200, 60, 20]);
const dropped = makePng(64, 48, [10, 20, 230]);

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

async function open(options: OpenOptions = {}): Promise<void> {
  const settings = { model: 'anthropic/scripted', ...options.settings };
  workbench = await openWorkbench({ vault, scripted: () => ({ text: 'I see.' }), ...options, settings });
  await writeFile(path.join(workbench.vaultFolder, 'Pics/quay.png'), small);
  await workbench.page.waitForFunction(() => window.app.vault.getFileByPath('Pics/quay.png') !== null);
  chatView = await openChatView(workbench);
}

interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Pastes or drops files, as the browser hands them over. */
function hand(kind: 'paste' | 'drop', files: readonly GivenFile[]): Promise<void> {
  const given = files.map(({ name, bytes }) => ({ name, bytes: [...bytes] }));
  return chatView.input.evaluate(
    (input, [how, all]) => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of all) {
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      }
      const more = { bubbles: true, cancelable: true };
      if (how === 'paste') input.dispatchEvent(new ClipboardEvent('paste', { ...more, clipboardData: transfer }));
      else input.dispatchEvent(new DragEvent('drop', { ...more, dataTransfer: transfer }));
    },
    [kind, given] as const,
  );
}

const paste = (...files: GivenFile[]): Promise<void> => hand('paste', files);

/** The image blocks of each request that was sent, and all that was sent as JSON. */
function sentImages(): { readonly media_type: string; readonly data: string }[][] {
  interface Block {
    readonly type: string;
    readonly source?: { readonly media_type: string; readonly data: string };
  }
  const bodies = (workbench.model?.requests ?? []).filter(({ method }) => method === 'POST').map(({ body }) => body);
  return (bodies as { messages: { content: string | Block[] }[] }[]).map(({ messages }) =>
    messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap(({ source }) => (source === undefined ? [] : [source])),
    ),
  );
}

const lastBody = (): string => JSON.stringify(workbench.model?.requests.at(-1)?.body);

/** Width and height, by the header of the PNG. */
function sizeOf(data: string): [number, number] {
  const bytes = Buffer.from(data, 'base64');
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** Returns the files of the chat in view, by name. Omits a file that is deleted during the read. */
async function chatFiles(): Promise<Map<string, Buffer>> {
  const folder = path.join(workbench.vaultFolder, 'Docent/chats', await chatInView(workbench));
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = new Map<string, Buffer>();
  for (const name of names.filter((each) => /\.\w+$/.test(each))) {
    const bytes = await readFile(path.join(folder, name)).catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'ENOENT') throw thrown;
      return null;
    });
    if (bytes !== null) files.set(name, bytes);
  }
  return files;
}

async function imageFiles(): Promise<string[]> {
  return [...(await chatFiles()).keys()].filter((name) => !name.endsWith('.jsonl'));
}

/** Waits until so many images are ready to be sent. */
const untilReady = (count: number): Promise<void> =>
  until(async () => {
    const texts = await chatView.chips.filter({ has: workbench.page.locator('img') }).allInnerTexts();
    return texts.filter((text) => / × /.test(text)).length === count;
  }, `${count} images are ready`);

const chipWords = (): Promise<string[]> => chatView.chips.locator('.docent-chip-size').allInnerTexts();

describe('with a model that takes images', () => {
  beforeAll(() => open());

  beforeEach(async () => {
    // Images that a test left in the box are of its chat.
    await startChat({ workbench, chatView });
    await chatView.input.fill('');
    await chatView.chips.first().waitFor({ state: 'detached' });
    workbench.model?.setScript(() => ({ text: 'I see.' }));
  });

  afterAll(() => closeQuiet(workbench));

  it('R218@request takes images in by paste, by mention and by drop, and sends what they show', async () => {
    await paste({ name: 'image.png', bytes: large });
    await untilReady(1);
    await chatView.mention('quay');
    await workbench.page.keyboard.type('and ');
    await hand('drop', [{ name: 'sketch.png', bytes: dropped }]);
    await untilReady(3);
    await chatView.mention('Harbour');
    expect(await chatView.chips.locator('.docent-chip-name').allInnerTexts()).toEqual([
      'Pasted image 1',
      'quay.png',
      'sketch.png',
      'Harbour',
    ]);
    await until(async () => (await chipWords()).every((text) => !text.includes('≈')), 'everything is counted');
    expect(await chipWords()).toEqual([
      '1,341 × 894 · 1,599 tokens',
      '300 × 200 · 80 tokens',
      '64 × 48 · 5 tokens',
      `${harbourTokens} tokens`,
    ]);
    const drawn = await chatView.chips
      .locator('img')
      .evaluateAll((pictures) =>
        pictures.map((picture) => (picture instanceof HTMLImageElement && picture.complete ? picture.naturalWidth : 0)),
      );
    expect(drawn).toEqual([1341, 300, 64]);
    await chatView.input.press('Enter');
    await chatView.questions.first().waitFor();
    await chatView.untilIdle();

    const [[first, second, third] = []] = sentImages();
    expect([first, second, third].map((image) => [image?.media_type, sizeOf(image?.data ?? '')])).toEqual([
      ['image/png', [1341, 894]],
      ['image/png', [300, 200]],
      ['image/png', [64, 48]],
    ]);
    expect(lastBody()).toContain('<image name=\\"Pasted image 1\\" width=\\"1341\\" height=\\"894\\">');
    expect(lastBody()).toContain('<image path=\\"Pics/quay.png\\" width=\\"300\\" height=\\"200\\">');

    await chatView.ask('And now?');
    const [before, after] = sentImages();
    expect(after).toEqual(before);
    expect(await chatView.questions.first().locator('img').count()).toBe(3);

    const [entry] = (await readLogInView(workbench)).filter(({ k }) => k === 'user');
    const mentions = entry?.b['mentions'] as { image?: Record<string, unknown> }[];
    expect(mentions.map(({ image }) => image?.['width'])).toEqual([1341, 300, 64, undefined]);
    const files = await chatFiles();
    for (const { data } of before ?? []) {
      const start = data.slice(0, 60);
      for (const file of files.values()) expect(file.toString('latin1')).not.toContain(start);
      expect([...files.values()].some((file) => file.equals(Buffer.from(data, 'base64')))).toBe(true);
    }
    await workbench.command('show-prompt');
    const inspector = workbench.page.locator('.docent-inspector');
    await inspector.waitFor();
    const texts = async (): Promise<string> => (await inspector.locator('pre').allTextContents()).join('\n');
    await until(async () => (await texts()).includes('And now?'), 'the messages stand in the view');
    const shown = await texts();
    expect(shown).toContain('[image] Pics/quay.png, 300×200, 80 tokens');
    expect(shown).toContain('[image] Pasted image 1, 1341×894, 1599 tokens');
    for (const { data } of before ?? []) expect(shown).not.toContain(data.slice(0, 60));
  });

  it('R218@request sends an image without a word, and the chip goes by the keyboard with its file', async () => {
    await paste({ name: 'image.png', bytes: small }, { name: 'other.png', bytes: dropped });
    await untilReady(2);
    expect(await imageFiles()).toHaveLength(2);
    await chatView.chips.getByRole('button', { name: 'Remove other.png' }).press('Enter');
    await until(async () => (await imageFiles()).length === 1, 'the file of the chip is gone');
    await chatView.input.focus();
    await chatView.input.press('Enter');
    await chatView.questions.first().waitFor();
    await chatView.untilIdle();
    expect(sentImages()[0]?.map(({ data }) => sizeOf(data))).toEqual([[300, 200]]);
    expect(await chatView.chips.count()).toBe(0);
  });

  it('R218@dom takes a copied passage for text though it brings a picture along, and a copied file for a picture', async () => {
    const pasteWith = (text: string): Promise<boolean> =>
      chatView.input.evaluate(
        (input, [words, bytes]) => {
          const transfer = new DataTransfer();
          transfer.setData('text/plain', words);
          transfer.items.add(new File([new Uint8Array(bytes)], 'quay.png', { type: 'image/png' }));
          return input.dispatchEvent(
            new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }),
          );
        },
        [text, [...small]] as const,
      );
    expect(await pasteWith('Two cells of a table')).toBe(true);
    expect(await pasteWith('quay.png')).toBe(false);
    await untilReady(1);
    expect(await chatView.chipNames()).toEqual(['quay.png']);
  });

  it('R218@request keeps images of a draft over a restart', async () => {
    await paste({ name: 'image.png', bytes: small });
    await untilReady(1);
    await chatView.input.fill('What is this?');
    await untilUnsaved(workbench.page, 'What is this?');
    await workbench.reload();
    chatView = await openChatView(workbench);
    await chatView.chips.first().waitFor();
    expect(await chatView.input.inputValue()).toBe('What is this?');
    await chatView.input.press('Enter');
    await chatView.questions.first().waitFor();
    await chatView.untilIdle();
    expect(
      sentImages()
        .at(-1)
        ?.map(({ data }) => sizeOf(data)),
    ).toEqual([[300, 200]]);
  });

  it('R218@request says in words that the file of an image is gone', async () => {
    await chatView.mention('quay');
    await workbench.page.keyboard.type('what is it?');
    await chatView.input.press('Enter');
    await chatView.questions.first().waitFor();
    await chatView.untilIdle();
    for (const name of await imageFiles())
      await rm(path.join(workbench.vaultFolder, 'Docent/chats', await chatInView(workbench), name));
    await chatView.ask('And now?');
    expect(sentImages().map((images) => images.length)).toEqual([1, 0]);
    expect(lastBody()).toContain('Not sent: its file is missing.');
  });

  it('R218@dom takes eight images a message and refuses what is none, in plain words', async () => {
    await paste(...Array.from({ length: 9 }, (_, index) => ({ name: `${index}.png`, bytes: makePng(20 + index, 20) })));
    await untilReady(8);
    expect(await chatView.chips.count()).toBe(8);
    expect(await chatView.failures.first().innerText()).toContain('A message can have at most 8 images.');
    await chatView.chips.getByRole('button', { name: 'Remove 7.png' }).click();
    await paste({ name: 'broken.png', bytes: small.subarray(0, 60) });
    await until(
      async () => (await chatView.failures.first().innerText()).includes('Couldn’t open broken.png as an image.'),
      'the broken one is named',
    );
    expect(await chatView.chips.count()).toBe(7);
  });

  it('R218@dom names a file of the vault that is dragged from the list of files', async () => {
    await chatView.input.evaluate((input) => {
      const transfer = new DataTransfer();
      transfer.setData('text/uri-list', 'obsidian://open?vault=vault&file=Pics%2Fquay.png');
      input.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    });
    await chatView.chips.first().waitFor();
    expect(await chatView.input.inputValue()).toBe('[[quay.png]] ');
  });
});

describe('with another model or device', () => {
  afterEach(() => closeQuiet(workbench));

  it('R218@request tells a model that takes no images of them in words, and says so on the chip', async () => {
    await open({ settings: { model: 'openai-compatible/scripted' } });
    await chatView.mention('quay');
    await until(async () => (await chipWords())[0] === '300 × 200 · image not supported', 'the chip says so');
    expect(await chatView.chips.first().getAttribute('title')).toBe(
      'scripted doesn’t support images. It gets only a text note that quay.png is attached.',
    );
    await chatView.input.press('Enter');
    await chatView.questions.first().waitFor();
    await chatView.untilIdle();
    expect(lastBody()).toContain('Not sent: this model does not support images.');
    expect(lastBody()).not.toContain('base64');
    const sent = chatView.questions.first().locator('.docent-chip-size');
    expect(await sent.allInnerTexts()).toEqual(['300 × 200 · image not supported']);
    await workbench.command('edit-last-question');
    const edited = workbench.page.locator('.docent-editor .docent-chip-size');
    await edited.waitFor();
    expect(await edited.allInnerTexts()).toEqual(['300 × 200 · image not supported']);
  });

  it('R218@request sends image_url parts to a server of the other protocol', async () => {
    await open({ settings: { model: 'openai-compatible/gpt-4o' } });
    await chatView.mention('quay');
    await until(async () => (await chipWords())[0] === '300 × 200 · 80 tokens', 'the image is ready');
    await chatView.input.press('Enter');
    await chatView.questions.first().waitFor();
    await chatView.untilIdle();
    const [, data = ''] = /"image_url":\{"url":"data:image\/png;base64,([^"]+)"/.exec(lastBody()) ?? [];
    expect(sizeOf(data)).toEqual([300, 200]);
  });

  it('R218@dom lets a phone choose an image with a button of 44 pixels', async () => {
    await open({ phone: true });
    const button = chatView.root.locator('.docent-attach');
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    const chooser = workbench.page.waitForEvent('filechooser');
    await button.click();
    await (await chooser).setFiles({ name: 'IMG_0001.png', mimeType: 'image/png', buffer: Buffer.from(large) });
    await untilReady(1);
    expect(await chipWords()).toEqual(['1,341 × 894 · 1,599 tokens']);
  });
});
