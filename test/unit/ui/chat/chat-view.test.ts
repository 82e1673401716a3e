/** @jest-environment jsdom */
import type { App } from 'obsidian';
import { ChatView, findView } from '../../../../src/ui/chat/chat-view';

const view = (): ChatView => Object.create(ChatView.prototype) as ChatView;

it('finds the pane that is in use, since commands apply and reject what waits there', () => {
  const [first, second] = [view(), view()];
  const appWith = (active: ChatView | null): App =>
    ({
      workspace: {
        getLeavesOfType: () => [{ view: {} }, { view: first }, { view: second }],
        getActiveViewOfType: () => active,
      },
    }) as unknown as App;
  expect(findView(appWith(second))).toBe(second);
  expect(findView(appWith(null))).toBe(first);
});
