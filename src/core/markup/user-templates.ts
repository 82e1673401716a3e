/**
 * Templates that the user writes: `<%= it.a.b %>` and `<% if (it.a) { %> … <% } else { %> … <% } %>`. Eta only splits
 * the text; conditions are read and judged here over plain values. Nothing is compiled, called, or changed, and only
 * own properties of the record are read.
 */
import { Eta } from 'eta/core';

/** Why a template is not filled in; the words are in the texts of the diagnostics. */
type FaultReason =
  | 'tag'
  | 'quote'
  | 'end'
  | 'start'
  | 'condition'
  | 'length'
  | 'tag-length'
  | 'depth'
  | 'loop'
  | 'call'
  | 'assignment'
  | 'name'
  | 'code';

export interface TemplateFault {
  /** `broken` for a mistake in writing; `refused` for what a template may not do, which stays as text. */
  readonly kind: 'broken' | 'refused';
  /** Starts at 1. */
  readonly line: number;
  readonly reason: FaultReason;
}

export type UserTemplate =
  | { readonly kind: 'read'; readonly parts: readonly Part[]; readonly names: readonly UsedName[] }
  | { readonly kind: 'fault'; readonly fault: TemplateFault };

/** A name without its `it.`, such as `tools.readNote`. */
interface UsedName {
  readonly name: string;
  readonly line: number;
}

type Part = string | { readonly value: string } | { readonly branches: readonly Branch[] };

interface Branch {
  /** Null for `else`. */
  readonly test: Test | null;
  readonly parts: Part[];
}

type Test =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: Primitive }
  | { readonly kind: 'not'; readonly test: Test }
  | { readonly kind: 'compare'; readonly sign: string; readonly left: Test; readonly right: Test }
  | { readonly kind: 'and' | 'or'; readonly tests: readonly Test[] };

type Primitive = string | number | boolean | undefined;

/** Maximum characters of a text with tags, and of one tag. */
const maxLength = 100_000;
const maxTagLength = 500;
/** Maximum conditions within one another. */
const maxDepth = 20;

const eta = new Eta({ autoEscape: false, autoTrim: false });

/** Whether a text has tags; other texts are no templates. */
export function hasTags(text: string): boolean {
  return text.includes('<%');
}

/** Reads a template in time that is linear in its length. Never throws. */
export function readUserTemplate(text: string): UserTemplate {
  if (!hasTags(text)) return { kind: 'read', parts: [text], names: [] };
  const lines = readTags(text);
  if (!Array.isArray(lines)) return { kind: 'fault', fault: lines };
  const reader = new Reader();
  let tag = 0;
  for (const node of eta.parse(text.replace(tagLine, '$1'))) {
    if (typeof node === 'string') reader.add(unescape(node));
    else reader.read(node.t === 'e' ? 'run' : 'write', node.val, lines[tag++] ?? 1);
    if (reader.fault !== null) return { kind: 'fault', fault: reader.fault };
  }
  return reader.finish();
}

/**
 * A line with nothing but one tag that writes nothing: it is removed. The same expression is in
 * scripts/build/compile-template.mjs, for Docent's own templates.
 */
const tagLine = /^[ \t]*(<%(?![-_]?\s*[=~])(?:(?!%>)[^\n])*%>)[ \t]*(?:\r?\n|(?![^]))/gm;

/** Eta returns text as it would write it between single quotation marks. */
function unescape(text: string): string {
  return text.replace(/\\([^])/g, (_whole, sign: string) => (sign === 'n' ? '\n' : sign));
}

/**
 * Returns the line of each tag, or the first fault. Any text that passes is split by Eta at the same places, and none of
 * Eta's expressions can take long over it.
 */
