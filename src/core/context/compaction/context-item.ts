/** ContextItem: one thing that stands in the window, with what can be done to it and what that does to the next request. */
import type { ContextForm } from '../../session/log-state';

export type ItemKind = 'section' | 'note' | 'image' | 'result' | 'exchange' | 'round';

export type ItemAct = ContextForm | 'unpin' | 'summarise';

export interface OfferedAct {
  readonly act: ItemAct;
  /** Tokens that the next request then has more or less; null where only the next request can tell. */
  readonly effect: number | null;
}

export interface ContextItem {
  readonly kind: ItemKind;
  /** See targetOf. */
  readonly target: string;
  /** Id, path, name of the tool or text of the message: views put it into words. */
  readonly label: string;
  /** Messages in it, or the beginning of what it gave. */
  readonly messages: number;
  readonly detail: string;
  readonly tokens: number;
  readonly form: ContextForm;
  readonly acts: readonly OfferedAct[];
}

export function plainItem(
  item: Pick<ContextItem, 'kind' | 'target' | 'label' | 'tokens' | 'form'> & Partial<ContextItem>,
): ContextItem {
  return { messages: 0, detail: '', acts: [], ...item };
}

/**
 * An item of which every form but its own can be chosen; what is pinned is unpinned by being sent whole.
 * @param sizeAs tokens in a form
 */
export function formItem(
  item: Pick<ContextItem, 'kind' | 'target' | 'label' | 'form'>,
  sizeAs: (form: ContextForm) => number,
  possible: readonly ContextForm[],
): ContextItem {
  const { form } = item;
  const tokens = sizeAs(form);
  const acts = possible
    .filter((act) => act !== form)
    .map((act) => ({
      act: act === 'whole' && form === 'pinned' ? ('unpin' as const) : act,
      effect: sizeAs(act) - tokens,
    }))
    // An outline that saves nothing is no choice.
    .filter(({ act, effect }) => act !== 'outline' || effect < 0 || form === 'dropped' || form === 'masked');
  return plainItem({ ...item, tokens, acts });
}
