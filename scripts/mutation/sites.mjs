// Finds the places where one small change makes a mutant, over TypeScript's own tree, and draws some of them by a seed.
import { createHash } from 'node:crypto';
import ts from 'typescript';

/** Maximum length of a string to mutate; a longer one is prose. */
const maxString = 40;
/**
 * The maximum number that is increased by one; one more of a larger one, such as a wait of 300 ms, is not noticeable.
 */
const maxStep = 100;
const pairs = ['=== !==', '< <=', '> >=', '+ -', '&& ||'].map((pair) => pair.split(' '));
const swaps = new Map(pairs.flatMap(([one, other]) => [[one, other], [other, one]])); // prettier-ignore
const opposites = { filter: '() => true', some: 'every', every: 'some' };

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const operatorOf = (node) => (ts.isBinaryExpression(node) ? node.operatorToken.getText() : '');
const hash = (text) => createHash('sha256').update(text).digest('hex');
const change = (operator, node, after, form = 'expression') => ({ operator, node, after, form });

/**
 * Operators, each of which returns the changes that one node allows. The forms define how switch.cjs combines a change
 * with the original.
 */
const operators = [
  function condition(node) {
    const isTest = ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node);
    const isLogic = /^(&&|\|\|)$/.test(operatorOf(node));
    const tested = isTest ? node.expression : isLogic ? node.left : ts.isConditionalExpression(node) && node.condition;
    // The opposite of an equality is covered by a swap.
    if (!tested || /^[!=]==$/.test(operatorOf(tested))) return [];
    return [change('condition', tested, `!(${tested.getText()})`)];
  },
  function swap(node) {
    const operator = operatorOf(node);
    if (operator === '??') return [change('fallback', node, `(${node.left.getText()}) && (${node.right.getText()})`)];
    const joinsTexts = operator === '+' && (isText(node.left) || isText(node.right));
    if (!swaps.has(operator) || joinsTexts) return [];
    return [change('swap', node, `(${node.left.getText()}) ${swaps.get(operator)} (${node.right.getText()})`)];
  },
  function literal(node) {
    if (node.kind === ts.SyntaxKind.TrueKeyword) return [change('boolean', node, 'false')];
    if (node.kind === ts.SyntaxKind.FalseKeyword) return [change('boolean', node, 'true')];
    if (ts.isNumericLiteral(node) && !namesSomething(node)) {
      const value = Number(node.getText().replaceAll('_', ''));
      return [change('number', node, String(value > maxStep ? value * 2 : value + 1))];
    }
    if (!isText(node) || namesSomething(node)) return [];
    return node.getText().length > 2 && node.getText().length <= maxString ? [change('string', node, "''")] : [];
  },
  function statement(node) {
    if (!ts.isExpressionStatement(node) || isText(node.expression)) return [];
    const isSuper =
      ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword;
    return isSuper ? [] : [change('statement', node, ';', 'statement')];
  },
  function returned(node) {
    const value = ts.isReturnStatement(node) ? node.expression : ts.isArrowFunction(node) ? node.body : undefined;
    if (!value || ts.isBlock(value) || operatorOf(value) !== '') return [];
    const after = emptyOf(resultOf(ts.isArrowFunction(node) ? node : ts.findAncestor(node, ts.isFunctionLike)), value);
    return after === null || after === value.getText() ? [] : [change('return', value, after)];
  },
  function listMethod(node) {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
    const name = node.expression.name;
    const [first] = node.arguments;
    if (name.text === 'slice') {
      const bounds = node.arguments.filter((each) => !ts.isNumericLiteral(each) && !ts.isSpreadElement(each));
      return bounds.map((bound) => change('slice', bound, `(${bound.getText()}) + 1`));
    }
    if (!Object.hasOwn(opposites, name.text) || !first) return [];
    if (name.text === 'filter') return [change('filter', first, opposites.filter)];
    return [change('someEvery', name, opposites[name.text], 'member')];
  },
];

/** Returns true for a literal that names a property or a module, is part of markup, or is the message of a defect. */
function namesSomething(node) {
  const { parent } = node;
  // Figures of a table that names their source: a test would only repeat them.
  if (ts.isNumericLiteral(node) && /^src\/models\/providers\//.test(node.getSourceFile().fileName)) return true;
  if (parent.name === node || parent.propertyName === node) return true;
  if (ts.isJsxAttribute(parent) || ts.isTaggedTemplateExpression(parent) || ts.isExpressionStatement(parent))
    return true;
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  return ts.findAncestor(node, ts.isThrowStatement) !== undefined;
}

/** Returns a function's declared return type, or for a promise the type of its value. */
function resultOf(made) {
  const type = made?.type;
  const isPromise = type && ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise';
  const isAsync = made?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  return isPromise ? (isAsync ? type.typeArguments?.[0] : undefined) : type;
}

/** Returns another value that this type allows; null if the type does not determine one. */
function emptyOf(type, value) {
  if (!type) return null;
  const parts = ts.isUnionTypeNode(type) ? type.types.map((part) => part.getText()) : [type.getText()];
  if (ts.isTypePredicateNode(type) ? !type.assertsModifier : parts[0] === 'boolean') return `!(${value.getText()})`;
  const none = parts.find((part) => part === 'null' || part === 'undefined');
  if (none) return none;
  if (ts.isArrayTypeNode(type) || ts.isTypeOperatorNode(type)) return '[]';
  return parts[0] === 'string' && parts.length === 1 && !isText(value) ? "''" : null;
}

const isLeftOut = (node) =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  Boolean(node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword));

/**
 * Returns all sites of a source: {id, file, line, operator, start, end, before, after, form}. Words for users have
 * none.
 */
export function findSites(file, text) {
  if (file.startsWith('src/text/')) return [];
  const source = parse(file, text);
  const found = [];
  const seen = new Map();
  const visit = (node, names) => {
    if (isLeftOut(node)) return;
    const inner = node.name?.text === undefined ? names : `${names}.${node.name.text}`;
    for (const { node: place, ...site } of operators.flatMap((operator) => operator(node))) {
      const [start, end, before] = [place.getStart(), place.getEnd(), place.getText()];
      // By names rather than lines, so that a site keeps its id when the file changes elsewhere.
      const key = `${inner} ${site.operator} ${before}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const id = `${file}#${hash(`${key} ${seen.get(key)}`).slice(0, 10)}`;
      found.push({ id, file, line, start, end, before, ...site });
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, '');
  return found;
}

/** Draws a sample of the sites; the seed alone decides, and a site's rank does not depend on other sites. */
export function drawSites(sites, sample, seed) {
  const drawn = sites.map((site) => ({ site, place: hash(`${seed} ${site.id}`) }));
  return drawn
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, sample)
    .map(({ site }) => site);
}

export function parses(file, text) {
  return parse(file, text).parseDiagnostics.length === 0;
}

function parse(file, text) {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
}
