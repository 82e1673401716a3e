/** Puts together the writing of commit messages: the repository, the user's own rules, and a model asked once. */
import { type App, Notice } from 'obsidian';
import type { ChatPorts } from '../../core/chat/chat-view-state';
import { readPromptFile } from '../../core/library/agent-folder';
import type { Repository, RepositoryChanges } from '../../core/ports/device';
import type { ModelEvent } from '../../core/ports/model';
import { commitRequest } from '../../core/prompt/background-prompts';
import { words } from '../../text';
import { usesReader } from '../state/model-choices';

/** Tokens of the differences: at most this, and at most this share of the window. */
const mostTokens = 8_000;
const windowShare = 0.25;

export interface CommitOutside {
  /** Null where there is none to look at, as on a phone. */
  readonly repository: Repository | null;
  readonly chat: Pick<
    ChatPorts,
    'vault' | 'notes' | 'tokenizer' | 'settings' | 'model' | 'surroundings' | 'agentFolder'
  >;
  askOnce(text: string, signal: AbortSignal): AsyncIterable<ModelEvent>;
  openSettings(): void;
}

export interface OpenCommit {
  /** Whether the vault is a repository that can be looked at here, as far as is known. */
  isOffered(): boolean;
  run(): Promise<void>;
}

/** What the window asks of the rest. */
export interface CommitPorts extends Pick<Repository, 'changes'> {
  ask(changes: RepositoryChanges, signal: AbortSignal): AsyncIterable<ModelEvent>;
  openSettings(): void;
}

export function openCommit(app: App, outside: CommitOutside): OpenCommit {
  const { repository, chat } = outside;
  return {
    isOffered: () => repository !== null && chat.surroundings.device().repository,
    run: async () => {
      if (repository === null) return;
      if (usesReader(chat.settings())) {
        new Notice(words.commit.needsModel);
        return;
      }
      const { CommitModal } = await import('./commit-modal');
      new CommitModal(app, {
        changes: (signal) => repository.changes(signal),
        ask: (changes, signal) => askFor(changes, outside, signal),
        openSettings: () => outside.openSettings(),
      }).open();
    },
  };
}

/** `commit.md` is read at each use (R263). */
export async function* askFor(
  changes: RepositoryChanges,
  { chat, askOnce }: Pick<CommitOutside, 'chat' | 'askOnce'>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const readNote = (path: string, stop: AbortSignal) => chat.notes.read(path, stop);
  const own = await readPromptFile({ vault: chat.vault, agentFolder: chat.agentFolder(), readNote }, 'commit', signal);
  const model = chat.model(chat.settings().model);
  const window = model.ok ? model.value.description.contextWindow : 0;
  const tokens = Math.min(mostTokens, Math.floor(window * windowShare));
  yield* askOnce(commitRequest(changes, own, tokens, chat.tokenizer), signal);
}
