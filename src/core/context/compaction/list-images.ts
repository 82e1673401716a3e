/** Pictures that were sent with messages, as items of the list of what is in the window (R218). */
import { seenEntries } from '../../request/history';
import { imageParts } from '../../request/history-text';
import { foldForms, targetOf } from '../../session/log-state';
import { type ContextItem, formItem } from './context-item';
import type { ItemsInput } from './list-items';

export function imageItems({ entries, tokenizer }: ItemsInput): ContextItem[] {
  const forms = foldForms(entries);
  const shown = new Set(seenEntries(entries).map(({ id }) => id));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'user' || !shown.has(entry.id)) return [];
    return entry.mentions.flatMap((mention): ContextItem[] => {
      const { image } = mention;
      if (mention.kind !== 'image' || image === undefined) return [];
      const target = targetOf.image(entry.id, image.digest);
      const form = forms.get(target) ?? 'whole';
      const sizeAs = (as: ContextItem['form']): number => {
        const isAside = as === 'masked' || as === 'dropped';
        const [part] = imageParts([isAside ? { ...mention, image: { ...image, aside: true } } : mention]);
        return part?.type === 'image' ? part.tokens + tokenizer.count(part.label) : tokenizer.count(part?.text ?? '');
      };
      return [formItem({ kind: 'image', target, label: mention.label, form }, sizeAs, ['whole', 'pinned', 'dropped'])];
    });
  });
}
