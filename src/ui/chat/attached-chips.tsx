/** AttachedChips: what the unsent message has attached, kept true to the vault. */
import { useEffect, useState } from 'preact/hooks';
import { isMissing } from '../../core/mentions/is-missing';
import { words } from '../../text';
import { mentionContextOf } from '../suggest/mention-context';
import { Chip } from './chip';
import { openerOf } from './open-mention';
import type { PaneModel } from './pane-model';

export function AttachedChips({ model }: { readonly model: PaneModel }) {
  const [, setChanges] = useState(0);
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  const mentions = model.mentions.value;
  if (mentions.length === 0) return null;
  const context = mentionContextOf(model.ports);
  return (
    <div class="docent-chips" role="group" aria-label={words.pane.attachments}>
      {mentions.map((mention) => (
        <Chip
          key={`${mention.kind} ${mention.id}`}
          mention={mention}
          isMissing={isMissing(mention, context)}
          onOpen={openerOf(mention, model.ports)}
          onRemove={() => model.removeMention(mention)}
        />
      ))}
    </div>
  );
}
