/** RequestChanges: what differs from the request before, line by line, under the parts of the request that it stands in. */
import { useMemo, useState } from 'preact/hooks';
import type { RequestPlan } from '../../core/ports/request-plan';
import type { RequestPart } from '../../core/request/print-plan';
import { words } from '../../text';
import { compareRequests, type RequestLine } from './compare-requests';
import { roleNames } from './role-names';

interface RequestChangesProps {
  readonly before: RequestPlan;
  readonly plan: RequestPlan;
}

/** Lines drawn before the rest is asked for. */
const mostLines = 200;
const say = words.request;

export function RequestChanges({ before, plan }: RequestChangesProps) {
  const { added, removed, lines } = useMemo(() => compareRequests(before, plan), [before, plan]);
  const [isWhole, setWhole] = useState(false);
  if (lines.length === 0) return <p class="docent-inspector-same">{say.sameAsBefore}</p>;
  const shown = isWhole ? lines : lines.slice(0, mostLines);
  return (
    <details class="docent-inspector-part docent-inspector-changes">
      <summary>
        <span class="docent-inspector-title">{say.changes}</span>
        <span class="docent-inspector-note">{say.changedLines(added, removed)}</span>
      </summary>
      <div class="docent-inspector-lines">
        {shown.map((line, index) => (
          <Line key={index} line={line} above={shown[index - 1]} />
        ))}
        {shown.length < lines.length && (
          <button type="button" onClick={() => setWhole(true)}>
            {say.moreLines(lines.length - shown.length)}
          </button>
        )}
      </div>
    </details>
  );
}

function Line({ line, above }: { readonly line: RequestLine; readonly above: RequestLine | undefined }) {
  const { kind, text, part, afterGap } = line;
  const isTitled = afterGap || above === undefined || nameOf(above.part) !== nameOf(part);
  return (
    <>
      {isTitled && <div class="docent-inspector-place">{nameOf(part)}</div>}
      {kind === 'same' && <div class="docent-inspector-line">{text}</div>}
      {kind === 'removed' && <del class="docent-inspector-line">{text}</del>}
      {kind === 'added' && <ins class="docent-inspector-line">{text}</ins>}
    </>
  );
}

function nameOf(part: RequestPart | undefined): string {
  if (part === undefined) return '';
  const { place, number } = part;
  if (place === 'tool') return words.pane.inspectorTools;
  if (place === 'system') return words.pane.inspectorSystem;
  return say.messageTitle(number ?? 0, roleNames[place]);
}
