/** @jest-environment jsdom */
import { moment } from '../../../src/obsidian/base/moment';
import { Setting, SettingGroup } from '../../../src/obsidian/settings/setting';
import type {
  ColorComponent,
  DropdownComponent,
  SliderComponent,
  ToggleComponent,
} from '../../../src/obsidian/settings/setting-components';
import { createStage, find, press, texts, type } from './stage';

let setting: Setting;
let log: unknown[];
beforeEach(() => {
  createStage();
  setting = new Setting(document.body);
  log = [];
});

const note = (value: unknown) => log.push(value);

describe('Setting', () => {
  test('has the row structure that themes and plugins rely on', () => {
    setting.setName('Name').setDesc(createFragment((text) => text.createEl('b', { text: 'Bold' })));
    setting.setHeading().setClass('one two');
    expect(texts('.setting-item.one.two.setting-item-heading > .setting-item-info > .setting-item-name')).toEqual([
      'Name',
    ]);
    expect(texts('.setting-item-info > .setting-item-description > b')).toEqual(['Bold']);
    expect(find('.setting-item > .setting-item-control')).toBe(setting.controlEl);
  });

  test('disabling a row disables all of its controls', () => {
    setting.addText((text) => text.onChange(note)).addToggle((toggle) => toggle.onChange(note));
    setting.addExtraButton((button) => button.onClick(() => note('extra'))).setDisabled(true);
    find('.checkbox-container').click();
    find('.extra-setting-button').click();
    expect(find<HTMLInputElement>('input[type=text]').disabled).toBe(true);
    expect(setting.components.map((component) => component.disabled)).toEqual([true, true, true]);
    expect(log).toEqual([]);
    setting.setDisabled(false);
    find('.checkbox-container').click();
    expect(log).toEqual([true]);
  });

  test('an error message stands on the row until it is cleared', () => {
    setting.setErrorMessage('Too long');
    expect(setting.errorEl?.textContent).toBe('Too long');
    expect(setting.settingEl.classList.contains('is-invalid')).toBe(true);
    setting.setErrorMessage('');
    expect(setting.errorEl).toBeNull();
    expect(texts('.setting-item-error')).toEqual([]);
    expect(setting.settingEl.classList.contains('is-invalid')).toBe(false);
  });

  test('clear removes the controls, then chains', () => {
    setting.addButton((button) => button.setButtonText('Go')).clear();
    setting.then((same) => expect(same).toBe(setting));
    expect(setting.components).toEqual([]);
    expect(setting.controlEl.childElementCount).toBe(0);
  });

  test('a display value shows a label and a warning', () => {
    setting.addDisplayValue((display) => display.setValue('3 models').setStatus('warning'));
    expect(texts('.setting-display-value')).toEqual(['3 models']);
    expect(document.querySelector('.setting-display-status.mod-warning svg')).not.toBeNull();
  });
});

