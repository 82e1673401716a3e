/** Has a model write a snapshot: asked once, mended once where it cannot be used, looked over where that is worth it (R245, R246). */
import { type Outcome, succeed } from '../../ports/failure';
import type { Message } from '../../ports/message';
import type { Model } from '../../ports/model';
import { exceedsWindow } from '../../request/plan-request';
import type { Snapshot } from '../../session/entry';
import type { Settings } from '../../settings/settings';
import { askForText } from './ask-model';
import { sentTexts, sizeOfAll } from './entry-size';
import { judgeSnapshot } from './judge-snapshot';
import { checkRequest, mendRequest, type SummaryQuestion, summaryRequest } from './summary-request';

/** Tokens from which on a summary is looked over by itself. */
const checkedFrom = 50_000;

export interface SnapshotQuestion extends SummaryQuestion {
  readonly model: Model;
  readonly settings: Pick<Settings, 'compactionCheck'>;
  readonly signal: AbortSignal;
}

/** Null when what came cannot be used; a failure when nothing came. */
export async function askSnapshot(question: SnapshotQuestion): Promise<Outcome<Snapshot | null>> {
  const { older, model, signal, settings } = question;
  const request = await summaryRequest(question);
  if (request === null) return succeed(null);
  const known = older.flatMap((entry) => [...sentTexts(entry), JSON.stringify(entry)]).join('\n');
  const ask = async (messages: readonly Message[]): Promise<Outcome<string>> => {
    const plan = await question.plan(messages);
    return exceedsWindow(plan) ? succeed('') : askForText(model, plan, signal);
  };
  let draft = await ask(request);
  if (!draft.ok) return draft;
  let judged = judgeSnapshot(draft.value, known);
  if (!judged.ok) {
    const mended = await ask(mendRequest(request, draft.value, judged.problem));
    if (!mended.ok) return signal.aborted ? mended : succeed(judged.repaired);
    draft = mended;
    judged = judgeSnapshot(mended.value, known);
  }
  if (!judged.ok) return succeed(judged.repaired);
  const isLarge = sizeOfAll(older) > checkedFrom;
  if (settings.compactionCheck === 'off' || (settings.compactionCheck === 'auto' && !isLarge)) {
    return succeed(judged.snapshot);
  }
  const checked = await ask(checkRequest(request, draft.value));
  if (!checked.ok) return signal.aborted ? checked : succeed(judged.snapshot);
  const final = judgeSnapshot(checked.value, known);
  return succeed(final.ok ? final.snapshot : judged.snapshot);
}
