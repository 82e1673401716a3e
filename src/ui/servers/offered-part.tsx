/** OfferedPart: one tool, prompt or resource of a server in full, always as text, with the words that changed. */
import { useMemo } from 'preact/hooks';
import { type WordPart, wordsOf } from '../../core/writing/changeset/diff';
import { words } from '../../text';
import { joinChangedWords, NoteText } from '../components/changed-text';
import type { ComparedField, ComparedPart, FieldName } from './compare-offers';

interface OfferedPartProps {
  readonly part: ComparedPart;
  /** Whether there is something to compare it with. */
  readonly isMarked: boolean;
  readonly isLeftOut: boolean;
}

const say = words.serverPane.offer;
const code: readonly FieldName[] = ['schema', 'uri'];

export function OfferedPart({ part: { name, change, fields }, isMarked, isLeftOut }: OfferedPartProps) {
  const mark = isMarked && change !== 'same' ? change : null;
  return (
    <div class={`docent-offer-part${mark === null ? '' : ` is-${mark}`}`}>
      <div class="docent-offer-name">
        <code dir="ltr">
          <NoteText text={name} />
        </code>
        {mark !== null && <span class="docent-offer-mark">{say.changes[mark]}</span>}
        {isLeftOut && <span class="docent-offer-mark">{say.leftOut}</span>}
      </div>
      <dl>
        {fields.map((field) => (
          <Field key={field.name} field={field} isCompared={mark === 'changed'} isGone={change === 'removed'} />
        ))}
      </dl>
    </div>
  );
}

interface FieldProps {
  readonly field: ComparedField;
  readonly isCompared: boolean;
  readonly isGone: boolean;
}

function Field({ field: { name, before, after }, isCompared, isGone }: FieldProps) {
  const text = isGone ? before : after;
  const isCode = code.includes(name);
  const isChanged = isCompared && before !== after;
  return (
    <>
      <dt>{say.fields[name]}</dt>
      <dd class={isCode ? 'docent-offer-code' : ''} dir={isCode ? 'ltr' : 'auto'}>
        {isChanged && <ChangedWords before={before} after={after} />}
        {!isChanged && isGone && (
          <del>
            <NoteText text={text} />
          </del>
        )}
        {!isChanged &&
          !isGone &&
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
