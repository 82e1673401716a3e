/**
 * ToolRun: consecutive tool calls and thoughts, folded into one line that opens on demand and never closes by itself.
 */
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { startWithEllipsis } from '../../core/base/cut';
import type { AnswerPart } from '../../core/chat/transcript';
import type { CallNotes } from '../../core/ports/message';
import type { Step } from '../../core/session/entry';
import type { Tool } from '../../core/tools/tool';
import { titleOfCall } from '../../core/turn/run-tool-calls';
import { words } from '../../text';
import { Icon } from '../components/controls';
import { showInSentence } from '../components/changed-text';

export type RunPart = Exclude<AnswerPart, { readonly type: 'text' }>;

interface ToolRunProps {
  readonly parts: readonly RunPart[];
  readonly tools: readonly Tool[];
  readonly running: boolean;
  /** By the id of a running call, how far it has come. */
  readonly progress?: ReadonlyMap<string, string> | undefined;
}

/** Maximum characters of a result that are shown. */
const shownCharacters = 4000;

export function ToolRun({ parts, tools, running, progress }: ToolRunProps) {
  const [open, setOpen] = useState(false);
  const calls = parts.filter((part) => part.type === 'tool-call');
  const last = calls.at(-1);
  const busy = running && parts.some((part) => part.type === 'tool-call' && part.result === null);
  const failed = calls.filter((call) => call.result?.isError === true).length;
  const summary =
    last === undefined
      ? summaryOf(parts)
      : words.chatView.toolRuns(
          calls.length,
          calls.every(({ name }) => onlyReads(name, tools)),
        );
  return (
    <div class={`docent-run ${open ? 'is-open' : ''}`}>
      <button type="button" class="docent-run-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon icon="chevron-right" class="docent-run-arrow" />
        <span class="docent-run-summary">{busy ? words.chatView.working : summary}</span>
        {failed > 0 && <span class="docent-run-failed">{words.chatView.toolsFailed(failed, calls.length)}</span>}
        {last !== undefined && (
          <span class="docent-run-title">
            <span>{showInSentence(titleOfCall(last, tools))}</span>
          </span>
        )}
        {busy && <span class="docent-run-progress">{progressOf(calls, progress)}</span>}
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

/** How far the newest running call has come; empty if its server does not say. */
function progressOf(calls: readonly RunPart[], progress: ToolRunProps['progress']): string {
  const told = calls.map((part) => {
    return part.type === 'tool-call' && part.result === null ? progress?.get(part.callId) : undefined;
  });
  return told.filter((said) => said !== undefined).at(-1) ?? '';
}

function onlyReads(name: string, tools: readonly Tool[]): boolean {
  return tools.find((tool) => tool.name === name)?.effect === 'reads';
}

/** Returns the label of a run that has no tool calls. */
function summaryOf(parts: readonly RunPart[]): string {
  const note = parts.find((part) => part.type === 'note');
  return parts.some((part) => part.type === 'reasoning')
    ? words.chatView.thought
    : (note?.text ?? words.chatView.thought);
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
  if (part.type === 'note') return <div class="docent-thought">{part.text}</div>;
  const output = part.result?.text ?? (running ? words.chatView.toolRunning : words.chatView.noResult);
  return (
    <div class="docent-call">
      <div class="docent-call-title">{showInSentence(titleOfCall(part, tools))}</div>
      <div class="docent-call-label">{words.chatView.callInput}</div>
      <pre tabIndex={0} class="docent-call-text">{`${part.name} ${part.argumentsText}`}</pre>
      {part.notes !== undefined && (
        <>
          <div class="docent-call-label">{words.chatView.callNotes}</div>
          <pre tabIndex={0} class="docent-call-text">
            {describeNotes(part.notes)}
          </pre>
        </>
      )}
      <div class="docent-call-label">{words.chatView.callOutput}</div>
      <pre tabIndex={0} class={`docent-call-text ${part.result?.isError === true ? 'is-error' : ''}`}>
        {startWithEllipsis(output, shownCharacters)}
      </pre>
      <Steps steps={part.result?.steps ?? []} />
      {(part.result?.additions ?? []).map(({ kind, source, text }, index) => (
        <Fragment key={index}>
          <div class="docent-call-label">
            {words.hooks.cameAlong(kind === 'hook' ? words.hooks.fromPlugin(source) : words.hooks.contextFile(source))}
          </div>
          <pre tabIndex={0} class="docent-call-text">
            {startWithEllipsis(text, shownCharacters)}
          </pre>
        </Fragment>
      ))}
    </div>
  );
}

function describeNotes({ memory, goal, constraints }: CallNotes): string {
  const { memoryNote, goalNote, constraintsNote } = words.chatView;
  const notes = [
    memory === undefined ? '' : memoryNote(memory),
    goal === undefined ? '' : goalNote(goal),
    constraints === undefined ? '' : constraintsNote(constraints),
  ];
  return notes.filter((note) => note !== '').join('\n');
}

/** Steps: what a subagent did, folded, since its report above is what matters. */
function Steps({ steps }: { readonly steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <details class="docent-steps">
      <summary class="docent-steps-line">{words.subagents.steps(steps.length)}</summary>
      {steps.map(({ title, text, isError }, index) => (
        <Fragment key={index}>
          <div class="docent-call-label">{showInSentence(title)}</div>
          <pre tabIndex={0} class={`docent-call-text ${isError ? 'is-error' : ''}`}>
            {text}
          </pre>
        </Fragment>
      ))}
    </details>
  );
}
