import { type Component, createElement, type FunctionComponent } from 'preact';

/**
 * Returns the component, drawn again only when one of its props is another value. The one of preact/compat brings 3 KB
 * that also change how every element of the page is made.
 */
export function memo<Props extends object>(draw: FunctionComponent<Props>): FunctionComponent<Props> {
  return function Memo(this: Component<Props>, props: Props) {
    this.shouldComponentUpdate = (next) => isOther({ ...this.props }, { ...next });
    return createElement(draw, props);
  };
}

function isOther(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(after);
  return names.length !== Object.keys(before).length || names.some((name) => after[name] !== before[name]);
}
