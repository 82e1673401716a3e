/** Obsidian's additions to Array, String, Number, Object and Math. */
import type { RealmWindow } from './dom';

/** Defines members that do not show up in `for … in` loops. */
export function defineMembers<T extends object>(target: T, members: Partial<T> & ThisType<T>): void {
  for (const name of Object.keys(members) as (keyof T & string)[]) {
    Object.defineProperty(target, name, {
      value: (members as T)[name],
      configurable: true,
      writable: true,
      enumerable: false,
    });
  }
}

export function installLanguageHelpers(realm: RealmWindow): void {
  defineMembers(realm.Object, {
    isEmpty: (object: Record<string, unknown>) => {
      for (const key in object) if (Object.prototype.hasOwnProperty.call(object, key)) return false;
      return true;
    },
    each: <T>(object: Record<string, T>, callback: (value: T, key?: string) => boolean | void, context?: unknown) => {
      for (const key of Object.keys(object)) {
        if (callback.call(context, object[key] as T, key) === false) return false;
      }
      return true;
    },
  });
  defineMembers(realm.Array, { combine: <T>(arrays: T[][]): T[] => ([] as T[]).concat(...arrays) });
  defineMembers(realm.Array.prototype, {
    first() {
      return this[0];
    },
    last() {
      return this[this.length - 1];
    },
    contains(target: unknown) {
      return this.includes(target);
    },
    remove(target: unknown) {
      for (let index = this.length - 1; index >= 0; index--) if (this[index] === target) this.splice(index, 1);
    },
    shuffle() {
      for (let index = this.length - 1; index > 0; index--) {
        const other = Math.floor(Math.random() * (index + 1));
        [this[index], this[other]] = [this[other], this[index]];
      }
      return this;
    },
    unique() {
      return [...new Set(this)];
    },
  } as Partial<unknown[]> & ThisType<unknown[]>);
  defineMembers(realm.Math, {
    clamp: (value: number, min: number, max: number) => Math.min(Math.max(value, min), max),
    square: (value: number) => value * value,
  });
  defineMembers(realm.String, { isString: (value: unknown): value is string => typeof value === 'string' });
  defineMembers(realm.String.prototype, {
    contains(target: string) {
      return this.includes(target);
    },
    format(...args: string[]) {
      return this.replace(/\{(\d+)\}/g, (whole, index: string) => args[Number(index)] ?? whole);
    },
  } as Partial<string> & ThisType<string>);
  defineMembers(realm.Number, { isNumber: (value: unknown): value is number => typeof value === 'number' });
  Object.assign(realm, { isBoolean: (value: unknown): value is boolean => typeof value === 'boolean' });
}
