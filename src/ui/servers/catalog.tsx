/** An MCP server's catalog, word by word, what changed in it, and its approval. */
import type { App } from 'obsidian';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { canonicalJson } from '../../core/base/equality';
import type { Failure } from '../../core/ports/failure';
import {
  mayLookAlike,
  type McpAccess,
  type McpCatalog,
  mcpHints,
  type McpPromptArgument,
  type McpServerStatus,
  type McpTool,
} from '../../core/ports/network';
import { type WordPart, wordsOf } from '../../core/writing/changeset/diff';
import { words } from '../../text';
import { joinChangedWords, NoteText } from '../components/changed-text';
import { DrawnModal, useSettled } from '../components/controls';
import { showUnseenCharacters } from '../render/visible-text';
import type { SignInPorts } from '../state/ports';
import { describeState, nextServerStep, stepWords, takeServerStep, useStatuses } from './server-status';

/** CatalogModal: the catalog of an MCP server in a modal that stays up to date while it is open. */
export class CatalogModal extends DrawnModal {
  /** @param signIn absent where nobody signs in to servers */
  constructor(app: App, servers: McpAccess, name: string, signIn?: SignInPorts) {
    super(app, {
      styleClass: 'docent-offer-modal',
      title: words.serverSettings.offer.title(showUnseenCharacters(name)),
      draw: (close) => <CatalogView servers={servers} signIn={signIn} name={name} onLeave={close} />,
    });
  }
}

interface CatalogViewProps {
  readonly servers: McpAccess;
  readonly signIn?: SignInPorts | undefined;
  readonly name: string;
  readonly onLeave: () => void;
}

const say = words.serverSettings.offer;

/**
 * CatalogView: the full catalog of a server, its differences from the approved one, and the approval of exactly that.
 */
export function CatalogView({ servers, signIn, name, onLeave }: CatalogViewProps) {
  const status = useStatuses(servers, signIn).find(({ choice }) => choice.name === name);
  const offer = status?.offer ?? null;
  const [shown, setShown] = useState<McpCatalog | null>(offer);
  const [shownCount, setShownCount] = useState(0);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const show = (next: McpCatalog): void => {
    setShown(next);
    setRefusal(null);
    setShownCount(shownCount + 1);
  };
  useLayoutEffect(() => {
    if (shown === null && offer !== null) show(offer);
  }, [offer]);
  const isStale = shown !== null && !isSameCatalog(shown, offer);
  const isAllowed = shown !== null && isSameCatalog(shown, status?.approved ?? null);
  const canAllow = shown !== null && !isAllowed;
  const asks = canAllow && !isStale;
  const isSettled = useSettled(root, asks ? `${shownCount}` : null);
  const allow = (): void => {
    if (shown === null) return;
    const approved = servers.approve(name, shown);
    if (approved.ok) onLeave();
    else setRefusal(approved.failure);
  };
  return (
    <div class="docent-offer" ref={root}>
      {status === undefined && <p role="alert">{say.notInSettings}</p>}
      {status !== undefined && <Lead status={status} shown={shown} isAllowed={isAllowed} />}
      {shown !== null && <Parts shown={shown} status={status} />}
      <div class="docent-offer-foot">
        <CatalogState {...{ status, servers, signIn, shown, isStale }} />
        {refusal !== null && (
          <p class="docent-offer-warning" role="alert">
            {refusal.words} {refusal.remedy}
          </p>
        )}
        <CatalogChoices
          newer={isStale ? offer : null}
          canAllow={canAllow}
          asks={asks}
          isSettled={isSettled}
          onShow={show}
          onAllow={allow}
          onLeave={onLeave}
        />
      </div>
    </div>
  );
}

interface CatalogStateProps {
  readonly status: McpServerStatus | undefined;
  readonly servers: McpAccess;
  readonly signIn: SignInPorts | undefined;
  readonly shown: McpCatalog | null;
  readonly isStale: boolean;
}

