/**
 * Every notice that can appear above the composer: failures, missing choices, untrusted text, selected prompt, problems.
 */
import { useEffect, useState } from 'preact/hooks';
import { findMissingChoices, type MissingChoice, withoutMissing } from '../../core/context/chat-choices';
import { hasProblem } from '../../core/diagnostics/check';
import type { Failure, FailureAction, FailureKind } from '../../core/ports/failure';
import type { McpServerStatus, SignInState } from '../../core/ports/network';
import { words } from '../../text';
import { Icon, Named, useOneAtATime } from '../components/controls';
import { isBeingCompared, useInstructionFiles } from '../components/instruction-files';
import { type MenuLine, openMenu } from '../components/settings-and-menus';
import { useChecks } from '../diagnostics/diagnostics';
import { describeState, needsSignIn, stepWords, useStatuses } from '../servers/server-status';
import type { OpenChatState } from '../state/chat-state';
import type { OverrideStep } from '../state/ports';

interface FailureNoteProps {
  readonly failure: Failure;
  readonly model: OpenChatState;
  /** Whether the chat has continued since, so that there is nothing left to do about it. */
  readonly isPast?: boolean;
  /** What allows the sending that the failure asks about; by default, that of the chat's model. */
  readonly onAllow?: () => void;
  /** What takes a failure away that belongs to no message; the last message is then not sent again. */
  readonly onDismiss?: () => void;
}

/** What a failure card offers: the steps of failures, and what only the card knows. */
type CardAct = FailureAction | 'other-model' | 'try-again' | 'dismiss';

/** THE list of what helps after a failed answer, by the kind of failure, besides the steps that the failure names. */
export const usualActs: Readonly<Record<FailureKind, readonly CardAct[]>> = {
  authentication: ['open-settings', 'retry', 'other-model'],
  quota: ['other-model', 'open-settings', 'retry'],
  'rate-limit': ['retry', 'other-model'],
  overloaded: ['retry', 'other-model'],
  'model-missing': ['open-settings', 'other-model', 'retry'],
  'context-length': ['show-context', 'new-chat', 'retry'],
  configuration: ['open-settings', 'retry'],
  limit: ['retry'],
  network: ['retry'],
  protocol: ['retry'],
  interrupted: ['retry'],
  aborted: ['retry'],
  storage: ['retry', 'open-diagnostics'],
  'not-found': ['retry'],
  unreadable: ['retry'],
  'not-text': ['retry'],
  'too-large': ['retry'],
  'invalid-input': ['retry'],
  refused: ['retry'],
};

