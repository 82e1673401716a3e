/** useCommitMessage: looks at the repository and has one message written at a time. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RepositoryChanges } from '../../core/ports/device';
import type { Failure } from '../../core/ports/failure';
import { readCommitMessage } from '../../core/prompt/background-prompts';
import { words } from '../../text';
import type { CommitPorts } from './open-commit';

export type Writing =
  | { readonly step: 'looking' }
  | { readonly step: 'running'; readonly text: string }
  | { readonly step: 'failed'; readonly failure: Failure }
  | { readonly step: 'stopped' }
  | { readonly step: 'done'; readonly message: string };

export interface CommitControls {
  readonly writing: Writing;
  /** Null until the repository was looked at. */
  readonly changes: RepositoryChanges | null;
  readonly start: () => void;
  readonly stop: () => void;
  readonly edit: (message: string) => void;
}

const say = words.commit;

export function useCommitMessage(ports: CommitPorts): CommitControls {
  const [writing, setWriting] = useState<Writing>({ step: 'looking' });
  const [changes, setChanges] = useState<RepositoryChanges | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const show = (next: Writing): void => {
      if (!signal.aborted) setWriting(next);
    };
    show({ step: 'looking' });
    const looked = await ports.changes(signal);
    if (signal.aborted) return;
    if (!looked.ok) return show({ step: 'failed', failure: looked.failure });
    setChanges(looked.value);
    if (looked.value.files.length === 0) return show(failed('not-found', say.nothing, say.nothingRemedy));
    show({ step: 'running', text: '' });
    let text = '';
    let isComplete = false;
    for await (const event of ports.ask(looked.value, signal)) {
      if (event.type === 'text-delta') show({ step: 'running', text: (text += event.text) });
      if (event.type === 'finish') isComplete = event.reason === 'complete' || event.reason === 'unknown';
      if (event.type === 'failure') return show({ step: 'failed', failure: event.failure });
    }
    const message = readCommitMessage(text);
    if (message === '') show(failed('interrupted', say.empty, say.tryAgain));
    else if (!isComplete) show(failed('interrupted', say.cutOff, say.tryAgain));
    else show({ step: 'done', message });
  };
  return {
    writing,
    changes,
    start: () => void start(),
    stop: () => {
      running.current?.abort();
      setWriting({ step: 'stopped' });
    },
    edit: (message) => setWriting({ step: 'done', message }),
  };
}

function failed(kind: Failure['kind'], told: string, remedy: string): Writing {
  return { step: 'failed', failure: { kind, words: told, remedy } };
}
