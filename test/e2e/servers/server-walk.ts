/** What walks with MCP servers share: servers of the official SDKs, their approval in the settings, and their questions. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import type { ScriptStep } from '../../support/model-server/script';
import type { OpenedChatView } from '../driver/chat-view';
import { sentRequests, type SentRequest } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import type { OpenedWorkbench } from '../driver/workbench';

const say = words.serverSettings;

/** What a server of the SDKs says of itself. */
export interface ServerState {
  /** Calls that it heard were stopped. */
  readonly cancelled: number;
  /** What came back to its questions. */
  readonly answers: readonly { readonly action: string; readonly content?: Record<string, unknown> }[];
}

export interface SdkServer {
  readonly url: string;
  state(): Promise<ServerState>;
  stop(): void;
}

/** Starts a server of an official SDK in a process of its own. */
export async function startSdkServer(file: string, mode: string): Promise<SdkServer> {
  const child: ChildProcess = spawn(process.execPath, [path.resolve('test/support/mcp-server', file), mode]);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => resolve(String(data).trim()));
    child.stderr?.on('data', (data: Buffer) => reject(new Error(String(data))));
  });
  return {
    url,
    state: async () => (await (await fetch(new URL('/state', url))).json()) as ServerState,
    stop: () => void child.kill(),
  };
}

/** The servers of the settings, each without a key. */
export function serverChoices(servers: Readonly<Record<string, string>>): Record<string, unknown> {
  const choices = Object.entries(servers).map(([name, url]) => ({ name, url, keyName: '', isOn: true }));
  return { mcpServers: choices };
}

/** Connects a server, looks at what it offers, and allows it, as a person does in the settings. */
export async function allowServer(workbench: OpenedWorkbench, name: string): Promise<void> {
  const settings = await openSettingsWindow(workbench);
  await settings.openPage(words.settings.pages.servers.name);
  await settings.row(name).getByRole('button', { name: say.connect }).click();
  await settings.row(name).getByRole('button', { name: say.look }).click();
  await workbench.page.getByRole('button', { name: say.offer.allow }).click();
  await settings.row(name).getByText('Ready: ').waitFor();
  await settings.close();
}

/** What a chat asks its user before a call, and what a server asks during one. */
export function openQuestions({ root }: OpenedChatView) {
  const group = (title: string): Locator => root.getByRole('group', { name: title });
  const press = (of: Locator, label: string): Promise<void> =>
    of.getByRole('button', { name: label, exact: true }).click();
  return {
    before: (server: string) => group(say.question.title(server)),
    during: (server: string) => group(say.question.asksYou(server)),
    send: (server: string) => press(group(say.question.title(server)), say.question.send),
    sendForChat: (server: string) => press(group(say.question.title(server)), say.question.forChat),
    answer: (server: string) => press(group(say.question.asksYou(server)), say.question.answer),
    decline: (server: string) => press(group(say.question.asksYou(server)), say.question.noAnswer),
  };
}

/** The steps that the model answers with next; it has nothing more to say when they are used up. */
export function openScript() {
  const next: ScriptStep[] = [];
  const script = (): ScriptStep => next.shift() ?? { text: 'Done.' };
  /** The model calls these tools in its next answer. */
  const willCall = (...calls: readonly (readonly [name: string, args?: Record<string, unknown>])[]): void => {
    next.push({ toolCalls: calls.map(([name, args = {}]) => ({ name, arguments: args })) });
  };
  return { next, script, willCall };
}

/** The results of the calls in the last answer of the model, as its next request has them. */
export function lastResults({ model }: OpenedWorkbench): string[] {
  const { messages = [] } = sentRequests(model).at(-1) ?? ({} as Partial<SentRequest>);
  const last = messages.map(({ calls }) => calls.length > 0).lastIndexOf(true);
  return messages.slice(last + 1).flatMap(({ results }) => results.map(({ text }) => text));
}

/** From now on, collects each text that the page shows on how far a call has come; returns what was shown so far. */
export async function watchProgress({ page }: OpenedWorkbench): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { docentProgress: seen });
    const look = (): void => {
      const said = activeDocument.querySelector('.docent-run-progress')?.textContent ?? '';
      if (said !== '' && said !== seen.at(-1)) seen.push(said);
    };
    new MutationObserver(look).observe(activeDocument.body, { subtree: true, characterData: true, childList: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'docentProgress') as readonly string[]);
}
