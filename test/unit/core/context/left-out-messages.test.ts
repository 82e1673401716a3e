/** What a message has sent and the model no longer sees, because the message was left out, is sent again. */
import type { Chat } from '../../../../src/core/chat/chat';
import type { EntryBody } from '../../../../src/core/session/entry';
import { targetOf } from '../../../../src/core/session/log-state';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { type ChatBench, chatBench, rested, until } from '../../../support/chat-bench';
import { finish, say, type ScriptedModel, scriptedModel } from '../../../support/scripted-model';
import { longBench, talk } from './compaction/long-chat';

type Bench = ChatBench & { readonly model: ScriptedModel };

function benchOf(): Bench {
  const turns = Array.from({ length: 6 }, () => [say('Fine.'), finish()]);
  return Object.assign(chatBench(), { model: scriptedModel(turns) });
}

/** Sends a message, and returns the text of the last message of the request. */
async function send(chat: Chat, { model }: Bench, text: string): Promise<string> {
  await chat.send(text, []);
  await until(chat, rested);
  return JSON.stringify(model.plans.at(-1)?.messages.at(-1));
}

/** Leaves a message out, as when the context window is full. */
async function leaveOut(chat: Chat, number: number): Promise<void> {
  const message = chat.current.items.filter(({ type }) => type === 'user')[number - 1];
  const { record } = chat as unknown as { record(body: EntryBody): Promise<unknown> };
  const forms = [{ target: targetOf.exchange(message?.id ?? ''), form: 'dropped' as const }];
  await record({ kind: 'context-forms', forms, by: 'window' });
}

it('R222 sends the new text of a pinned note again once the message that had it is left out', async () => {
  const bench = benchOf();
  bench.settings = { ...defaultSettings, contextNotes: ['A.md'] };
  const chat = await bench.open();
  await send(chat, bench, 'one');
  bench.vault.put('A.md', 'alpha two');
  expect(await send(chat, bench, 'two')).toContain('alpha two');
  expect(await send(chat, bench, 'three')).not.toContain('alpha two');
  await leaveOut(chat, 2);
  expect(await send(chat, bench, 'four')).toContain('alpha two');
  expect(await send(chat, bench, 'five')).not.toContain('alpha two');
});

it('R264 names a created note again once the message that named it is left out', async () => {
  const bench = benchOf();
  const chat = await bench.open();
  await send(chat, bench, 'one');
  bench.vault.put('Pier.md', 'oak');
  expect(await send(chat, bench, 'two')).toContain('created: Pier.md');
  await leaveOut(chat, 2);
  expect(await send(chat, bench, 'three')).toContain('created: Pier.md');
  expect(await send(chat, bench, 'four')).not.toContain('created: Pier.md');
});

it('K4 announces the mode again once the message that announced it is left out', async () => {
  const bench = benchOf();
  const chat = await bench.open();
  await send(chat, bench, 'one');
  await chat.choose({ mode: 'planning' });
  expect(await send(chat, bench, 'two')).toContain('<mode_notice>');
  expect(await send(chat, bench, 'three')).not.toContain('<mode_notice>');
  await leaveOut(chat, 2);
  expect(await send(chat, bench, 'four')).toContain('<mode_notice>');
  expect(await send(chat, bench, 'five')).not.toContain('<mode_notice>');
});

/** Changes the mode after the first message, and has a summary cover the message that announced it. */
async function summariseModeChange(bench: ChatBench): Promise<Chat> {
  bench.settings = { ...defaultSettings, compaction: 'manual' };
  const chat = await bench.open();
  await talk(chat, 1);
  await chat.choose({ mode: 'planning' });
  await talk(chat, 5, 2);
  const drafted = await chat.summarise({});
  if (!drafted.ok) throw new Error(drafted.failure.words);
  await chat.contextEvents.accept(drafted.value);
  return chat;
}

it('K4 announces the mode again if a summary covers the announcement and the chat is opened again', async () => {
  const bench = longBench();
  await summariseModeChange(bench);
  await talk(await bench.open(), 1, 7);
  const messages = bench.model.plans.at(-1)?.messages ?? [];
  expect(JSON.stringify(messages[1])).toContain('<state_snapshot>');
  expect(JSON.stringify(messages.at(-1))).toContain('<mode_notice>');
});

it('K4 does not announce a mode whose text a summary has brought to the beginning', async () => {
  const bench = longBench();
  await talk(await summariseModeChange(bench), 1, 7);
  expect(JSON.stringify(bench.model.plans.at(-1)?.messages)).not.toContain('<mode_notice>');
});
