/** A stored chat of as many messages as asked for, as if they had been exchanged before, and a vault with it. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { type EntryBody, type SessionEntry, type Snapshot, snapshotParts } from '../../../src/core/session/entry';
import { encodeEntry } from '../../../src/core/session/log-format';

export const longChat = 'c-long';

const bytesOfShard = 900_000;
const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** Writes the settings, the chat if it has messages, and other notes. */
export async function writeVault(
  folder: string,
  settings: object,
  messages: number,
  uncovered: number,
  notes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const files = {
    ...notes,
    '.obsidian/community-plugins.json': '["docent"]',
    '.obsidian/plugins/docent/data.json': JSON.stringify(settings),
    ...vaultWithChat(messages, uncovered),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}

/** Returns the files of a vault with a chat; a summary covers all but so many of its newest messages. */
export function vaultWithChat(messages: number, uncovered = messages): Record<string, string> {
  const all = bodies(messages - uncovered);
  if (all.length > 0) all.push(summaryOf(all.map((_, index) => idOf(index))));
  all.push(...bodies(messages).slice(bodies(messages - uncovered).length));
  const shards = [''];
  all.forEach((body, index) => {
    const line = encodeEntry(entryOf(body, index), digest);
    if (shards.at(-1)!.length + line.length > bytesOfShard) shards.push('');
    shards[shards.length - 1] += line;
  });
  const files: Record<string, string> = { 'Keel.md': '# Keel\n\nThe bolts of the keel were checked in May.\n' };
  shards.forEach((text, index) => {
    const name = index === 0 ? 'dev-old' : `dev-old-${index + 1}`;
    if (text !== '') files[`Docent/chats/${longChat}/${name}.jsonl`] = text;
  });
  return files;
}

const idOf = (index: number): string => `e${index}`;

function summaryOf(covers: readonly string[]): EntryBody {
  const snapshot = Object.fromEntries(
    Object.keys(snapshotParts).map((part) => [part, 'The bolts of the keel are checked one by one.']),
  ) as Snapshot;
  const counts = { before: 40_000, after: 2_000, removed: covers.length, kept: 1_000 };
  return {
    kind: 'summary',
    snapshot,
    covers,
    by: 'extraction',
    trigger: 'manual',
    focus: '',
    ...counts,
    paths: [],
    skills: [],
  };
}

function entryOf(body: EntryBody, index: number): SessionEntry {
  return {
    ...body,
    id: idOf(index),
    conversation: longChat,
    writer: 'dev',
    session: 'old',
    lamport: index + 1,
    time: 1.76e12 + index * 60_000,
  };
}

/** Questions and answers in turn; each third answer looked something up before. */
function bodies(messages: number): EntryBody[] {
  return Array.from({ length: messages }, (_, index): EntryBody[] => {
    if (index % 2 === 0) return [{ kind: 'user', text: `What of bolt ${index}?`, mentions: [] }];
    const text = `Bolt **${index}** is sound, as [[Keel]] says:\n\n- turned in May\n- greased in June\n\nIt needs \`${index} Nm\`.`;
    const usage = { inputTokens: 4_000 + index, outputTokens: 60 };
    const said: EntryBody = {
      kind: 'assistant',
      parts: [{ type: 'text', text }],
      end: 'complete',
      model: 'scripted',
      usage,
    };
    if (index % 6 !== 1) return [said];
    const id = `call-${index}`;
    const call = { type: 'tool-call' as const, id, name: 'search_notes', argumentsText: '{"query":"bolts"}' };
    return [
      { kind: 'assistant', parts: [call], end: 'tool-calls', model: 'scripted', usage },
      {
        kind: 'tool-result',
        callId: id,
        name: 'search_notes',
        text: 'Keel.md: The bolts of the keel were checked in May.',
        isError: false,
        sources: [],
      },
      said,
    ];
  }).flat();
}

/** What the answers of a chat say. */
export function answerTexts(messages: number): string[] {
  return bodies(messages).flatMap((body) =>
    body.kind === 'assistant' ? body.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
}

/** Shows the stored chat in the chat view. */
export async function openLongChat(page: Page): Promise<void> {
  await page.evaluate((chat) => {
    const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
    return leaf?.setViewState({ type: 'docent-chat', active: true, state: { chat } });
  }, longChat);
  await page.locator('.docent-answer').last().waitFor({ state: 'attached', timeout: 120_000 });
}
