/** @jest-environment jsdom */
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { imageTypesTaken } from '../../../../src/core/ports/message';
import type { Mention } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { openComposer, type OpenedComposer } from './open-composer';
import { makePng } from '../../../support/make-png';
import { finish, say, scriptedModel } from '../../../support/scripted-model';

const boat = makePng(30, 20);

beforeEach(() => createTestApp({ bare: true }));
afterEach(closeTestApps);

const chipOf = (composer: OpenedComposer, name: string): Element | undefined =>
  [...composer.root.querySelectorAll('.docent-chip')].find((chip) => chip.textContent.includes(name));

describe('chips of images', () => {
  it('R218 show their picture, size and price, and whether the model takes them', async () => {
    const composer = await openComposer({ 'Pics/boat.png': boat, 'A.md': 'a' });
    await composer.type('[[boat');
    expect(composer.lines()).toEqual(['[boat.png]']);
    await composer.press('Enter');
    expect(composer.input.value).toBe('[[boat.png]] ');
    const chip = chipOf(composer, 'boat.png');
    expect(chip?.querySelector('img')?.getAttribute('src')).toBe('app://vault/Pics/boat.png');
    // The model of this bench takes no images.
    expect(chip?.querySelector('.docent-chip-size')?.textContent).toBe('30 × 20 · image not supported');
    expect(chip?.getAttribute('title')).toBe(
      'Scripted doesn’t support images. It gets only a text note that boat.png is attached.',
    );
    await composer.click(chip?.querySelector('.docent-chip-name') ?? null);
    expect(composer.done).toContain('open Pics/boat.png');
    await composer.click(chip?.querySelector('.docent-chip-remove') ?? null);
    expect(composer.chips()).toEqual([]);
    expect(composer.input.value).toBe('');
  });

  it('R218 of what is no image say so, and the message can still be sent', async () => {
    const composer = await openComposer({ 'boat.png': new Uint8Array([1, 2, 3]) });
    await composer.type('[[boat');
    await composer.press('Enter');
    expect(chipOf(composer, 'boat.png')?.getAttribute('title')).toBe(
      'boat.png won’t be sent. boat.png isn’t a PNG, JPEG, GIF, or WebP image. Save it in one of these formats and attach that.',
    );
    expect(chipOf(composer, 'boat.png')?.querySelector('img')).toBeNull();
  });

  it('R218 that were handed over stay while the text changes, and keep their file until they are removed', async () => {
    const composer = await openComposer({});
    const bytes = boat.slice().buffer;
    const file = Object.assign(new File([boat.slice()], 'image.png', { type: 'image/png' }), {
      arrayBuffer: () => Promise.resolve(bytes),
    });
    composer.model.images.add([file]);
    await composer.model.images.idle();
    await composer.type('What is it?');
    await composer.type('');
    expect(composer.chips()).toEqual(['Pasted image 1']);
    expect(composer.model.canSend).toBe(true);
    expect(composer.images.stored.size).toBe(1);
    await composer.click(chipOf(composer, 'Pasted')?.querySelector('.docent-chip-remove') ?? null);
    expect(composer.model.canSend).toBe(false);
    expect(composer.images.stored.size).toBe(0);
  });

  it('R218 keep their file when they are removed while a message that waits has them', async () => {
    const { model, images } = await openComposer({});
    const file = Object.assign(new File([], 'image.png'), { arrayBuffer: () => Promise.resolve(boat.slice().buffer) });
    model.images.add([file]);
    await model.images.idle();
    const [mention] = model.mentions.value;
    if (model.state.value === null || mention === undefined) throw new Error('There is no image.');
    model.state.value = { ...model.state.value, queued: [{ text: 'What is it?', mentions: [mention] }] };
    model.removeMention(mention);
    await Promise.resolve();
    expect(images.stored.size).toBe(1);
  });

  /** Attaches the picture to the unsent message of a chat, as a paste does. */
  const attach = async ({ model }: OpenedComposer): Promise<Mention> => {
    const file = Object.assign(new File([], 'image.png'), { arrayBuffer: () => Promise.resolve(boat.slice().buffer) });
    model.images.add([file]);
    await model.images.idle();
    const mention = model.mentions.value.at(-1);
    if (mention === undefined) throw new Error('There is no image.');
    return mention;
  };
  const isAtRest = async ({ model, vaultChanged }: OpenedComposer): Promise<void> => {
    while (model.state.value?.running !== false) await vaultChanged();
  };

  it('R218 keep their file when they are removed while another version of a message has them', async () => {
    const composer = await openComposer(
      {},
      scriptedModel([
        [say('A boat.'), finish()],
        [say('None.'), finish()],
      ]),
    );
    const { model, images } = composer;
    await attach(composer);
    await model.send();
    await isAtRest(composer);
    const [sent] = model.state.value?.items ?? [];
    await model.messages.edit(sent?.id ?? '', 'What is there?', []);
    await isAtRest(composer);
    expect(model.state.value?.items.map((item) => item.type === 'user' && item.mentions.length)).toEqual([0, false]);
    model.removeMention(await attach(composer));
    await composer.vaultChanged();
    expect(images.stored.size).toBe(1);
  });

  it('R218 keep their file when they are removed from a message that was taken along from another chat', async () => {
    const composer = await openComposer({});
    const { model, images } = composer;
    const mention = await attach(composer);
    await model.open('c2');
    model.addToDraft('What is it?', [mention]);
    model.removeMention(mention);
    await composer.vaultChanged();
    expect(images.stored.size).toBe(1);
  });

  it('R218 of a file that cannot be read any more are missed in words', async () => {
    const composer = await openComposer({});
    const missing = Object.assign(new File([], 'boat.png', { type: 'image/png' }), {
      arrayBuffer: () => Promise.reject(new DOMException('Gone.', 'NotReadableError')),
    });
    composer.model.images.add([missing]);
    await composer.model.images.idle();
    expect(composer.model.failure.value?.words).toBe('Couldn’t open boat.png as an image.');
    expect(composer.chips()).toEqual([]);
  });

  it('R218 are made ready in a draft that was left and opened again meanwhile', async () => {
    const composer = await openComposer({ 'boat.png': boat });
    const { attached } = composer.images;
    const prepare = attached.prepare.bind(attached);
    let go = (): void => {};
    jest.spyOn(attached, 'prepare').mockImplementation(async (mention, chat) => {
      await new Promise<void>((resolve) => (go = resolve));
      return prepare(mention, chat);
    });
    expect(composer.model.images.addPath('boat.png')).toBe(true);
    await composer.model.open(null);
    go();
    await composer.vaultChanged();
    expect(composer.model.mentions.value.map(({ image }) => image?.width)).toEqual([30]);
  });

  it('R218 are made ready in a draft that mentions something else as well', async () => {
    const { model, vaultChanged } = await openComposer({ 'boat.png': boat, 'Now.md': 'Text.' });
    model.setText('Is it [[Now]]?', [{ kind: 'note', id: 'Now.md', label: 'Now' }]);
    expect(model.images.addPath('boat.png')).toBe(true);
    await vaultChanged();
    expect(model.mentions.value.map(({ id, image }) => [id, image?.width])).toEqual([
      ['Now.md', undefined],
      ['boat.png', 30],
    ]);
  });

  it('R218 are not waited for at the cost of another chat, whose draft stays', async () => {
    const composer = await openComposer({});
    let read = (_bytes: ArrayBuffer): void => {};
    const slow = Object.assign(new File([], 'boat.png', { type: 'image/png' }), {
      arrayBuffer: () => new Promise<ArrayBuffer>((resolve) => (read = resolve)),
    });
    composer.model.images.add([slow]);
    const sent = composer.model.send();
    await composer.model.open('c2');
    await composer.type('Not yet.');
    read(boat.slice().buffer);
    await sent;
    expect(composer.model.text.value).toBe('Not yet.');
    expect(composer.model.state.value?.items).toEqual([]);
  });

  it('R218 that were still being read belong to the chat in which they were attached', async () => {
    const { model } = await openComposer({});
    const reads: ((bytes: ArrayBuffer) => void)[] = [];
    const slow = (name: string): File =>
      Object.assign(new File([], name, { type: 'image/png' }), {
        arrayBuffer: () => new Promise<ArrayBuffer>((resolve) => void reads.push(resolve)),
      });
    const named = (): string[] => model.mentions.value.map(({ label }) => label);
    model.setText('What are they?');
    model.images.add([slow('boat.png'), slow('oar.png')]);
    const { chatId } = model;
    await model.open('c2');
    for (const bytes of [makePng(30, 20), makePng(20, 30)]) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      reads.shift()?.(bytes.slice().buffer);
    }
    await model.images.idle();
    expect(named()).toEqual([]);
    await model.open(chatId);
    expect([model.text.value, named()]).toEqual(['What are they?', ['boat.png', 'oar.png']]);
  });

  it.each([
    [
      'cannot be read any more',
      (): Promise<ArrayBuffer> => Promise.reject(new DOMException('Lost.', 'NotReadableError')),
    ],
    ['are no images', (): Promise<ArrayBuffer> => Promise.resolve(new ArrayBuffer(3))],
  ])('R218 that %s are reported in the chat in which they were attached', async (_what, arrayBuffer) => {
    const { model, done } = await openComposer({});
    const { chatId } = model;
    let read = (): void => {};
    const bad = Object.assign(new File([], 'boat.png', { type: 'image/png' }), {
      arrayBuffer: () => new Promise<void>((resolve) => (read = resolve)).then(arrayBuffer),
    });
    model.images.add([bad]);
    await model.open('c2');
    read();
    await model.images.idle();
    expect(model.failure.value).toBeNull();
    expect(done.filter((said) => said.startsWith(words.chatView.elsewhere('')))).toHaveLength(1);
    await model.open(chatId);
    expect(model.failure.value?.words).toContain('boat.png');
  });

  it('names a note of the vault that is dropped as well, and no other file', async () => {
    const composer = await openComposer({ 'Notes/Heron.md': 'h', 'a.pdf': boat });
    expect(composer.model.images.addPath('Notes/Heron')).toBe(true);
    expect(composer.model.images.addPath('a.pdf')).toBe(false);
    expect(composer.model.images.addPath('b.png')).toBe(false);
    expect(composer.model.text.value).toBe('[[Heron]] ');
  });
});

