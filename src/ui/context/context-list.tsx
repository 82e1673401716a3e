/**
 * ContextList: the context of the next request, item by item; each action shows its effect on that request beforehand.
 */
import type { App } from 'obsidian';
import type { ContextItem, ItemAct, ItemKind, OfferedAct } from '../../core/context/compaction/list-items';
import { priceOf } from '../../core/ports/model';
import type { RequestPlan } from '../../core/ports/request-plan';
import { formatTokens, words } from '../../text';
import { DrawnModal, IconButton } from '../components/controls';
import { openMenu } from '../components/settings-and-menus';
import type { OpenChatState, SettledState } from '../state/chat-state';
import type { ModelsPorts } from '../state/ports';
import { sayFullness } from './context-bar';

/** ContextListModal: the context list in a modal. */
export class ContextListModal extends DrawnModal {
  constructor(app: App, model: OpenChatState, inspect: () => void) {
    const leaveTo = (close: () => void): void => {
      close();
      inspect();
    };
    super(app, {
      styleClass: 'docent-list-modal',
      title: words.status.list,
      draw: (close) => <ContextList model={model} onInspect={() => leaveTo(close)} onLeave={close} />,
    });
  }
}

interface ContextListProps {
  readonly model: OpenChatState;
  readonly onInspect: () => void;
  /** Called before something opens in front of the list. */
  readonly onLeave: () => void;
}

const kinds: readonly ItemKind[] = ['exchange', 'round', 'image', 'result', 'note', 'section'];

