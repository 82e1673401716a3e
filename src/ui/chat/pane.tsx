/** Pane: the whole interface of a chat, from its bar of actions to the composer. */
import { useState } from 'preact/hooks';
import { words } from '../../text';
import { IconButton } from '../components/controls';
import { ContextBar } from '../context/context-bar';
import { NeedsLookMark } from '../diagnostics/needs-look-mark';
import { GoalPanel } from '../goals/goal-panel';
import { OverrideBadge } from '../own-prompt/override-badge';
import { ReviewBar } from '../review/review-card';
import { TaintBadge } from '../review/taint-badge';
import { ServerNotice } from '../servers/server-notice';
import type { PaneModel } from '../state/chat-state';
import { Composer } from './composer';
import { FailureNote } from './failure-note';
import { GoneNotes } from './gone-notes';
import { NetworkQuestions } from './network-questions';
import { Pickers } from './pickers';
import { Transcript } from './transcript';
import { Welcome } from './welcome';

interface PaneProps {
  readonly model: PaneModel;
  readonly onNewChat: () => void;
  readonly onStartClean: () => void;
  readonly onInspect: () => void;
  /** Shows what stands in the window. */
  readonly onContext: () => void;
  readonly onDiagnose: () => void;
}

export function Pane({ model, onNewChat, onStartClean, onInspect, onContext, onDiagnose }: PaneProps) {
  const state = model.state.value;
  const failure = model.failure.value;
  const [goalOpen, setGoalOpen] = useState(false);
  const toggleGoal = (): void => setGoalOpen(!goalOpen);
  const isEmpty = state !== null && state.items.length === 0 && state.live === null && !state.running;
  return (
    <div class="docent-pane">
      <div class="docent-toolbar">
        <span class="docent-toolbar-title">{words.pane.title}</span>
        <IconButton icon="target" label={words.goals.panel} onClick={toggleGoal} />
        <IconButton icon="scan-text" label={words.pane.inspect} onClick={onInspect} />
        <IconButton icon="settings" label={words.pane.openSettings} onClick={() => model.ports.openSettings()} />
        <IconButton icon="square-pen" label={words.pane.newChat} onClick={onNewChat} />
      </div>
      {state === null && failure === null && <div class="docent-loading">{words.pane.loading}</div>}
      {state !== null && (
        <GoalPanel key={model.chatId} model={model} damaged={state.damaged} open={goalOpen} onToggle={toggleGoal} />
      )}
      {isEmpty ? (
        <Welcome model={model} />
      ) : (
        state !== null && <Transcript key={model.chatId} model={model} state={state} />
      )}
      {failure !== null && (
        <div class="docent-pane-failure">
          <FailureNote failure={failure} model={model} />
        </div>
      )}
      <div class="docent-foot">
        <ReviewBar model={model} />
        <NetworkQuestions key={model.chatId} model={model} />
        <TaintBadge model={model} onStartClean={onStartClean} />
        <OverrideBadge model={model} />
        <NeedsLookMark model={model} onOpen={onDiagnose} />
        <ServerNotice model={model} />
        <ContextBar
          plan={model.preview.value}
          settings={model.ports.settings()}
          summarising={state?.summarising === true}
          onOpen={onContext}
        />
        <GoneNotes model={model} />
        <Composer model={model} onNewChat={onNewChat} onInspect={onInspect} />
        <Pickers model={model} />
      </div>
    </div>
  );
}
