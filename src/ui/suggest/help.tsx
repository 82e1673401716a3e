/** Help: what can be typed into the composer, over it. */
import { useEffect, useRef } from 'preact/hooks';
import type { ChatCommand } from '../../core/mentions/mention-source';
import { words } from '../../text';
import { IconButton } from '../components/controls';

interface HelpProps {
  readonly commands: readonly ChatCommand[];
  readonly onClose: () => void;
}

export function Help({ commands, onClose }: HelpProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      class="docent-popup docent-help"
      role="dialog"
      aria-labelledby="docent-help-name"
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="docent-help-head">
        <span id="docent-help-name">{words.pane.help}</span>
        <IconButton icon="x" label={words.pane.closeHelp} onClick={onClose} />
      </div>
      <dl class="docent-help-rows">
        {words.pane.helpTriggers.map(({ keys, text }) => (
          <HelpRow key={keys} keys={keys} text={text} />
        ))}
        {commands.map(({ id, name, description }) => (
          <HelpRow key={id} keys={`/${id}`} text={`${name}. ${description}`} />
        ))}
      </dl>
    </div>
  );
}

function HelpRow({ keys, text }: { readonly keys: string; readonly text: string }) {
  return (
    <div class="docent-help-row">
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{text}</dd>
    </div>
  );
}