/** FailureNote: shows what went wrong, what to do, and the steps that can be taken at once. */
export function FailureNote({ failure, model, isPast = false, onAllow, onDismiss }: FailureNoteProps) {
  const allow = onAllow ?? (() => model.allowSending(failure));
  const offered = isPast ? [] : actsOf(failure, onDismiss !== undefined);
  const actions = offered.flatMap((act) => actionOf(act, failure, { allow, dismiss: onDismiss }, model) ?? []);
  return (
    <div class="docent-failure" role="alert">
      <Icon icon="triangle-alert" />
      <div>
        <div>{failure.words}</div>
        <div class="docent-failure-remedy">{failure.remedy}</div>
        {actions.length > 0 && (
          <div class="docent-failure-actions">
            {actions.map(({ label, run }) => (
              <button type="button" key={label} onClick={({ currentTarget }) => run(currentTarget)}>
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function actsOf({ kind, action, actions = [] }: Failure, isApart: boolean): readonly CardAct[] {
  const named: readonly CardAct[] = [...(action === undefined ? [] : [action]), ...actions];
  if (isApart) return [...new Set<CardAct>([...named.filter((act) => act !== 'retry'), 'try-again', 'dismiss'])];
  // What was asked is answered by its own steps, which also send the message again.
  if (named.includes('allow-sending')) return named;
  const usual = usualActs[kind].filter((act) => named.length === 0 || act === 'retry' || act === 'other-model');
  return [...new Set([...named, ...usual])];
}

interface CardAction {
  readonly label: string;
  readonly run: (button: HTMLElement) => void;
}

function actionOf(
  act: CardAct,
  failure: Failure,
  { allow, dismiss }: { readonly allow: () => void; readonly dismiss: (() => void) | undefined },
  model: OpenChatState,
): CardAction | undefined {
  const again = act === 'try-again' ? model.againAfter(failure) : undefined;
  const others = act === 'other-model' ? otherModels(model) : [];
  const actions: Readonly<Partial<Record<CardAct, CardAction>>> = {
    retry: { label: words.chatView.sendAgain, run: () => model.resend() },
    'go-on': { label: words.chatView.goOn, run: () => void model.goOn() },
    'open-settings': { label: words.chatView.openSettings, run: () => model.ports.openSettings() },
    'call-tools-in-text': { label: words.models.callToolsInText, run: () => void model.callToolsInText() },
    'allow-sending': { label: words.gate.allow, run: allow },
    ...ownPromptSteps(model),
    'review-instructions': { label: words.instructions.review, run: () => model.ports.instructions?.review(false) },
    'open-diagnostics': { label: words.commandNames['show-diagnostics'], run: () => model.ports.showDiagnostics() },
    'new-chat': { label: words.chatView.newChat, run: () => void model.startOver() },
    'show-context': { label: words.chatView.leaveOut, run: () => model.context.windows?.showList() },
    ...(others.length > 0 && {
      'other-model': { label: words.branches.againOther, run: (button) => openMenu(button, others) },
    }),
    ...(again !== undefined && { 'try-again': { label: words.chatView.tryAgain, run: again } }),
    ...(dismiss !== undefined && { dismiss: { label: words.prompts.letGo, run: dismiss } }),
  };
  return actions[act];
}

/** Returns the models that may answer in place of the one of the chat. */
function otherModels(model: OpenChatState): readonly MenuLine[] {
  const used = model.choices?.model;
  if (used === undefined) return [];
  const { [used]: _used, ...others } = model.ports.prompts.modelChoices(used);
  return Object.entries(others).map(([id, title]) => ({ title, run: () => void model.resendWith(id) }));
}

function ownPromptSteps({ ports: { ownPrompt } }: OpenChatState) {
  const labels = words.ownPrompt.actions;
  const overrideAction = (action: keyof typeof labels, step: OverrideStep) => ({
    [action]: { label: labels[action], run: () => void ownPrompt.carryOut(step) },
  });
  return {
    ...overrideAction('create-system-prompt', 'create'),
    ...overrideAction('turn-off-system-prompt', 'turn-off'),
    ...overrideAction('allow-outside-file', 'allow'),
  };
}

/**
 * MissingChoices: lists what this chat has chosen that is no longer available, with a button to remove it (design 5).
 */
export function MissingChoices({ model }: { readonly model: OpenChatState }) {
  const [, setChanges] = useState(0);
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  const { ports } = model;
  const choices = model.state.value === null ? null : model.choices;
  if (choices === null) return null;
  const usualModel = ports.settings().model;
  const missing = findMissingChoices(choices, {
    vault: ports.vault,
    agentFolder: () => ports.settings().agentFolder,
    waits: (path) => ports.instructions?.files.waiting().some((file) => file.path === path) === true,
    registered: (id) => ports.prompts.registry.get(id),
    toolNames: ports.tools.map(({ name }) => name),
    model: (id) => ports.prompts.model(id),
    usualModel,
  }).filter(({ id }) => !isBeingCompared(id, ports));
  return (
    <>
      {missing.map((choice) => (
        <div key={`${choice.kind} ${choice.id}`} class="docent-gone" role="status">
          <Icon icon="unlink" />
          <span class="docent-gone-words">
            {wordsOf(choice, ports.prompts.modelChoices(usualModel)[usualModel] ?? usualModel)}
          </span>
          <button
            type="button"
            aria-label={words.prompts.letGoLabel(choice.name)}
            onClick={() => void model.choose(withoutMissing(choices, choice, usualModel))}
          >
            {words.prompts.letGo}
          </button>
        </div>
      ))}
    </>
  );
}

function wordsOf({ kind, name, reason }: MissingChoice, usualModel: string): string {
  return words.prompts.missingChoice[kind](name, kind === 'model' ? usualModel : reason);
}

/** IndexNotice: shows how far the search index is while many notes are still to be indexed. */
export function IndexNotice({ model }: { readonly model: OpenChatState }) {
  const index = model.ports.searchIndex;
  const [progress, setProgress] = useState(index?.progress ?? null);
  useEffect(() => {
    const update = (): void => setProgress(index?.progress ?? null);
    update();
    return index?.subscribe(update);
  }, [index]);
  if (progress === null) return null;
  return <div class="docent-indexing">{words.chatView.indexing(progress.ready, progress.total)}</div>;
}

const keepingWords = words.keeping;

interface UntrustedNoticeProps {
  readonly model: OpenChatState;
  readonly onStartClean: () => Promise<void>;
}

/** UntrustedNotice: names the untrusted text that the chat has read, and what follows from it. */
export function UntrustedNotice({ model, onStartClean }: UntrustedNoticeProps) {
  const [open, setOpen] = useState(false);
  // Each press would copy the chat once more.
  const startClean = useOneAtATime(onStartClean);
  const source = model.state.value?.taint ?? null;
  if (source === null) return null;
  return (
    <div class="docent-taint">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon icon="shield-alert" />
        <span class="docent-taint-source" dir="auto">
          {keepingWords.tainted(source)}
        </span>
      </button>
      {open && <p>{keepingWords.taintedDesc(source)}</p>}
      {open && (
        <button type="button" class="docent-taint-clean" onClick={startClean}>
          {keepingWords.startClean}
        </button>
      )}
    </div>
  );
}

const ownPromptWords = words.ownPrompt;

/** SystemPromptNotice: reports that a custom system prompt is in use, and offers the option to append it instead. */
export function SystemPromptNotice({ model }: { readonly model: OpenChatState }) {
  const { ports } = model;
  const { ownPrompt } = ports;
  const [override, setOverride] = useState(() => ownPrompt.override());
  useEffect(() => ports.onChange(() => setOverride(ports.ownPrompt.override())), [ports]);
  const { place, fromEnvironment } = override;
  if (place.kind === 'off') return null;
  return (
    <Named class="docent-override" role="note" name={ownPromptWords.badgeLabel(place.path)}>
      <Icon icon="file-pen" />
      {place.kind === 'vault' ? (
        <button
          type="button"
          class="docent-override-words"
          aria-label={ownPromptWords.openIt(place.path)}
          onClick={() => ports.openNote(place.path, false)}
        >
          <Names path={place.path} />
        </button>
      ) : (
        <span class="docent-override-words">
          <Names path={place.path} />
        </span>
      )}
      {!fromEnvironment && (
        <button type="button" aria-label={ownPromptWords.appendLabel} onClick={() => void ownPrompt.carryOut('append')}>
          {ownPromptWords.append}
        </button>
      )}
    </Named>
  );
}

function Names({ path }: { readonly path: string }) {
  return (
    <>
      <span>{ownPromptWords.badge}</span>
      <span class="docent-override-path">{path}</span>
    </>
  );
}

interface ProblemNoticeProps {
  readonly model: OpenChatState;
  readonly onOpen: () => void;
}

const diagnosticsWords = words.diagnostics;

/** ProblemNotice: one line above the composer when something that the next request uses has a problem. */
export function ProblemNotice({ model, onOpen }: ProblemNoticeProps) {
  // Reading the signal subscribes this component to it: a new choice or a learned window leads to a new plan.
  const plan = model.preview.value;
  const seen = [plan?.modelId, plan?.totals.window];
  const key = plan === null && model.state.value === null ? '' : JSON.stringify([model.next, ...seen]);
  const reports = useChecks(model.ports, () => model.next, 'next', key);
  const { notes, others, first } = hasProblem(reports ?? []);
  if (first === null) return null;
  const summary = diagnosticsWords.hasProblem(notes, others);
  const name = shortName(first.path ?? '');
  return (
    <button
      type="button"
      class={`docent-needs-look is-${first.level}`}
      aria-label={diagnosticsWords.needsLookAt(summary, name, first.words)}
      onClick={onOpen}
    >
      <Icon icon="triangle-alert" />
      <span class="docent-needs-look-words">
        <span>{summary}</span>
        <span class="docent-needs-look-first">{name === '' ? first.words : `${name}: ${first.words}`}</span>
      </span>
    </button>
  );
}

/** Returns the file's name; the file of every skill has the same name, so for those that of its folder. */
function shortName(path: string): string {
  const [file = '', folder = ''] = path.split('/').reverse();
  return /^skill\.md$/i.test(file) ? `${folder}/${file}` : file;
}

const serverWords = words.serverSettings;

/**
 * ServerNotice: one line above the composer when an enabled MCP server has changed its catalog or cannot be used. A
 * server that waits for the user's yes is asked about in place.
 */
export function ServerNotice({ model }: { readonly model: OpenChatState }) {
  const { ports } = model;
  const statuses = useStatuses(ports.servers, ports.signIn);
  const affected = statuses.filter((status) => serverHasProblem(status) || asksSignIn(status, model));
  const others = affected.filter(({ failure }) => failure?.action !== 'allow-sending');
  return (
    <>
      {affected.map(({ choice: { name }, failure }) =>
        failure?.action === 'allow-sending' ? (
          <FailureNote
            key={name}
            failure={failure}
            model={model}
            onAllow={() => void ports.servers.allowSending(name)}
          />
        ) : null,
      )}
      <ServerProblem model={model} affected={others} />
    </>
  );
}

interface ServerProblemProps {
  readonly model: OpenChatState;
  readonly affected: readonly McpServerStatus[];
}

function ServerProblem({ model, affected }: ServerProblemProps) {
  const { ports } = model;
  const [first] = affected;
  if (first === undefined) return null;
  const isOne = affected.length === 1;
  const leadsToSignIn = isOne && asksSignIn(first, model);
  const leadsToProblems = isOne && first.hasChanged && !leadsToSignIn;
  const open = (): void => {
    if (leadsToSignIn) void ports.signIn?.open(first.choice);
    else if (leadsToProblems) ports.showCatalog(first.choice.name);
    else ports.openSettings();
  };
  const detail = isOne ? (leadsToProblems ? stepWords.look : detailOf(first, ports.signIn?.stateOf(first.choice))) : '';
  const summary = leadsToSignIn ? words.signIn.notice(first.choice.name) : summaryOf(first, affected.length);
  return (
    <button type="button" class="docent-needs-look docent-server-notice is-warning" onClick={open}>
      <Icon icon="plug" />
      <span class="docent-needs-look-words">
        <span>{summary}</span>
        <span class="docent-needs-look-first">{detail}</span>
      </span>
    </button>
  );
}

/** Whether the server waits for the user to sign in, again or for the first time. */
function asksSignIn({ choice, failure }: McpServerStatus, { ports: { signIn } }: OpenChatState): boolean {
  if (signIn === undefined || !choice.isOn) return false;
  return failure?.action === 'sign-in' || needsSignIn(signIn.stateOf(choice));
}

/** Returns why a server needs a look. That it is ready otherwise would read as a contradiction, and takes the line. */
function detailOf(status: McpServerStatus, signIn: SignInState = 'out'): string {
  return needsSignIn(signIn) && status.state === 'ready' ? words.signIn.states[signIn] : describeState(status, signIn);
}

function serverHasProblem(status: McpServerStatus): boolean {
  return status.choice.isOn && (status.state === 'failed' || status.hasChanged);
}

function summaryOf(first: McpServerStatus, count: number): string {
  if (count > 1) return serverWords.notice.several(count);
  return serverWords.notice[first.hasChanged ? 'changed' : 'failed'](first.choice.name);
}

/** InstructionsNotice: one line above the composer while instruction files wait that the user wants to be asked about. */
export function InstructionsNotice({ model: { ports } }: { readonly model: OpenChatState }) {
  const { instructions } = ports;
  useInstructionFiles(instructions?.files);
  const waiting = instructions?.files.waiting().filter(({ isDeclined }) => !isDeclined) ?? [];
  const [first] = waiting;
  if (first === undefined) return null;
  const say = words.instructions;
  const name = shortName(first.path);
  const isOneChanged = waiting.length === 1 && first.isChanged;
  return (
    <button
      type="button"
      class="docent-needs-look docent-instructions-notice is-warning"
      onClick={() => instructions?.review(false)}
    >
      <Icon icon="file-lock" />
      <span class="docent-needs-look-words">
        <span>{isOneChanged ? say.noticeChanged(name) : say.notice(waiting.length, name)}</span>
        <span class="docent-needs-look-first">{say.review}</span>
      </span>
    </button>
  );
}
