/** NetworkQuestions: the calls of a chat that wait for the user's word; without one in time, nothing is sent (6.2). */
import type { After } from '../base/async';
import type { Clock } from '../ports/device';
import type { NetworkQuestion } from '../ports/network';

/** An answer after that long is to a question that nobody has in view any more. */
export const answerMilliseconds = 600_000;

export interface QuestionPorts {
  readonly clock: Clock;
  /** Without it, what is not answered in time is refused when it is answered, or when the turn is stopped. */
  readonly after?: After;
  /** Told of all that are open, the oldest first. */
  show(open: readonly NetworkQuestion[]): void;
}

interface Open {
  readonly question: NetworkQuestion;
  readonly settle: (isAllowed: boolean) => void;
}

export class NetworkQuestions {
  private open: readonly Open[] = [];
  private asked = 0;

  constructor(private readonly ports: QuestionPorts) {}

  /** False unless the user allows exactly this in time; a signal that fires refuses. */
  ask(asked: Omit<NetworkQuestion, 'id'>, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    const { clock, after } = this.ports;
    const since = clock.now();
    const question: NetworkQuestion = { ...asked, id: `question-${(this.asked += 1)}` };
    return new Promise((resolve) => {
      const settle = (isAllowed: boolean): void => {
        cancel?.();
        signal.removeEventListener('abort', refuse);
        this.keep(this.open.filter((each) => each !== open));
        const waited = clock.now() - since;
        resolve(isAllowed && waited >= 0 && waited <= answerMilliseconds);
      };
      const refuse = (): void => settle(false);
      const open: Open = { question, settle };
      const cancel = after?.(answerMilliseconds, refuse);
      signal.addEventListener('abort', refuse, { once: true });
      this.keep([...this.open, open]);
    });
  }

  /** Each is answered once; another answer to it changes nothing. */
  answer(id: string, isAllowed: boolean): void {
    this.open.find(({ question }) => question.id === id)?.settle(isAllowed);
  }

  /** Refuses all that are open. */
  close(): void {
    for (const { settle } of this.open) settle(false);
  }

  private keep(open: readonly Open[]): void {
    this.open = open;
    this.ports.show(open.map(({ question }) => question));
  }
}
