/** Pane: the whole interface of a chat, from its bar of actions to the composer. */
import { words } from '../../text';
import { ContextBar } from '../status/context-bar';
import { Composer } from './composer';
import { FailureNote } from './failure-note';
import { IconButton } from './icon-button';
import type { PaneModel } from './pane-model';
import { Transcript } from './transcript';
import { Welcome } from './welcome';

interface PaneProps {
  readonly model: PaneModel;
  readonly onNewChat: () => void;
  readonly onInspect: () => void;
}

export function Pane({ model, onNewChat, onInspect }: PaneProps) {
  const state = model.state.value;
  const failure = model.failure.value;
  const isEmpty = state !== null && state.items.length === 0 && state.live === null && !state.running;
  return (
    <div class="docent-pane">
      <div class="docent-toolbar">
        <span class="docent-toolbar-title">{words.pane.title}</span>
        <IconButton icon="scan-text" label={words.pane.inspect} onClick={onInspect} />
        <IconButton icon="settings" label={words.pane.openSettings} onClick={() => model.ports.openSettings()} />
        <IconButton icon="square-pen" label={words.pane.newChat} onClick={onNewChat} />
      </div>
      {state === null && failure === null && <div class="docent-loading">{words.pane.loading}</div>}
      {isEmpty ? <Welcome model={model} /> : state !== null && <Transcript model={model} state={state} />}
      {failure !== null && (
        <div class="docent-pane-failure">
          <FailureNote failure={failure} model={model} />
        </div>
      )}
      <div class="docent-foot">
        <ContextBar plan={model.preview.value} onOpen={onInspect} />
        <Composer model={model} onNewChat={onNewChat} onInspect={onInspect} />
      </div>
    </div>
  );
}
