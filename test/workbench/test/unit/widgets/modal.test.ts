/** @jest-environment jsdom */
import { ConfirmationModal } from '../../../src/obsidian/windows/confirmation-modal';
import { Modal } from '../../../src/obsidian/windows/modal';
import { createSecondDocument, createStage, find, press, setActiveDocument, settle, texts, type Stage } from './stage';

let app: Stage;
beforeEach(() => {
  app = createStage();
});

function openForm(): Modal {
  const modal = new Modal(app);
  modal.contentEl.createEl('input', 'first');
  modal.contentEl.createEl('button', { cls: 'unseen' }).hide();
  modal.contentEl.createEl('button', 'last');
  modal.open();
  return modal;
}

describe('Modal', () => {
  test('has the class names that plugins and themes rely on, and is in the page only while open', () => {
    const modal = new Modal(app);
    expect(modal.containerEl.isConnected).toBe(false);
    modal.setTitle('Title').setContent('Words').open();
    expect(texts('body > .modal-container > .modal > .modal-header > .modal-title')).toEqual(['Title']);
    expect(texts('.modal > .modal-content')).toEqual(['Words']);
    expect(document.querySelector('.modal-container > .modal-bg')).not.toBeNull();
    modal.close();
    expect(document.querySelector('.modal-container')).toBeNull();
  });

  test('focuses the first field and gives the focus back', () => {
    const before = document.body.createEl('button');
    before.focus();
    const modal = openForm();
    expect(document.activeElement?.className).toBe('first');
    modal.close();
    expect(document.activeElement).toBe(before);
  });

  test('leaves the focus alone on closing when shouldRestoreSelection is off', () => {
    const before = document.body.createEl('button');
    const after = document.body.createEl('input');
    before.focus();
    const modal = openForm();
    modal.shouldRestoreSelection = false;
    after.focus();
    modal.close();
    expect(document.activeElement).toBe(after);
  });

  test('keeps Tab inside, skipping what is hidden', () => {
    openForm();
    find('.last').focus();
    expect(press('Tab')).toBe(true);
    expect(document.activeElement?.className).toBe('first');
    expect(press('Tab', { shiftKey: true })).toBe(true);
    expect(document.activeElement?.className).toBe('last');
    document.body.createEl('button', 'outside').focus();
    press('Tab');
    expect(document.activeElement?.className).toBe('first');
  });

  test('a Tab hotkey in its scope goes before the trap', () => {
    const modal = openForm();
    const taken = jest.fn(() => false as const);
    modal.scope.register([], 'Tab', taken);
    find('.last').focus();
    press('Tab');
    expect(taken).toHaveBeenCalledTimes(1);
    expect(document.activeElement?.className).toBe('last');
  });

  test('Escape closes the topmost only', () => {
    const lower = openForm();
    const upper = openForm();
    expect(press('Escape')).toBe(true);
    expect(upper.containerEl.isConnected).toBe(false);
    expect(lower.containerEl.isConnected).toBe(true);
    press('Escape');
    expect(lower.containerEl.isConnected).toBe(false);
    expect(press('Escape')).toBe(false);
  });

  test('while it is open, the scope below hears nothing', () => {
    const below = jest.fn();
    app.keymap.root.register([], 'j', below);
    const modal = openForm();
    press('j');
    expect(below).not.toHaveBeenCalled();
    modal.close();
    press('j');
    expect(below).toHaveBeenCalledTimes(1);
  });

  test('calls onOpen, onClose and the close callback once, however often it is told', () => {
    const calls: string[] = [];
    class RecordingModal extends Modal {
      override onOpen(): void {
        calls.push('open');
      }
      override onClose(): void {
        calls.push('close');
      }
    }
    const modal = new RecordingModal(app).setCloseCallback(() => calls.push('callback'));
    modal.close();
    modal.open();
    modal.open();
    modal.close();
    modal.close();
    expect(calls).toEqual(['open', 'close', 'callback']);
  });

  test('the background and the cross close it', () => {
    const modal = new Modal(app);
    for (const selector of ['.modal-bg', '.modal-close-button']) {
      modal.open();
      find(selector).click();
      expect(modal.containerEl.isConnected).toBe(false);
    }
  });

  test('opens in the active window, with Escape and the focus trap there', () => {
    const second = createSecondDocument(app.keymap);
    setActiveDocument(second);
    const modal = openForm();
    expect(modal.containerEl.ownerDocument).toBe(second);
    expect(second.activeElement?.className).toBe('first');
    find('.last', second).focus();
    press('Tab', {}, second);
    expect(second.activeElement?.className).toBe('first');
    press('Escape', {}, second);
    expect(second.querySelector('.modal-container')).toBeNull();
  });
});

describe('ConfirmationModal', () => {
  test('a button closes it after its handler, unless that answers something truthy', async () => {
    const answers = [true, 'no', undefined];
    const modal = new ConfirmationModal(app).addButton((button) =>
      button.setButtonText('Apply').onClick(() => Promise.resolve(answers.shift())),
    );
    modal.open();
    for (const open of [true, true, false]) {
      find('.modal-button-container button').click();
      await settle();
      expect(modal.containerEl.isConnected).toBe(open);
    }
  });

  test('a button without a handler and the cancel button close it', async () => {
    const modal = new ConfirmationModal(app).addButton((button) => button.setButtonText('Fine')).addCancelButton();
    expect(texts('button', modal.buttonContainerEl)).toEqual(['Fine', 'Cancel']);
    for (const index of [0, 1]) {
      modal.open();
      (modal.buttonContainerEl.children[index] as HTMLElement).click();
      await settle();
      expect(modal.containerEl.isConnected).toBe(false);
    }
  });

  test('the button marked last has the focus, and a checkbox reports its state', () => {
    const states: boolean[] = [];
    const modal = new ConfirmationModal(app)
      .addClass('one two')
      .addCheckbox('Do not ask again', (value) => states.push(value))
      .addButton((button) => button.setButtonText('A').setInitialFocus())
      .addButton((button) => button.setButtonText('B').setInitialFocus().setDestructive());
    modal.open();
    expect(document.activeElement?.textContent).toBe('B');
    expect(modal.modalEl.classList.contains('two')).toBe(true);
    find('label input').click();
    find('label input').click();
    expect(states).toEqual([true, false]);
  });
});
