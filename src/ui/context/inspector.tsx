/** Inspector: a request plan as text, in foldable parts with their tokens. */
import type { ReadonlySignal } from '@preact/signals';
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SentRequest } from '../../core/chat/chat-view-state';
import type { Message } from '../../core/ports/message';
import type { Block, RequestPlan } from '../../core/ports/request-plan';
import { describeImage, printPlan } from '../../core/request/print-plan';
import { type CacheFigures, cacheFiguresOf, describeBreak, explainBreak } from '../../core/request/prompt-cache';
import { startOfTurn } from '../../core/request/reference-blocks';
import { formatTokens, words } from '../../text';
import type { OpenChatState, SettledState } from '../state/chat-state';
import type { InstructionsPorts } from '../state/ports';
import { RequestChangesView, roleNames } from './request-changes';

/** InspectorModal: the next or the last request, section by section, exactly as a provider gets it. */
export class InspectorModal extends Modal {
  constructor(
    app: App,
    private readonly model: OpenChatState,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-inspector-modal');
    this.setTitle(words.chatView.inspector);
    const { preview, state, ports } = this.model;
    render(<Inspector next={preview} state={state} instructions={ports.instructions} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}

interface InspectorProps {
  readonly next: ReadonlySignal<RequestPlan | null>;
  readonly state: ReadonlySignal<SettledState | null>;
  readonly instructions?: InstructionsPorts | undefined;
}

export function Inspector({ next, state, instructions }: InspectorProps) {
  const [shown, setShown] = useState<'next' | 'last'>('next');
  const [back, setBack] = useState(0);
  const { requests = [], plan: newest = null } = state.value ?? {};
  const at = requests.length - 1 - Math.min(back, Math.max(0, requests.length - 1));
  const plan = shown === 'next' ? next.value : (requests[at]?.plan ?? newest);
  const before = (shown === 'next' ? requests.at(-1) : requests[at - 1])?.plan ?? null;
  return (
    <div class="docent-inspector">
      <div class="docent-inspector-tabs" role="tablist">
        <Tab label={words.chatView.inspectorNext} selected={shown === 'next'} onSelect={() => setShown('next')} />
        <Tab label={words.chatView.inspectorLast} selected={shown === 'last'} onSelect={() => setShown('last')} />
      </div>
      {shown === 'last' && requests.length > 1 && (
        <select
          class="dropdown"
          aria-label={words.request.chosenRequest}
          value={String(at)}
          onChange={({ currentTarget }) => setBack(requests.length - 1 - Number(currentTarget.value))}
        >
          {requests.map((_request, index) => (
            <option key={index} value={String(index)}>
              {words.request.requestNumber(index + 1)}
            </option>
          ))}
        </select>
      )}
      <InstructionLines instructions={shown === 'next' ? instructions : undefined} />
      {plan === null ? (
        <p class="docent-inspector-none">{words.chatView.inspectorNone}</p>
      ) : (
        <Plan plan={plan} before={before} requests={shown === 'next' ? [] : requests.slice(0, at + 1)} />
      )}
    </div>
  );
}

/** Names that a line lists. */
const maxNames = 5;

/** InstructionLines: which files that direct the agent wait, so that they are not in the request, and which may be in it. */
function InstructionLines({ instructions }: Pick<InspectorProps, 'instructions'>) {
  const [, setChanges] = useState(0);
  useEffect(() => {
    const update = (): void => setChanges((count) => count + 1);
    // They may have changed since it was drawn.
    update();
    return instructions?.files.subscribe(update);
  }, [instructions]);
  if (instructions === undefined) return null;
  const { files } = instructions;
  const say = words.instructions;
  const lineOf = (list: readonly { readonly path: string }[], text: typeof say.waiting): string => {
    const names = list.slice(0, maxNames).map(({ path }) => path);
    return names.length === 0 ? '' : text(names.join(', '), list.length - names.length);
  };
  const lines = [
    lineOf(files.waiting(), say.waiting),
    lineOf(
      files.allowed().filter(({ isUsed }) => isUsed),
      say.allowed,
    ),
  ];
  if (lines.every((line) => line === '')) return null;
  return (
    <div class="docent-inspector-instructions">
      {lines.map((line) => line !== '' && <div key={line}>{line}</div>)}
      <button type="button" onClick={() => instructions.review(true)}>
        {say.show}
      </button>
    </div>
  );
}

function Tab({
  label,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly selected: boolean;
  readonly onSelect: () => void;
}) {
  return (
    <button type="button" role="tab" aria-selected={selected} class={selected ? 'mod-cta' : ''} onClick={onSelect}>
      {label}
    </button>
  );
}

interface PlanProps {
  readonly plan: RequestPlan;
  readonly before: RequestPlan | null;
  readonly requests: readonly SentRequest[];
}

function Plan({ plan, before, requests }: PlanProps) {
  const { totals, blocks, messages, tools } = plan;
  const room = totals.window - totals.reserve;
  const isMarked = (place: 'system' | number): boolean =>
    plan.breakpoints?.some(({ after }) => after === place) === true;
  return (
    <>
      <div class="docent-inspector-head">
        <span>{plan.modelId}</span>
        <span>{words.chatView.inspectorTotal(formatTokens(totals.all, totals.exact), formatTokens(room, true))}</span>
        <button
          type="button"
          onClick={(event) => void event.currentTarget.win.navigator.clipboard.writeText(printPlan(plan))}
        >
          {words.chatView.copyPrompt}
        </button>
      </div>
      <RequestCache plan={plan} before={before} requests={requests} />
      {before !== null && <RequestChangesView before={before} plan={plan} />}
      <h4>
        {words.chatView.inspectorSystem}
        {isMarked('system') && <span class="docent-inspector-note"> {words.request.marked}</span>}
      </h4>
      {blocks.map((block) => (
        <Part
          key={`${block.section} ${block.item ?? ''} ${block.place}`}
          title={titleOf(block)}
          note={noteOf(block, before)}
          tokens={block.tokens}
          exact={totals.exact}
          text={block.text}
        />
      ))}
      <h4>{words.chatView.inspectorMessages}</h4>
      {messages.map((message, index) => (
        <Part
          key={index}
          title={words.request.messageTitle(index + 1, roleNames[message.role])}
          note={joinNotes([
            isNewMessage(message, index, before) ? words.request.isNew : '',
            isMarked(index) ? words.request.marked : '',
          ])}
          text={textOfMessage(message)}
        />
      ))}
      <h4>{words.chatView.inspectorTools}</h4>
      {tools.map((tool) => (
        <Part
          key={tool.name}
          title={tool.name}
          text={`${tool.description}\n\n${JSON.stringify(tool.parameters, null, 2)}`}
        />
      ))}
      {!totals.exact && <p class="docent-inspector-none">{words.chatView.inspectorEstimate}</p>}
    </>
  );
}

interface RequestCacheProps {
  readonly plan: RequestPlan;
  readonly before: RequestPlan | null;
  /** All requests up to and including this one; empty for a request that has not been sent. */
  readonly requests: readonly SentRequest[];
}

/** RequestCache: cache breakpoints of a request, what invalidated its beginning, and the figures that were reported. */
function RequestCache({ plan, before, requests }: RequestCacheProps) {
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

/** Returns the requests since the user's newest message; those after the first carry tool results. */
function turnOf(requests: readonly SentRequest[]): readonly SentRequest[] {
  const starts = requests.map(({ plan: { messages } }) => startOfTurn(messages) < messages.length);
  return requests.slice(Math.max(0, starts.lastIndexOf(true)));
}

interface PartProps {
  readonly title: string;
  readonly text: string;
  readonly note?: string;
  readonly tokens?: number;
  readonly exact?: boolean;
}

function Part({ title, text, note = '', tokens, exact = false }: PartProps) {
  return (
    <details class="docent-inspector-part">
      <summary>
        <span class="docent-inspector-title">{title}</span>
        {note !== '' && <span class="docent-inspector-note">{note}</span>}
        {tokens !== undefined && <span class="docent-inspector-tokens">{formatTokens(tokens, exact)}</span>}
      </summary>
      <pre>{text}</pre>
    </details>
  );
}

function titleOf({ section, item = '' }: Block): string {
  const name = item.slice(item.indexOf(':') + 1);
  return name === '' || name === section ? section : `${section}: ${name}`;
}

function isNewMessage(message: Message, index: number, before: RequestPlan | null): boolean {
  const known = before?.messages[index];
  return before !== null && (known === undefined || textOfMessage(known) !== textOfMessage(message));
}

function noteOf(block: Block, before: RequestPlan | null): string {
  const isNew =
    before !== null &&
    block.text !== '' &&
    !before.blocks.some(({ section, text }) => section === block.section && text === block.text);
  const tier = block.tier === undefined ? '' : words.request.tier(block.tier);
  const parts = [
    block.zone,
    tier,
    isNew ? words.request.isNew : '',
    block.outcome === 'full' ? '' : `${block.outcome}: ${block.reason ?? ''}`,
  ];
  if (block.madeVisible > 0) parts.push(words.chatView.madeVisible(block.madeVisible));
  if (block.invisible !== undefined) parts.push(words.chatView.invisible(block.invisible));
  return joinNotes(parts);
}

function joinNotes(notes: readonly string[]): string {
  return notes.filter((note) => note !== '').join(' · ');
}

function textOfMessage({ parts }: Message): string {
  return parts
    .map((part) => {
      if (part.type === 'image') return `${part.label}\n${describeImage(part)}`;
      return part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text;
    })
    .join('\n\n');
}
