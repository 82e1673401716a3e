/** FindingsView: what should be looked at twice, the gravest first, with the passages that it is about. */
import { useState } from 'preact/hooks';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';
import { Icon } from '../components/controls';
import { clip } from '../render/visible-text';
import type { Finding, Severity } from './findings';

const say = words.review;
const icons: Readonly<Record<Severity, string>> = { error: 'octagon-alert', warning: 'triangle-alert', note: 'info' };
/** Findings that are shown before the rest is asked for, and passages of one. */
const shownFirst = 5;
const longestPassage = 300;

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
            {finding.passages.slice(0, shownFirst).map(({ words: said, passage }, at) => (
              <div key={at} class="docent-review-passage">
                <span>
                  <NoteText text={said} />
                </span>
                <code dir="auto">
                  <NoteText text={clip(passage.trim(), longestPassage)} />
                </code>
              </div>
            ))}
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