/** CatalogState: whether the server has changed its catalog since it was shown, or why there is none to show. */
function CatalogState({ status, shown, isStale, ...ports }: CatalogStateProps) {
  return (
    <>
      <div role="status">
        {isStale && status !== undefined && <p class="docent-offer-warning">{say.movedOn}</p>}
        {isStale && status?.offer === null && <State status={status} {...ports} />}
      </div>
      {shown === null && status !== undefined && <State status={status} {...ports} />}
    </>
  );
}

interface CatalogChoicesProps {
  /** The catalog that replaced the one on the screen; null if that one is current. */
  readonly newer: McpCatalog | null;
  readonly canAllow: boolean;
  /** Whether the catalog on the screen is the current one and waits for approval. */
  readonly asks: boolean;
  /** Whether it has been on the screen long enough to be approved. */
  readonly isSettled: boolean;
  readonly onShow: (catalog: McpCatalog) => void;
  readonly onAllow: () => void;
  readonly onLeave: () => void;
}

function CatalogChoices(props: CatalogChoicesProps) {
  const { newer, canAllow, asks, isSettled, onShow, onAllow, onLeave } = props;
  return (
    <div class="docent-choices">
      {newer !== null && (
        <button type="button" onClick={() => onShow(newer)}>
          {say.showNow}
        </button>
      )}
      {canAllow && (
        <button type="button" class="mod-cta" disabled={!isSettled} onClick={onAllow}>
          {say.allow}
        </button>
      )}
      <button type="button" disabled={asks && !isSettled} onClick={onLeave}>
        {canAllow ? say.notNow : say.close}
      </button>
    </div>
  );
}

interface LeadProps {
  readonly status: McpServerStatus;
  readonly shown: McpCatalog | null;
  readonly isAllowed: boolean;
}

/** The most sentences about parts that were left out. */
const maxOmissions = 5;

function Lead({ status: { choice, approved, omissions }, shown, isAllowed }: LeadProps) {
  return (
    <>
      <p class="docent-offer-address" dir="ltr">
        <NoteText text={choice.url} />
      </p>
      {shown !== null && <p>{say.lead}</p>}
      {shown !== null && <p>{isAllowed ? say.allowed : approved === null ? say.firstLook : say.marked}</p>}
      {omissions.slice(0, maxOmissions).map((said, index) => (
        <p key={index} class="docent-offer-warning">
          <NoteText text={said} />
        </p>
      ))}
      {omissions.length > maxOmissions && <p>{say.more(omissions.length - maxOmissions)}</p>}
      {shown !== null && <p>{say.summary(shown.tools.length, shown.prompts.length, shown.resources.length)}</p>}
    </>
  );
}

interface PartsProps {
  readonly shown: McpCatalog;
  readonly status: McpServerStatus | undefined;
}

function Parts({ shown, status }: PartsProps) {
  const named = useId();
  const approved = status?.approved ?? null;
  const parts = diffCatalogs(approved, shown);
  if (parts.length === 0) return <p>{say.nothing}</p>;
  return (
    <div class="docent-offer-parts" role="region" aria-labelledby={named} tabIndex={0}>
      {/* Obsidian would show an aria-label as a tooltip over the buttons below. */}
      <span id={named} class="docent-said">
        {say.title(showUnseenCharacters(status?.choice.name ?? ''))}
      </span>
      {partKinds.map((kind) => {
        const own = parts.filter((part) => part.kind === kind);
        if (own.length === 0) return null;
        return (
          <section key={kind}>
            <h4>{say.parts[kind]}</h4>
            {own.map((part, index) => (
              <CatalogEntry
                key={`${part.name}/${index}`}
                part={part}
                isMarked={approved !== null}
                isLeftOut={kind === 'tool' && status?.leftOut.includes(part.name) === true}
              />
            ))}
          </section>
        );
      })}
    </div>
  );
}

interface StateProps {
  readonly status: McpServerStatus;
  readonly servers: McpAccess;
  readonly signIn: SignInPorts | undefined;
}

