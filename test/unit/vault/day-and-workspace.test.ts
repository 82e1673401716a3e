/** @jest-environment jsdom */
// What the plugin's own adapters send to a chat about the current day and about a workspace that the user names.
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import type { Chat } from '../../../src/core/chat/chat';
import { succeed } from '../../../src/core/ports/failure';
import { textOf } from '../../../src/core/ports/message';
import type { ModelDescription } from '../../../src/core/ports/model';
import type { Mention } from '../../../src/core/session/entry';
import { openDocent } from '../../bench/open-docent';
import { rested, until } from '../../support/chat-bench';
import { roughTokenizer } from '../../support/memory-ports';
import { finish, say, scriptedModel } from '../../support/scripted-model';

// Its ranks are packed by the build; these tests count with a tokenizer of their own.
jest.mock('../../bench/count-in-slices', () => ({ countInSlices: () => null }));

const boat = 'Docent/workspaces/Boat.md';
const files = {
  [boat]: '---\nname: Boat\ndescription: The refit\nfolder: Projects\n---\nMetric units.\n',
  'Projects/Keel.md': '# Keel\n',
  'Now.md': '# Now\n',
};
const large = { contextWindow: 200_000, cachesPrompts: true };
const answer = [say('Understood.'), finish()];

async function open(model: Partial<ModelDescription>) {
  const app = await createTestApp({ files });
  await app.metadataCache.indexed();
  const docent = await openDocent(app, { tokenizer: roughTokenizer });
  const scripted = scriptedModel([answer, answer, answer], model);
  Object.assign(docent.ports, { model: () => succeed(scripted) });
  const chat: Chat = await docent.startChat();
  return {
    app,
    close: docent.close,
    ask: async (text: string, mentions: readonly Mention[] = []) => {
      await chat.send(text, mentions);
      await until(chat, rested);
    },
    /** Of the request with this number, from 0: each text of the user's. */
    texts: (request: number): string[] =>
      (scripted.plans[request]?.messages ?? []).filter(({ role }) => role === 'user').map(({ parts }) => textOf(parts)),
    whole: (request: number): string => JSON.stringify(scripted.plans[request]),
  };
}

const timers = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
] as const;
const others = ['nextTick', 'queueMicrotask', 'performance', 'hrtime', 'requestAnimationFrame'] as const;
const more = ['cancelAnimationFrame', 'requestIdleCallback', 'cancelIdleCallback'] as const;

/** The clock of the device, set once the app has its index, which is made in slices of time; all else runs as it does. */
function setClock(now: Date): void {
  jest.useFakeTimers({ now, doNotFake: [...timers, ...others, ...more] });
}

afterEach(async () => {
  jest.useRealTimers();
  await closeTestApps();
});

describe('the day', () => {
  const monday = 'Monday, November 16, 2026';
  const tuesday = 'Tuesday, November 17, 2026';

  it.each([
    ['small', { contextWindow: 16_384 }],
    ['large', large],
  ])(
    'R182 K12 stays as it was when the chat began, and a new one is sent once, at the tail: a %s window',
    async (...row) => {
      const { ask, texts, whole, close } = await open(row[1]);
      setClock(new Date(2026, 10, 16, 23, 50));
      await ask('Tonight?');
      setClock(new Date(2026, 10, 17, 0, 10));
      await ask('And now?');
      await ask('Still?');
      close();
      expect(texts(0)[0]).toContain(`Today is ${monday} (2026-11-16, week 47). This message was written at 23:50.`);
      expect(texts(0)[0]).toContain("Today's daily note: 2026-11-16.md (not created yet)");
      expect(whole(0)).not.toMatch(/Today is now/);
      expect(texts(1)[0]).toBe(texts(0)[0]);
      expect(texts(1).at(-1)).toContain(
        `Today is now ${tuesday} (2026-11-17, week 47).\nToday's daily note: 2026-11-17.md (not created yet)`,
      );
      expect(texts(2).slice(0, 2)).toEqual(texts(1).slice(0, 2));
      expect(texts(2).at(-1)).not.toContain('Today is');
    },
  );
});

// The plugin can always load a workspace, so the workspace is sent in full or not at all.
describe('a workspace named with #', () => {
  const named: Mention = { kind: 'workspace', id: boat, label: 'Boat' };

  it('R172 R173 stands with the message, by its note, with its record', async () => {
    const { ask, texts, close } = await open(large);
    await ask('What is next?', [named]);
    close();
    const section = /<workspaces>[^]*<\/workspaces>/.exec(texts(0).at(-1) ?? '')?.[0] ?? '';
    expect(section).toContain(`<workspace name="Boat" id="${boat}">`);
    expect(section).toMatch(/Description: The refit[^]*Instructions:\nMetric units\.[^]*Root folder: Projects/);
    expect(section).toContain('- Projects/Keel.md');
    expect(section).not.toContain('Now.md');
  });

  it('R172 R174 is left out when its note is gone, and the message goes all the same', async () => {
    const { app, ask, texts, whole, close } = await open(large);
    const note = app.vault.getFileByPath(boat);
    if (note === null) throw new Error('There is no such note.');
    await app.vault.delete(note);
    await ask('What is next?', [named]);
    close();
    expect(texts(0).at(-1)).toContain('What is next?');
    expect(whole(0)).not.toContain('<workspaces>');
  });
});
