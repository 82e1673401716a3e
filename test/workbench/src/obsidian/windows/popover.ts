/** HoverPopover: a floating panel that follows the pointer onto an element and leaves with it. */
import type { Point } from 'obsidian';
import { Component } from '../base/component';
import { placeNextTo, type Anchor } from './place';

export enum PopoverState {
  Showing,
  Shown,
  Hiding,
  Hidden,
}

export interface HoverParentLike {
  hoverPopover: unknown;
}

const hideDelay = 300;

export class HoverPopover extends Component {
  hoverEl: HTMLElement;
  state: PopoverState = PopoverState.Showing;
  private timer = 0;
  private readonly win: Window;

  constructor(
    readonly parent: HoverParentLike,
    readonly targetEl: HTMLElement | null,
    waitTime = 300,
    readonly staticPos: Point | null = null,
  ) {
    super();
    this.win = targetEl?.win ?? activeWindow;
    this.hoverEl = createDiv('popover hover-popover');
    (parent.hoverPopover as HoverPopover | null)?.hide();
    parent.hoverPopover = this;
    this.hoverEl.addEventListener('mouseenter', this.stay);
    this.hoverEl.addEventListener('mouseleave', this.leave);
    targetEl?.addEventListener('mouseenter', this.stay);
    targetEl?.addEventListener('mouseleave', this.leave);
    this.timer = this.win.setTimeout(() => this.show(), waitTime);
  }

  show(): void {
    if (this.state === PopoverState.Hidden || this.state === PopoverState.Shown) return;
    if (this.targetEl && !this.targetEl.isConnected) {
      this.hide();
      return;
    }
    this.state = PopoverState.Shown;
    this.win.document.body.appendChild(this.hoverEl);
    void this.load();
    placeNextTo(this.hoverEl, this.getAnchor(), 6);
  }

  hide(): void {
    if (this.state === PopoverState.Hidden) return;
    this.state = PopoverState.Hidden;
    this.win.clearTimeout(this.timer);
    this.targetEl?.removeEventListener('mouseenter', this.stay);
    this.targetEl?.removeEventListener('mouseleave', this.leave);
    this.hoverEl.detach();
    if (this.parent.hoverPopover === this) this.parent.hoverPopover = null;
    this.unload();
  }

  private getAnchor(): Anchor {
    if (this.staticPos) {
      const { x, y } = this.staticPos;
      return { left: x, right: x, top: y, bottom: y };
    }
    return this.targetEl?.getBoundingClientRect() ?? { left: 0, right: 0, top: 0, bottom: 0 };
  }

  private readonly stay = (): void => {
    if (this.state !== PopoverState.Hiding) return;
    this.win.clearTimeout(this.timer);
    this.state = PopoverState.Shown;
  };

  private readonly leave = (): void => {
    if (this.state === PopoverState.Showing) {
      this.hide();
      return;
    }
    if (this.state !== PopoverState.Shown) return;
    this.state = PopoverState.Hiding;
    this.timer = this.win.setTimeout(() => this.hide(), hideDelay);
  };
}
