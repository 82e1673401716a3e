/** NeedsLookMark: one quiet line above the composer when something that the next request uses is not as it should be. */
import { needsLook } from '../../core/diagnostics/check';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';
import { useChecks } from './diagnostics';

interface NeedsLookProps {
  readonly model: PaneModel;
  readonly onOpen: () => void;
}

const say = words.diagnostics;

export function NeedsLookMark({ model, onOpen }: NeedsLookProps) {
  // Read for its change: whoever chooses something plans the next request anew.
  const plan = model.preview.value;
  const key = plan === null && model.state.value === null ? '' : JSON.stringify(model.next);
  const reports = useChecks(model.ports, () => model.next, 'next', key);
  const { notes, others, first } = needsLook(reports ?? []);
  if (first === null) return null;
  const summary = say.needsLook(notes, others);
  const name = shortName(first.path ?? '');
  return (
    <button
      type="button"
      class={`docent-needs-look is-${first.level}`}
      aria-label={say.needsLookAt(summary, name, first.words)}
      onClick={onOpen}
    >
      <Icon icon="triangle-alert" />
      <span class="docent-needs-look-words">
        <span>{summary}</span>
        <span class="docent-needs-look-first">{name === '' ? first.words : `${name}: ${first.words}`}</span>
      </span>
    </button>
  );
}

/** The file's name; every skill's is the same, so that of its folder tells more. */
function shortName(path: string): string {
  const [file = '', folder = ''] = path.split('/').reverse();
  return /^skill\.md$/i.test(file) ? `${folder}/${file}` : file;
}
