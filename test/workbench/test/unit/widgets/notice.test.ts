/** @jest-environment jsdom */
import { Notice } from '../../../src/obsidian/windows/notice';
import { createSecondDocument, createStage, find, setActiveDocument, texts } from './stage';

beforeEach(() => {
  jest.useFakeTimers();
  createStage();
});
afterEach(() => jest.useRealTimers());

test('notices stack in order and each leaves after its own time', () => {
  new Notice('First', 3000);
  new Notice('Second', 1000);
  new Notice('Stays', 0);
  expect(texts('.notice-container > .notice')).toEqual(['First', 'Second', 'Stays']);
  jest.advanceTimersByTime(1000);
  expect(texts('.notice')).toEqual(['First', 'Stays']);
  jest.advanceTimersByTime(60_000);
  expect(texts('.notice')).toEqual(['Stays']);
});

test('a click hides one, and the stack goes with the last', () => {
  new Notice('Gone', 0);
  find('.notice').click();
  expect(document.querySelector('.notice-container')).toBeNull();
});

test('a fragment keeps its elements, and the message can change', () => {
  const notice = new Notice(
    createFragment((fragment) => fragment.createEl('a', { text: 'Open', href: '#' })),
    0,
  );
  expect(notice.messageEl.querySelector('a')?.textContent).toBe('Open');
  notice.setMessage('Done');
  expect(notice.containerEl.textContent).toBe('Done');
  notice.hide();
  notice.hide();
  expect(document.querySelector('.notice')).toBeNull();
});

test('it appears in the active window', () => {
  const second = createSecondDocument();
  setActiveDocument(second);
  new Notice('Over there');
  expect(texts('.notice', second)).toEqual(['Over there']);
  expect(texts('.notice')).toEqual([]);
});
