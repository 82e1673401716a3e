/** Waits for the end of a turn, for measurements that play chats without a page. */
import type { ChatState } from '../../src/core/chat/chat-view-state';

interface Rests {
  readonly current: Pick<ChatState, 'running'>;
  subscribe(look: () => void): () => void;
}

/** Resolves as soon as no turn is running; at once if none is. */
export function untilRested(chat: Rests): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (chat.current.running) return;
      release();
      resolve();
    };
    const release = chat.subscribe(look);
    look();
  });
}
