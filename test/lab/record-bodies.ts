/** The requests of the scripted sessions as a server with the OpenAI format gets them, for the experiments of the lab. */
import { folderVault } from '../support/fake-vault';
import { bodyOf } from '../bench/cache/cache-bodies';
import { recordSession } from '../bench/cache/cache-recorder';
import { makeSessions } from '../bench/cache/cache-sessions';

export interface RecordedSession {
  readonly name: string;
  readonly turns: number;
  readonly requests: readonly { readonly text: string; readonly isBreak: boolean }[];
}

const provider = 'openai-compatible';

/** @param window tokens of the context window that the chats are planned for */
export async function recordBodies(folder: string, window: number): Promise<RecordedSession[]> {
  const sessions: RecordedSession[] = [];
  for (const { name } of makeSessions(folderVault(folder))) {
    const vault = folderVault(folder);
    const session = makeSessions(vault).find((each) => each.name === name);
    if (session === undefined) continue;
    const model = {
      ...{ id: `${provider}/m`, label: 'm', contextWindow: window, outputLimit: 8_192 },
      ...{ nativeTools: true, cachesPrompts: false, summarises: false },
    };
    const recorded = await recordSession(session, vault, { model, tier: 'auto', mayFail: true });
    const requests = await Promise.all(
      recorded.map(async ({ plan, rebuilt }, index) => {
        const { pieces } = await bodyOf(plan, provider);
        return { text: pieces.join('\n'), isBreak: index > 0 && rebuilt.length > 0 };
      }),
    );
    sessions.push({ name, turns: session.turns.length, requests });
  }
  return sessions;
}
