/** One queue for all chats: writes to the vault happen one after another, whoever asks for them. */

export interface WriteQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createWriteQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (task) => {
      const next = last.then(task, task);
      last = next;
      return next;
    },
  };
}
