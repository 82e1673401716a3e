/** ContextBar: how full the context window would be if the message were sent now, by part and in words. */
import {
  type CompactionSettings,
  automaticPoint,
  fullAt,
  fullnessOf,
  levelOf,
} from '../../core/context/context-window';
import { tinyWindow } from '../../core/ports/model';
import type { RequestPlan, RequestTotals } from '../../core/ports/request-plan';
import { formatTokens, words } from '../../text';

interface ContextBarProps {
  readonly plan: RequestPlan | null;
  readonly settings: CompactionSettings;
  readonly summarising: boolean;
  readonly onOpen: () => void;
}

/** The parts of a request, with their names. */
export const segments: readonly (readonly [
  keyof RequestTotals & ('instructions' | 'tools' | 'reference' | 'history' | 'turn'),
  string,
])[] = [
  ['instructions', words.chatView.instructions],
  ['tools', words.chatView.tools],
  ['reference', words.chatView.reference],
  ['history', words.chatView.history],
  ['turn', words.chatView.turn],
];

export function ContextBar({ plan, settings, summarising, onOpen }: ContextBarProps) {
  if (plan === null) return <div class="docent-context is-empty" />;
  const { totals } = plan;
  const { level } = fullnessOf(totals, settings);
  const used = sayFullness(totals, settings);
  const warning = warningOf(level, totals, settings, summarising);
  const point = automaticPoint(totals, settings);
  return (
    <>
      <button
        type="button"
        class={`docent-context is-${level}`}
        aria-label={`${words.status.contextBar}: ${used} ${warning}`}
        onClick={onOpen}
      >
        <span class="docent-context-track" aria-hidden="true">
          {segments.map(([key, label]) => (
            <span
              key={key}
              class={`docent-context-part is-${key}`}
              title={`${label}: ${formatTokens(totals[key], totals.exact)}`}
              ref={(element) => setShare(element, totals[key], totals.window)}
            />
          ))}
          <span class="docent-context-part is-free" />
          <span
            class="docent-context-part is-reserve"
            title={`${words.chatView.reserve}: ${formatTokens(totals.reserve, true)}`}
            ref={(element) => setShare(element, totals.reserve, totals.window)}
          />
          {point !== null && (
            <span
              class="docent-context-point"
              title={words.status.point(formatTokens(point, true))}
              ref={(element) => setShare(element, point, totals.window)}
            />
          )}
        </span>
        <span class="docent-context-words">{warning === '' ? used : `${warning} ${used}`}</span>
      </button>
      <span class="docent-said" role="status">
        {warning}
      </span>
    </>
  );
}

/** Says how full the context window is, with the figures of the status bar and of the model. */
export function sayFullness(totals: RequestTotals, settings: CompactionSettings): string {
  const { used, full, percent } = fullnessOf(totals, settings);
  return words.status.used(percent, formatTokens(used, totals.exact), formatTokens(full, true));
}

function warningOf(
  level: ReturnType<typeof levelOf>,
  totals: RequestTotals,
  settings: CompactionSettings,
  summarising: boolean,
): string {
  if (summarising) return words.status.summarising;
  if (level === 'ok') return '';
  // There is nothing older to summarize, so only removing parts would help.
  const { instructions, tools, reference, history } = totals;
  const fixed = instructions + tools + reference;
  if (history === 0 && levelOf(fixed, fullAt(totals, settings)) !== 'ok') return words.status.fixedParts;
  const point = automaticPoint(totals, settings);
  if (level === 'critical' && totals.window <= tinyWindow)
    return `${words.status.critical} ${words.status.clearedSoon}`;
  if (level === 'warning') return words.status.warning;
  if (point === null) return `${words.status.critical} ${words.status.freeTokens}`;
  if (history > 0 && totals.all > fullAt(totals, settings)) return words.status.overfull;
  return `${words.status.critical} ${words.status.summarySoon(formatTokens(point, true))}`;
}

/** Makes an element as wide as the share that tokens have of a whole. */
export function setShare(element: HTMLElement | null, tokens: number, whole: number): void {
  const part = whole <= 0 ? 0 : Math.min(1, tokens / whole);
  element?.setCssProps({ '--docent-share': String(part) });
}
