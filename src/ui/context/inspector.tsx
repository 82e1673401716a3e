/** Inspector: a request as the provider gets it, part by part, with its tokens, its price, and what changed in it. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { App } from 'obsidian';
import { render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { SentRequest } from '../../core/chat/chat-view-state';
import type { CompactionSettings } from '../../core/context/context-window';
import { costOf, priceOf } from '../../core/ports/model';
import type { RequestPlan, RequestTotals } from '../../core/ports/request-plan';
import { printPlan } from '../../core/request/print-plan';
import {
  type CacheFigures,
  cacheFiguresOf,
  describeBreak,
  explainBreak,
  tokensSentAgain,
} from '../../core/request/prompt-cache';
import { startOfTurn } from '../../core/request/reference-blocks';
import { formatTokens, words } from '../../text';
import { copyText, DocentModal, Named, useNameId } from '../components/controls';
import { useInstructionFiles } from '../components/instruction-files';
import type { OpenChatState } from '../state/chat-state';
import type { InstructionsPorts, ModelsPorts } from '../state/ports';
import { sayFullness, segments, setShare } from './context-bar';
import { Group, groups, isIn, partsOf, RequestChangesView, type SourceLinks } from './request-parts';

const say = words.inspector;

/** InspectorModal: the inspector of a chat over the chat. */
export class InspectorModal extends DocentModal {
  private unmount: (() => void) | null = null;

  constructor(
    app: App,
    private readonly model: OpenChatState,
    private readonly openView: () => void,
  ) {
    super(app, 'docent-inspector-modal', say.title);
  }

  override onOpen(): void {
    super.onOpen();
    const openView = (): void => {
      this.close();
      this.openView();
    };
    this.unmount = mountInspector(this.contentEl, this.model, openView);
  }

  override onClose(): void {
    super.onClose();
    this.unmount?.();
  }
}

/** Shows the inspector of a chat in an element until the returned function is called. */
export function mountInspector(element: HTMLElement, model: OpenChatState, openView?: () => void): () => void {
  const { ports } = model;
  const listOf = (): readonly SentRequest[] => ports.sentRequests?.of(model.chatId) ?? [];
  const sent = signal(listOf());
  const stop = ports.sentRequests?.subscribe(() => (sent.value = listOf()));
  let shown = model.chatId;
  const leave = model.state.subscribe(() => {
    if (model.chatId === shown) return;
    shown = model.chatId;
    sent.value = listOf();
  });
  render(
    <Inspector
      next={model.preview}
      sent={sent}
      plannedFor={(plan) => model.plannedFor(plan)}
      instructions={ports.instructions}
      models={ports.models}
      settings={() => ports.settings()}
      openNote={(path) => ports.openNote(path, true)}
      isNote={(path) => ports.vault.file(path) !== undefined}
      openView={openView}
    />,
    element,
  );
  return () => {
    stop?.();
    leave();
    render(null, element);
  };
}

interface InspectorProps extends SourceLinks {
  readonly next: ReadonlySignal<RequestPlan | null>;
  /** The requests that were sent, oldest first. */
  readonly sent: ReadonlySignal<readonly SentRequest[]>;
  /** Returns what was shown as the next request before this one was sent; null if nothing was. */
  readonly plannedFor?: (plan: RequestPlan) => RequestPlan | null;
  readonly instructions?: InstructionsPorts | undefined;
  readonly models?: Pick<ModelsPorts, 'described'>;
  readonly settings: () => CompactionSettings;
  /** Opens the inspector in a tab of its own; absent where it is in one. */
  readonly openView?: (() => void) | undefined;
}

