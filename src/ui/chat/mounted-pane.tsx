/** MountedPane: the interface inside a view that is open, with the windows that it opens. */
import { effect } from '@preact/signals';
import type { App } from 'obsidian';
import { render } from 'preact';
import { ContextListModal } from '../context/context-list';
import { InspectorModal } from '../context/inspector';
import { SnapshotModal } from '../context/summary';
import { DiagnosticsModal, showCutOff } from '../diagnostics/diagnostics';
import { PaneModel } from '../state/chat-state';
import type { PanePorts } from '../state/ports';
import { Pane } from './pane';

/** What the interface needs of the view that it stands in. */
export interface ChatHost {
  readonly app: App;
  readonly contentEl: HTMLElement;
  newChat(): Promise<void>;
  startClean(): Promise<void>;
}

export class MountedPane {
  readonly model: PaneModel;
  private readonly release: () => void;

  constructor(
    private readonly view: ChatHost,
    readonly ports: PanePorts,
  ) {
    const { app, contentEl } = view;
    const model = new PaneModel(ports, contentEl.win);
    this.model = model;
    model.context.windows = {
      showList: () => this.showContext(),
      editSnapshot: (shown) => SnapshotModal.ask(app, shown),
    };
    this.release = effect(() => ports.planned?.(model.preview.value));
    render(
      <Pane
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

  /** Begins what costs nothing before a pane is open, and tells of what a crash left. */
  async start(): Promise<void> {
    await this.ports.paneOpened();
    if (this.ports.cutOff !== undefined) showCutOff(this.ports.cutOff);
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
