/** @jest-environment jsdom */
import { HoverPopover, PopoverState, type HoverParentLike } from '../../../src/obsidian/windows/popover';
import { createStage } from './stage';

let parent: HoverParentLike;
let targetEl: HTMLElement;
beforeEach(() => {
  jest.useFakeTimers();
  createStage();
  parent = { hoverPopover: null };
  targetEl = document.body.createDiv();
});
afterEach(() => jest.useRealTimers());

const send = (el: HTMLElement, kind: string) => el.dispatchEvent(new MouseEvent(kind));

test('shows after the wait, loads then, and leaves with the pointer', () => {
  const popover = new HoverPopover(parent, targetEl, 200);
  const loaded = jest.spyOn(popover, 'onload');
  expect(parent.hoverPopover).toBe(popover);
  jest.advanceTimersByTime(199);
  expect(popover.hoverEl.isConnected).toBe(false);
  expect(loaded).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect([popover.hoverEl.isConnected, popover.state]).toEqual([true, PopoverState.Shown]);
  expect(loaded).toHaveBeenCalledTimes(1);
  send(targetEl, 'mouseleave');
  expect(popover.state).toBe(PopoverState.Hiding);
  send(popover.hoverEl, 'mouseenter');
  jest.advanceTimersByTime(2000);
  expect(popover.state).toBe(PopoverState.Shown);
  send(popover.hoverEl, 'mouseleave');
  jest.advanceTimersByTime(2000);
  expect([popover.hoverEl.isConnected, popover.state, parent.hoverPopover]).toEqual([false, PopoverState.Hidden, null]);
});

test('a pointer that leaves before the wait is over never sees it', () => {
  const popover = new HoverPopover(parent, targetEl);
  send(targetEl, 'mouseleave');
  jest.advanceTimersByTime(5000);
  expect(popover.hoverEl.isConnected).toBe(false);
});

test('a parent has one popover at a time', () => {
  const first = new HoverPopover(parent, targetEl, 0);
  jest.advanceTimersByTime(0);
  const second = new HoverPopover(parent, targetEl, 0);
  expect(first.state).toBe(PopoverState.Hidden);
  expect(parent.hoverPopover).toBe(second);
});
