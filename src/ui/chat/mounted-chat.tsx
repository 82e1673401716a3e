/** The whole interface of a chat inside its view, with the modals that it opens. */
import { effect } from '@preact/signals';
import type { App } from 'obsidian';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../../text';
import { IconButton } from '../components/controls';
import { ContextBar } from '../context/context-bar';
import { ContextListModal } from '../context/context-list';
import { InspectorModal } from '../context/inspector';
import { SummaryModal } from '../context/summary';
import { DiagnosticsModal, showInterruptedWrites } from '../diagnostics/diagnostics';
import { GoalPanel } from '../goals/goal-panel';
import { ReviewBar } from '../review/review-card';
import { OpenChatState } from '../state/chat-state';
import type { ChatViewPorts } from '../state/ports';
import { ApprovalRequests } from './approval-request';
import { Composer } from './composer';
import {
  FailureNote,
  IndexNotice,
  MissingChoices,
  ProblemNotice,
  SystemPromptNotice,
  ServerNotice,
  UntrustedNotice,
} from './notices';
import { Pickers } from './pickers';
import { Transcript } from './transcript';
import { Welcome } from './welcome';

/** What the interface needs of the view that contains it. */
export interface ChatHost {
  readonly app: App;
  readonly contentEl: HTMLElement;
  newChat(): Promise<void>;
  startClean(): Promise<void>;
}

export class MountedChat {
  readonly model: OpenChatState;
  private readonly release: () => void;

  constructor(
    private readonly view: ChatHost,
    readonly ports: ChatViewPorts,
  ) {
    const { app, contentEl } = view;
    const model = new OpenChatState(ports, contentEl.win);
    this.model = model;
    model.context.windows = {
      showList: () => this.showContext(),
      editSnapshot: (shown) => SummaryModal.ask(app, shown),
    };
    this.release = effect(() => ports.planned?.(model.preview.value));
    render(
      <ChatRoot
        model={model}
        onNewChat={() => void view.newChat()}
        onStartClean={() => void view.startClean()}
        onInspect={() => this.inspect()}
        onContext={() => this.showContext()}
        onDiagnose={() => this.showDiagnostics()}
      />,
      contentEl,
    );
  }

  /** Starts what must cost nothing before a chat view opens, and reports writes that a crash interrupted. */
  async start(): Promise<void> {
    await this.ports.viewOpened();
    if (this.ports.cutOff !== undefined) showInterruptedWrites(this.ports.cutOff);
  }

  close(): void {
    this.release();
    this.ports.planned?.(null);
    this.model.close();
    render(null, this.view.contentEl);
  }

  inspect(): void {
    new InspectorModal(this.view.app, this.model).open();
  }

  showContext(): void {
    new ContextListModal(this.view.app, this.model, () => this.inspect()).open();
  }

  showDiagnostics(): void {
    new DiagnosticsModal(this.view.app, this.ports, () => this.model.next).open();
  }
}

interface ChatRootProps {
  readonly model: OpenChatState;
  readonly onNewChat: () => void;
  readonly onStartClean: () => void;
  readonly onInspect: () => void;
  /** Shows the context of the next request. */
  readonly onContext: () => void;
  readonly onDiagnose: () => void;
}

/** ChatRoot: the whole interface of a chat, from its action bar to the composer. */
export function ChatRoot({ model, onNewChat, onStartClean, onInspect, onContext, onDiagnose }: ChatRootProps) {
  const state = model.state.value;
  const failure = model.failure.value;
  const [goalOpen, setGoalOpen] = useState(false);
  const toggleGoal = (): void => setGoalOpen(!goalOpen);
  const isEmpty = state !== null && state.items.length === 0 && !state.running;
  return (
    <div class="docent-pane">
      <div class="docent-toolbar">
        <span class="docent-toolbar-title">{words.chatView.title}</span>
        <IconButton icon="target" label={words.goals.panel} onClick={toggleGoal} />
        <IconButton icon="scan-text" label={words.chatView.inspect} onClick={onInspect} />
        <IconButton icon="settings" label={words.chatView.openSettings} onClick={() => model.ports.openSettings()} />
        <IconButton icon="square-pen" label={words.chatView.newChat} onClick={onNewChat} />
      </div>
      {state === null && failure === null && <div class="docent-loading">{words.chatView.loading}</div>}
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
        <ApprovalRequests key={model.chatId} model={model} />
        <UntrustedNotice model={model} onStartClean={onStartClean} />
        <SystemPromptNotice model={model} />
        <ProblemNotice model={model} onOpen={onDiagnose} />
        <ServerNotice model={model} />
        <IndexNotice model={model} />
        <ContextBar
          plan={model.preview.value}
          settings={model.ports.settings()}
          summarising={state?.summarising === true}
          onOpen={onContext}
        />
        <MissingChoices model={model} />
        <Composer model={model} onNewChat={onNewChat} onInspect={onInspect} />
        <Pickers model={model} />
      </div>
    </div>
  );
}
