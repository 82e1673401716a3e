/** SnapshotModal: a summary, part by part, to be read and changed before it stands for older messages, or afterwards. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { type Snapshot, type SnapshotPart, snapshotParts } from '../../core/session/entry';
import { words } from '../../text';
import type { ShownSnapshot } from '../state/context-state';

const names = Object.keys(snapshotParts) as readonly SnapshotPart[];

export class SnapshotModal extends Modal {
  private kept: Snapshot | null = null;

  private constructor(
    app: App,
    private readonly shown: ShownSnapshot,
    private readonly done: (kept: Snapshot | null) => void,
  ) {
    super(app);
  }

  /** Resolves with the words to keep; null when the user leaves it. */
  static ask(app: App, shown: ShownSnapshot): Promise<Snapshot | null> {
    return new Promise((resolve) => new SnapshotModal(app, shown, resolve).open());
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-snapshot-modal');
    this.setTitle(words.status.snapshotTitle);
    const keep = (snapshot: Snapshot): void => {
      this.kept = snapshot;
      this.close();
    };
    render(<SnapshotForm shown={this.shown} onKeep={keep} onLeave={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
    this.done(this.kept);
  }
}

interface SnapshotFormProps {
  readonly shown: ShownSnapshot;
  readonly onKeep: (snapshot: Snapshot) => void;
  readonly onLeave: () => void;
}

function SnapshotForm({ shown: { snapshot, effect, notices }, onKeep, onLeave }: SnapshotFormProps) {
  const [text, setText] = useState(snapshot);
  const keep = (event: Event): void => {
    event.preventDefault();
    onKeep(text);
  };
  return (
    <form class="docent-snapshot" onSubmit={keep}>
      {effect !== null && (
        <p>
          {words.status.snapshotLead} {words.status.snapshotEffect(effect.before, effect.after)}
        </p>
      )}
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
      {names.map((name) => (
        <label key={name}>
          <span>{words.status.snapshotParts[name]}</span>
          <textarea
            rows={rowsOf(snapshot[name])}
            dir="auto"
            value={text[name]}
            onInput={(event) => setText({ ...text, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <div class="docent-list-acts">
        <button type="submit" class="mod-cta">
          {effect === null ? words.status.save : words.status.accept}
        </button>
        <button type="button" onClick={onLeave}>
          {words.status.discard}
        </button>
      </div>
    </form>
  );
}

const mostRows = 8;
const charactersPerRow = 60;

function rowsOf(text: string): number {
  const rows = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / charactersPerRow), 0);
  return Math.min(mostRows, Math.max(2, rows));
}
