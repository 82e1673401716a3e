/** A model whose requests go out beside the conversation: they heed the spending limit, and the log keeps what they took (R231). */
import { judgeSpending, type Model, spentIn } from '../../ports/model';
import type { ReliefChat } from './relief-ports';

export function modelBeside(model: Model, { log, ports, record }: Pick<ReliefChat, 'log' | 'ports' | 'record'>): Model {
  const { description } = model;
  return {
    description,
    async *stream(plan, signal) {
      const spending = judgeSpending(spentIn(log.entries), plan, description.prices, ports.settings());
      if (spending?.type === 'refused') {
        ports.note(spending.failure.words);
        yield { type: 'failure', failure: spending.failure };
        return;
      }
      for await (const event of model.stream(plan, signal)) {
        if (event.type === 'finish' && event.usage !== undefined) {
          const stored = await record({ kind: 'request-beside', model: description.id, usage: event.usage });
          if (!stored.ok) ports.note(stored.failure.words);
        }
        yield event;
      }
    },
  };
}