function readTags(text: string): number[] | TemplateFault {
  if (text.length > maxLength) return { kind: 'refused', line: 1, reason: 'length' };
  const lines: number[] = [];
  let [line, counted] = [1, 0];
  for (let open = text.indexOf('<%'); open >= 0; open = text.indexOf('<%', counted)) {
    line += countLines(text, counted, open);
    const close = text.indexOf('%>', open + 2);
    const inner = text.slice(open + 2, close);
    if (close < 0 || inner.includes('<%')) return { kind: 'broken', line, reason: 'tag' };
    const reason = faultInTag(inner);
    if (reason !== null) return { kind: reason === 'quote' ? 'broken' : 'refused', line, reason };
    lines.push(line);
    line += countLines(text, open, close);
    counted = close + 2;
  }
  return lines;
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

const comment = /^\s*\/\*[^*]*\*\/\s*$/;

function faultInTag(inner: string): FaultReason | null {
  if (inner.length > maxTagLength) return 'tag-length';
  if (comment.test(inner)) return null;
  if (inner.includes('`') || inner.includes('/*')) return 'code';
  return /['"]/.test(inner.replace(/'[^'\\\n]*'|"[^"\\\n]*"/g, '')) ? 'quote' : null;
}

/** Reader: puts the parts of a template together, condition by condition. */
class Reader {
  fault: TemplateFault | null = null;
  private readonly root: Part[] = [];
  /** The conditions that are open, outermost first. */
  private readonly open: { readonly branches: Branch[]; readonly line: number }[] = [];
  private readonly names: UsedName[] = [];

  add(part: Part): void {
    (this.open.at(-1)?.branches.at(-1)?.parts ?? this.root).push(part);
  }

  read(kind: 'run' | 'write', code: string, line: number): void {
    try {
      if (kind === 'write') this.write(code, line);
      else this.run(code.trim(), line);
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown;
      this.fault = { kind: thrown.kind, line, reason: thrown.reason };
    }
  }

  finish(): UserTemplate {
    const unclosed = this.open.at(-1);
    if (unclosed === undefined) return { kind: 'read', parts: this.root, names: this.names };
    return { kind: 'fault', fault: { kind: 'broken', line: unclosed.line, reason: 'end' } };
  }

  private write(code: string, line: number): void {
    const test = this.readTest(code, line);
    if (test.kind === 'name') this.add({ value: test.name });
    else throw new Unreadable('refused', 'code');
  }

  private run(code: string, line: number): void {
    if (code === '' || comment.test(code)) return;
    const [, closes, condition] = /^(\}\s*else\s+)?if\s*\(([^]*)\)\s*\{$/.exec(code) ?? [];
    if (condition !== undefined) {
      const test = this.readTest(condition, line);
      if (closes === undefined) this.begin(test, line);
      else this.branch(test);
    } else if (/^\}\s*else\s*\{$/.test(code)) this.branch(null);
    else if (code === '}') {
      if (this.open.pop() === undefined) throw new Unreadable('broken', 'start');
    } else throw judgeCode(code);
  }

  private begin(test: Test, line: number): void {
    if (this.open.length === maxDepth) throw new Unreadable('refused', 'depth');
    const branches: Branch[] = [{ test, parts: [] }];
    this.add({ branches });
    this.open.push({ branches, line });
  }

  private branch(test: Test | null): void {
    const branches = this.open.at(-1)?.branches;
    if (branches === undefined || branches.at(-1)?.test === null) throw new Unreadable('broken', 'start');
    branches.push({ test, parts: [] });
  }

  private readTest(code: string, line: number): Test {
    const { test, names } = readCondition(code);
    this.names.push(...names.map((name) => ({ name, line })));
    return test;
  }
}

class Unreadable extends Error {
  constructor(
    readonly kind: TemplateFault['kind'],
    readonly reason: FaultReason,
  ) {
    super(reason);
  }
}

/** Names what a tag would do that is neither a condition nor its end. */
function judgeCode(code: string): Unreadable {
  if (/^(?:if|\}\s*else)\b/.test(code)) return new Unreadable('broken', 'condition');
  if (/^(?:for|while|do|switch)\b/.test(code)) return new Unreadable('refused', 'loop');
  if (/^(?:const|let|var|delete)\b|[^=!<>]=(?![=>])|\+\+|--/.test(code)) return new Unreadable('refused', 'assignment');
  return new Unreadable('refused', /[\w$)\]]\s*\(/.test(code) ? 'call' : 'code');
}