describe('controls', () => {
  test('text reports typing and not setValue', () => {
    setting.addText((text) => text.setPlaceholder('Here').onChange(note).setValue('set'));
    const inputEl = find<HTMLInputElement>('input');
    expect([inputEl.value, inputEl.placeholder, log]).toEqual(['set', 'Here', []]);
    type(inputEl, 'typed');
    expect(log).toEqual(['typed']);
  });

  test('a toggle flips once on a click on it or on its input, and by Enter', () => {
    let toggle!: ToggleComponent;
    setting.addToggle((component) => (toggle = component.onChange(note)));
    toggle.toggleEl.click();
    find('input').click();
    find('input').focus();
    press('Enter');
    expect(log).toEqual([true, false, true]);
    expect(toggle.toggleEl.classList.contains('is-enabled')).toBe(true);
    expect(find<HTMLInputElement>('input').checked).toBe(true);
  });

  test('a dropdown keeps the order of its options and reports the value', () => {
    let dropdown!: DropdownComponent;
    setting.addDropdown((component) => {
      dropdown = component.addOptions({ b: 'Bee', a: 'Ay' }).addOption('c', 'Sea').setValue('a').onChange(note);
    });
    expect(texts('select.dropdown option')).toEqual(['Bee', 'Ay', 'Sea']);
    expect(dropdown.getValue()).toBe('a');
    dropdown.selectEl.value = 'c';
    dropdown.selectEl.dispatchEvent(new Event('change'));
    expect(log).toEqual(['c']);
  });

  test('a slider reports on release, or while dragging when instant, and shows its formatted value', () => {
    let slider!: SliderComponent;
    setting.addSlider((component) => {
      slider = component
        .setLimits(0, 10, 1)
        .setValue(3)
        .setDisplayFormat((value) => `${value} of 10`)
        .onChange(note);
    });
    const drag = (value: string, kind: string) => {
      slider.sliderEl.value = value;
      slider.sliderEl.dispatchEvent(new Event(kind));
    };
    drag('5', 'input');
    expect(log).toEqual([]);
    expect(texts('.slider-value')).toEqual(['5 of 10']);
    drag('5', 'change');
    slider.setInstant(true);
    drag('7', 'input');
    drag('7', 'change');
    expect(log).toEqual([5, 7]);
    expect(slider.getValuePretty()).toBe('7 of 10');
    slider.setDisplayFormat(() => '');
    expect(find('.slider-value').style.display).toBe('none');
  });

  test('a colour reads the same as hex, RGB and HSL', () => {
    let picker!: ColorComponent;
    setting.addColorPicker((component) => (picker = component.setValue('#7852ee')));
    expect(picker.getValueRgb()).toEqual({ r: 120, g: 82, b: 238 });
    expect(picker.getValueHsl()).toEqual({ h: 255, s: 82, l: 63 });
    expect(picker.setValueHsl({ h: 120, s: 100, l: 25 }).getValue()).toBe('#008000');
    expect(picker.setValueRgb({ r: 1, g: 16, b: 255 }).getValue()).toBe('#0110ff');
  });

  test('a search has a button that empties it and reports that', () => {
    setting.addSearch((search) => search.setValue('old').onChange(note));
    find('.search-input-container .search-input-clear-button').click();
    expect(log).toEqual(['']);
    expect(find<HTMLInputElement>('input[type=search]').value).toBe('');
  });

  test('a date format shows a sample of itself, or of the default when empty', () => {
    const sampleEl = document.body.createSpan();
    setting.addMomentFormat((format) => format.setDefaultFormat('YYYY').setSampleEl(sampleEl).onChange(note));
    expect(sampleEl.textContent).toBe(moment().format('YYYY'));
    type(find('input'), '[day] D');
    expect(sampleEl.textContent).toBe(moment().format('[day] D'));
    expect(log).toEqual(['[day] D']);
  });

  test('a button has one handler and takes the classes of its roles', () => {
    setting.addButton((button) => {
      button.setButtonText('Go').setCta().setDestructive().removeCta().setTooltip('Now');
      button.onClick(() => note('old')).onClick(() => note('new'));
    });
    const buttonEl = find('button');
    buttonEl.click();
    expect(log).toEqual(['new']);
    expect([...buttonEl.classList]).toEqual(['mod-destructive']);
    expect(buttonEl.getAttribute('aria-label')).toBe('Now');
  });

  test('a progress bar stays between 0 and 100, textareas take rows, extra buttons take keys', () => {
    setting.addProgressBar((bar) => expect(bar.setValue(140).getValue()).toBe(100));
    setting.addTextArea((area) => expect(area.inputEl.tagName).toBe('TEXTAREA'));
    setting.addExtraButton((button) => button.setIcon('trash').onClick(() => note('pressed')));
    find('.extra-setting-button').focus();
    press('Enter');
    expect(log).toEqual(['pressed']);
    expect(find('.setting-progress-bar-inner').style.width).toBe('100%');
  });

  test('an option listener reads and sets a component by key', () => {
    const listeners: Record<string, (value?: boolean) => boolean> = {};
    setting.addToggle((toggle) => toggle.registerOptionListener(listeners, 'on'));
    expect(listeners['on']?.()).toBe(false);
    expect(listeners['on']?.(true)).toBe(true);
  });
});

test('a group has a heading, a search before its rows, extra buttons, and its settings in listEl', () => {
  const group = new SettingGroup(document.body).addClass('mine');
  group.addSetting((row) => row.setName('Inside'));
  expect(find('.setting-group .setting-item-heading').style.display).toBe('none');
  group
    .setHeading('Group')
    .addSearch((search) => search.onChange(note))
    .addExtraButton((button) => button.setIcon('plus'));
  expect(texts('.setting-group.mine > .setting-item-heading .setting-item-name')).toEqual(['Group']);
  expect(
    texts('.setting-name, .setting-items > .setting-item .setting-item-name', group.listEl.parentElement!),
  ).toEqual(['Inside']);
  type(find('.setting-group input[type=search]'), 'x');
  expect(log).toEqual(['x']);
});