export function Inspector(props: InspectorProps) {
  const { next, instructions, openView } = props;
  const [shown, setShown] = useState<TabId>('next');
  const panel = useNameId();
  /** Null for the newest one, whichever that is. */
  const [chosen, setChosen] = useState<RequestPlan | null>(null);
  const sent = props.sent.value;
  const found = sent.findIndex((each) => each.plan === chosen);
  const at = found === -1 ? sent.length - 1 : found;
  const isNext = shown === 'next';
  const own = isNext ? undefined : sent[at];
  const plan = isNext ? next.value : (own?.plan ?? null);
  const earlier = sent.slice(0, isNext ? sent.length : at).filter((each) => isSameKind(each, own));
  return (
    <div class="docent-inspector">
      <div class="docent-inspector-tabs">
        <Tabs shown={shown} panel={panel} onSelect={setShown} />
        {openView !== undefined && (
          <button type="button" onClick={openView}>
            {say.openView}
          </button>
        )}
      </div>
      <div class="docent-inspector-panel" role="tabpanel" id={panel} aria-labelledby={tabOf(panel, shown)}>
        {own !== undefined && <RequestPicker sent={sent} at={at} onChoose={setChosen} />}
        <InstructionLines instructions={isNext ? instructions : undefined} />
        {plan === null ? (
          <p class="docent-inspector-none">{isNext ? say.nextNone : say.sentNone}</p>
        ) : (
          <Plan {...props} plan={plan} earlier={earlier} own={own} />
        )}
      </div>
    </div>
  );
}

interface RequestPickerProps {
  readonly sent: readonly SentRequest[];
  readonly at: number;
  /** Gets null for the newest request. */
  readonly onChoose: (plan: RequestPlan | null) => void;
}

/** RequestPicker: which of the requests that were sent is shown. */
function RequestPicker({ sent, at, onChoose }: RequestPickerProps) {
  if (sent.length < 2) return null;
  const choose = (index: number): void => onChoose(index === sent.length - 1 ? null : (sent[index]?.plan ?? null));
  return (
    <select
      class="dropdown"
      aria-label={say.chosenRequest}
      value={String(at)}
      onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
    >
      {sent.map((request, index) => (
        <option key={index} value={String(index)}>
          {nameOfRequest(request, index)}
        </option>
      ))}
    </select>
  );
}

/** Whether two requests may follow one another: those of a chat, or those of one subagent. */
function isSameKind({ plan }: SentRequest, other: SentRequest | undefined): boolean {
  if (other === undefined) return isOfChat(plan);
  return plan.purpose === other.plan.purpose && plan.conversationId === other.plan.conversationId;
}

/** Whether a request is the chat's own, which the context bar is about: not one of a subagent or in the background. */
function isOfChat({ purpose, conversationId }: RequestPlan): boolean {
  return purpose === undefined && !conversationId.includes('/');
}

/** Says how much of its context window a request uses that never leads to a summary. */
function sayUsed({ all, window, reserve, exact }: RequestTotals): string {
  return say.total(formatTokens(all, exact), formatTokens(window - reserve, true));
}

function nameOfRequest({ plan }: SentRequest, index: number): string {
  const [, subagent = ''] = /\/([^/]*)$/.exec(plan.conversationId) ?? [];
  const kind = plan.purpose !== undefined ? say.purposes[plan.purpose] : subagent === '' ? '' : say.subagent(subagent);
  return say.requestOf(index + 1, kind, formatTokens(plan.totals.all, plan.totals.exact));
}

/** Names that a line lists. */
const maxNames = 5;

/** InstructionLines: which files that direct the agent are not in the request and why, and which may be in it. */
function InstructionLines({ instructions }: Pick<InspectorProps, 'instructions'>) {
  useInstructionFiles(instructions?.files);
  if (instructions === undefined) return null;
  const { files } = instructions;
  const { waiting, declined, allowed, show } = words.instructions;
  const lineOf = (list: readonly { readonly path: string }[], text: typeof waiting): string => {
    const names = list.slice(0, maxNames).map(({ path }) => path);
    return names.length === 0 ? '' : text(names.join(', '), list.length - names.length);
  };
  const lines = [
    lineOf(
      files.waiting().filter(({ isDeclined }) => !isDeclined),
      waiting,
    ),
    lineOf(
      files.waiting().filter(({ isDeclined }) => isDeclined),
      declined,
    ),
    lineOf(
      files.allowed().filter(({ isUsed }) => isUsed),
      allowed,
    ),
  ];
  if (lines.every((line) => line === '')) return null;
  return (
    <div class="docent-inspector-instructions">
      {lines.map((line) => line !== '' && <div key={line}>{line}</div>)}
      <button type="button" onClick={() => instructions.review(true)}>
        {show}
      </button>
    </div>
  );
}

const tabs = ['next', 'sent'] as const;
type TabId = (typeof tabs)[number];