function ContextList({ model, onInspect, onLeave }: ContextListProps) {
  const plan = model.preview.value;
  // Reading the state shows entries whose form changed before the next request is counted again.
  const state = model.state.value;
  const items = state === null ? [] : model.context.items(plan);
  const running = state?.running === true;
  const onUsage = (): void => {
    onLeave();
    model.ports.openUsage();
  };
  const act = (item: ContextItem, chosen: ItemAct): void => {
    if (chosen === 'summarise') onLeave();
    void model.context.act(item, chosen);
  };
  return (
    <div class="docent-list">
      <p class="docent-list-lead">
        {plan !== null && <strong>{sayFullness(plan.totals, model.ports.settings())}. </strong>}
        {words.status.listLead}
      </p>
      <SpendingLine models={model.ports.models} plan={plan} state={state} />
      <div class="docent-list-acts">
        <button
          type="button"
          disabled={running}
          onClick={() => {
            onLeave();
            void model.context.summarise({});
          }}
        >
          {words.status.summarise}
        </button>
        <button type="button" onClick={onInspect}>
          {words.status.showPrompt}
        </button>
        <button type="button" onClick={onUsage}>
          {words.commandNames['show-usage']}
        </button>
      </div>
      {items.length === 0 && <p>{words.status.nothingListed}</p>}
      {groupsOf(items).map(({ kind, own }) => {
        const sum = own.reduce((all, { tokens }) => all + tokens, 0);
        return (
          <section key={kind} class="docent-list-group">
            <h3>
              {words.status.parts[kind]}
              <span class="docent-list-tokens">{formatTokens(sum, plan?.totals.exact === true)}</span>
            </h3>
            <ul>
              {own.map((item) => (
                <Row key={item.target} item={item} exact={plan?.totals.exact === true} disabled={running} onAct={act} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** Returns the items by kind; what can be acted on comes first, among the kinds and within each. */
function groupsOf(items: readonly ContextItem[]): { readonly kind: ItemKind; readonly own: readonly ContextItem[] }[] {
  const idle = (own: readonly ContextItem[]): number => Number(own.every(({ acts }) => acts.length === 0));
  return kinds
    .map((kind) => ({ kind, own: items.filter((item) => item.kind === kind).sort((a, b) => idle([a]) - idle([b])) }))
    .filter(({ own }) => own.length > 0)
    .sort((a, b) => idle(a.own) - idle(b.own));
}

interface RowProps {
  readonly item: ContextItem;
  readonly exact: boolean;
  readonly disabled: boolean;
  readonly onAct: (item: ContextItem, act: ItemAct) => void;
}

/** Row: an item with one act as a button, and the others in a menu. */
function Row({ item, exact, disabled, onAct }: RowProps) {
  const name = nameOf(item);
  const main = mainActOf(item);
  const others = item.acts.filter((each) => each !== main);
  const openOthers = (button: HTMLElement): void =>
    openMenu(
      button,
      others.map(({ act, effect }) => ({
        title: sayAct(words.status.acts[act], effect),
        run: () => onAct(item, act),
      })),
    );
  return (
    <li class={`docent-list-row is-${item.form}`}>
      <span class="docent-list-name" dir="auto">
        {name}
      </span>
      <span class="docent-list-tokens">{sizeOf(item, exact)}</span>
      {main !== undefined && (
        <span class="docent-list-acts">
          <button
            type="button"
            disabled={disabled}
            aria-label={words.status.actOn(sayAct(words.status.acts[main.act], main.effect), name)}
            onClick={() => onAct(item, main.act)}
          >
            {sayAct(words.status.acts[main.act], main.effect)}
          </button>
          {others.length > 0 && (
            <IconButton
              icon="more-horizontal"
              label={words.status.moreActs(name)}
              disabled={disabled}
              onClick={({ currentTarget }) => openOthers(currentTarget as HTMLElement)}
            />
          )}
        </span>
      )}
    </li>
  );
}

/** Returns what a row offers at once: the way back to the usual form, or else what frees tokens and loses least. */
function mainActOf({ form, acts }: ContextItem): OfferedAct | undefined {
  const isMain = ({ act, effect }: OfferedAct): boolean =>
    form === 'whole' ? act !== 'summarise' && (effect ?? 0) < 0 : act === 'whole' || act === 'unpin';
  return acts.find(isMain) ?? acts[0];
}

/** Returns the form in which an item is sent, unless it is the usual one, and its tokens. */
function sizeOf({ form, tokens }: ContextItem, exact: boolean): string {
  const taken = tokens === 0 ? [] : [words.status.tokensOf(formatTokens(tokens, exact))];
  return [...(form === 'whole' ? [] : [words.status.forms[form]]), ...taken].join(' · ');
}

function sayAct(name: string, effect: number | null): string {
  return effect === null ? words.status.actUncounted(name) : words.status.act(name, effect);
}

function nameOf({ kind, label, detail, messages }: ContextItem): string {
  if (kind === 'section') return words.sections[label]?.name ?? words.status.sectionNames(label);
  if (kind === 'exchange') return words.status.exchangeOf(label, messages);
  if (kind === 'round') return words.status.roundOf(label);
  return kind === 'result' ? words.status.resultOf(label, detail) : label;
}

interface SpendingLineProps {
  readonly models: ModelsPorts;
  readonly plan: RequestPlan | null;
  readonly state: SettledState | null;
}

/** SpendingLine: what the next request and the chat so far cost by list prices; nothing if requests cost nothing. */
function SpendingLine({ models, plan, state }: SpendingLineProps) {
  const { prices, isUnpriced } = (plan === null ? null : models.described(plan.modelId)) ?? {};
  const spent = state?.spent ?? 0;
  if (prices === undefined && spent === 0 && isUnpriced !== true) return null;
  const say = words.spending;
  return (
    <p class="docent-list-price">
      {plan !== null && prices !== undefined && <>{say.next(priceOf(plan, prices, cachedOf(plan, state)))} </>}
      {spent > 0 && <>{say.chat(spent)} </>}
      {prices !== undefined && (prices.date === null ? say.ownPrices : say.listPrices(prices))}
      {isUnpriced && say.priceUnknown}
    </p>
  );
}

/** Returns the tokens that the last request left in the provider's cache; 0 if this one begins differently. */
function cachedOf(plan: RequestPlan, state: SettledState | null): number {
  const last = state?.requests?.at(-1);
  if (last?.usage == null || last.plan.modelId !== plan.modelId || last.plan.system !== plan.system) return 0;
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = last.usage;
  return cacheReadTokens + cacheWriteTokens;
}
