/** OverrideBadge: says above the composer that the user's own system prompt is in use, with the gentler way beside it. */
import { useEffect, useState } from 'preact/hooks';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';

const say = words.ownPrompt;

export function OverrideBadge({ model }: { readonly model: PaneModel }) {
  const { ports } = model;
  const { ownPrompt } = ports;
  const [override, setOverride] = useState(() => ownPrompt.override());
  useEffect(() => ports.onChange(() => setOverride(ports.ownPrompt.override())), [ports]);
  const { place, fromEnvironment } = override;
  if (place.kind === 'off') return null;
  return (
    <div class="docent-override" role="note" aria-label={say.badgeLabel(place.path)}>
      <Icon icon="file-pen" />
      {place.kind === 'vault' ? (
        <button
          type="button"
          class="docent-override-words"
          aria-label={say.openIt(place.path)}
          onClick={() => ports.openNote(place.path, false)}
        >
          <Names path={place.path} />
        </button>
      ) : (
        <span class="docent-override-words">
          <Names path={place.path} />
        </span>
      )}
      {!fromEnvironment && (
        <button type="button" aria-label={say.appendLabel} onClick={() => void ownPrompt.carryOut('append')}>
          {say.append}
        </button>
      )}
    </div>
  );
}

function Names({ path }: { readonly path: string }) {
  return (
    <>
      <span>{say.badge}</span>
      <span class="docent-override-path">{path}</span>
    </>
  );
}
