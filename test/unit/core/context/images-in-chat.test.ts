/** @jest-environment node */
import type { ContextItem } from '../../../../src/core/context/compaction/list-items';
import { imageTokens } from '../../../../src/core/ports/message';
import { printPlan } from '../../../../src/core/request/print-plan';
import type { Mention } from '../../../../src/core/session/entry';
import { type ChatBench, chatBench, rested, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { digestOf, type FakeImages, imagePorts } from '../../../support/image-ports';
import { makePng } from '../../../support/make-png';
import { finish, type ScriptedModel, say, scriptedModel } from '../../../support/scripted-model';

const boat = makePng(900, 750);
const pictures = Array.from({ length: 30 }, (_, index) => [`${index}.png`, makePng(900, 750, [index, 0, 0])] as const);
const at = (path: string): Mention => ({ kind: 'image', id: path, label: path });

interface Bench extends ChatBench {
  readonly model: ScriptedModel;
  readonly images: FakeImages;
}

function bench(answers: number, takesImages: boolean, contextWindow = 200_000): Bench {
  const script = Array.from({ length: answers }, (_, index) => [say(`Answer ${index}.`), finish()]);
  const model = scriptedModel(script, { contextWindow, takesImages, cachesPrompts: true });
  const vault = fakeVault({ 'Pics/boat.png': boat, ...Object.fromEntries(pictures) });
  const images = imagePorts(vault);
  return Object.assign(chatBench({ vault, ports: { images: images.attached } }), { model, images });
}

const imagesOf = (model: ScriptedModel, request: number): string[] =>
  (model.plans[request]?.messages ?? []).flatMap(({ parts }) =>
    [...parts].flatMap((part) => (part.type === 'image' ? [part.name] : [])),
  );

async function ask(chat: Awaited<ReturnType<Bench['open']>>, text: string, ...mentions: Mention[]): Promise<void> {
  const sent = await chat.send(text, mentions);
  expect(sent.ok).toBe(true);
  await until(chat, rested);
}

describe('a message with an image', () => {
  it.each(['Keel survey', '船'])('stays in a chat whose folder the user has named %s', async (folder) => {
    const chat = bench(2, true);
    await ask(await chat.open(folder), 'What is it?', at('Pics/boat.png'));
    const again = await chat.open(folder);
    expect([again.current.isReadOnly, again.current.items.map(({ type }) => type)]).toEqual([
      false,
      ['user', 'answer'],
    ]);
    await ask(again, 'And now?');
    expect(imagesOf(chat.model, 1)).toEqual(['Pics/boat.png']);
  });

  it('R218 stores a reference, sends the same part with each later request, and counts it by its pixels', async () => {
    const chat = bench(3, true);
    const open = await chat.open();
    await ask(open, 'What is it?', at('Pics/boat.png'));
    await ask(open, 'And now?');
    const [first, second] = chat.model.plans;
    const part = first?.messages.flatMap(({ parts }) => [...parts]).find(({ type }) => type === 'image');
    expect(part).toMatchObject({ name: 'Pics/boat.png', tokens: imageTokens(900, 750) });
    expect(second?.messages.flatMap(({ parts }) => [...parts])).toContainEqual(part);
    expect(first?.totals.turn).toBeGreaterThan(900);
    expect(first?.totals.turn).toBeLessThan(1_500);
    expect(second?.totals.history).toBeGreaterThan(900);
    const log = chat.store.linesOf('c1').join('\n');
    expect(log).toContain(digestOf(boat));
    expect(log).not.toContain(Buffer.from(boat).toString('base64').slice(0, 40));
    expect(first === undefined ? '' : printPlan(first)).toContain('[image] Pics/boat.png, 900×750, 900 tokens');
    expect([...chat.images.stored.keys()]).toEqual([`chats/c1/${digestOf(boat)}`]);
    const again = await chat.open();
    await ask(again, 'And after a restart?');
    expect(chat.model.plans[2]?.messages.flatMap(({ parts }) => [...parts])).toContainEqual(part);
  });

  it('R218 shows in the preview what sending it would add', async () => {
    const chat = bench(0, true);
    const open = await chat.open();
    const mention = await chat.images.attached.prepare(at('Pics/boat.png'), 'c1');
    const signal = new AbortController().signal;
    const preview = async (text: string, mentions: Mention[]): Promise<number> => {
      const plan = await open.preview(text, mentions, signal);
      return plan.ok ? plan.value.totals.turn : NaN;
    };
    const alone = await preview('', [mention]);
    expect(alone - (await preview('', []))).toBeGreaterThan(900);
    expect((await preview('See.', [mention])) - (await preview('See.', []))).toBeGreaterThan(900);
  });

  it('R218 R243 is in the list of the context with its tokens, and can be left out and sent again', async () => {
    const chat = bench(2, true);
    const open = await chat.open();
    await ask(open, 'What is it?', at('Pics/boat.png'));
    const listed = async (): Promise<ContextItem[]> => {
      const plan = await open.preview('And now?', [], new AbortController().signal);
      if (!plan.ok) throw new Error(plan.failure.words);
      return open.contextEvents.items(plan.value, open.choices).filter(({ kind }) => kind === 'image');
    };
    const [image, ...others] = await listed();
    expect(others).toEqual([]);
    expect(image).toMatchObject({ label: 'Pics/boat.png', form: 'whole' });
    expect(image?.tokens).toBeGreaterThan(imageTokens(900, 750));
    const [pin, drop] = image?.acts ?? [];
    expect(pin).toEqual({ act: 'pinned', effect: 0 });
    expect(drop?.act).toBe('dropped');
    expect(drop?.effect).toBeLessThan(-800);
    await open.contextEvents.change([{ target: image?.target ?? '', form: 'dropped' }]);
    const [left] = await listed();
    expect(left).toMatchObject({ form: 'dropped', tokens: (image?.tokens ?? 0) + (drop?.effect ?? 0) });
    await ask(open, 'And now?');
    expect(imagesOf(chat.model, 1)).toEqual([]);
  });

  it('R218 gives a model that takes no images words of no great price', async () => {
    const chat = bench(1, false);
    await ask(await chat.open(), 'What is it?', at('Pics/boat.png'));
    expect(imagesOf(chat.model, 0)).toEqual([]);
    expect(JSON.stringify(chat.model.plans[0]?.messages)).toContain('Not sent: this model does not support images.');
    expect(chat.model.plans[0]?.totals.turn).toBeLessThan(500);
  });

  it('R218 says to the model why an image is not there', async () => {
    const chat = bench(1, true);
    await ask(await chat.open(), 'What is it?', at('Pics/lost.png'));
    expect(JSON.stringify(chat.model.plans[0]?.messages)).toContain(
      'Not sent: Pics/lost.png was deleted, renamed, or moved.',
    );
  });
});

describe('a window that fills', () => {
  it('R218 has old images told in words before anything is summarised, and keeps the newest', async () => {
    const chat = bench(12, true, 34_000);
    const open = await chat.open();
    let turn = 0;
    while (!open.current.items.some(({ type }) => type === 'relief')) {
      await ask(open, `Question ${turn}`, at(`${turn}.png`), at(`${turn + 15}.png`));
      turn += 1;
      if (turn === 12) break;
    }
    const contextEvent = open.current.items.find(({ type }) => type === 'relief');
    expect(contextEvent).toMatchObject({
      text: expect.stringMatching(/older images? (?:are|is) no longer sent; /),
    });
    expect(open.current.items.some(({ type }) => type === 'summary')).toBe(false);
    const last = imagesOf(chat.model, turn - 1);
    expect(last.slice(-2)).toEqual([`${turn - 1}.png`, `${turn + 14}.png`]);
    expect(last).not.toContain('0.png');
    expect(JSON.stringify(chat.model.plans[turn - 1]?.messages)).toContain('Cleared to save tokens.');
    expect(JSON.stringify(chat.model.plans[turn - 1]?.messages)).toContain('Question 0');
  });
});
