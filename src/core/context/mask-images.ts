/** Puts old pictures aside before anything else: what was said of them stays, and they weigh most (R218, design 8). */
import { imageParts } from '../request/history-text';
import type { FormChange, SessionEntry } from '../session/entry';
import { foldForms, targetOf } from '../session/log-state';
import { pinnedExchanges } from './compaction/exchanges';
import type { MaskLimits } from './mask-tool-output';

/**
 * The pictures to tell in words, oldest first; none while too little would be won. Those of the newest message stay, and
 * those of pinned ones.
 * @param seen what the model sees of the log
 */
export function imagesToMask(
  entries: readonly SessionEntry[],
  seen: readonly SessionEntry[],
  limits: MaskLimits,
): FormChange[] {
  const forms = foldForms(entries);
  const pinned = pinnedExchanges(entries);
  const newest = seen.map(({ kind }) => kind === 'user').lastIndexOf(true);
  const chosen: FormChange[] = [];
  let kept = 0;
  let won = 0;
  for (let index = newest; index >= 0; index -= 1) {
    const entry = seen[index];
    if (entry?.kind !== 'user') continue;
    for (const part of imageParts(entry.mentions)) {
      if (part.type !== 'image') continue;
      kept += part.tokens;
      const target = targetOf.image(entry.id, part.image.digest);
      const stays = index === newest || pinned.has(entry.id) || forms.get(target) === 'pinned';
      if (stays || kept <= limits.protect) continue;
      won += part.tokens;
      chosen.push({ target, form: 'masked' });
    }
  }
  return won < limits.least ? [] : chosen.reverse();
}
