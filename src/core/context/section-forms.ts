/** Sections as the user has them sent: pinned ones whole while the others give way, outlined ones in their brief form. */
import { words } from '../../text';
import type { Composed, Layout } from '../prompt/assemble-prompt';
import type { Section } from '../prompt/section';
import type { StandingForms } from '../session/log-state';

/** Above that of every section, so that pinned ones are served first and cut last. */
const pinnedPriority = Number.MAX_SAFE_INTEGER;

export function withForms(layout: Layout, forms: StandingForms): Layout {
  if (Object.keys(forms).length === 0) return layout;
  return {
    ...layout,
    fit: (composed) => {
      const stand = new Map<Section, Composed>();
      const asked = composed.map((each): Composed => {
        const form = forms[each.section.id];
        const section = form === 'pinned' ? { ...each.section, priority: pinnedPriority } : each.section;
        stand.set(section, each);
        const brief = form === 'outline' ? each.brief() : null;
        return { ...each, section, block: brief === null ? each.block : { ...brief, reason: words.status.outlined } };
      });
      return layout.fit(asked).map(({ section, block }) => {
        const original = stand.get(section);
        if (original === undefined) return { section, block };
        const isPinned = forms[original.section.id] === 'pinned';
        // What is pinned stays whole even where it is more than its share: the request says so when it does not fit.
        return { section: original.section, block: isPinned ? original.block : block };
      });
    },
  };
}
