/** Reads the bytes of an answer as text, and no more of them than an answer may have. */
import { limits } from './mcp-ports';
import { RemoteProblem } from './remote-problem';
import { untilAborted } from './within';

/** @throws RemoteProblem 'too-large' at the limit, 'cut' when the bytes break off, 'stopped' when the signal fires */
export async function* readText(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal).catch(cutBy);
      if (done) return;
      size += value.byteLength;
      if (size > limits.answerBytes) throw new RemoteProblem('too-large');
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // The connection may be broken already; then there is nothing left to release.
    reader.cancel().catch(() => undefined);
  }
}

function cutBy(thrown: unknown): never {
  throw thrown instanceof RemoteProblem ? thrown : new RemoteProblem('cut');
}

/** Lets go of an answer that nobody reads. */
export function discard(response: Response): void {
  // A body that is being read already is released by its reader.
  response.body?.cancel().catch(() => undefined);
}
