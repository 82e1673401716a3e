/** Math is shown as its source: there is no MathJax here. */

export function renderMath(source: string, display: boolean): HTMLElement {
  const el = activeDocument.createElement('span');
  el.className = `math ${display ? 'math-block' : 'math-inline'} is-loaded`;
  el.createEl('code', { text: source });
  return el;
}

export async function finishRenderMath(): Promise<void> {}

export async function loadMathJax(): Promise<void> {}
