/** The room of a turn, made narrower when the model turns out to hold less than was thought (F21). */
import type { Room } from '../context/compaction/make-room';
import { promptBehind, rememberPrompt } from '../context/prompt-behind';
import type { RequestPlan } from '../ports/request-plan';

/** What the next try may have of what was too much. */
const keptShare = 0.75;

export interface NarrowRoom {
  /** As wide as it is known to be. */
  readonly current: Room;
  /** False when it has been made narrower before: a second try in vain would be one too many. */
  narrow(plan: RequestPlan): boolean;
}

export function narrowRoom(room: Room): NarrowRoom {
  let window: number | null = null;
  const plan: Room['prepared']['plan'] = async (messages) => {
    const planned = await room.prepared.plan(messages);
    return window === null ? planned : within(planned, window);
  };
  return {
    current: { ...room, prepared: { ...room.prepared, plan } },
    narrow({ totals }) {
      if (window !== null) return false;
      window = Math.floor(totals.all * keptShare) + totals.reserve;
      return true;
    },
  };
}

function within(plan: RequestPlan, window: number): RequestPlan {
  const narrowed = { ...plan, totals: { ...plan.totals, window: Math.min(window, plan.totals.window) } };
  const prompt = promptBehind(plan);
  return prompt === null ? narrowed : rememberPrompt(narrowed, prompt);
}
