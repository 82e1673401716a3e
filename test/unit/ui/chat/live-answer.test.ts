/** @jest-environment jsdom */
/** A streaming answer reaches the view a few times a second, however many pieces it comes in. */
import { effect } from '@preact/signals';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { finish, say, scriptedModel, type Step } from '../../../support/scripted-model';
import { openComposer } from './open-composer';

afterEach(closeTestApps);

const pieces = 3_000;
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

it('shows the pieces of an answer together, and nothing else of the chat with them', async () => {
  await createTestApp({ bare: true });
  const steps = Array.from({ length: pieces }, (_, index): Step[] => [
    say(`w${index} `),
    ...(index % 20 === 0 ? [breathe] : []),
  ]);
  const answering = scriptedModel([[...steps.flat(), finish()]]);
  const { model } = await openComposer({ 'A.md': 'alpha' }, answering);
  await model.open(null);
  const seen = { state: 0, live: 0, words: 0 };
  const release = [
    effect(() => void (model.state.value && (seen.state += 1))),
    effect(() => {
      const parts = model.live.value?.parts ?? [];
      seen.live += 1;
      for (const part of parts) if (part.type === 'text') seen.words = part.text.split(' ').length - 1;
    }),
  ];
  const started = performance.now();
  model.setText('Say it all');
  await model.send();
  while (model.state.value?.running !== false) await breathe();
  const frames = (performance.now() - started) / 40;
  for (const stop of release) stop();
  expect(seen.words).toBeGreaterThan(0);
  expect(seen.live).toBeLessThan(frames + 5);
  expect(seen.state).toBeLessThan(20);
  expect(model.live.value).toBeNull();
  const answer = model.state.value.items.at(-1);
  const [part] = answer?.type === 'answer' ? answer.parts : [];
  expect(part?.type === 'text' && part.text.split(' ').length - 1).toBe(pieces);
});

it('shows the end of an answer at once', async () => {
  await createTestApp({ bare: true });
  const { model } = await openComposer({ 'A.md': 'alpha' }, scriptedModel([[say('Oak.'), finish()]]));
  await model.open(null);
  model.setText('Which?');
  await model.send();
  while (model.state.value?.running !== false) await breathe();
  expect(model.state.value.items).toHaveLength(2);
  expect(model.live.value).toBeNull();
});
