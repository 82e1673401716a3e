/** What the list of prompts and the pickers ask of the rest, over a vault in memory; what is done is written down. */
import { PromptRegistry } from '../../src/core/library/prompt-registry';
import type { PromptValues } from '../../src/core/markup/variables';
import { succeed } from '../../src/core/ports/failure';
import { defaultSettings } from '../../src/core/settings/settings';
import { tools } from '../../src/core/tools';
import type { PromptsPorts } from '../../src/ui/state/ports';
import { fakeVault } from './fake-vault';
import { roughTokenizer } from './memory-ports';

export interface TestPromptsPorts extends PromptsPorts {
  readonly done: string[];
  readonly registry: PromptRegistry;
}

/** Values as in a vault in which no note is open. */
export const promptValues: PromptValues = {
  selection: '',
  activeNote: '',
  title: '',
  noteText: '',
  dailyNote: '',
  arguments: '',
  date: 'today',
  time: '14:05',
};

export function promptsPorts(changes: Partial<PromptsPorts> = {}): TestPromptsPorts {
  const done: string[] = [];
  const note = (text: string) => {
    done.push(text);
    return Promise.resolve(succeed(undefined));
  };
  const vault = changes.vault ?? fakeVault({});
  return {
    vault,
    tools,
    tokenizer: roughTokenizer,
    notes: {
      create: (path, text) => note(`create ${path}\n${text}`),
      setProperty: (path, key, value) => note(`set ${key} of ${path} to ${value}`),
      trash: (path) => note(`trash ${path}`),
    },
    settings: () => defaultSettings,
    onChange: () => () => undefined,
    readNote: (path, signal) => vault.read(path, signal),
    openNote: (path) => void done.push(`open ${path}`),
    openSettings: () => void done.push('settings'),
    allowAsked: ({ words: asked }) => done.push(`allow ${asked}`) > 0,
    confirm: () => Promise.resolve(true),
    hiddenNote: () => null,
    replacePassage: () => Promise.resolve(succeed(true)),
    show: (want) => void done.push(want === undefined ? 'show' : `show ${want}`),
    useForChat: (id) => Promise.resolve(void done.push(`stand ${id}`)),
    modelChoices: (used) => ({ [used]: used, 'reader/built-in': 'Built-in reader', 'test/big': 'Big' }),
    searchModels: () => Promise.resolve('test/big'),
    model: () => succeed({ description: { label: 'Scripted', contextWindow: 4_096 } }),
    chooseNote: () => Promise.resolve(null),
    askOnce: async function* () {},
    valuesFor: (_text, written) => Promise.resolve({ ...promptValues, arguments: written }),
    findEmpty: () => Promise.resolve([]),
    ...changes,
    registry: new PromptRegistry(),
    done,
  };
}
