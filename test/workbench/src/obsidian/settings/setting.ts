/** Setting and SettingGroup: one row of a settings page, and rows under a shared heading. */
import type { TooltipOptions } from 'obsidian';
import { defineMembers } from '../base/language-helpers';
import type { BaseComponent } from '../controls/base-components';
import { ButtonComponent, ExtraButtonComponent } from '../controls/button-components';
import { ColorComponent } from '../controls/color-component';
import { MomentFormatComponent, SearchComponent, TextAreaComponent, TextComponent } from '../controls/text-components';
import { setTooltip } from '../windows/tooltip';
import {
  DisplayValueComponent,
  DropdownComponent,
  ProgressBarComponent,
  SliderComponent,
  ToggleComponent,
} from '../controls/value-components';

/** Adds a control to a row, lets `cb` set it up, and returns the row. */
type AddsControl<Row, Control> = (cb: (component: Control) => unknown) => Row;

export class Setting {
  settingEl: HTMLElement;
  infoEl: HTMLElement;
  nameEl: HTMLElement;
  descEl: HTMLElement;
  controlEl: HTMLElement;
  components: BaseComponent[] = [];
  errorEl: HTMLElement | null = null;
  declare addButton: AddsControl<this, ButtonComponent>;
  declare addExtraButton: AddsControl<this, ExtraButtonComponent>;
  declare addToggle: AddsControl<this, ToggleComponent>;
  declare addText: AddsControl<this, TextComponent>;
  declare addSearch: AddsControl<this, SearchComponent>;
  declare addTextArea: AddsControl<this, TextAreaComponent>;
  declare addMomentFormat: AddsControl<this, MomentFormatComponent>;
  declare addDropdown: AddsControl<this, DropdownComponent>;
  declare addColorPicker: AddsControl<this, ColorComponent>;
  declare addProgressBar: AddsControl<this, ProgressBarComponent>;
  declare addSlider: AddsControl<this, SliderComponent>;

  constructor(containerEl: HTMLElement) {
    this.settingEl = containerEl.createDiv('setting-item');
    this.infoEl = this.settingEl.createDiv('setting-item-info');
    this.nameEl = this.infoEl.createDiv('setting-item-name');
    this.descEl = this.infoEl.createDiv('setting-item-description');
    this.controlEl = this.settingEl.createDiv('setting-item-control');
  }

  setErrorMessage(message: string | null): this {
    if (!message) {
      this.errorEl?.remove();
      this.errorEl = null;
    } else {
      this.errorEl ??= this.infoEl.createDiv({ cls: 'setting-item-error', attr: { role: 'alert' } });
      this.errorEl.setText(message);
    }
    this.settingEl.toggleClass('is-invalid', Boolean(message));
    return this;
  }

  addDisplayValue(cb: (component: DisplayValueComponent) => unknown): this {
    cb(new DisplayValueComponent(this.controlEl));
    return this;
  }

  setName(name: string | DocumentFragment): this {
    this.nameEl.setText(name);
    return this;
  }

  setDesc(desc: string | DocumentFragment): this {
    this.descEl.setText(desc);
    return this;
  }

  setClass(cls: string): this {
    this.settingEl.addClasses(cls.split(/\s+/).filter(Boolean));
    return this;
  }

  setTooltip(tooltip: string, options?: TooltipOptions): this {
    setTooltip(this.nameEl, tooltip, options);
    return this;
  }

  setHeading(): this {
    this.settingEl.addClass('setting-item-heading');
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.settingEl.toggleClass('is-disabled', disabled);
    for (const component of this.components) component.setDisabled(disabled);
    return this;
  }

  addComponent<T extends BaseComponent>(cb: (el: HTMLElement) => T): this {
    this.components.push(cb(this.controlEl));
    return this;
  }

  then(cb: (setting: this) => unknown): this {
    cb(this);
    return this;
  }

  clear(): this {
    this.controlEl.empty();
    this.components = [];
    return this;
  }
}

interface ControlEntry {
  Control: new (containerEl: HTMLElement) => BaseComponent;
  /** What the theme knows a row with this control by. */
  rowClass?: string;
}

/** The control that each of these methods adds. */
const controls = {
  addButton: { Control: ButtonComponent },
  addExtraButton: { Control: ExtraButtonComponent },
  addToggle: { Control: ToggleComponent, rowClass: 'mod-toggle' },
  addText: { Control: TextComponent },
  addSearch: { Control: SearchComponent },
  addTextArea: { Control: TextAreaComponent },
  addMomentFormat: { Control: MomentFormatComponent },
  addDropdown: { Control: DropdownComponent, rowClass: 'mod-dropdown' },
  addColorPicker: { Control: ColorComponent },
  addProgressBar: { Control: ProgressBarComponent },
  addSlider: { Control: SliderComponent },
} satisfies Partial<Record<keyof Setting, ControlEntry>>;

for (const [name, { Control, rowClass }] of Object.entries<ControlEntry>(controls)) {
  defineMembers(Setting.prototype, {
    [name](this: Setting, cb: (component: BaseComponent) => unknown) {
      if (rowClass) this.settingEl.addClass(rowClass);
      const component = new Control(this.controlEl);
      this.components.push(component);
      cb(component);
      return this;
    },
  });
}

export class SettingGroup {
  groupEl: HTMLElement;
  headerEl: HTMLElement;
  listEl: HTMLElement;
  private readonly headingEl: HTMLElement;
  private readonly headerControlEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    this.groupEl = containerEl.createDiv('setting-group');
    this.headerEl = this.groupEl.createDiv('setting-item setting-item-heading');
    this.headingEl = this.headerEl.createDiv('setting-item-info').createDiv('setting-item-name');
    this.headerControlEl = this.headerEl.createDiv('setting-item-control');
    this.headerEl.hide();
    this.listEl = this.groupEl.createDiv('setting-items');
  }

  setHeading(text: string | DocumentFragment): this {
    this.headingEl.setText(text);
    this.headerEl.show();
    return this;
  }

  addClass(...classes: string[]): this {
    this.groupEl.addClasses(classes.flatMap((cls) => cls.split(/\s+/)).filter(Boolean));
    return this;
  }

  addSetting(cb: (setting: Setting) => void): this {
    cb(new Setting(this.listEl));
    return this;
  }

  addSearch(cb: (component: SearchComponent) => unknown): this {
    const searchEl = createDiv('setting-group-search');
    this.groupEl.insertBefore(searchEl, this.listEl);
    cb(new SearchComponent(searchEl));
    return this;
  }

  addExtraButton(cb: (component: ExtraButtonComponent) => unknown): this {
    this.headerEl.show();
    cb(new ExtraButtonComponent(this.headerControlEl));
    return this;
  }
}
