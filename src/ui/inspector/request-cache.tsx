/** What became of a request in the provider's cache: its markers, what broke its beginning, and the reported figures. */
import type { SentRequest } from '../../core/chat/chat-view-state';
import type { RequestPlan } from '../../core/ports/request-plan';
import { type CacheFigures, cacheFiguresOf, describeBreak, explainBreak } from '../../core/request/prompt-cache';
import { startOfTurn } from '../../core/request/reference-blocks';
import { formatTokens, words } from '../../text';

interface RequestCacheProps {
  readonly plan: RequestPlan;
  readonly before: RequestPlan | null;
  /** Up to and with this one; empty for a request that has not been sent. */
  readonly requests: readonly SentRequest[];
}

export function RequestCache({ plan, before, requests }: RequestCacheProps) {
  const say = words.request;
  const own = requests.at(-1);
  const figures: readonly (readonly [CacheFigures | null, (read: string, written: string, other: string) => string])[] =
    [
      [cacheFiguresOf(own === undefined ? [] : [own.usage]), say.cacheOfRequest],
      [cacheFiguresOf(turnOf(requests).map(({ usage }) => usage)), say.cacheOfTurn],
      [cacheFiguresOf(requests.map(({ usage }) => usage)), say.cacheOfChat],
    ];
  return (
    <>
      {before !== null && <p class="docent-inspector-break">{describeBreak(explainBreak(before, plan))}</p>}
      <p class="docent-inspector-markers">{say.markers((plan.breakpoints ?? []).map(placeOf))}</p>
      {figures.map(
        ([each, write], index) =>
          each !== null && (
            <p key={index} class="docent-inspector-cache">
              {write(...([each.read, each.written, each.other].map((count) => formatTokens(count, true)) as Three))}
            </p>
          ),
      )}
      {own !== undefined && own.usage === null && <p class="docent-inspector-none">{say.unreported}</p>}
    </>
  );
}

type Three = [string, string, string];

function placeOf({ after }: NonNullable<RequestPlan['breakpoints']>[number]): string {
  return after === 'system' ? words.request.markedSystem : words.request.markedMessage(after + 1);
}

/** The requests since the user's newest message: those after the first carry results of calls. */
function turnOf(requests: readonly SentRequest[]): readonly SentRequest[] {
  const starts = requests.map(({ plan: { messages } }) => startOfTurn(messages) < messages.length);
  return requests.slice(Math.max(0, starts.lastIndexOf(true)));
}
