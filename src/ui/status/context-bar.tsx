/** ContextBar: how full the window would be if the message were sent now, in parts and in words. */
import { levelOf } from '../../core/context/status';
import type { RequestPlan, RequestTotals } from '../../core/request/request-plan';
import { words } from '../../text';
import { formatTokens } from './format-tokens';

interface ContextBarProps {
  readonly plan: RequestPlan | null;
  readonly onOpen: () => void;
}

const segments: readonly (readonly [
  keyof RequestTotals & ('instructions' | 'tools' | 'reference' | 'history' | 'turn'),
  string,
])[] = [
  ['instructions', words.pane.instructions],
  ['tools', words.pane.tools],
  ['reference', words.pane.reference],
  ['history', words.pane.history],
  ['turn', words.pane.turn],
];

const warnings = { ok: '', warning: words.pane.contextWarning, critical: words.pane.contextCritical } as const;

export function ContextBar({ plan, onOpen }: ContextBarProps) {
  if (plan === null) return <div class="docent-context is-empty" />;
  const { totals } = plan;
  const room = totals.window - totals.reserve;
  const level = levelOf(totals.all, room);
  const used = words.pane.contextUsed(formatTokens(totals.all, totals.exact), formatTokens(room, true));
  const warning = warnings[level];
  return (
    <button
      type="button"
      class={`docent-context is-${level}`}
      aria-label={`${words.pane.contextBar}: ${used} ${warning}`}
      onClick={onOpen}
    >
      <span class="docent-context-track" aria-hidden="true">
        {segments.map(([key, label]) => (
          <span
            key={key}
            class={`docent-context-part is-${key}`}
            title={`${label}: ${formatTokens(totals[key], totals.exact)}`}
            ref={(element) => element?.setCssProps({ '--docent-share': String(shareOf(totals[key], totals.window)) })}
          />
        ))}
        <span class="docent-context-part is-free" />
        <span
          class="docent-context-part is-reserve"
          title={`${words.pane.reserve}: ${formatTokens(totals.reserve, true)}`}
          ref={(element) => element?.setCssProps({ '--docent-share': String(shareOf(totals.reserve, totals.window)) })}
        />
      </span>
      <span class="docent-context-words" role="status">
        {warning === '' ? used : `${warning} ${used}`}
      </span>
    </button>
  );
}

function shareOf(tokens: number, window: number): number {
  return window <= 0 ? 0 : Math.min(1, tokens / window);
}
