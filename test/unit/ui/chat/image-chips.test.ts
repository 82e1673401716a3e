/** @jest-environment jsdom */
import { closeTestApps, createTestApp } from '../../../workbench/emulator/jest';
import { openComposer, type OpenedComposer } from './open-composer';
import { makePng } from '../../../support/make-png';

const boat = makePng(30, 20);

beforeEach(() => createTestApp());
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
    expect(chip?.querySelector('.docent-chip-size')?.textContent).toBe('30 × 20 · told in words');
    expect(chip?.getAttribute('title')).toBe(
      'Scripted takes no images: it is told in words that boat.png is attached.',
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
      'boat.png is not sent. boat.png is not a PNG, JPEG, GIF or WebP image. Save it in one of these formats and attach that.',
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

  it('R218 of a file that cannot be read any more are missed in words', async () => {
    const composer = await openComposer({});
    const gone = Object.assign(new File([], 'boat.png', { type: 'image/png' }), {
      arrayBuffer: () => Promise.reject(new DOMException('Gone.', 'NotReadableError')),
    });
    composer.model.images.add([gone]);
    await composer.model.images.idle();
    expect(composer.model.failure.value?.words).toBe('boat.png cannot be opened as an image.');
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

  it('R218 are not waited for at the cost of another chat, whose draft stays', async () => {
    const composer = await openComposer({});
    let read = (_bytes: ArrayBuffer): void => {};
    const slow = Object.assign(new File([], 'boat.png', { type: 'image/png' }), {
      arrayBuffer: () => new Promise<ArrayBuffer>((resolve) => (read = resolve)),
    });
    composer.model.images.add([slow]);
    const sent = composer.model.send();
    await composer.model.open(null);
    await composer.type('Not yet.');
    read(boat.slice().buffer);
    await sent;
    expect(composer.model.text.value).toBe('Not yet.');
    expect(composer.model.state.value?.items).toEqual([]);
  });

  it('names a note of the vault that is dropped as well, and no other file', async () => {
    const composer = await openComposer({ 'Notes/Heron.md': 'h', 'a.pdf': boat });
    expect(composer.model.images.addPath('Notes/Heron')).toBe(true);
    expect(composer.model.images.addPath('a.pdf')).toBe(false);
    expect(composer.model.images.addPath('b.png')).toBe(false);
    expect(composer.model.text.value).toBe('[[Heron]] ');
  });
});
