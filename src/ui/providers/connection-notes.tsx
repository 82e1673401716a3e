/** ConnectionNotes: what the user should know of a turn under way, and how long it waits before it asks again. */
import { useEffect, useState } from 'preact/hooks';
import type { ChatState } from '../../core/chat/chat-view-state';
import { words } from '../../text';

export function ConnectionNotes({ state }: { readonly state: ChatState }) {
  const { waiting = null, notice = null, running } = state;
  return (
    <>
      {notice !== null && (
        <div class="docent-connection-note" role="status">
          {notice}
        </div>
      )}
      {running && waiting !== null && <WaitingNote key={waiting} {...waiting} />}
    </>
  );
}

interface WaitingNoteProps {
  readonly words: string;
  readonly milliseconds: number;
}

/** Counts down for the eye; what is read aloud says it once. */
function WaitingNote({ words: reason, milliseconds }: WaitingNoteProps) {
  const [left, setLeft] = useState(milliseconds);
  useEffect(() => {
    const end = Date.now() + milliseconds;
    const timer = window.setInterval(() => setLeft(Math.max(0, end - Date.now())), 250);
    return () => window.clearInterval(timer);
  }, [milliseconds]);
  const seconds = Math.ceil(left / 1000);
  return (
    <div class="docent-connection-note is-waiting">
      <span role="status">
        {reason} <span class="docent-said">{words.models.tryingAgain(Math.ceil(milliseconds / 1000))}</span>
      </span>{' '}
      <span aria-hidden="true">{words.models.tryingAgain(seconds)}</span>
    </div>
  );
}
