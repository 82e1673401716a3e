/** A chat over memory: store, device, clock, vault and scripted model, all of which survive a reopening. */
import { Chat } from '../../src/core/chat/chat';
import type { ChatPorts, ChatState } from '../../src/core/chat/chat-view-state';
import { Hooks } from '../../src/core/hooks/hooks';
import type { StateNotes } from '../../src/core/ports/device';
import { fail, type Outcome, succeed } from '../../src/core/ports/failure';
import type { Model } from '../../src/core/ports/model';
import { NoteCache } from '../../src/core/prompt/facts/attached-notes';
import { sections } from '../../src/core/prompt/sections';
import { SessionLog } from '../../src/core/session/session-log';
import { defaultSettings, type Settings } from '../../src/core/settings/settings';
import { type FakeVault, fakeVault } from './fake-vault';
import {
  countingIdentifiers,
  fakeClock,
  logPorts,
  type MemoryDevice,
  type MemoryStore,
  type MovableClock,
  memoryDevice,
  memoryStore,
  roughTokenizer,
} from './memory-ports';
import { type ScriptedModel, type Step, scriptedModel } from './scripted-model';
import { type TestTools, testTools } from './test-tools';
import { hostState } from './turn-world';

export interface ChatBench {
  readonly store: MemoryStore;
  readonly device: MemoryDevice;
  readonly clock: MovableClock;
  readonly vault: FakeVault;
  readonly kit: TestTools;
  readonly notes: string[];
  readonly hooks: Hooks;
  /** Where states are saved; absent unless given. */
  states?: StateNotes;
  settings: Settings;
  /** Null: the chosen model cannot be used. */
  model: Model | null;
  /** What else can be had, by id, or why it cannot. */
  readonly models: Map<string, Outcome<Model>>;
  /** Ports in place of those of the bench. */
  readonly ports: Partial<ChatPorts>;
  /** All ports of its chats. */
  allPorts(): ChatPorts;
  /** Opens the conversation as a new process would. */
  open(conversation?: string): Promise<Chat>;
}

/** Real time, so that hooks that answer at once need no clock. */
const after = (milliseconds: number, act: () => void): (() => void) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

export function chatBench(changes: Partial<ChatBench> = {}): ChatBench {
  let sessions = 0;
  const vault = changes.vault ?? fakeVault({ 'A.md': 'alpha' });
  const bench: ChatBench = {
    store: memoryStore(),
    device: memoryDevice(),
    clock: fakeClock(),
    vault,
    kit: testTools(),
    notes: [],
    hooks: new Hooks(after),
    settings: defaultSettings,
    model: null,
    models: new Map(),
    ports: {},
    allPorts: () => ({
      vault,
      notes: new NoteCache(vault),
      sections,
      get tools() {
        return bench.kit.tools;
      },
      tokenizer: roughTokenizer,
      clock: bench.clock,
      device: bench.device,
      agentFolder: () => 'Docent',
      hostState,
      refresh: () => Promise.resolve(),
      flush: () => Promise.resolve(),
      hooks: bench.hooks,
      settings: () => bench.settings,
      ...(bench.states === undefined ? {} : { states: bench.states }),
      note: (words) => void bench.notes.push(words),
      model: (id) =>
        bench.models.get(id) ??
        (bench.model === null
          ? fail({ kind: 'model-missing', words: `No ${id}.`, remedy: 'Choose one.' })
          : succeed(bench.model)),
      ...bench.ports,
    }),
    open: async (conversation = 'c1') => {
      sessions += 1;
      bench.store.shard = `s${sessions}`;
      const identifiers = countingIdentifiers(`s${sessions}-`);
      const log = await SessionLog.open(conversation, logPorts(bench.store, { session: `s${sessions}`, identifiers }));
      if (!log.ok) throw new Error(log.failure.words);
      return Chat.open(log.value, bench.allPorts());
    },
    ...changes,
  };
  return bench;
}

/** A bench whose model plays these answers. */
export function scriptedBench(...answers: Step[][]): ChatBench & { readonly model: ScriptedModel } {
  const model = scriptedModel(answers);
  return Object.assign(chatBench({}), { model });
}

/** Resolves as soon as the chat's state fits, at the latest after ten seconds. */
export function until(chat: Chat, fits: (state: ChatState) => boolean): Promise<ChatState> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Waited in vain: ${JSON.stringify(chat.current.items)}`)), 10_000);
    const look = (): void => {
      if (!fits(chat.current)) return;
      clearTimeout(timer);
      release();
      resolve(chat.current);
    };
    const release = chat.subscribe(look);
    look();
  });
}

export const rested = (state: ChatState): boolean => !state.running;

/** Kind and text of each item, for people to read. */
export function shown({ items }: Pick<ChatState, 'items'>): string[] {
  return items.map((item) => {
    if (item.type === 'user') return `user: ${item.text}`;
    if (item.type === 'failure') return `failure: ${item.failure.kind}`;
    if (item.type === 'summary') return `summary${item.undone ? ' (undone)' : ''}: ${item.summary.by}`;
    if (item.type === 'relief') return `relief: ${item.text}`;
    if (item.type === 'deleted') return `deleted: ${item.id}`;
    if (item.type === 'review') return `review: ${item.id}`;
    const parts = item.parts.map((part) =>
      part.type === 'tool-call' ? `[${part.name}: ${part.result?.text ?? 'no result'}]` : part.text,
    );
    return `answer (${item.end}): ${parts.join('')}`;
  });
}
