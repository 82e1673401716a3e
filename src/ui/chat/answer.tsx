/**
 * Answer: the agent's prose without a bubble, with each run of tool calls and thoughts between it folded into one line.
 */
import { setIcon } from 'obsidian';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { nameOfModel } from '../../core/chat/chat-note';
import { takePart } from '../../core/markdown/structure';
import { bodyOf } from '../../core/markdown/properties';
import { type AnswerItem, type AnswerPart, joinLive } from '../../core/chat/transcript';
import { words } from '../../text';
import { Named } from '../components/controls';
import type { RenderContext } from '../render/drawing';
import { appLibraries } from '../render/libraries';
import { createStreamingRenderer, type StreamingRenderer } from '../render/streaming-renderer';
import type { OpenChatState } from '../state/chat-state';
import { MessageActions, textOf } from './message-actions';
import { VersionSwitch } from './message-versions';
import { ResultViews } from './result-view';
import { type RunPart, ToolRun } from './tool-calls';

interface AnswerProps {
  readonly item: AnswerItem;
  /** The id of the message that it answers; empty for none. */
  readonly question: string;
  readonly model: OpenChatState;
  readonly running: boolean;
  /** Called after each drawing of an answer that streams in; null for one that doesn't. */
  readonly onGrow: (() => void) | null;
  /** Whether nothing follows this answer in the chat. */
  readonly isOpen: boolean;
}

export function Answer({ item: stored, question, model, running, onGrow, isOpen }: AnswerProps) {
  const live = onGrow === null ? null : model.live.value;
  const item = live === null ? stored : joinLive(stored, live);
  useLayoutEffect(() => onGrow?.());
  const groups = groupParts(item.parts);
  const note = running ? undefined : endNote(item);
  // An attempt that failed before its first word is shown by its failure alone.
  if (!running && groups.length === 0 && note === undefined) return null;
  return (
    <Named class={`docent-answer${isOpen ? ' is-last' : ''}`} role="group" name={words.chatView.answer}>
      {groups.map((group, index) =>
        group.type === 'text' ? (
          <MarkdownText key={index} text={group.text} model={model} growing={running && index === groups.length - 1} />
        ) : (
          <ToolRun
            key={index}
            parts={group.parts}
            tools={model.ports.tools}
            running={running && index === groups.length - 1}
            progress={running ? model.state.value?.progress : undefined}
          />
        ),
      )}
      <ResultViews item={item} model={model} isOpen={isOpen} />
      {note !== undefined && <div class="docent-answer-note">{note}</div>}
      {!running && (
        <MessageActions item={item} question={question} model={model}>
          <VersionSwitch key={question} model={model} message={question} part="answer" />
          <AnswerFacts item={item} />
        </MessageActions>
      )}
    </Named>
  );
}

/** AnswerFacts: by which model, and at which cost, as far as that is known. */
function AnswerFacts({ item }: { readonly item: AnswerItem }) {
  const say = words.chatView;
  const { model, usage, isUnpriced, took } = item;
  const { inputTokens = 0, outputTokens = 0, cost } = usage ?? {};
  const facts = [
    ...(model === '' ? [] : [nameOfModel(model)]),
    ...(usage === undefined ? [] : [say.answerTokens(inputTokens + outputTokens)]),
    ...(took === undefined ? [] : [say.answerTook(Math.max(1, Math.round(took / 1000)))]),
    ...(cost === undefined || isUnpriced === true ? [] : [words.spending.dollars(cost)]),
  ];
  const isEmpty = usage === undefined && textOf(item) === '';
  return facts.length === 0 || isEmpty ? null : <span class="docent-answer-facts">{facts.join(' · ')}</span>;
}

type Group = { readonly type: 'text'; readonly text: string } | { readonly type: 'run'; readonly parts: RunPart[] };

function groupParts(parts: readonly AnswerPart[]): Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.type === 'text') {
      if (part.text.trim() !== '') groups.push({ type: 'text', text: part.text });
    } else if (last?.type === 'run') last.parts.push(part);
    else groups.push({ type: 'run', parts: [part] });
  }
  return groups;
}

function endNote(item: AnswerItem): string | undefined {
  const notes: Readonly<Record<string, string>> = {
    stopped: words.chatView.stopped,
    interrupted: words.chatView.interrupted,
    // The model stopped to call tools, so more was to follow.
    'tool-calls': words.chatView.interrupted,
    length: words.chatView.cutAtLimit,
  };
  return item.end === null ? undefined : notes[item.end];
}

interface MarkdownTextProps {
  readonly text: string;
  readonly model: OpenChatState;
  /** Whether more text may still arrive. */
  readonly growing: boolean;
}

/** MarkdownText: a stretch of the model's Markdown, drawn by the allow-list renderer, which gets only what is new. */
function MarkdownText({ text, model, growing }: MarkdownTextProps) {
  const target = useRef<HTMLDivElement>(null);
  const drawing = useRef<{ readonly renderer: StreamingRenderer; text: string; done: boolean } | null>(null);
  useLayoutEffect(() => {
    const element = target.current;
    if (element === null) return;
    const held = drawing.current;
    if (held !== null && (held.done ? held.text !== text : !text.startsWith(held.text))) drawing.current = null;
    drawing.current ??= {
      renderer: createStreamingRenderer(element, renderContextOf(model)),
      text: '',
      done: false,
    };
    const current = drawing.current;
    if (current.done) return;
    current.renderer.append(text.slice(current.text.length));
    current.text = text;
    if (growing) return;
    current.renderer.finish();
    current.done = true;
  }, [text, growing, model]);
  return <div class="docent-markdown markdown-rendered" ref={target} />;
}

const contexts = new WeakMap<OpenChatState, RenderContext>();

/** Builds what drawn answers may ask of Obsidian; made once per chat view. */
function renderContextOf(model: OpenChatState): RenderContext {
  const known = contexts.get(model);
  if (known !== undefined) return known;
  const { ports } = model;
  const context: RenderContext = {
    resolveLink: (linkText) => ports.vault.resolveLink(linkText, '') ?? null,
    openNote: (linkText, newTab, quoted = '') =>
      quoted === '' ? ports.openNote(linkText, newTab) : ports.openCitation(linkText, newTab, quoted),
    openSearch: (query) => ports.openSearch(query),
    showIcon: setIcon,
    libraries: appLibraries,
    resolveImage: (path) => ports.images.addressOfFile(path),
    sizeOf: (path) => ports.vault.file(path)?.size ?? null,
    readNote: async (path, linkText) => {
      const read = await ports.prompts.readNote(path, new AbortController().signal);
      if (!read.ok) return null;
      const part = /#(.+)$/.exec(linkText)?.[1];
      return part === undefined ? bodyOf(read.value.text) : takePart(path, read.value.text, part).text;
    },
    openExternal: (url) => ports.openExternal(url),
    previewNote: (linkText, target, event) => ports.previewNote(linkText, target, event),
    confirmLink: (decision) => ports.confirmLink(decision),
    get tainted() {
      const { taint = null, isReading = false } = model.state.peek() ?? {};
      return taint !== null || isReading;
    },
  };
  contexts.set(model, context);
  return context;
}
