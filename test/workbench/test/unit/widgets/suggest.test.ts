/** @jest-environment jsdom */
import type { EditorPosition, EditorSuggestContext, EditorSuggestTriggerInfo } from 'obsidian';
import { EditorSuggest, triggerEditorSuggests } from '../../../src/obsidian/suggest/editor-suggest';
import { Modal } from '../../../src/obsidian/windows/modal';
import { AbstractInputSuggest } from '../../../src/obsidian/suggest/popover-suggest';
import { FuzzySuggestModal, SuggestModal } from '../../../src/obsidian/suggest/suggest-modal';
import { createStage, press, settle, texts, type, type Stage } from './stage';

let app: Stage;
let log: string[];
beforeEach(() => {
  app = createStage();
  log = [];
});

class Words extends SuggestModal<string> {
  answer: (query: string) => string[] | Promise<string[]> = (query) =>
    ['apple', 'apricot', 'banana'].filter((word) => word.startsWith(query));
  getSuggestions(query: string) {
    return this.answer(query);
  }
  renderSuggestion(value: string, el: HTMLElement) {
    el.setText(value);
  }
  onChooseSuggestion(value: string, event: MouseEvent | KeyboardEvent) {
    log.push(`${value} by ${event.type}, ${this.containerEl.isConnected ? 'open' : 'closed'}`);
  }
}

const items = () => texts('.suggestion-item');
const selected = () => texts('.suggestion-item.is-selected');

describe('SuggestModal', () => {
  test('filters while typing, walks with wrapping, and closes before telling the choice', () => {
    const modal = new Words(app);
    modal.open();
    expect(document.activeElement).toBe(modal.inputEl);
    expect(items()).toEqual(['apple', 'apricot', 'banana']);
    type(modal.inputEl, 'ap');
    expect(items()).toEqual(['apple', 'apricot']);
    press('ArrowUp');
    expect(selected()).toEqual(['apricot']);
    press('ArrowDown');
    press('Enter');
    expect(log).toEqual(['apple by keydown, closed']);
  });

  test('a click chooses, the limit cuts, and nothing found shows the empty text', () => {
    const modal = new Words(app);
    modal.limit = 2;
    modal.emptyStateText = 'None';
    modal.open();
    expect(items()).toHaveLength(2);
    type(modal.inputEl, 'zzz');
    expect(texts('.suggestion-empty')).toEqual(['None']);
    press('Enter');
    expect(modal.containerEl.isConnected).toBe(true);
    type(modal.inputEl, '');
    (document.querySelectorAll('.suggestion-item')[1] as HTMLElement).click();
    expect(log).toEqual(['apricot by click, closed']);
  });

  test('a slow answer to an older question is dropped', async () => {
    const modal = new Words(app);
    const answers: ((values: string[]) => void)[] = [];
    modal.answer = () => new Promise((resolve) => answers.push(resolve));
    modal.open();
    type(modal.inputEl, 'b');
    answers[1]?.(['new']);
    await settle();
    answers[0]?.(['old']);
    await settle();
    expect(items()).toEqual(['new']);
  });

  test('key hints are shown under the list', () => {
    const modal = new Words(app);
    modal.setInstructions([{ command: 'Enter', purpose: 'to open' }]);
    modal.open();
    expect(texts('.prompt-instruction')).toEqual(['Enterto open']);
  });
});

test('FuzzySuggestModal matches scattered letters, best first, and marks them', () => {
  class Notes extends FuzzySuggestModal<{ title: string }> {
    getItems() {
      return [{ title: 'A dense pigment' }, { title: 'Design' }, { title: 'Garden' }];
    }
    getItemText(item: { title: string }) {
      return item.title;
    }
    onChooseItem(item: { title: string }) {
      log.push(item.title);
    }
  }
  const modal = new Notes(app);
  modal.open();
  expect(items()).toEqual(['A dense pigment', 'Design', 'Garden']);
  type(modal.inputEl, 'desig');
  expect(items()[0]).toBe('Design');
  expect(items()).not.toContain('Garden');
  expect(texts('.suggestion-item.is-selected .suggestion-highlight').join('')).toBe('Desig');
  press('Enter');
  expect(log).toEqual(['Design']);
});

class Fruit extends AbstractInputSuggest<string> {
  protected getSuggestions(query: string) {
    return ['apple', 'apricot', 'banana'].filter((word) => word.includes(query));
  }
  renderSuggestion(value: string, el: HTMLElement) {
    el.setText(value);
  }
}

