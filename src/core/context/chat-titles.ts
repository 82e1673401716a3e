/**
 * ChatTitles: has the model of a chat give it a title, in one small request after the first answer, if the user wants
 * that. A title by hand always stays.
 */
import type { After } from '../base/async';
import { requestText } from './compaction/find-topic';
import { textOfAnswer } from '../markup/escapes';
import { describeFailure, type Outcome, unexpectedFailure } from '../ports/failure';
import { judgeSpending, type Model, type SpendingLimits, type Tokenizer } from '../ports/model';
import { readTitle, titleRequest } from '../prompt/background-prompts';
import { exceedsWindow, planMessage } from '../request/plan-request';
import type { EntryBody, SessionEntry } from '../session/entry';
import { spentIn } from '../session/log-state';

/** An open chat at rest. */
export interface UntitledChat {
  readonly all: readonly SessionEntry[];
  /** Those of the branch in view. */
  readonly entries: readonly SessionEntry[];
  readonly model: string;
}

type TitleEntry = Extract<EntryBody, { readonly kind: 'title' | 'request-beside' }>;

export interface ChatTitlesPorts {
  readonly tokenizer: Tokenizer;
  readonly after: After;
  /** Whether the user wants these titles. */
  isOn(): boolean;
  /** Returns a chat that is open and at rest; null for any other. */
  live(chat: string): UntitledChat | null;
  model(id: string): Outcome<Model>;
  settings(): SpendingLimits;
  store(chat: string, body: TitleEntry): Promise<Outcome<unknown>>;
  note(words: string): void;
}

/** Milliseconds after an answer, so that a message that waits goes first. */
const quiet = 800;
/** Messages after which a chat without a title keeps the beginning of its first one. */
const maxMessages = 2;
/** Tokens of the answer, most of them thoughts of models that think first. */
const maxAnswer = 2_000;

export class ChatTitles {
  /** The chats that were asked about, by their id and number of messages. */
  private readonly tried = new Set<string>();
  private readonly stopped = new AbortController();

  constructor(private readonly ports: ChatTitlesPorts) {}

  /** Must be called when a chat has changed and rests. */
  touched(chat: string): void {
    if (!this.ports.isOn() || this.beginningOf(chat) === null) return;
    const failed = (thrown: unknown): void => this.ports.note(describeFailure(unexpectedFailure(thrown)));
    this.ports.after(quiet, () => void this.ask(chat).catch(failed));
  }

  close(): void {
    this.stopped.abort();
  }

  private async ask(chat: string): Promise<void> {
    const { ports } = this;
    const begun = this.stopped.signal.aborted ? null : this.beginningOf(chat);
    if (begun === null) return;
    this.tried.add(begun.key);
    const model = ports.model(begun.model);
    if (!model.ok || model.value.description.summarises === false) return;
    const request = titleRequest(begun.message, begun.answer);
    const plan = planMessage(`${chat}/title`, model.value.description, { text: request, maxAnswer }, ports.tokenizer);
    const refused = judgeSpending(begun.spent, plan, model.value.description.prices, ports.settings());
    if (exceedsWindow(plan) || refused?.type === 'refused') return;
    const answered = await requestText(this.counted(chat, model.value), plan, this.stopped.signal);
    if (!answered.ok) return ports.note(describeFailure(answered.failure));
    const title = readTitle(answered.value, request);
    if (title === '') return;
    const stored = await ports.store(chat, { kind: 'title', title, by: 'model' });
    if (!stored.ok) ports.note(describeFailure(stored.failure));
  }

  /** Returns what a title is made of; null for a chat that has one, is no more at its beginning, or was asked about. */
  private beginningOf(chat: string) {
    const live = this.ports.live(chat);
    if (live === null || live.all.some(({ kind }) => kind === 'title' || kind === 'forked')) return null;
    const users = live.entries.filter((entry) => entry.kind === 'user');
    const [first] = users;
    const key = `${chat} ${users.length}`;
    if (first === undefined || users.length > maxMessages || this.tried.has(key)) return null;
    const answers = live.entries.filter((entry) => entry.kind === 'assistant');
    const answer = answers.map(textOfAnswer).find((text) => text.trim() !== '') ?? '';
    const isOver = answers.at(-1)?.end === 'complete';
    if (answer === '' || !isOver) return null;
    return { key, message: first.text, answer, model: live.model, spent: spentIn(live.all) };
  }

  /** Records what the request took, as part of the chat. */
  private counted(chat: string, model: Model): Model {
    const { ports } = this;
    const { description } = model;
    return {
      description,
      async *stream(plan, signal) {
        for await (const event of model.stream(plan, signal)) {
          if (event.type === 'finish' && event.usage !== undefined) {
            const body = { kind: 'request-beside', model: description.id, usage: event.usage } as const;
            const stored = await ports.store(chat, body);
            if (!stored.ok) ports.note(describeFailure(stored.failure));
          }
          yield event;
        }
      },
    };
  }
}
