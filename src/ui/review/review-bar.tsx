/** ReviewBar: one line above the box while changes wait and their own buttons are out of sight; it also says each act. */
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';
import { countParts, type ReviewModel } from '../state/review-state';

const say = words.review;

export function ReviewBar({ model: { review: model } }: { readonly model: PaneModel }) {
  return (
    <>
      <WaitingLine model={model} />
      {/* Here and not in the cards, of which a chat has many: it is to be heard once. */}
      <div class="docent-said" role="status">
        {model.said.value}
      </div>
    </>
  );
}

function WaitingLine({ model }: { readonly model: ReviewModel }) {
  const review = model.waiting.value;
  if (review === null || model.isInSight.value || model.isRunning.value) return null;
  const { all, accepted } = countParts(review.changes);
  return (
    <div class="docent-review-bar">
      <Icon icon="file-diff" />
      <span class="docent-review-bar-words">{say.bar(all)}</span>
      <div class="docent-review-bar-buttons">
        <button type="button" onClick={() => model.show?.()}>
          {say.show}
        </button>
        {accepted > 0 && (
          <button type="button" class="mod-cta" disabled={!model.canApply} onClick={() => void model.apply()}>
            {review.state === 'applying' ? say.applying : say.applyShort(accepted, all)}
          </button>
        )}
      </div>
    </div>
  );
}
