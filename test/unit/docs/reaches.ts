/** Finds in the tree of a source what it reaches outside its own memory: files, the network, the system, other code. */
import ts from 'typescript';
import { parseSource } from '../read-sources';

/** Names by which code reaches something, wherever they are called or read, and what the reach is called. */
const members: Readonly<Record<string, string>> = {
  clipboard: 'navigator.clipboard',
  clipboardData: 'clipboardData',
  env: 'process.env',
  getFiles: 'vault.getFiles',
  getMarkdownFiles: 'vault.getMarkdownFiles',
  getAllLoadedFiles: 'vault.getAllLoadedFiles',
  getAllFolders: 'vault.getAllFolders',
  getRoot: 'vault.getRoot',
  getBasePath: 'getBasePath',
  secretStorage: 'secretStorage',
  loadLocalStorage: 'saveLocalStorage',
  saveLocalStorage: 'saveLocalStorage',
  enabledPlugins: 'enabledPlugins',
  createObjectURL: 'URL.createObjectURL',
  sendBeacon: 'navigator.sendBeacon',
  userAgent: 'navigator.userAgent',
  mediaDevices: 'navigator.mediaDevices',
  geolocation: 'navigator.geolocation',
  cookie: 'document.cookie',
};
/** Names of the platform itself, whether made, called or read. */
const globals: readonly string[] = [
  ...['Worker', 'SharedWorker', 'ServiceWorker', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'BroadcastChannel'],
  ...['RTCPeerConnection', 'localStorage', 'sessionStorage', 'indexedDB', 'caches', 'Notification', 'eval', 'Function'],
];
/** Read from a window, because these names are common. */
const ofWindow: readonly string[] = ['fetch', 'open', ...globals];
const windows = /^(window|activeWindow|globalThis|self|win|.*\.win)$/;

const trees = new Map<string, ts.SourceFile>();

function treeOf(path: string, text: string): ts.SourceFile {
  const tree = trees.get(text) ?? parseSource(path, text);
  trees.set(text, tree);
  return tree;
}

/** Names what a source reaches; types do not count. */
export function reachesIn(path: string, text: string): ReadonlySet<string> {
  const tree = treeOf(path, text);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const reach of [ofMember(node), ofGlobal(node), ofModule(node)]) if (reach !== null) found.add(reach);
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

function ofMember(node: ts.Node): string | null {
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = (node.propertyName ?? node.name).getText();
    return Object.hasOwn(members, name) ? (members[name] ?? null) : null;
  }
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return nameOf(node.expression.getText(), node.argumentExpression.text);
  }
  return ts.isPropertyAccessExpression(node) ? nameOf(node.expression.getText(), node.name.text) : null;
}

function nameOf(owner: string, name: string): string | null {
  if (windows.test(owner) && ofWindow.includes(name)) return globals.includes(name) ? name : `window.${name}`;
  return Object.hasOwn(members, name) ? (members[name] ?? null) : null;
}

function ofGlobal(node: ts.Node): string | null {
  const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
  const used = isMade ? node.expression : ts.isPropertyAccessExpression(node) ? node.expression : null;
  if (used === null || !ts.isIdentifier(used)) return null;
  if (isMade && used.text === 'fetch') return 'window.fetch';
  return globals.includes(used.text) && (isMade || used.text !== 'Function') ? used.text : null;
}

/** Modules of Node, the network of Obsidian, and its adapter for the desktop. */
function ofModule(node: ts.Node): string | null {
  const isImport = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
  const call = ts.isCallExpression(node) && /^(import|require)$/.test(node.expression.getText());
  const named = isImport ? node.moduleSpecifier : call ? node.arguments[0] : undefined;
  if (named !== undefined && ts.isStringLiteralLike(named) && /^(node:|electron$)/.test(named.text)) return named.text;
  if (ts.isImportSpecifier(node) && !node.isTypeOnly && node.parent.parent.phaseModifier === undefined) {
    const name = (node.propertyName ?? node.name).text;
    return name === 'requestUrl' ? name : null;
  }
  return null;
}

/** Addresses and environment variables in the literals of a source. */
export function literalsIn(path: string, text: string): { readonly hosts: string[]; readonly variables: string[] } {
  const tree = treeOf(path, text);
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) literals.push(node.text);
    node.forEachChild(visit);
  };
  visit(tree);
  return {
    hosts: literals.flatMap((each) => /^https?:\/\/([\w.-]+(?::\d+)?)/.exec(each)?.[1] ?? []),
    variables: literals.filter((each) => /^(HOME|USERPROFILE|PATH|[A-Z]+(_[A-Z]+)+_?)$/.test(each)),
  };
}
