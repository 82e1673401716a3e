/** What `npm run prompt` does: plans the request of one question over a folder, and has the built-in reader answer it. */
import type { Chat } from '../../src/core/chat/chat';
import { baseName } from '../../src/core/library/user-notes';
import { describeFailure } from '../../src/core/ports/failure';
import type { RequestPlan } from '../../src/core/ports/request-plan';
import { printPlan } from '../../src/core/request/print-plan';
import type { Mention } from '../../src/core/session/entry';
import { type ModeId, modeIds, tiers } from '../../src/core/settings/mode';
import { builtInReaderId } from '../../src/models/built-in-reader/built-in-reader';
import { untilRested } from '../support/until-rested';
import { DiskAdapter } from './disk-adapter';
import { closeApp, openApp } from './open-app';
import { type Docent, openDocent, readSettings } from './open-docent';

export interface PromptRequest {
  /** Real path of the vault's folder. */
  readonly vault: string;
  readonly question: string;
  readonly mode?: string;
  readonly tier?: string;
  readonly window?: string;
  readonly notes: readonly string[];
  readonly prompt?: string;
  readonly workspace?: string;
  readonly json: boolean;
  readonly reply: boolean;
}

/** Words for the user: one sentence with its remedy. */
export class WrongInput extends Error {}

/** @throws WrongInput for an error that the user can fix */
export async function printPrompt(request: PromptRequest): Promise<string> {
  const choices = { ...chooseMode(request.mode), ...chooseTier(request.tier) };
  const window = chooseWindow(request.window);
  const app = await openApp(new DiskAdapter(request.vault));
  const settings = await readSettings(app).catch(() => {
    throw new WrongInput('The settings of Docent in this vault are not valid JSON: mend or remove its data.json.');
  });
  const docent = await openDocent(app, { settings, ...(window === undefined ? {} : { contextWindow: window }) });
  try {
    const chat = await docent.startChat();
    await chat.choose({
      ...choices,
      ...(request.prompt === undefined ? {} : { selectedPrompt: find(docent, request.prompt, '--prompt') }),
      ...(request.workspace === undefined ? {} : { selectedWorkspace: find(docent, request.workspace, '--workspace') }),
    });
    const mentions = request.notes.map((path) => mentionOf(find(docent, path, '--note')));
    const plan = await chat.preview(request.question, mentions, new AbortController().signal);
    if (!plan.ok) throw new WrongInput(describeFailure(plan.failure));
    const reply = request.reply ? await answer(chat, request.question, mentions) : undefined;
    return request.json ? asJson(plan.value, reply) : asText(plan.value, reply);
  } finally {
    docent.close();
    await closeApp(app);
  }
}

function asText(plan: RequestPlan, reply: string | undefined): string {
  return printPlan(plan) + (reply === undefined ? '' : `\n=== reply of the built-in reader ===\n${reply}\n`);
}

function asJson(plan: RequestPlan, reply: string | undefined): string {
  return `${JSON.stringify({ ...plan, ...(reply === undefined ? {} : { reply }) }, null, 2)}\n`;
}

function chooseMode(given: string | undefined): { mode?: ModeId } {
  if (given === undefined) return {};
  const mode = modeIds.find((id) => id === given);
  if (mode === undefined) throw new WrongInput(`There is no mode “${given}”: choose one of ${modeIds.join(', ')}.`);
  return { mode };
}

function chooseTier(given: string | undefined): { tier?: 'auto' | (typeof tiers)[number] } {
  if (given === undefined) return {};
  if (given === 'auto') return { tier: given };
  const tier = tiers.find((each) => String(each) === given);
  if (tier === undefined) throw new WrongInput(`There is no tier “${given}”: choose auto, or a number from 1 to 5.`);
  return { tier };
}

/** The smallest window is the one that the settings allow. */
function chooseWindow(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const window = Number(given);
  if (/^\d+$/.test(given) && window >= 1024 && Number.isSafeInteger(window)) return window;
  throw new WrongInput(`--window takes a whole number of tokens from 1024 on, not “${given}”.`);
}

function find({ vault }: Docent, path: string, option: string): string {
  const entry = vault.file(path) ?? vault.file(`${path}.md`);
  if (entry !== undefined) return entry.path;
  throw new WrongInput(
    `${option} names no file that Docent may see in this vault: check “${path}”, a path from the vault's root.`,
  );
}

function mentionOf(path: string): Mention {
  return { kind: 'note', id: path, label: baseName(path) };
}

async function answer(chat: Chat, question: string, mentions: readonly Mention[]): Promise<string> {
  await chat.choose({ model: builtInReaderId });
  const sent = await chat.send(question, mentions);
  if (!sent.ok) return describeFailure(sent.failure);
  await untilRested(chat);
  return chat.current.items
    .flatMap((item) => {
      if (item.type === 'failure') return [describeFailure(item.failure)];
      return item.type === 'answer' ? item.parts.map((part) => (part.type === 'text' ? part.text : '')) : [];
    })
    .filter((text) => text !== '')
    .join('\n\n');
}