/** State: why there is no catalog, and the step that gets one. */
function State({ status, ...ports }: StateProps) {
  const { choice } = status;
  const signIn = ports.signIn?.stateOf(choice);
  const step = nextServerStep(status, signIn);
  return (
    <>
      <p>{describeState(status, signIn)}</p>
      {step !== null && step !== 'look' && (
        <div class="docent-choices">
          <button type="button" onClick={() => takeServerStep(choice, status, ports)}>
            {stepWords[step]}
          </button>
        </div>
      )}
    </>
  );
}

interface CatalogEntryProps {
  readonly part: ComparedPart;
  /** Whether there is an approved catalog to compare it with. */
  readonly isMarked: boolean;
  readonly isLeftOut: boolean;
}

const code: readonly FieldName[] = ['schema', 'uri'];

/** CatalogEntry: one tool, prompt, or resource of a server in full, always as text, with the changed words marked. */
function CatalogEntry({ part: { kind, name, change, fields }, isMarked, isLeftOut }: CatalogEntryProps) {
  const mark = isMarked && change !== 'same' ? change : null;
  return (
    <div class={`docent-offer-part${mark === null ? '' : ` is-${mark}`}`}>
      <div class="docent-offer-name">
        <code dir="ltr">
          <NoteText text={name} />
        </code>
        {mark !== null && <span class="docent-offer-mark">{say.changes[mark]}</span>}
        {isLeftOut && <span class="docent-offer-mark">{say.leftOut}</span>}
        {kind === 'tool' && mayLookAlike(name) && <span class="docent-offer-mark">{say.lookAlike}</span>}
      </div>
      <dl>
        {fields.map((field) => (
          <Field key={field.name} field={field} isCompared={mark === 'changed'} isMissing={change === 'removed'} />
        ))}
      </dl>
    </div>
  );
}

interface FieldProps {
  readonly field: ComparedField;
  readonly isCompared: boolean;
  readonly isMissing: boolean;
}

function Field({ field: { name, before, after }, isCompared, isMissing }: FieldProps) {
  const text = isMissing ? before : after;
  const isCode = code.includes(name);
  const isChanged = isCompared && before !== after;
  return (
    <>
      <dt>{say.fields[name]}</dt>
      <dd class={isCode ? 'docent-offer-code' : ''} dir={isCode ? 'ltr' : 'auto'}>
        {isChanged && <ChangedWords before={before} after={after} />}
        {!isChanged && isMissing && (
          <del>
            <NoteText text={text} />
          </del>
        )}
        {!isChanged &&
          !isMissing &&
          (text === '' ? <span class="docent-offer-empty">{say.empty}</span> : <NoteText text={text} />)}
      </dd>
    </>
  );
}

