/** Inspector: a request plan as text, in foldable parts with their tokens. */
import type { ReadonlySignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { ChatState } from '../../core/chat-ports';
import type { Message } from '../../core/message';
import { printPlan } from '../../core/request/print-plan';
import type { Block, RequestPlan } from '../../core/request/request-plan';
import { words } from '../../text';
import { formatTokens } from '../status/format-tokens';

interface InspectorProps {
  readonly next: ReadonlySignal<RequestPlan | null>;
  readonly state: ReadonlySignal<ChatState | null>;
}

export function Inspector({ next, state }: InspectorProps) {
  const [shown, setShown] = useState<'next' | 'last'>('next');
  const plan = shown === 'next' ? next.value : (state.value?.plan ?? null);
  return (
    <div class="docent-inspector">
      <div class="docent-inspector-tabs" role="tablist">
        <Tab label={words.pane.inspectorNext} selected={shown === 'next'} onSelect={() => setShown('next')} />
        <Tab label={words.pane.inspectorLast} selected={shown === 'last'} onSelect={() => setShown('last')} />
      </div>
      {plan === null ? <p class="docent-inspector-none">{words.pane.inspectorNone}</p> : <Plan plan={plan} />}
    </div>
  );
}

function Tab({
  label,
  selected,
  onSelect,
}: {
  readonly label: string;
  readonly selected: boolean;
  readonly onSelect: () => void;
}) {
  return (
    <button type="button" role="tab" aria-selected={selected} class={selected ? 'mod-cta' : ''} onClick={onSelect}>
      {label}
    </button>
  );
}

function Plan({ plan }: { readonly plan: RequestPlan }) {
  const { totals, blocks, messages, tools } = plan;
  const room = totals.window - totals.reserve;
  return (
    <>
      <div class="docent-inspector-head">
        <span>{plan.modelId}</span>
        <span>{words.pane.inspectorTotal(formatTokens(totals.all, totals.exact), formatTokens(room, true))}</span>
        <button
          type="button"
          onClick={(event) => void event.currentTarget.win.navigator.clipboard.writeText(printPlan(plan))}
        >
          {words.pane.copyPrompt}
        </button>
      </div>
      <h4>{words.pane.inspectorSystem}</h4>
      {blocks.map((block) => (
        <Part
          key={block.section}
          title={block.section}
          note={noteOf(block)}
          tokens={block.tokens}
          exact={totals.exact}
          text={block.text}
        />
      ))}
      <h4>{words.pane.inspectorMessages}</h4>
      {messages.map((message, index) => (
        <Part key={index} title={roleNames[message.role]} text={textOfMessage(message)} />
      ))}
      <h4>{words.pane.inspectorTools}</h4>
      {tools.map((tool) => (
        <Part
          key={tool.name}
          title={tool.name}
          text={`${tool.description}\n\n${JSON.stringify(tool.parameters, null, 2)}`}
        />
      ))}
      {!totals.exact && <p class="docent-inspector-none">{words.pane.inspectorEstimate}</p>}
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly text: string;
  readonly note?: string;
  readonly tokens?: number;
  readonly exact?: boolean;
}

function Part({ title, text, note = '', tokens, exact = false }: PartProps) {
  return (
    <details class="docent-inspector-part">
      <summary>
        <span class="docent-inspector-title">{title}</span>
        {note !== '' && <span class="docent-inspector-note">{note}</span>}
        {tokens !== undefined && <span class="docent-inspector-tokens">{formatTokens(tokens, exact)}</span>}
      </summary>
      <pre>{text}</pre>
    </details>
  );
}

const roleNames: Readonly<Record<Message['role'], string>> = {
  user: words.pane.roleUser,
  assistant: words.pane.roleAssistant,
  tool: words.pane.roleTool,
};

function noteOf(block: Block): string {
  const parts = [block.zone, block.outcome === 'full' ? '' : `${block.outcome}: ${block.reason ?? ''}`];
  if (block.madeVisible > 0) parts.push(words.pane.madeVisible(block.madeVisible));
  return parts.filter((part) => part !== '').join(' · ');
}

function textOfMessage({ parts }: Message): string {
  return parts
    .map((part) => (part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text))
    .join('\n\n');
}
