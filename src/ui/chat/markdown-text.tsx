/** MarkdownText: a stretch of the model's Markdown, drawn by the allow-list renderer at most once a frame. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { createStreamingRenderer, type StreamingRenderer } from '../render/streaming-renderer';
import type { PaneModel } from '../state/chat-state';
import { renderContextOf } from './render-context-of';

interface MarkdownTextProps {
  readonly text: string;
  readonly model: PaneModel;
  /** Whether more text may still come. */
  readonly growing: boolean;
}

export function MarkdownText({ text, model, growing }: MarkdownTextProps) {
  const target = useRef<HTMLDivElement>(null);
  const drawing = useRef<{ renderer: StreamingRenderer; text: string; done: boolean } | null>(null);
  useLayoutEffect(() => {
    const element = target.current;
    if (element === null) return;
    const held = drawing.current;
    if (held !== null && (held.done ? held.text !== text : !text.startsWith(held.text))) drawing.current = null;
    drawing.current ??= {
      renderer: createStreamingRenderer(element, renderContextOf(model)),
      text: '',
      done: false,
    };
    const current = drawing.current;
    if (current.done) return;
    const draw = (): void => {
      current.renderer.update(text);
      current.text = text;
      if (growing) return;
      current.renderer.finish();
      current.done = true;
    };
    if (!growing) {
      draw();
      return;
    }
    const frame = element.win.requestAnimationFrame(draw);
    return () => element.win.cancelAnimationFrame(frame);
  }, [text, growing, model]);
  return <div class="docent-markdown markdown-rendered" dir="auto" ref={target} />;
}
