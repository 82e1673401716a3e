/** A small form of values that a server asks for, each checked against what the server says of it. */
import { useId } from 'preact/hooks';
import type { McpField, McpValues } from '../../core/ports/network';
import { words } from '../../text';
import { NoteText } from './changed-text';

const say = words.serverSettings.fields;

/** What is in the form: texts as they were typed, so that a number may be unfinished. */
export type Draft = Readonly<Record<string, string | boolean | readonly string[]>>;

export function draftOf(fields: readonly McpField[]): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, draftOfField(field)]));
}

function draftOfField({ type, initial, options }: McpField): Draft[string] {
  if (type === 'boolean') return initial === true;
  // What is not among the options would be sent unseen, and could not be taken back.
  const isOffered = (text: string): boolean => options.some(({ value }) => value === text);
  if (type === 'several') return Array.isArray(initial) ? initial.map(String).filter(isOffered) : [];
  const text = initial === undefined || Array.isArray(initial) ? '' : String(initial);
  return type === 'one' && !isOffered(text) ? '' : text;
}

/** Returns the values to send; what was left empty is left out. Null if something is missing or not as it must be. */
export function valuesOf(fields: readonly McpField[], draft: Draft): McpValues | null {
  if (fields.some((field) => problemOf(field, draft[field.name]) !== null)) return null;
  const values = fields.map((field) => [field.name, valueOf(field, draft[field.name])] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as McpValues;
}

function valueOf(field: McpField, drafted: Draft[string] = ''): McpValues[string] | undefined {
  const { type, required } = field;
  if (typeof drafted === 'boolean') return drafted;
  if (typeof drafted !== 'string') return drafted.length === 0 && !required ? undefined : drafted;
  if (drafted.trim() === '') return undefined;
  return type === 'number' || type === 'integer' ? Number(drafted) : textOf(field, drafted);
}

/** Returns the text to send: blanks around an address or a date are no part of it. */
function textOf({ format = '' }: McpField, drafted: string): string {
  return formats.has(format) ? drafted.trim() : drafted;
}

/** Returns why a value cannot be sent, in words; null if it can. */
function problemOf(field: McpField, drafted: Draft[string] = ''): string | null {
  if (typeof drafted === 'boolean') return null;
  if (typeof drafted !== 'string') return problemOfChoices(drafted.length, field);
  if (drafted.trim() === '') return field.required ? say.missing : null;
  const { type, least = -Infinity, most = Infinity } = field;
  if (type === 'number' || type === 'integer') return problemOfNumber(Number(drafted), type, least, most);
  return type === 'text' ? problemOfText(textOf(field, drafted), field) : null;
}

function problemOfChoices(chosen: number, { required, least = 0, most = Infinity }: McpField): string | null {
  if (chosen === 0 && !required) return null;
  const fewest = Math.max(least, 1);
  return chosen < fewest || chosen > most ? say.choices(fewest, most) : null;
}

function problemOfText(text: string, { least = -Infinity, most = Infinity, format = '' }: McpField): string | null {
  // As servers count them: an emoji is one character.
  const length = Array.from(text).length;
  if (length < least || length > most) return say.length(least, most);
  return formats.get(format)?.test(text) === false ? say.format(format) : null;
}

function problemOfNumber(value: number, type: McpField['type'], least: number, most: number): string | null {
  if (!Number.isFinite(value)) return say.number;
  if (type === 'integer' && !Number.isInteger(value)) return say.whole;
  return value < least || value > most ? say.range(least, most) : null;
}

/** By the name that a server gives, which may be that of anything. */
const formats: ReadonlyMap<string, RegExp> = new Map([
  ['email', /^[^\s@]+@[^\s@]+$/],
  ['uri', /^[a-z][a-z0-9+.-]*:\S+$/i],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['date-time', /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/],
]);

interface FieldFormProps {
  readonly fields: readonly McpField[];
  readonly draft: Draft;
  /** Whether problems are shown of fields that are still empty. */
  readonly isChecked: boolean;
  readonly onChange: (draft: Draft) => void;
}

export function FieldForm({ fields, draft, isChecked, onChange }: FieldFormProps) {
  return (
    <div class="docent-fields">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          drafted={draft[field.name] ?? ''}
          isChecked={isChecked}
          onChange={(value) => onChange({ ...draft, [field.name]: value })}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly field: McpField;
  readonly drafted: Draft[string];
  readonly isChecked: boolean;
  readonly onChange: (value: Draft[string]) => void;
}

function Field({ field, drafted, isChecked, onChange }: FieldProps) {
  const id = useId();
  const { title, description, required } = field;
  const problem = problemOf(field, drafted);
  const isEmpty = typeof drafted !== 'boolean' && drafted.length === 0;
  const isShown = problem !== null && (isChecked || !isEmpty);
  return (
    <div class="docent-field">
      <label class="docent-field-title" id={`${id}-title`} for={id} dir="auto">
        <NoteText text={title} />
        {!required && <span class="docent-field-optional"> {say.optional}</span>}
      </label>
      {description !== '' && (
        <div class="docent-field-description" dir="auto">
          <NoteText text={description} />
        </div>
      )}
      <Control id={id} field={field} drafted={drafted} isWrong={isShown} onChange={onChange} />
      <div class="docent-field-problem" id={`${id}-problem`} role="status">
        {isShown && problem}
      </div>
    </div>
  );
}

type ControlProps = Omit<FieldProps, 'isChecked'> & { readonly id: string; readonly isWrong: boolean };

function Control({ id, field, drafted, isWrong, onChange }: ControlProps) {
  const described = { 'aria-invalid': isWrong, 'aria-describedby': `${id}-problem` };
  const { type, options, required } = field;
  if (type === 'boolean') {
    return (
      <input
        id={id}
        type="checkbox"
        checked={drafted === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  }
  if (type === 'one') {
    return (
      <select
        id={id}
        class="dropdown"
        {...described}
        value={String(drafted)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {(!required || drafted === '') && <option value="">{say.choose}</option>}
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (type === 'several') {
    const chosen = Array.isArray(drafted) ? (drafted as readonly string[]) : [];
    return (
      // A label names no group.
      <div id={id} role="group" class="docent-field-choices" aria-labelledby={`${id}-title`} {...described}>
        {options.map(({ value, label }) => (
          <label key={value} dir="auto">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) =>
                onChange(currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
            />
            <NoteText text={label} />
          </label>
        ))}
      </div>
    );
  }
  return (
    <input
      id={id}
      type="text"
      dir="auto"
      inputMode={type === 'text' ? 'text' : 'decimal'}
      {...described}
      value={String(drafted)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