describe('AbstractInputSuggest', () => {
  test('opens on focus and typing, closes when nothing fits and on blur', () => {
    const inputEl = document.body.createEl('input');
    new Fruit(app, inputEl);
    inputEl.focus();
    expect(items()).toEqual(['apple', 'apricot', 'banana']);
    type(inputEl, 'ban');
    expect(texts('body > .suggestion-container .suggestion-item')).toEqual(['banana']);
    type(inputEl, 'bank');
    expect(document.querySelector('.suggestion-container')).toBeNull();
    type(inputEl, '');
    inputEl.blur();
    expect(document.querySelector('.suggestion-container')).toBeNull();
  });

  test('Enter and Tab choose; the callback gets value and event; setValue is up to the caller', () => {
    const inputEl = document.body.createEl('input');
    const suggest = new Fruit(app, inputEl).onSelect((value, event) => {
      log.push(`${value} by ${(event as KeyboardEvent).key}`);
      suggest.setValue(value);
      suggest.close();
    });
    inputEl.focus();
    press('ArrowDown');
    expect(press('Tab')).toBe(true);
    expect(inputEl.value).toBe('apricot');
    type(inputEl, 'ap');
    expect(press('Enter')).toBe(true);
    expect(log).toEqual(['apricot by Tab', 'apple by Enter']);
    expect(press('Enter')).toBe(false);
  });

  test('Escape closes the list and leaves the dialog around it', () => {
    const modal = new Modal(app);
    const inputEl = modal.contentEl.createEl('input');
    new Fruit(app, inputEl);
    modal.open();
    type(inputEl, 'a');
    expect(items()).toHaveLength(3);
    press('Escape');
    expect(document.querySelector('.suggestion-container')).toBeNull();
    expect(modal.containerEl.isConnected).toBe(true);
    press('Escape');
    expect(modal.containerEl.isConnected).toBe(false);
  });

  test('works on a contenteditable element', () => {
    const editableEl = document.body.createDiv({ attr: { contenteditable: 'true', tabindex: 0 } });
    const suggest = new Fruit(app, editableEl);
    editableEl.setText('ban');
    editableEl.trigger('input');
    expect(suggest.getValue()).toBe('ban');
    expect(items()).toEqual(['banana']);
    suggest.setValue('banana');
    expect(editableEl.textContent).toBe('banana');
  });

  test('a limit of 0 means no limit', () => {
    const inputEl = document.body.createEl('input');
    const suggest = new Fruit(app, inputEl);
    suggest.limit = 2;
    inputEl.focus();
    expect(items()).toHaveLength(2);
    suggest.limit = 0;
    type(inputEl, '');
    expect(items()).toHaveLength(3);
  });

  test('keys pressed while an input method composes are left alone', () => {
    const inputEl = document.body.createEl('input');
    new Fruit(app, inputEl).onSelect((value) => log.push(value));
    inputEl.focus();
    expect(press('Enter', { isComposing: true })).toBe(false);
    expect(log).toEqual([]);
  });
});

class Tags extends EditorSuggest<string> {
  constructor(
    stage: Stage,
    readonly sign: string,
  ) {
    super(stage);
  }
  onTrigger(cursor: EditorPosition, editor: { getLine(line: number): string }): EditorSuggestTriggerInfo | null {
    const line = editor.getLine(cursor.line);
    const start = line.lastIndexOf(this.sign);
    return start < 0
      ? null
      : { start: { line: 0, ch: start }, end: cursor, query: line.slice(start + 1).split(' ')[0] ?? '' };
  }
  getSuggestions(context: EditorSuggestContext) {
    return ['one', 'two'].filter((tag) => tag.startsWith(context.query));
  }
  renderSuggestion(value: string, el: HTMLElement) {
    el.setText(this.sign + value);
  }
  selectSuggestion(value: string) {
    log.push(`${value} for ${this.context?.query}`);
    this.close();
  }
}

test('EditorSuggest: the first suggester that takes the cursor shows, with its context until it closes', () => {
  let line = '#t @';
  const editor = { getCursor: () => ({ line: 0, ch: line.length }), getLine: () => line };
  const suggests = [new Tags(app, '#'), new Tags(app, '@')];
  const trigger = () => triggerEditorSuggests(suggests, editor, null, document);
  line = '@';
  expect(trigger()).toBe(true);
  expect(items()).toEqual(['@one', '@two']);
  line = '@t #t';
  expect(trigger()).toBe(true);
  expect(items()).toEqual(['#two']);
  expect(suggests[1]?.context).toBeNull();
  press('Enter');
  expect(log).toEqual(['two for t']);
  expect(suggests[0]?.context).toBeNull();
  line = 'plain';
  expect(trigger()).toBe(false);
  expect(document.querySelector('.suggestion-container')).toBeNull();
});
