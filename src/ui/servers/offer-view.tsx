/** OfferView: every word that a server offers, what differs from what was approved, and the leave for exactly that. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../../core/ports/failure';
import type { McpAccess, McpOffer, McpServerStatus } from '../../core/ports/network';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';
import { useSettled } from '../components/controls';
import { showUnseenCharacters } from '../render/visible-text';
import { compareOffers, isSameOffer, partKinds } from './compare-offers';
import { OfferedPart } from './offered-part';
import { describeState, stepOf, stepWords } from './server-state';
import { useStatuses } from './use-statuses';

interface OfferViewProps {
  readonly servers: McpAccess;
  readonly name: string;
  readonly onLeave: () => void;
}

const say = words.serverPane.offer;

export function OfferView({ servers, name, onLeave }: OfferViewProps) {
  const status = useStatuses(servers).find(({ choice }) => choice.name === name);
  const [shown, setShown] = useState<McpOffer | null>(status?.offer ?? null);
  const [looks, setLooks] = useState(0);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const offer = status?.offer ?? null;
  const show = (next: McpOffer): void => {
    setShown(next);
    setRefusal(null);
    setLooks(looks + 1);
  };
  useLayoutEffect(() => {
    if (shown === null && offer !== null) show(offer);
  }, [offer]);
  const isStale = shown !== null && !isSameOffer(shown, offer);
  const isAllowed = shown !== null && isSameOffer(shown, status?.approved ?? null);
  const asks = shown !== null && !isStale && !isAllowed;
  const isSettled = useSettled(root, asks ? `${looks}` : null);
  const allow = (): void => {
    if (shown === null) return;
    const approved = servers.approve(name, shown);
    if (approved.ok) onLeave();
    else setRefusal(approved.failure);
  };
  return (
    <div class="docent-offer" ref={root}>
      {status === undefined && <p role="alert">{say.gone}</p>}
      {status !== undefined && <Lead status={status} shown={shown} isAllowed={isAllowed} />}
      {shown !== null && <Parts shown={shown} status={status} />}
      <div class="docent-offer-foot">
        <div role="status">
          {isStale && status !== undefined && <p class="docent-offer-warning">{say.movedOn}</p>}
          {isStale && status !== undefined && offer === null && <State status={status} servers={servers} />}
        </div>
        {shown === null && status !== undefined && <State status={status} servers={servers} />}
        {refusal !== null && (
          <p class="docent-offer-warning" role="alert">
            {refusal.words} {refusal.remedy}
          </p>
        )}
        <div class="docent-choices">
          {isStale && offer !== null && (
            <button type="button" onClick={() => show(offer)}>
              {say.showNow}
            </button>
          )}
          {shown !== null && !isAllowed && (
            <button type="button" class="mod-cta" disabled={!isSettled} onClick={allow}>
              {say.allow}
            </button>
          )}
          <button type="button" disabled={asks && !isSettled} onClick={onLeave}>
            {isAllowed || shown === null ? say.close : say.notNow}
          </button>
        </div>
      </div>
    </div>
  );
}

interface LeadProps {
  readonly status: McpServerStatus;
  readonly shown: McpOffer | null;
  readonly isAllowed: boolean;
}

function Lead({ status: { choice, approved }, shown, isAllowed }: LeadProps) {
  return (
    <>
      <p class="docent-offer-address" dir="ltr">
        <NoteText text={choice.url} />
      </p>
      {shown !== null && <p>{say.lead}</p>}
      {shown !== null && <p>{isAllowed ? say.allowed : approved === null ? say.firstLook : say.marked}</p>}
      {shown !== null && <p>{say.summary(shown.tools.length, shown.prompts.length, shown.resources.length)}</p>}
    </>
  );
}

interface PartsProps {
  readonly shown: McpOffer;
  readonly status: McpServerStatus | undefined;
}

function Parts({ shown, status }: PartsProps) {
  const named = useId();
  const approved = status?.approved ?? null;
  const parts = compareOffers(approved, shown);
  if (parts.length === 0) return <p>{say.nothing}</p>;
  return (
    <div class="docent-offer-parts" role="region" aria-labelledby={named} tabIndex={0}>
      {/* An aria-label would show as a tooltip of the app, over the buttons below. */}
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
              <OfferedPart
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
}

/** Why there is nothing to look at, and the way on. */
function State({ status, servers }: StateProps) {
  const step = stepOf(status);
  return (
    <>
      <p>{describeState(status)}</p>
      {step !== null && step !== 'look' && (
        <div class="docent-choices">
          <button type="button" onClick={() => void servers.connect(status.choice.name)}>
            {stepWords[step]}
          </button>
        </div>
      )}
    </>
  );
}