describe('pictures that come into the message', () => {
  /** The same picture again is no second one, so that each name has a picture of its own. */
  const picture = (name: string, type = 'image/png'): File => {
    const bytes = makePng(20 + name.length, 20 + name.charCodeAt(0));
    return Object.assign(new File([bytes.slice()], name, { type }), {
      arrayBuffer: () => Promise.resolve(bytes.slice().buffer),
    });
  };
  const transferOf = (files: readonly File[], texts: Readonly<Record<string, string>> = {}) => ({
    files,
    types: [...(files.length > 0 ? ['Files'] : []), ...Object.keys(texts)],
    getData: (type: string) => texts[type] ?? '',
  });
  /** Whether the event was taken, so that the browser does nothing with it. */
  async function send(composer: OpenedComposer, type: string, transfer: object, more: object = {}): Promise<boolean> {
    const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
      [type === 'paste' ? 'clipboardData' : 'dataTransfer']: transfer,
      ...more,
    });
    composer.input.dispatchEvent(event);
    await composer.model.images.idle();
    await composer.vaultChanged();
    return event.defaultPrevented;
  }
  const dropMark = (composer: OpenedComposer): [boolean | undefined, string | undefined] => [
    composer.root.querySelector('.docent-composer')?.hasClass('is-drop-target'),
    composer.root.querySelector('.docent-drop-hint')?.textContent,
  ];

  it('R218 are marked while they are over the box, and taken where they are dropped', async () => {
    const composer = await openComposer({});
    const dragged = transferOf([picture('boat.png')]);
    expect(dropMark(composer)).toEqual([false, undefined]);
    expect(await send(composer, 'dragover', dragged)).toBe(true);
    expect(dropMark(composer)).toEqual([true, words.images.dropHere]);
    await send(composer, 'dragleave', dragged, { relatedTarget: composer.input });
    expect(dropMark(composer)[0]).toBe(true);
    await send(composer, 'dragleave', dragged, { relatedTarget: document.body });
    expect(dropMark(composer)).toEqual([false, undefined]);
    await send(composer, 'dragover', dragged);
    composer.input.blur();
    expect(await send(composer, 'drop', dragged)).toBe(true);
    expect([dropMark(composer)[0], composer.chips()]).toEqual([false, ['boat.png']]);
    expect(document.activeElement).toBe(composer.input);
  });

  it('R218 are left to the browser where they are none', async () => {
    const composer = await openComposer({ 'Now.md': '' });
    const text = transferOf([], { 'text/plain': 'Some words' });
    expect(await send(composer, 'dragover', text)).toBe(false);
    expect(await send(composer, 'drop', text)).toBe(false);
    expect(await send(composer, 'drop', transferOf([picture('a.txt', 'text/plain')]))).toBe(false);
    expect(await send(composer, 'paste', text)).toBe(false);
    expect(composer.model.failure.value?.words).toBe(words.images.notAnImage('a.txt'));
    expect([dropMark(composer), composer.chips()]).toEqual([[false, undefined], []]);
  });

  it('R218 are taken from among other files, of which it is said that they are none', async () => {
    const composer = await openComposer({});
    const files = [picture('boat.png'), picture('a.pdf', 'application/pdf')];
    expect(await send(composer, 'drop', transferOf(files.slice(1), { 'text/plain': 'A link' }))).toBe(false);
    expect(composer.model.failure.value).toBeNull();
    expect(await send(composer, 'drop', transferOf(files))).toBe(true);
    expect([composer.chips(), composer.model.failure.value?.words]).toEqual([
      ['boat.png'],
      words.images.notAnImage('a.pdf'),
    ]);
  });

  it('R218 are pasted, but not with a passage that brings a picture of itself', async () => {
    const composer = await openComposer({});
    expect(await send(composer, 'paste', transferOf([picture('image.png')], { 'text/plain': 'A table' }))).toBe(false);
    expect(composer.chips()).toEqual([]);
    expect(await send(composer, 'paste', transferOf([picture('image.png')]))).toBe(true);
    expect(await send(composer, 'paste', transferOf([picture('boat.png')], { 'text/plain': '/in/boat.png' }))).toBe(
      true,
    );
    expect(composer.chips()).toEqual([words.images.pasted(1), 'boat.png']);
  });

  it('R218 and notes are named when they are dragged out of the app’s own list', async () => {
    const composer = await openComposer({ 'Pics/boat.png': boat, 'In/Now.md': '', 'a.pdf': 'x' });
    const dragged = (path: string, type = 'text/plain') =>
      transferOf([], { [type]: `obsidian://open?vault=demo&file=${encodeURIComponent(path)}` });
    expect(await send(composer, 'drop', dragged('In/Now'))).toBe(true);
    expect(await send(composer, 'drop', dragged('Pics/boat.png', 'text/uri-list'))).toBe(true);
    expect(composer.input.value).toBe('[[Now]] [[boat.png]] ');
    expect(await send(composer, 'drop', dragged('a.pdf'))).toBe(false);
    expect(await send(composer, 'drop', dragged('Gone'))).toBe(false);
    await composer.type('see');
    expect(await send(composer, 'drop', dragged('In/Now.md'))).toBe(true);
    expect([composer.input.value, composer.chips()]).toEqual(['see [[Now]] ', ['Now']]);
    await composer.type('');
    const several = ['In/Now', 'In', 'Gone'].map((path) => `obsidian://open?vault=demo&file=${path}`).join('\r\n');
    const list = transferOf([], { 'text/uri-list': several });
    expect([await send(composer, 'dragover', list), dropMark(composer)[0]]).toEqual([true, true]);
    expect(await send(composer, 'drop', list)).toBe(true);
    expect([composer.input.value, composer.chips()]).toEqual(['[[Now]] [[In/]] ', ['Now', 'In/']]);
    const quoted = transferOf([], { 'text/plain': 'See obsidian://open?vault=demo&file=In\nobsidian://open?file=In' });
    expect(await send(composer, 'drop', quoted)).toBe(false);
  });

  it('R218 are chosen by a button, several at once, and the same ones again', async () => {
    const composer = await openComposer({});
    const input = composer.root.querySelector<HTMLInputElement>('.docent-attach-files')!;
    const opened = jest.spyOn(input, 'click');
    await composer.click(composer.root.querySelector(`[aria-label="${words.images.attach}"]`));
    expect([opened.mock.calls.length, input.accept, input.multiple]).toEqual([1, imageTypesTaken.join(','), true]);
    let emptied = 0;
    Object.defineProperty(input, 'files', { value: [picture('a.png'), picture('b.png')] });
    Object.defineProperty(input, 'value', { set: () => (emptied += 1) });
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await composer.model.images.idle();
    await composer.vaultChanged();
    expect([composer.chips(), emptied]).toEqual([['a.png', 'b.png'], 1]);
    expect(document.activeElement).toBe(composer.input);
  });
});
