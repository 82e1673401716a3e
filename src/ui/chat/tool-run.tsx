/** ToolRun: look-ups and thoughts in a row, folded into one line that opens on demand and never closes by itself. */
import { useState } from 'preact/hooks';
import type { AnswerPart } from '../../core/session/transcript';
import type { Tool } from '../../core/tools/tool';
import { titleOfCall } from '../../core/turn/run-tool-calls';
import { words } from '../../text';
import { Icon } from './icon-button';

export type RunPart = Exclude<AnswerPart, { readonly type: 'text' }>;

interface ToolRunProps {
  readonly parts: readonly RunPart[];
  readonly tools: readonly Tool[];
  readonly running: boolean;
}

/** Characters of a result that are shown before it is cut. */
const shownCharacters = 4000;

export function ToolRun({ parts, tools, running }: ToolRunProps) {
  const [open, setOpen] = useState(false);
  const calls = parts.filter((part) => part.type === 'tool-call');
  const last = calls.at(-1);
  const busy = running && parts.some((part) => part.type === 'tool-call' && part.result === null);
  const failed = calls.some((call) => call.result?.isError === true);
  const summary = last === undefined ? words.pane.thought : words.pane.toolRuns(calls.length);
  return (
    <div class={`docent-run ${open ? 'is-open' : ''}`}>
      <button type="button" class="docent-run-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon icon="chevron-right" class="docent-run-arrow" />
        <span class="docent-run-summary">{busy ? words.pane.working : summary}</span>
        {last !== undefined && <span class="docent-run-title">{titleOfCall(last, tools)}</span>}
        {failed && <span class="docent-run-failed">{words.pane.toolFailed}</span>}
      </button>
      {open && (
        <div class="docent-run-parts">
          {parts.map((part, index) => (
            <RunDetail key={index} part={part} tools={tools} running={running} />
          ))}
        </div>
      )}
    </div>
  );
}

function RunDetail({
  part,
  tools,
  running,
}: {
  readonly part: RunPart;
  readonly tools: readonly Tool[];
  readonly running: boolean;
}) {
  if (part.type === 'reasoning') return <div class="docent-thought">{part.text}</div>;
  const output = part.result?.text ?? (running ? words.pane.toolRunning : words.pane.noResult);
  return (
    <div class="docent-call">
      <div class="docent-call-title">{titleOfCall(part, tools)}</div>
      <div class="docent-call-label">{words.pane.callInput}</div>
      <pre class="docent-call-text">{`${part.name} ${part.argumentsText}`}</pre>
      <div class="docent-call-label">{words.pane.callOutput}</div>
      <pre class={`docent-call-text ${part.result?.isError === true ? 'is-error' : ''}`}>
        {output.length > shownCharacters ? `${output.slice(0, shownCharacters)}…` : output}
      </pre>
    </div>
  );
}