const token =
  /\s*(?:(it(?:\.[A-Za-z_$][\w$]*)+)(?![\w$])|(true|false)\b|(-?\d+(?:\.\d+)?)(?![\w$.])|('[^']*'|"[^"]*")|(===|!==|==|!=|<=|>=|&&|\|\||[<>!()]))/y;
const comparisons = ['===', '!==', '==', '!=', '<', '<=', '>', '>='];
/** Names that lead out of a record. */
const forbidden = ['constructor', 'prototype', '__proto__'];

/** Reads a condition: names, literals, `!`, comparisons, `&&`, `||`, and parentheses. */
function readCondition(code: string): { readonly test: Test; readonly names: readonly string[] } {
  const names: string[] = [];
  let position = 0;
  let groups: readonly (string | undefined)[] = [];
  const advance = (): void => {
    token.lastIndex = position;
    groups = token.exec(code) ?? [];
    if (groups[0] !== undefined) position = token.lastIndex;
  };
  const sign = (): string | undefined => groups[5];
  const fail = (): Unreadable => judgeRest(groups[0] === undefined ? code.slice(position).trim() : '');
  const readAll = (kind: 'and' | 'or', mark: string, next: () => Test): Test => {
    const tests = [next()];
    for (; sign() === mark; tests.push(next())) advance();
    return tests.length === 1 && tests[0] !== undefined ? tests[0] : { kind, tests };
  };
  const readOr = (): Test => readAll('or', '||', () => readAll('and', '&&', readComparison));
  const readComparison = (): Test => {
    const left = readUnary();
    const mark = sign();
    if (mark === undefined || !comparisons.includes(mark)) return left;
    advance();
    return { kind: 'compare', sign: mark, left, right: readUnary() };
  };
  const readUnary = (): Test => {
    if (sign() !== '!') return readOperand();
    advance();
    return { kind: 'not', test: readUnary() };
  };
  const readOperand = (): Test => {
    const [, name, truth, number, text] = groups;
    if (name !== undefined) {
      names.push(readName(name));
      advance();
      if (sign() === '(') throw new Unreadable('refused', 'call');
      return { kind: 'name', name: name.slice('it.'.length) };
    }
    if (sign() === '(') {
      advance();
      const inner = readOr();
      if (sign() !== ')') throw fail();
      advance();
      return inner;
    }
    if (truth === undefined && number === undefined && text === undefined) throw fail();
    advance();
    if (text !== undefined) return { kind: 'literal', value: text.slice(1, -1) };
    return { kind: 'literal', value: number === undefined ? truth === 'true' : Number(number) };
  };
  advance();
  const test = readOr();
  if (groups[0] !== undefined || code.slice(position).trim() !== '') throw fail();
  return { test, names };
}

function readName(name: string): string {
  const path = name.slice('it.'.length);
  if (path.split('.').some((each) => forbidden.includes(each))) throw new Unreadable('refused', 'name');
  return path;
}

/** Separates a condition that is not finished from one that does what none may do. */
function judgeRest(rest: string): Unreadable {
  if (rest === '' || /^[&|=]$/.test(rest)) return new Unreadable('broken', 'condition');
  if (/^[-+*/%]?=(?!=)|^\+\+|^--/.test(rest)) return new Unreadable('refused', 'assignment');
  return new Unreadable('refused', /^[\w$.]*\s*\(/.test(rest) || rest.includes('=>') ? 'call' : 'code');
}

export interface FilledTemplate {
  /** The text with its conditions decided and `${it.name}` in place of each value. */
  readonly text: string;
  /** The values in use, by their names with `it.`; what is missing is empty. */
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Decides the conditions of a template. Values are left to the code that fills in variables, so that none is read as a
 * template, a variable, or a tag.
 */
export function fillUserTemplate(parts: readonly Part[], record: object): FilledTemplate {
  const values = new Map<string, string>();
  const write = (inner: readonly Part[]): string => inner.map(writePart).join('');
  const writePart = (part: Part): string => {
    if (typeof part === 'string') return part;
    if ('branches' in part) {
      const chosen = part.branches.find(({ test }) => test === null || Boolean(judge(test, record)));
      return chosen === undefined ? '' : write(chosen.parts);
    }
    const value = readValue(record, part.value);
    const isText = value !== undefined && typeof value !== 'object';
    values.set(`it.${part.value}`, isText ? String(value) : '');
    return `\${it.${part.value}}`;
  };
  return { text: write(parts), values };
}

function judge(test: Test, record: object): Primitive | object {
  switch (test.kind) {
    case 'name':
      return readValue(record, test.name);
    case 'literal':
      return test.value;
    case 'not':
      return !judge(test.test, record);
    case 'and':
      return test.tests.every((each) => judge(each, record));
    case 'or':
      return test.tests.some((each) => judge(each, record));
    case 'compare':
      return compare(test.sign, judge(test.left, record), judge(test.right, record));
  }
}

/** Compares strictly; values of different kinds are neither smaller nor larger. */
function compare(sign: string, left: Primitive | object, right: Primitive | object): boolean {
  if (sign.startsWith('==')) return left === right;
  if (sign.startsWith('!=')) return left !== right;
  const isOrdered =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!isOrdered) return false;
  if (left === right) return sign.endsWith('=');
  return sign.startsWith('<') === left < right;
}

/** Returns undefined for what is not an own property of the record. */
function readValue(record: object, name: string): Primitive | object {
  let value: unknown = record;
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'function' || value === null ? undefined : value;
}
