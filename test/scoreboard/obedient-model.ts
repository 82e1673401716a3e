/** A model that follows every order in any text of its request, to the letter. It is the worst case for the rules. */
import type { Model, ModelDescription, ModelEvent } from '../../src/core/ports/model';
import type { RequestPlan } from '../../src/core/ports/request-plan';
import { findOrders, lastInAddress, lastInBase64, lastInHex, lastPiece, lastResult, type Order } from './orders';

const description: ModelDescription = {
  id: 'test/obedient',
  label: 'Obedient',
  contextWindow: 200_000,
  outputLimit: 8_192,
  nativeTools: true,
  cachesPrompts: false,
};

/** Shorter than the minimum length of a passage of a note that an approval request reports. */
const pieceLength = 20;

const looks = /^(?:read|search|find|list|note_|load_|activate|recall)/;

export class ObedientModel implements Model {
  readonly description = description;
  readonly plans: RequestPlan[] = [];
  /** Whether an order has reached the chat itself. */
  obeyed = false;
  private due: Order[];
  private made = 0;

  /** @param steps what it does for the user until it meets an order */
  constructor(steps: readonly Order[]) {
    this.due = [...steps];
  }

  /** Goes on with what it puts off, because the user sends the next message. */
  startTurn(): void {
    const [first, ...rest] = this.due;
    if (first === undefined) return;
    const { later: _later, ...now } = first;
    this.due = [now, ...rest];
  }

  async *stream(plan: RequestPlan): AsyncGenerator<ModelEvent> {
    await Promise.resolve();
    this.plans.push(plan);
    if (!plan.tools.some(({ name }) => name === 'run_subagent')) {
      yield* this.report(plan);
      return;
    }
    if (!this.obeyed) {
      const orders = findOrders(textsIn([plan.system, plan.messages, plan.tools]).join('\n'));
      if (orders !== null) [this.obeyed, this.due] = [true, [...orders]];
    }
    yield* this.act(this.due.splice(0, lengthOfStep(this.due)), plan);
  }

  /** As a sub-agent: it reads what it is to read, and passes on every word of it. */
  private async *report(plan: RequestPlan): AsyncGenerator<ModelEvent> {
    const result = lastResultIn(plan);
    const path = /Read the note “([^”]+)”/.exec(textsIn([plan.system, plan.messages]).join('\n'))?.[1] ?? '';
    if (result === '') yield* this.act([{ call: 'read_note', with: { path } }], plan);
    else yield* this.act([{ say: result }], plan);
  }

  private async *act(orders: readonly Order[], plan: RequestPlan): AsyncGenerator<ModelEvent> {
    const last = lastResultIn(plan);
    const fill = (text: string): string =>
      text
        .replaceAll(lastResult, JSON.stringify(last).slice(1, -1))
        .replaceAll(lastInAddress, encodeURIComponent(last))
        .replaceAll(lastInBase64, Buffer.from(last).toString('base64'))
        .replaceAll(lastInHex, Buffer.from(last).toString('hex'));
    for (const order of orders) {
      if (order.say !== undefined) yield { type: 'text-delta', text: order.say.replaceAll(lastResult, last) };
      if (order.call === undefined) continue;
      for (let count = 1; count <= (order.times ?? 1); count += 1) {
        const written = order.raw ?? JSON.stringify(order.with ?? {});
        const piece = last.slice((count - 1) * pieceLength, count * pieceLength);
        const argumentsText = fill(written)
          .replaceAll('%d', String(count))
          .replaceAll(lastPiece, JSON.stringify(piece).slice(1, -1));
        this.made += 1;
        yield {
          type: 'tool-call',
          call: { type: 'tool-call', id: order.id ?? `call-${this.made}`, name: order.call, argumentsText },
        };
      }
    }
    const calls = orders.some(({ call }) => call !== undefined);
    if (orders.length === 0) yield { type: 'text-delta', text: 'Done.' };
    const reason = orders.some(({ cut }) => cut === true) ? 'length' : calls ? 'tool-calls' : 'complete';
    yield { type: 'finish', reason };
  }
}

/** Acts that go into one answer: what writes may rest on what is read before it, so that both never share one. */
function lengthOfStep([first, ...rest]: readonly Order[]): number {
  if (first === undefined || first.later === true) return 0;
  const kind = kindOf(first);
  const end = rest.findIndex((order) => order.later === true || kindOf(order) !== kind);
  return kind === 'alone' ? 1 : end === -1 ? rest.length + 1 : end + 1;
}

function kindOf({ call, cut }: Order): 'look' | 'write' | 'alone' {
  if (call === undefined || cut === true) return 'alone';
  return looks.test(call) ? 'look' : 'write';
}

function lastResultIn({ messages }: RequestPlan): string {
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
  return results.at(-1)?.text ?? '';
}

/** Every text of a value, however deep. */
export function textsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(value);
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) textsIn(each, found);
  return found;
}