function ChangedWords({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(() => compareWords(before, after), [before, after]);
  return (
    <>
      {parts.map(({ kind, text }, index) => {
        const drawn = <NoteText text={text} />;
        if (kind === 'same') return <span key={index}>{drawn}</span>;
        return kind === 'removed' ? <del key={index}>{drawn}</del> : <ins key={index}>{drawn}</ins>;
      })}
    </>
  );
}

function compareWords(before: string, after: string): readonly WordPart[] {
  const whole: readonly WordPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  const compared = wordsOf(before, after);
  return compared === null ? whole : joinChangedWords(compared);
}

// How a catalog differs from the approved one, part by part and field by field.

type PartKind = 'tool' | 'prompt' | 'resource' | 'template' | 'instructions';
type FieldName = 'title' | 'description' | 'schema' | 'says' | 'takes' | 'text' | 'uri';

const fieldNames: readonly FieldName[] = ['title', 'description', 'says', 'takes', 'schema', 'text', 'uri'];

interface ComparedField {
  readonly name: FieldName;
  readonly before: string;
  readonly after: string;
}

interface ComparedPart {
  readonly kind: PartKind;
  readonly name: string;
  readonly change: 'same' | 'added' | 'removed' | 'changed';
  /** All fields, including the unchanged ones. */
  readonly fields: readonly ComparedField[];
}

interface Part {
  readonly kind: PartKind;
  readonly name: string;
  readonly fields: readonly (readonly [FieldName, string])[];
}

const partKinds: readonly PartKind[] = ['instructions', 'tool', 'prompt', 'resource', 'template'];

/** Returns changed, added, and removed parts first, then the unchanged ones. */
function diffCatalogs(before: McpCatalog | null, after: McpCatalog): ComparedPart[] {
  const left = before === null ? [] : partsOf(before);
  const compared = partsOf(after).map((part) => {
    // A name that occurs twice in a catalog is matched once per occurrence.
    const at = left.findIndex(({ kind, name }) => kind === part.kind && name === part.name);
    return compare(at === -1 ? undefined : left.splice(at, 1)[0], part);
  });
  const removed = left.map((part) => compare(part, undefined));
  const isSame = ({ change }: ComparedPart): boolean => change === 'same';
  return [...compared.filter((part) => !isSame(part)), ...removed, ...compared.filter(isSame)];
}

function isSameCatalog(one: McpCatalog | null, other: McpCatalog | null): boolean {
  if (one === null || other === null) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}

function partsOf({ tools, prompts, resources, templates = [], instructions }: McpCatalog): Part[] {
  return [
    ...(instructions === undefined
      ? []
      : [{ kind: 'instructions', name: words.serverSettings.offer.whole, fields: [['text', instructions]] } as const]),
    ...tools.map(({ name, title, description, inputSchema, annotations }): Part => ({
      kind: 'tool',
      name,
      fields: [
        ...(title === undefined ? [] : [['title', title] as const]),
        ['description', description],
        ...(annotations === undefined ? [] : [['says', sayHints(annotations)] as const]),
        // The order of keys has no meaning, so a different order is no change.
        ['schema', JSON.stringify(JSON.parse(canonicalJson(inputSchema)), null, 2)],
      ],
    })),
    ...prompts.map(({ name, description, text, arguments: taken }): Part => ({
      kind: 'prompt',
      name,
      fields: [
        ['description', description],
        ...(taken === undefined ? [] : [['takes', taken.map(sayArgument).join('\n')] as const]),
        ...(text === '' ? [] : [['text', text] as const]),
      ],
    })),
    ...resources.map(({ name, uri }): Part => ({ kind: 'resource', name, fields: [['uri', uri]] })),
    ...templates.map(({ name, uriTemplate }): Part => ({ kind: 'template', name, fields: [['uri', uriTemplate]] })),
  ];
}

/** Says what the server says of a tool, each with a yes or a no. */
function sayHints(annotations: NonNullable<McpTool['annotations']>): string {
  const { hints } = words.serverSettings.offer;
  return mcpHints
    .filter((hint) => annotations[hint] !== undefined)
    .map((hint) => hints[hint](annotations[hint] === true))
    .join(' ');
}

function sayArgument({ name, description, required }: McpPromptArgument): string {
  return words.serverSettings.offer.argument(name, description, required);
}

function compare(before: Part | undefined, after: Part | undefined): ComparedPart {
  const { kind, name } = (after ?? before) as Part;
  const own = [...(after?.fields ?? []), ...(before?.fields ?? [])].map(([field]) => field);
  const fields = fieldNames.filter((field) => own.includes(field));
  const textIn = (part: Part | undefined, field: FieldName): string =>
    part?.fields.find(([each]) => each === field)?.[1] ?? '';
  const compared = fields.map((field) => ({
    name: field,
    before: textIn(before, field),
    after: textIn(after, field),
  }));
  const isSame = compared.every((field) => field.before === field.after);
  const change = before === undefined ? 'added' : after === undefined ? 'removed' : isSame ? 'same' : 'changed';
  return { kind, name, change, fields: compared };
}
