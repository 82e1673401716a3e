/** The user's side of the prompt over memory: a vault that can be written, a computer, a device, and answers to questions. */
import type { FreshPorts } from '../../../../src/core/own-prompt/section-costs';
import { allowsOutside, type TextFiles } from '../../../../src/core/own-prompt/text-files';
import type { Computer } from '../../../../src/core/ports/device';
import { fail, succeed } from '../../../../src/core/ports/failure';
import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { type OverridePorts, readCustomBase } from '../../../../src/core/prompt/override';
import { sections } from '../../../../src/core/prompt/sections';
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';
import { type MemoryDevice, memoryDevice, roughTokenizer } from '../../../support/memory-ports';
import { scriptedModel } from '../../../support/scripted-model';
import { hostState } from '../../../support/turn-world';

export interface FakeComputer extends Computer {
  readonly variables: Map<string, string>;
  readonly outside: Map<string, string>;
}

export function fakeComputer(variables: Readonly<Record<string, string>> = {}): FakeComputer {
  const set = new Map(Object.entries(variables));
  const outside = new Map<string, string>();
  return {
    home: '/home/ada',
    vaultRoot: '/home/ada/Notes',
    variables: set,
    outside,
    variable: (name) => set.get(name),
    folders: () => Promise.resolve([]),
    exists: (path) => Promise.resolve(outside.has(path)),
    read: (path) => {
      const text = outside.get(path);
      const missing = fail({ kind: 'not-found', words: `No ${path}.`, remedy: 'Make it.' });
      return Promise.resolve(text === undefined ? missing : succeed(text));
    },
    write: (path, text) => {
      outside.set(path, text);
      return Promise.resolve(succeed(undefined));
    },
  };
}

export interface OwnPromptBench {
  readonly vault: FakeVault;
  readonly files: TextFiles;
  readonly device: MemoryDevice;
  computer: FakeComputer | null;
  settings: Settings;
  readonly override: OverridePorts;
  /** Paths that the user was asked about, in order. */
  readonly asked: string[];
  answer: boolean;
}

export function ownPromptBench(
  files: Readonly<Record<string, string>> = {},
  settings: Partial<Settings> = {},
  computer: FakeComputer | null = fakeComputer(),
): OwnPromptBench {
  const vault = fakeVault(files);
  const device = memoryDevice();
  const bench: OwnPromptBench = {
    vault,
    device,
    computer,
    settings: { ...defaultSettings, ...settings },
    files: {
      read: async (path) => {
        if (vault.file(path) === undefined) return succeed(null);
        const read = await vault.read(path);
        return read.ok ? succeed(read.value.text) : read;
      },
      write: (path, text) => {
        vault.put(path, text);
        return Promise.resolve(succeed(undefined));
      },
    },
    override: {
      get computer() {
        return bench.computer;
      },
      settings: () => bench.settings,
      agentFolder: () => 'Docent',
      allowsOutside: (path) => allowsOutside(device, path),
    },
    asked: [],
    answer: true,
  };
  return bench;
}

/** Writes down the question, and gives the bench's answer. */
export function confirmWith(bench: OwnPromptBench): (path: string) => Promise<boolean> {
  return (path) => {
    bench.asked.push(path);
    return Promise.resolve(bench.answer);
  };
}

export async function textIn({ vault }: OwnPromptBench, path: string): Promise<string | null> {
  const read = await vault.read(path);
  return read.ok ? read.value.text : null;
}

/** What a prompt without a chat is made from. */
export function freshPorts(bench: OwnPromptBench): FreshPorts {
  return {
    vault: bench.vault,
    notes: new NoteCache(bench.vault),
    sections,
    tools: [],
    tokenizer: roughTokenizer,
    hooks: { active: [] },
    agentFolder: () => 'Docent',
    hostState,
    refresh: () => Promise.resolve(),
    settings: () => bench.settings,
    model: () => succeed(scriptedModel([])),
    customTemplate: async (world, signal) => {
      const base = await readCustomBase(bench.override, world, signal);
      return base.ok ? base.value : { blocked: base.failure };
    },
  };
}
