/**
 * The libraries that the app draws notes with: MathJax, Mermaid, and Prism. They are the real ones, which the page
 * fetches when the first of them is asked for. Outside of the page there are none.
 */

/** MathJax 3 as far as the app's functions call it. */
interface MathJaxGlobal {
  readonly startup: {
    readonly promise: Promise<void>;
    readonly document: { clear(): void; updateDocument(): void };
  };
  tex2chtml(source: string, options: { display: boolean }): HTMLElement;
}

interface LibraryWindow {
  MathJax?: MathJaxGlobal | object;
  Prism?: object;
  mermaid?: { initialize(config: object): void };
}

const page = (): Window & LibraryWindow => window as Window & LibraryWindow;

const loads = new Map<string, Promise<void>>();

/** Runs a script of the page once. */
function loadScript(name: string): Promise<void> {
  const known = loads.get(name);
  if (known !== undefined) return known;
  const loading = new Promise<void>((resolve, reject) => {
    if (document.querySelector('meta[name="workbench-token"]') === null) {
      reject(new Error(`The workbench has ${name} in its page alone`));
      return;
    }
    const script = document.createElement('script');
    script.src = `/libraries/${name}.js`;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${name} is not part of this page: install it and build the page again`));
    document.head.append(script);
  });
  loads.set(name, loading);
  return loading;
}

export async function loadMathJax(): Promise<void> {
  page().MathJax ??= {
    startup: { typeset: false },
    options: { enableMenu: false, enableAssistiveMml: false },
    chtml: { fontURL: '/libraries/fonts' },
  };
  await loadScript('mathjax');
  await (page().MathJax as MathJaxGlobal).startup.promise;
}

/** Throws before `loadMathJax` is done. */
export function renderMath(source: string, display: boolean): HTMLElement {
  return (page().MathJax as MathJaxGlobal).tex2chtml(source, { display });
}

export async function finishRenderMath(): Promise<void> {
  const { startup } = page().MathJax as MathJaxGlobal;
  startup.document.clear();
  startup.document.updateDocument();
}

export async function loadMermaid(): Promise<unknown> {
  await loadScript('mermaid');
  const { mermaid } = page();
  // The app follows its own theme, and lets diagrams link and use HTML.
  const theme = document.body.classList.contains('theme-dark') ? 'dark' : 'default';
  mermaid?.initialize({ startOnLoad: false, securityLevel: 'loose', theme });
  return mermaid;
}

export async function loadPrism(): Promise<unknown> {
  page().Prism ??= { manual: true, disableWorkerMessageHandler: true };
  await loadScript('prism');
  return page().Prism;
}
