/** A chat that writes, with scripted servers, a fake clock and timers that never fire on their own. */
import type { ChatPorts } from '../../../../src/core/chat/chat-view-state';
import { fakeClock, type MovableClock } from '../../../support/memory-ports';
import type { Step } from '../../../support/scripted-model';
import { type WritingChat, type WritingChatOptions, writingChat } from '../../../support/writing-chat';
import { type McpBench, mcpBench, type ScriptedServer } from './mcp-bench';

export interface McpChat {
  readonly writing: WritingChat;
  readonly mcp: McpBench;
  readonly scripts: Readonly<Record<string, ScriptedServer>>;
  /** Of the chat. */
  readonly clock: MovableClock;
  /** What waits for its time; nothing comes by itself. */
  readonly waits: { readonly milliseconds: number; act(): void }[];
}

export type McpChatOptions = Partial<WritingChatOptions> & { readonly canAsk?: boolean };

/** @param allowed the servers that the user has allowed; all unless given */
export async function createMcp(
  scripts: Record<string, ScriptedServer>,
  answers: Step[][],
  { canAsk, ...options }: McpChatOptions = {},
  allowed: readonly string[] = Object.keys(scripts),
): Promise<McpChat> {
  const mcp = mcpBench(scripts);
  await mcp.allow(...allowed);
  const clock = fakeClock();
  const waits: { milliseconds: number; act(): void }[] = [];
  const morePorts: Partial<ChatPorts> = {
    servers: mcp.servers,
    registry: mcp.registry,
    clock,
    after: (milliseconds, act) => {
      const wait = { milliseconds, act };
      waits.push(wait);
      return () => void waits.splice(waits.indexOf(wait), 1);
    },
  };
  const writing = await writingChat({ files: {}, permission: 'review', morePorts, ...options }, ...answers);
  if (canAsk !== undefined) Object.assign(writing.ports.writing ?? {}, { canAsk: () => canAsk });
  return { writing, mcp, scripts, clock, waits };
}
