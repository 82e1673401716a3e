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

/** A value that a person can change, which one listener hears of: setting another replaces it. */
export abstract class ChangeableComponent<T> extends ValueComponent<T> {
  private changed: ((value: T) => unknown) | null = null;

  onChange(callback: (value: T) => unknown): this {
    this.changed = callback;
    return this;
  }

  protected reportChange(): void {
    this.changed?.(this.getValue());
  }
}

/** A text that a form field of the browser holds. */
export abstract class FieldComponent<
  T extends HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
> extends ChangeableComponent<string> {
  constructor(private readonly fieldEl: T) {
    super();
  }

  override setDisabled(disabled: boolean): this {
    this.fieldEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string {
    return this.fieldEl.value;
  }

  setValue(value: string): this {
    this.fieldEl.value = value;
    return this;
  }
}
