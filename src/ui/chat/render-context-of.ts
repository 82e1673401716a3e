/** What drawn answers may ask of the app, made once for each set of ports. */
import type { PanePorts } from '../pane-ports';
import type { RenderContext } from '../render/render-context';

const contexts = new WeakMap<PanePorts, RenderContext>();

export function renderContextOf(ports: PanePorts): RenderContext {
  const known = contexts.get(ports);
  if (known !== undefined) return known;
  const context: RenderContext = {
    resolveLink: (linkText) => ports.vault.resolveLink(linkText, '') ?? null,
    openNote: (linkText, newTab) => ports.openNote(linkText, newTab),
    openExternal: (url) => ports.openExternal(url),
    previewNote: (linkText, target, event) => ports.previewNote(linkText, target, event),
    confirmLink: (decision) => ports.confirmLink(decision),
  };
  contexts.set(ports, context);
  return context;
}