/** Returns the id of the element of a tab. */
function tabOf(panel: string, tab: TabId): string {
  return `${panel}-${tab}`;
}

/** Returns the tab to which a key leads from this one; undefined for any other key. */
function tabByKey({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent, from: TabId): TabId | undefined {
  const at = tabs.indexOf(from);
  const places: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 };
  const place = places[key];
  if (place === undefined || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  return tabs.at(place % tabs.length);
}

interface TabsProps {
  readonly shown: TabId;
  /** The id of the element below the tabs. */
  readonly panel: string;
  readonly onSelect: (tab: TabId) => void;
}

/** Tabs: one stop of the Tab key; the arrow keys, Home, and End select. */
function Tabs({ shown, panel, onSelect }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const tab = tabByKey(event, shown);
    if (tab === undefined) return;
    event.preventDefault();
    onSelect(tab);
    event.currentTarget.doc.getElementById(tabOf(panel, tab))?.focus();
  };
  return (
    <Named role="tablist" name={say.title} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={tabOf(panel, tab)}
          aria-selected={tab === shown}
          aria-controls={panel}
          tabIndex={tab === shown ? 0 : -1}
          class={tab === shown ? 'is-active' : ''}
          onClick={() => onSelect(tab)}
        >
          {say[tab]}
        </button>
      ))}
    </Named>
  );
}

interface PlanProps extends SourceLinks, Pick<InspectorProps, 'models' | 'plannedFor' | 'settings'> {
  readonly plan: RequestPlan;
  /** The requests of its kind before it, oldest first. */
  readonly earlier: readonly SentRequest[];
  /** Absent for a request that has not been sent. */
  readonly own: SentRequest | undefined;
}

function Plan({ plan, earlier, own, models, plannedFor, settings, ...links }: PlanProps) {
  const before = earlier.at(-1)?.plan ?? null;
  const requests = own === undefined ? [] : [...earlier, own];
  const { totals, modelId } = plan;
  const [typed, setTyped] = useState('');
  const query = typed.trim().toLocaleLowerCase();
  const { prices, isUnpriced } = models?.described(modelId) ?? {};
  const whole = prices === undefined ? null : priceOf(plan, prices);
  const priceOfPart = (tokens: number): string =>
    whole === null || totals.all === 0 ? '' : words.spending.dollars((whole * tokens) / totals.all);
  const parts = useMemo(() => partsOf(plan, before), [plan, before]);
  const found = useMemo(
    () => (query === '' ? parts : parts.filter(({ title, text }) => isIn(title, query) || isIn(text, query))),
    [parts, query],
  );
  return (
    <>
      <div class="docent-inspector-head">
        <span>{modelId}</span>
        <span>
          {isOfChat(plan) ? sayFullness(totals, settings()) : sayUsed(totals)}
          {whole !== null && ` · ${words.spending.dollars(whole)}`}
        </span>
        {isUnpriced && <span>{words.spending.priceUnknown}</span>}
        <button type="button" onClick={(event) => void copyText(printPlan(plan), event.currentTarget.win)}>
          {say.copy}
        </button>
      </div>
      <Shares totals={totals} priceOfPart={priceOfPart} />
      <RequestCache plan={plan} before={before} requests={requests} models={models} />
      {before !== null && (
        <RequestChangesView title={say.changes} same={say.sameAsBefore} before={before} plan={plan} />
      )}
      <Planned planned={plannedFor?.(plan) ?? null} plan={plan} />
      <input
        type="search"
        class="docent-inspector-search"
        aria-label={say.search}
        placeholder={say.search}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Found query={query} count={found.length} />
      {groups.map((group) => {
        const own = found.filter((part) => part.group === group);
        return <Group key={`${group} ${query}`} {...{ group, parts: own, query, priceOfPart, links }} />;
      })}
      {!totals.exact && <p class="docent-inspector-none">{say.estimate}</p>}
    </>
  );
}

/** Found: how many parts have the search term. */
function Found({ query, count }: { readonly query: string; readonly count: number }) {
  const text = query === '' ? '' : say.found(count);
  return (
    <>
      <span class="docent-said" role="status">
        {text}
      </span>
      {query !== '' && count === 0 && <p class="docent-inspector-none">{say.notFound}</p>}
    </>
  );
}

