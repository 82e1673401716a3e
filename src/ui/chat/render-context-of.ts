/** What drawn answers may ask of the app, made once for each pane. */
import type { RenderContext } from '../render/drawing';
import type { PaneModel } from '../state/chat-state';

const contexts = new WeakMap<PaneModel, RenderContext>();

export function renderContextOf(model: PaneModel): RenderContext {
  const known = contexts.get(model);
  if (known !== undefined) return known;
  const { ports } = model;
  const context: RenderContext = {
    resolveLink: (linkText) => ports.vault.resolveLink(linkText, '') ?? null,
    openNote: (linkText, newTab) => ports.openNote(linkText, newTab),
    openExternal: (url) => ports.openExternal(url),
    previewNote: (linkText, target, event) => ports.previewNote(linkText, target, event),
    confirmLink: (decision) => ports.confirmLink(decision),
    get tainted() {
      return (model.state.peek()?.taint ?? null) !== null;
    },
  };
  contexts.set(model, context);
  return context;
}
