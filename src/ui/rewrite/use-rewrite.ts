/** useRewrite: one rewriting at a time, as far as it has come. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../../core/ports/failure';
import { readRewrite, rewriteRequest } from '../../core/prompt/background-prompts';
import { words } from '../../text';
import type { PromptsPorts } from '../state/ports';
import type { SelectedPassage } from './selected-passage';

export type Rewriting =
  | { readonly step: 'asking' }
  | { readonly step: 'running'; readonly text: string }
  | { readonly step: 'failed'; readonly failure: Failure }
  | { readonly step: 'done'; readonly wording: string };

export interface RewriteControls {
  readonly rewriting: Rewriting;
  readonly start: (wish: string) => void;
  readonly stop: () => void;
  readonly edit: (wording: string) => void;
}

export function useRewrite(ports: PromptsPorts, passage: SelectedPassage): RewriteControls {
  const [rewriting, setRewriting] = useState<Rewriting>({ step: 'asking' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (wish: string): Promise<void> => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const show = (next: Rewriting): void => {
      if (!abort.signal.aborted) setRewriting(next);
    };
    show({ step: 'running', text: '' });
    const request = rewriteRequest(wish, passage.text, { activeNote: passage.path, date: ports.date() });
    let text = '';
    let isComplete = false;
    for await (const event of ports.askOnce(request, abort.signal)) {
      if (event.type === 'text-delta') show({ step: 'running', text: (text += event.text) });
      if (event.type === 'finish') isComplete = event.reason === 'complete' || event.reason === 'unknown';
      if (event.type === 'failure') {
        show({ step: 'failed', failure: event.failure });
        return;
      }
    }
    const wording = readRewrite(text, passage.text);
    if (wording.trim() === '') show({ step: 'failed', failure: nothing(words.prompts.rewriteEmpty) });
    else if (!isComplete) show({ step: 'failed', failure: nothing(words.prompts.rewriteCutOff) });
    else show({ step: 'done', wording });
  };
  return {
    rewriting,
    start: (wish) => void start(wish),
    stop: () => {
      running.current?.abort();
      setRewriting({ step: 'asking' });
    },
    edit: (wording) => setRewriting({ step: 'done', wording }),
  };
}

function nothing(said: string): Failure {
  return { kind: 'interrupted', words: said, remedy: words.prompts.rewriteEmptyRemedy };
}