interface PlannedProps extends Pick<PlanProps, 'plan'> {
  /** What was shown as the next request before it was sent; null if nothing was. */
  readonly planned: RequestPlan | null;
}

/** Planned: how the request that was sent differs from what was planned before. */
function Planned({ planned, plan }: PlannedProps) {
  if (planned === null) return null;
  const [before, after] = [planned, plan].map(({ totals }) => formatTokens(totals.all, totals.exact));
  return (
    <>
      <p class="docent-inspector-planned">{say.planned(before ?? '', after ?? '')}</p>
      <RequestChangesView title={say.plannedChanges} same={say.sameAsPlanned} before={planned} plan={plan} />
    </>
  );
}

interface SharesProps {
  readonly totals: RequestTotals;
  readonly priceOfPart: (tokens: number) => string;
}

/** Shares: what the tokens of the request are used for, as a bar and in words. */
function Shares({ totals, priceOfPart }: SharesProps) {
  const used = segments.filter(([key]) => totals[key] > 0);
  return (
    <div class="docent-inspector-shares">
      <div class="docent-context-track" aria-hidden="true">
        {used.map(([key]) => (
          <span
            key={key}
            class={`docent-context-part is-${key}`}
            ref={(element) => setShare(element, totals[key], totals.all)}
          />
        ))}
      </div>
      <Named tag="ul" name={say.shares}>
        {used.map(([key, label]) => (
          <li key={key}>
            <span class={`docent-inspector-swatch docent-context-part is-${key}`} aria-hidden="true" />
            {label}
            <span class="docent-inspector-tokens">
              {[
                formatTokens(totals[key], totals.exact),
                say.percent(Math.round((100 * totals[key]) / Math.max(1, totals.all))),
                priceOfPart(totals[key]),
              ]
                .filter((text) => text !== '')
                .join(' · ')}
            </span>
          </li>
        ))}
      </Named>
    </div>
  );
}

interface RequestCacheProps extends Pick<PlanProps, 'plan' | 'models'> {
  readonly before: RequestPlan | null;
  /** All requests of its kind up to and including this one; empty for a request that has not been sent. */
  readonly requests: readonly SentRequest[];
}

/** RequestCache: what invalidated the beginning of a request, its cache breakpoints, and the figures that were reported. */
function RequestCache({ plan, before, requests, models }: RequestCacheProps) {
  const text = words.request;
  const own = requests.at(-1);
  const figures: readonly (readonly [CacheFigures | null, (read: string, written: string, other: string) => string])[] =
    [
      [cacheFiguresOf(own === undefined ? [] : [own.usage]), text.cacheOfRequest],
      [cacheFiguresOf(turnOf(requests).map(({ usage }) => usage)), text.cacheOfTurn],
      [cacheFiguresOf(requests.map(({ usage }) => usage)), text.cacheOfChat],
    ];
  const missed = useMemo(() => (before === null ? null : describeMiss(before, plan, models)), [before, plan, models]);
  return (
    <div class="docent-inspector-lines-of-cache">
      {missed !== null && <p class="docent-inspector-break">{missed}</p>}
      {figures.map(
        ([each, write], index) =>
          each !== null && (
            <p key={index} class="docent-inspector-cache">
              {write(...([each.read, each.written, each.other].map((count) => formatTokens(count, true)) as Three))}
            </p>
          ),
      )}
      {own !== undefined && own.usage === null && <p class="docent-inspector-none">{text.unreported}</p>}
      {(plan.breakpoints ?? []).length > 0 && (
        <p class="docent-inspector-markers">{text.markers((plan.breakpoints ?? []).map(placeOf))}</p>
      )}
    </div>
  );
}

/** Says what broke the beginning of a request, and what it costs that the rest is sent again. */
function describeMiss(before: RequestPlan, plan: RequestPlan, models: PlanProps['models']): string {
  const found = explainBreak(before, plan);
  const tokens = found === null ? 0 : tokensSentAgain(before, plan, found);
  if (tokens === 0) return describeBreak(found);
  const { prices, isUnpriced } = models?.described(plan.modelId) ?? {};
  const money = prices === undefined ? null : costOf({ inputTokens: tokens, outputTokens: 0 }, prices);
  return describeBreak(found, words.request.sentAgain(formatTokens(tokens, true), money, isUnpriced === true));
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
