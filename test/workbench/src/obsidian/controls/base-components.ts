/** What all setting controls share: disabling, chaining, and holding a value. */

export abstract class BaseComponent {
  disabled = false;

  then(cb: (component: this) => unknown): this {
    cb(this);
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    return this;
  }
}

export abstract class ValueComponent<T> extends BaseComponent {
  abstract getValue(): T;
  abstract setValue(value: T): this;

  /** Puts a reader and writer of this component under `key`: called with a value it sets, and always answers. */
  registerOptionListener(listeners: Record<string, (value?: T) => T>, key: string): this {
    listeners[key] = (value?: T): T => {
      if (value !== undefined) this.setValue(value);
      return this.getValue();
    };
    return this;
  }
}
