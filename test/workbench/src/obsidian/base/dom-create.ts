/** `createEl` and its siblings, as globals and as methods of every node. */
import type { RealmWindow } from './dom';
import { defineMembers } from './language-helpers';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

type Info = DomElementInfo & SvgElementInfo;
type Callback = (element: any) => void;

export function installElementCreation(realm: RealmWindow): void {
  const make = (
    doc: Document,
    parent: Node | null,
    tag: string,
    svg: boolean,
    o?: Info | string,
    callback?: Callback,
  ) => {
    const info: Info = typeof o === 'string' ? { cls: o } : (o ?? {});
    const element = svg ? doc.createElementNS(SVG_NAMESPACE, tag) : doc.createElement(tag);
    applyInfo(element, info);
    const home = parent ?? info.parent ?? null;
    if (home && info.prepend) home.insertBefore(element, home.firstChild);
    else home?.appendChild(element);
    callback?.(element);
    return element;
  };

  Object.assign(realm, {
    createEl: (tag: string, o?: Info | string, callback?: Callback) =>
      make(realm.document, null, tag, false, o, callback),
    createDiv: (o?: Info | string, callback?: Callback) => make(realm.document, null, 'div', false, o, callback),
    createSpan: (o?: Info | string, callback?: Callback) => make(realm.document, null, 'span', false, o, callback),
    createSvg: (tag: string, o?: Info | string, callback?: Callback) =>
      make(realm.document, null, tag, true, o, callback),
    createFragment: (callback?: (fragment: DocumentFragment) => void) => {
      const fragment = realm.document.createDocumentFragment();
      callback?.(fragment);
      return fragment;
    },
  });
  defineMembers(realm.Node.prototype, {
    createEl(tag: string, o?: Info | string, callback?: Callback) {
      return make(this.doc, this, tag, false, o, callback);
    },
    createDiv(o?: Info | string, callback?: Callback) {
      return make(this.doc, this, 'div', false, o, callback);
    },
    createSpan(o?: Info | string, callback?: Callback) {
      return make(this.doc, this, 'span', false, o, callback);
    },
    createSvg(tag: string, o?: Info | string, callback?: Callback) {
      return make(this.doc, this, tag, true, o, callback);
    },
  } as Partial<Node> & ThisType<Node>);
}

function applyInfo(element: Element, info: Info): void {
  const classes =
    typeof info.cls === 'string' ? info.cls.split(/\s+/) : (info.cls ?? []).flatMap((cls) => cls.split(/\s+/));
  // The element is new and has no class yet.
  const names = new Set(classes.filter((name) => name !== ''));
  if (names.size > 0) element.setAttribute('class', [...names].join(' '));
  if (info.text !== undefined) element.setText(info.text);
  for (const [name, value] of Object.entries(info.attr ?? {})) {
    if (value !== null) element.setAttribute(name, String(value));
  }
  if (info.title !== undefined) element.setAttribute('title', info.title);
  if (info.type !== undefined) element.setAttribute('type', info.type);
  if (info.href !== undefined) element.setAttribute('href', info.href);
  if (info.placeholder !== undefined) element.setAttribute('placeholder', info.placeholder);
  if (info.value !== undefined) (element as HTMLInputElement).value = info.value;
}
