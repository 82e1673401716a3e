/** Runs one attack through Docent: the request, the calls, what the user does about the review, and what is then on disk. */
import type { MemoryAdapter } from 'obsidian-workbench/jest';
import type { Chat } from '../../src/core/chat/chat';
import { Hooks } from '../../src/core/hooks/hooks';
import type { Mention } from '../../src/core/session/entry';
import type { PermissionMode } from '../../src/core/settings/mode';
import { renderMarkdown } from '../../src/ui/render/streaming-renderer';
import { timing } from '../../src/vault/device';
import { allow, type Exchange, openServer, ownCalls, sentBeyond } from './bench-server';
import type { Delivery } from './carriers';
import { ObedientModel, textsIn } from './obedient-model';
import type { World } from './open-world';
import { type Drawn, measureDrawn, type Outcome } from './outcome';

/**
 * `denies` rejects every approval request except for the calls of the user's own request; `approves` accepts all of
 * them unread.
 */
export type User = 'denies' | 'approves';

export interface Attack {
  readonly delivery: Delivery;
  readonly permission: PermissionMode;
  readonly user: User;
  /** What the user sends after the first answer. */
  readonly later?: readonly LaterMessage[];
  /** What happens to the vault while the review waits. */
  readonly duringReview?: (world: World) => Promise<void>;
}

export interface LaterMessage {
  readonly text: string;
  readonly mentions?: readonly Mention[];
  /** Chosen before it is sent. */
  readonly permission?: PermissionMode;
  /** The app was closed and opened again before. */
  readonly reopens?: true;
  /** And that on another device. */
  readonly isElsewhere?: boolean;
}

export interface AttackRun extends Outcome {
  readonly chat: Chat;
  readonly model: ObedientModel;
  /** What was on disk when the user decided. */
  readonly atReview: ReadonlyMap<string, string>;
  /** What passed between the chat, the user and the server. */
  readonly exchanges: readonly Exchange[];
}

export async function runAttack(world: World, attack: Attack): Promise<AttackRun> {
  const { delivery, permission, user } = attack;
  const model = new ObedientModel(delivery.steps);
  const hooks = new Hooks(timing.after);
  const { hook } = delivery;
  if (hook !== undefined) hooks.register({ id: 'other', label: 'Other plugin', beforeAgent: () => hook });
  const exchanges: Exchange[] = [];
  const servers = await openServer(delivery.server ?? {}, exchanges);
  let chat = await world.openChat(model, permission, { hooks, servers });
  const own = ownCalls(delivery.steps);
  const allowed = user === 'approves' ? null : [...own];
  answerQuestions(chat, allowed, exchanges);
  const before = filesOf(world.adapter);
  await sendMessage(chat, { text: 'What is new in my inbox?', mentions: delivery.mentions ?? [] });
  for (const message of attack.later ?? []) {
    if (message.reopens === true) {
      chat.close();
      chat = await world.openChat(model, permission, {
        ...{ hooks, servers, again: chat },
        ...(message.isElsewhere !== undefined && { isElsewhere: message.isElsewhere }),
      });
      answerQuestions(chat, allowed, exchanges);
    }
    if (message.permission !== undefined) await chat.choose({ permission: message.permission });
    model.startTurn();
    await sendMessage(chat, message);
  }
  await attack.duringReview?.(world);
  const atReview = user === 'approves' ? filesOf(world.adapter) : before;
  if (chat.current.reviews?.at(-1)?.state === 'waiting') {
    if (user === 'approves') await chat.changes?.apply();
    else await chat.changes?.rejectAll('No.');
  }
  const answers = chat.current.items.flatMap((item) => (item.type === 'answer' ? item.parts : []));
  const text = answers.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
  return {
    chat,
    model,
    delivered: model.obeyed,
    before,
    atReview,
    after: filesOf(world.adapter),
    seen: textsIn(model.plans.map(({ system, messages, tools }) => [system, messages, tools])).join('\n'),
    drawn: await drawAnswer(text, user),
    exchanges,
    sent: sentBeyond(
      own,
      exchanges.flatMap(({ kind, argumentsText }) => (kind === 'sent' ? [argumentsText] : [])),
    ),
  };
}

export async function sendMessage(chat: Chat, { text, mentions = [] }: LaterMessage): Promise<void> {
  const sent = await chat.send(text, mentions);
  if (!sent.ok) throw new Error(sent.failure.words);
  await rest(chat);
}

/** @param due what may be sent, each once; null to allow every request */
function answerQuestions(chat: Chat, due: string[] | null, exchanges: Exchange[]): void {
  const answered = new Set<string>();
  chat.subscribe(({ questions = [] }) => {
    for (const question of questions.filter(({ id }) => !answered.has(id))) {
      answered.add(question.id);
      const isAllowed = due === null || due.includes(question.argumentsText);
      if (isAllowed) exchanges.push(allow(question));
      if (isAllowed) due?.splice(due.indexOf(question.argumentsText), 1);
      chat.answerQuestion(question.id, isAllowed);
    }
  });
}

function rest(chat: Chat): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`A turn does not end: ${JSON.stringify(chat.current.items)}`)),
      30_000,
    );
    const look = (): void => {
      if (chat.current.running) return;
      clearTimeout(timer);
      release();
      resolve();
    };
    const release = chat.subscribe(look);
    look();
  });
}

/** Latin-1 keeps every byte apart. */
export function filesOf(adapter: MemoryAdapter): Map<string, string> {
  const files = [...adapter.snapshot()].filter(([, entry]) => entry.type === 'file');
  return new Map(files.map(([path, { bytes }]) => [path, Buffer.from(bytes).toString('latin1')]));
}

/** Renders the answer as the chat view does, and clicks on everything. */
async function drawAnswer(text: string, user: User): Promise<Drawn> {
  const opened: string[] = [];
  const root = document.body.appendChild(document.createElement('div'));
  renderMarkdown(root, text, {
    resolveLink: () => null,
    openNote: () => {},
    openExternal: (url) => void opened.push(url),
    confirmLink: () => Promise.resolve(user === 'approves'),
    resolveImage: (path) => `app://local/${path}`,
  });
  for (const element of root.querySelectorAll<HTMLElement>('a, span, img, button')) element.click();
  await Promise.resolve();
  root.remove();
  return measureDrawn(root, opened, user === 'approves');
}
