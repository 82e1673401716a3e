/** Findings: what a reader should check in a change, in words and by severity. */
import { useState } from 'preact/hooks';
import type { IntegrityProblem } from '../../core/writing/changeset/describe-changeset';
import type { ActiveItem } from '../../core/writing/guard/active-content';
import type { Badge } from '../../core/writing/guard/policy';
import type { ReviewedChange } from '../../core/writing/review/review';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';
import { Icon } from '../components/controls';
import { clip } from '../render/visible-text';

type Severity = 'error' | 'warning' | 'note';

export interface Finding {
  readonly severity: Severity;
  readonly words: string;
  /** The passages that it is about, as they appear in the note. */
  readonly passages: readonly { readonly words: string; readonly passage: string }[];
}

const say = words.review;

export function findingsOf({ badges, problems, change }: ReviewedChange): Finding[] {
  const path = change.from ?? change.to ?? '';
  const found = [
    ...badges.flatMap((badge) => badgeFindings(badge, change)),
    ...problems.map((problem) => problemFinding(problem, path, change.to)),
    ...(change.movedFrom === undefined ? [] : [plain('note', say.movedSince(change.movedFrom))]),
  ];
  return found.sort((one, other) => grades.indexOf(one.severity) - grades.indexOf(other.severity));
}

const grades: readonly Severity[] = ['error', 'warning', 'note'];

/** Runners and hosts that one sentence names. */
const maxNamed = 8;

function badgeFindings(badge: Badge, change: ReviewedChange['change']): Finding[] {
  if (badge.kind !== 'active-content') return [badgeFinding(badge, change)];
  const unchecked = badge.items.filter(({ kind }) => kind === 'unchecked');
  const others = badge.items.filter(({ kind }) => kind !== 'unchecked');
  return [
    ...(unchecked.length === 0 ? [] : [itemsFinding(say.badges.unchecked, unchecked)]),
    ...(others.length === 0 ? [] : [itemsFinding(say.badges.activeContent(named(others)), others)]),
  ];
}

function itemsFinding(said: string, items: readonly ActiveItem[]): Finding {
  return {
    severity: 'error',
    words: said,
    passages: items.map((item) => ({ words: itemWords(item), passage: item.passage })),
  };
}

function named(items: readonly ActiveItem[]): string[] {
  return firstOf(items.map(({ runner }) => runner || say.unknownRunner));
}

function firstOf(names: readonly string[]): string[] {
  const all = [...new Set(names)];
  return all.length <= maxNamed ? all : [...all.slice(0, maxNamed), say.moreFindings(all.length - maxNamed)];
}

function badgeFinding(
  badge: Exclude<Badge, { readonly kind: 'active-content' }>,
  change: ReviewedChange['change'],
): Finding {
  switch (badge.kind) {
    case 'remote-image':
      return hostsFinding('error', say.badges.remoteImage, badge.hosts);
    case 'new-host':
      return hostsFinding('warning', say.badges.newHost, badge.hosts);
    case 'carried-text':
      return {
        severity: 'error',
        words: say.badges.carriedText,
        passages: badge.passages.map((passage) => ({ words: say.carried, passage })),
      };
    case 'large-removal':
      return plain('warning', say.badges.largeRemoval(Math.round(badge.share * 100)));
    case 'outside-mentioned':
      return plain('note', say.badges.outsideMentioned);
    case 'outside-scope':
      return plain('note', outsideWords(badge.paths, change));
    case 'tainted':
      return plain('warning', say.badges.tainted(badge.source));
  }
}

/** Names the first hosts in its sentence, and lists the others below: the one that matters may be the last. */
function hostsFinding(
  severity: Severity,
  sentence: (hosts: readonly string[]) => string,
  hosts: readonly string[],
): Finding {
  const others = [...new Set(hosts)].slice(maxNamed);
  return { severity, words: sentence(firstOf(hosts)), passages: others.map((passage) => ({ words: '', passage })) };
}

/** Why the change waits: the user named neither the note nor, for a new place, its folder. */
function outsideWords(paths: readonly string[], { from, to }: ReviewedChange['change']): string {
  const { outsideNote, outsideFolder } = say.badges;
  if (from !== null && paths.includes(from)) return outsideNote;
  return outsideFolder(to?.includes('/') === true ? to.slice(0, to.lastIndexOf('/')) : null);
}

function itemWords({ kind, runner }: ActiveItem): string {
  return say.active[kind](runner || say.unknownRunner);
}

function problemFinding(problem: IntegrityProblem, from: string, to: string | null): Finding {
  return plain('warning', problemWords(problem, problem.path === from || problem.path === to));
}

function problemWords(problem: IntegrityProblem, isHere: boolean): string {
  const { problems } = say;
  switch (problem.kind) {
    case 'broken-link':
      return isHere
        ? problems.brokenLink(problem.line, problem.target)
        : problems.brokenLinkIn(problem.path, problem.line, problem.target);
    case 'broken-embed':
      return isHere
        ? problems.brokenEmbed(problem.line, problem.target)
        : problems.brokenEmbedIn(problem.path, problem.line, problem.target);
    case 'lost-anchor':
      return problems.lostAnchor(problem.from, problem.target);
    case 'unreadable-properties':
      return problems.unreadableProperties;
    case 'lost-task':
      return problems.lostTask(problem.task);
    case 'unreadable-file':
      return problems.unreadableFile;
    case 'case-twin':
      return problems.caseTwin(problem.twin);
    case 'conflict-copy':
      return problems.conflictCopy(problem.copy);
  }
}

function plain(severity: Severity, said: string): Finding {
  return { severity, words: said, passages: [] };
}

const icons: Readonly<Record<Severity, string>> = { error: 'octagon-alert', warning: 'triangle-alert', note: 'info' };
/** Findings, and passages of one finding, that are shown at first. */
const shownFirst = 5;
/** Passages that one press of the button adds: a note may contain thousands. */
const maxMorePassages = 100;
const maxPassageLength = 300;

/** FindingsView: what to check, the most severe first, with the passages that it is about. */
export function FindingsView({ findings }: { readonly findings: readonly Finding[] }) {
  const [isWhole, setWhole] = useState(false);
  if (findings.length === 0) return null;
  const shown = isWhole ? findings : findings.slice(0, shownFirst);
  return (
    <ul class="docent-review-findings">
      {shown.map((finding, index) => (
        <li key={index} class={`is-${finding.severity}`}>
          <Icon icon={icons[finding.severity]} />
          <div>
            <span class="docent-said">{say.severities[finding.severity]}: </span>
            <NoteText text={finding.words} />
            <Passages passages={finding.passages} />
          </div>
        </li>
      ))}
      {shown.length < findings.length && (
        <li>
          <button type="button" class="docent-review-more" onClick={() => setWhole(true)}>
            {say.moreFindings(findings.length - shown.length)}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Passages: what a finding is about; the first of them, and more at each press of a button. */
function Passages({ passages }: Pick<Finding, 'passages'>) {
  const [shown, setShown] = useState(shownFirst);
  const more = Math.min(passages.length - shown, maxMorePassages);
  return (
    <>
      {passages.slice(0, shown).map(({ words: said, passage }, at) => (
        <div key={at} class="docent-review-passage">
          <span>
            <NoteText text={said} />
          </span>
          <code dir="auto">
            <NoteText text={clip(passage.trim(), maxPassageLength)} />
          </code>
        </div>
      ))}
      {more > 0 && (
        <button type="button" class="docent-review-more" onClick={() => setShown(shown + more)}>
          {say.morePassages(more)}
        </button>
      )}
    </>
  );
}
