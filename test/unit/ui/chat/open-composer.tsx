/** The composer in jsdom, over a vault in memory and a chat whose model plays a script. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { ChatIndex } from '../../../../src/core/chat/chat-index';
import { readAskingNote } from '../../../../src/core/context/chat-choices';
import { skillsOfChat } from '../../../../src/core/library/skills';
import { mentionSources } from '../../../../src/core/mentions';
import { chatCommands } from '../../../../src/core/mentions/commands';
import type { MentionTokens } from '../../../../src/core/mentions/mention-source';
import { type SessionStore, unsavedOf } from '../../../../src/core/ports/device';
import { succeed } from '../../../../src/core/ports/failure';
import type { Model } from '../../../../src/core/ports/model';
import { tools } from '../../../../src/core/tools';
import { Composer } from '../../../../src/ui/chat/composer';
import { OpenChatState } from '../../../../src/ui/state/chat-state';
import type { ChatViewPorts } from '../../../../src/ui/state/ports';
import { chatBench } from '../../../support/chat-bench';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';
import { type FakeImages, imagePorts } from '../../../support/image-ports';
import { digest, memoryDevice } from '../../../support/memory-ports';
import { ownPromptPorts } from '../../../support/own-prompt-ports';
import { promptsPorts } from '../../../support/prompts-ports';
import { fakeServers } from '../../../support/server-access';

export interface OpenedComposer {
  readonly root: HTMLElement;
  readonly input: HTMLTextAreaElement;
  readonly model: OpenChatState;
  readonly vault: FakeVault;
  readonly images: FakeImages;
  /** The requests to the chat view, in order. */
  readonly done: string[];
  /** Replaces the text, with the cursor at the last bar or at the end, and lets the list settle. */
  type(text: string): Promise<void>;
  press(key: string, more?: KeyboardEventInit): Promise<boolean>;
  click(element: Element | null): Promise<void>;
  /** Notifies the chat view that the vault changed. */
  vaultChanged(): Promise<void>;
  /** Names of the lines, the selected one in brackets. */
  lines(): string[];
  chips(): string[];
}

/** Draws each test in an app of its own, and closes it once what was drawn there is removed. */
export function drawInApps(root: () => HTMLElement): void {
  beforeEach(() => createTestApp({ bare: true }));
  afterEach(async () => {
    act(() => render(null, root()));
    await closeTestApps();
  });
}

const opened = new Set<OpenChatState>();

afterEach(() => {
  for (const model of opened) model.close();
  opened.clear();
});

/** Nothing is counted here. */
const mentionTokens: MentionTokens = {
  known: () => null,
  count: () => Promise.resolve(null),
  countText: () => Promise.resolve(null),
};

export async function openComposer(
  files: Readonly<Record<string, string | Uint8Array>>,
  answering?: Model,
): Promise<OpenedComposer> {
  const vault = fakeVault(files);
  const bench = chatBench({ vault, ...(answering && { model: answering }) });
  const done: string[] = [];
  const images = imagePorts(vault);
  const listeners = new Set<() => void>();
  const ports: ChatViewPorts = {
    models: {
      choices: [],
      connect: (provider) => Promise.resolve({ provider, label: provider, models: [] }),
      known: () => null,
      described: () => null,
      findLocalServers: () => Promise.resolve([]),
      callToolsInText: () => Promise.resolve(),
      allowAsked: ({ words: asked }) => done.push(`allow ${asked}`) > 0,
      use: () => Promise.resolve(),
    },
    vault,
    mentionSources,
    mentionTokens,
    images: images.ports,
    usage: { day: () => '2026-11-24', save: () => Promise.reject(new Error('Nothing is saved here.')) },
    openUsage: () => done.push('show usage'),
    tools,
    commands: chatCommands,
    skills: (workspace) => skillsOfChat(vault, bench.settings.agentFolder, workspace).skills,
    device: bench.device,
    settings: () => bench.settings,
    ownPrompt: ownPromptPorts(done),
    chats: {
      open: async (id) => succeed(await bench.open(id ?? 'c1')),
      startClean: () => Promise.reject(new Error('Nothing starts clean here.')),
    },
    chatIndex: indexOf(bench.store),
    openChatIn: (chat, place) => void done.push(`open ${chat} in a ${place}`),
    viewOpened: () => Promise.resolve(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    activeNote: () => null,
    openNote: (link) => void done.push(`open ${link}`),
    previewNote: () => {},
    openCitation: () => undefined,
    openSearch: () => undefined,
    openExternal: () => {},
    confirmLink: () => Promise.resolve(false),
    openSettings: () => void done.push('settings'),
    check: () => Promise.resolve([]),
    createFolder: () => Promise.resolve(succeed(undefined)),
    prompts: promptsPorts({ vault, settings: () => bench.settings }),
    servers: fakeServers(),
    showCatalog: (name) => void done.push(`look at ${name}`),
    askingNote: (path) => readAskingNote(vault, bench.settings.agentFolder, path),
    report: (said) => said !== '' && void done.push(said),
    startNote: (kind) => void done.push(`start ${kind}`),
    showDiagnostics: () => void done.push('show diagnostics'),
    copyDiagnostics: () => void done.push('diagnostics'),
  };
  const model = new OpenChatState(ports, window);
  opened.add(model);
  await model.open(null);
  const root = document.body.createDiv();
  const settle = (): Promise<void> => act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  act(() =>
    render(
      <Composer model={model} onNewChat={() => done.push('new chat')} onInspect={() => done.push('prompt')} />,
      root,
    ),
  );
  const input = root.querySelector('textarea');
  if (input === null) throw new Error('There is no box.');
  const texts = (selector: string): string[] => [...root.querySelectorAll(selector)].map((one) => one.textContent);
  return {
    root,
    input,
    model,
    vault,
    images,
    done,
    type: async (marked) => {
      const cursor = marked.includes('|') ? marked.lastIndexOf('|') : marked.length;
      input.value = marked.slice(0, cursor) + marked.slice(cursor + 1);
      input.setSelectionRange(cursor, cursor);
      act(() => void input.dispatchEvent(new InputEvent('input', { bubbles: true })));
      await settle();
    },
    press: async (key, more = {}) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
      act(() => void (document.activeElement ?? input).dispatchEvent(event));
      await settle();
      return event.defaultPrevented;
    },
    click: async (element) => {
      if (element === null) throw new Error('There is nothing to click.');
      act(() => void element.dispatchEvent(new MouseEvent('click', { bubbles: true })));
      await settle();
    },
    vaultChanged: async () => {
      for (const listener of listeners) listener();
      await settle();
    },
    lines: () =>
      [...root.querySelectorAll('.docent-popup-item')].map((line) => {
        const name = line.querySelector('.docent-popup-name')?.textContent ?? '';
        return line.hasClass('is-selected') ? `[${name}]` : name;
      }),
    chips: () => texts('.docent-chip-name'),
  };
}

function indexOf(store: SessionStore): ChatIndex {
  return new ChatIndex({
    ...{ store, digest, memory: unsavedOf({ device: memoryDevice() }) },
    usagePlace: { day: () => '2026-11-24', isMetered: () => true },
    annotate: () => Promise.reject(new Error('Nothing is annotated here.')),
    trash: () => Promise.reject(new Error('Nothing is moved to the trash here.')),
  });
}
