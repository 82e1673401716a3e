/** UserMessage: what the user wrote, with what was attached to it. */
import type { UserItem } from '../../core/chat/transcript';
import { words } from '../../text';
import { Chip, imageLookOf, openerOf } from '../mentions/chips';
import type { PaneModel } from '../state/chat-state';

export function UserMessage({ item, model }: { readonly item: UserItem; readonly model: PaneModel }) {
  const { images } = model.ports;
  return (
    <div class="docent-user" aria-label={words.pane.you}>
      {item.text !== '' && (
        <div class="docent-user-text" dir="auto">
          {item.text}
        </div>
      )}
      {item.mentions.length > 0 && (
        <div class="docent-chips">
          {item.mentions.map((mention) => (
            <Chip
              key={`${mention.kind} ${mention.id}`}
              mention={mention}
              {...(mention.kind === 'image' ? imageLookOf(mention, images, null) : {})}
              onOpen={openerOf(mention, model.ports)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
