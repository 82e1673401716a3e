/** Obsidian's additions to Node, Element, HTMLElement, SVGElement and DocumentFragment, creation apart. */
import type { RealmWindow } from './dom';
import { defineMembers } from './language-helpers';

export function installElementHelpers(realm: RealmWindow): void {
  installNodeHelpers(realm);
  installClassAndAttributeHelpers(realm);
  installSearchHelpers(realm);
  installStyleHelpers(realm);
}

function defineGetters<T extends object>(prototype: T, getters: Record<string, (this: any) => unknown>): void {
  for (const [name, get] of Object.entries(getters)) {
    Object.defineProperty(prototype, name, { get, configurable: true, enumerable: false });
  }
}

function selfAndParents(start: Element, last?: Element): Element[] {
  const chain: Element[] = [];
  for (let element: Element | null = start; element; element = element.parentElement) {
    chain.push(element);
    if (element === last) break;
  }
  return chain;
}

function installNodeHelpers(realm: RealmWindow): void {
  const prototype = realm.Node.prototype;
  defineMembers(prototype, {
    detach() {
      this.parentNode?.removeChild(this);
    },
    empty() {
      while (this.lastChild) this.removeChild(this.lastChild);
    },
    insertAfter<T extends Node>(node: T, child: Node | null): T {
      return this.insertBefore(node, child ? child.nextSibling : this.firstChild);
    },
    indexOf(other: Node) {
      return Array.prototype.indexOf.call(this.childNodes, other);
    },
    setChildrenInPlace(children: Node[]) {
      const wanted = new Set(children);
      for (const child of Array.from(this.childNodes)) if (!wanted.has(child)) this.removeChild(child);
      children.forEach((child, index) => {
        if (this.childNodes[index] !== child) this.insertBefore(child, this.childNodes[index] ?? null);
      });
    },
    appendText(val: string) {
      this.appendChild(this.doc.createTextNode(val));
    },
    instanceOf(type: { new (): any; name?: string }) {
      if (this instanceof type) return true;
      const own = (this.win as unknown as Record<string, unknown>)[type.name ?? ''];
      return typeof own === 'function' && this instanceof own;
    },
  } as Partial<Node> & ThisType<Node>);
  defineGetters(prototype, {
    doc(this: Node) {
      return this.nodeType === 9 ? this : (this.ownerDocument ?? realm.document);
    },
    win(this: Node) {
      return this.doc.defaultView ?? realm;
    },
    constructorWin() {
      return realm;
    },
  });
}

function installClassAndAttributeHelpers(realm: RealmWindow): void {
  defineMembers(realm.Element.prototype, {
    getText() {
      return this.textContent ?? '';
    },
    setText(val: string | DocumentFragment) {
      if (typeof val === 'string') this.textContent = val;
      else this.replaceChildren(val);
    },
    addClass(...classes: string[]) {
      this.toggleClass(classes, true);
    },
    addClasses(classes: string[]) {
      this.toggleClass(classes, true);
    },
    removeClass(...classes: string[]) {
      this.toggleClass(classes, false);
    },
    removeClasses(classes: string[]) {
      this.toggleClass(classes, false);
    },
    toggleClass(classes: string | string[], value: boolean) {
      const names = typeof classes === 'string' ? [classes] : classes;
      for (const name of names.filter(Boolean)) {
        if (value) this.classList.add(name);
        else this.classList.remove(name);
      }
    },
    hasClass(cls: string) {
      return this.classList.contains(cls);
    },
    setAttr(qualifiedName: string, value: string | number | boolean | null) {
      if (value === null) this.removeAttribute(qualifiedName);
      else this.setAttribute(qualifiedName, String(value));
    },
    setAttrs(obj: Record<string, string | number | boolean | null>) {
      for (const [name, value] of Object.entries(obj)) this.setAttr(name, value);
    },
    getAttr(qualifiedName: string) {
      return this.getAttribute(qualifiedName);
    },
    matchParent(selector: string, lastParent?: Element) {
      return selfAndParents(this, lastParent).find((element) => element.matches(selector)) ?? null;
    },
    getCssPropertyValue(property: string, pseudoElement?: string) {
      return this.win.getComputedStyle(this, pseudoElement).getPropertyValue(property).trim();
    },
    isActiveElement() {
      return this.doc.activeElement === this;
    },
  } as Partial<Element> & ThisType<Element>);
}

function installSearchHelpers(realm: RealmWindow): void {
  for (const prototype of [realm.Element.prototype, realm.DocumentFragment.prototype] as Element[]) {
    defineMembers(prototype, {
      find(selector: string) {
        return this.querySelector<HTMLElement>(selector);
      },
      findAll(selector: string) {
        return Array.from(this.querySelectorAll<HTMLElement>(selector));
      },
    } as Partial<Element> & ThisType<Element>);
  }
  defineMembers(realm.Element.prototype, {
    findAllSelf(selector: string) {
      const below = this.findAll(selector);
      return this.matches(selector) ? [this as HTMLElement, ...below] : below;
    },
  } as Partial<Element> & ThisType<Element>);
}

function installStyleHelpers(realm: RealmWindow): void {
  for (const prototype of [realm.HTMLElement.prototype, realm.SVGElement.prototype as unknown as HTMLElement]) {
    defineMembers(prototype, {
      setCssStyles(styles: Partial<CSSStyleDeclaration>) {
        Object.assign(this.style, styles);
      },
      setCssProps(props: Record<string, string>) {
        for (const [name, value] of Object.entries(props)) this.style.setProperty(name, value);
      },
    });
  }
  defineMembers(realm.HTMLElement.prototype, {
    show() {
      this.style.display = '';
    },
    hide() {
      this.style.display = 'none';
    },
    toggle(show: boolean) {
      if (show) this.show();
      else this.hide();
    },
    toggleVisibility(visible: boolean) {
      this.style.visibility = visible ? '' : 'hidden';
    },
    isShown() {
      const isHidden = (element: Element): boolean => this.win.getComputedStyle(element).display === 'none';
      return this.isConnected && !selfAndParents(this).some(isHidden);
    },
  });
  const inner = (element: HTMLElement, size: number, sides: [string, string]): number => {
    const style = element.win.getComputedStyle(element);
    return sides.reduce((rest, side) => rest - (parseFloat(style.getPropertyValue(`padding-${side}`)) || 0), size);
  };
  defineGetters(realm.HTMLElement.prototype, {
    innerWidth(this: HTMLElement) {
      return inner(this, this.clientWidth, ['left', 'right']);
    },
    innerHeight(this: HTMLElement) {
      return inner(this, this.clientHeight, ['top', 'bottom']);
    },
  });
}
