/** The naive way to show an answer: the whole text is drawn again at each frame. Bundled into the window that it measures. */
import type { RenderContext } from '../../../src/ui/render/drawing';
import { renderMarkdown } from '../../../src/ui/render/streaming-renderer';

declare global {
  interface Window {
    drawWholeAnswer(url: string): Promise<void>;
  }
}

const context: RenderContext = { resolveLink: () => null, openNote: () => undefined, openExternal: () => undefined };

/** Streams an answer in the words of OpenAI's chat completions, and draws all of it after each frame that brought text. */
window.drawWholeAnswer = async (url) => {
  const target = document.body.createDiv({ cls: 'docent-markdown' });
  const response = await fetch(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: 'Write it all' }] }),
  });
  let [text, drawn, rest] = ['', '', ''];
  const draw = (): void => {
    if (text !== drawn) renderMarkdown(target, text, context);
    drawn = text;
  };
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let frame = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = `${rest}${read.value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
      text += choices[0]?.delta.content ?? '';
    }
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  }
  draw();
};
