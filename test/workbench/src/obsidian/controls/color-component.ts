/** The colour picker, with its value as hex, RGB or HSL. */
import type { HSL, RGB } from 'obsidian';
import { FieldComponent } from './base-components';

export class ColorComponent extends FieldComponent<HTMLInputElement> {
  constructor(containerEl: HTMLElement) {
    const colorPickerEl = containerEl.createEl('input', { type: 'color' });
    super(colorPickerEl);
    colorPickerEl.addEventListener('change', () => this.reportChange());
  }

  getValueRgb(): RGB {
    return toRgb(this.getValue());
  }

  getValueHsl(): HSL {
    return toHsl(this.getValueRgb());
  }

  setValueRgb({ r, g, b }: RGB): this {
    return this.setValue(`#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`);
  }

  setValueHsl(hsl: HSL): this {
    return this.setValueRgb(fromHsl(hsl));
  }
}

function toRgb(hex: string): RGB {
  const part = (start: number) => parseInt(hex.slice(start, start + 2), 16);
  return { r: part(1), g: part(3), b: part(5) };
}

function toHsl({ r, g, b }: RGB): HSL {
  const [red, green, blue] = [r / 255, g / 255, b / 255];
  const high = Math.max(red, green, blue);
  const spread = high - Math.min(red, green, blue);
  const lightness = high - spread / 2;
  const saturation = spread === 0 ? 0 : spread / (1 - Math.abs(2 * lightness - 1));
  let hue = 0;
  if (spread !== 0) {
    if (high === red) hue = ((green - blue) / spread + 6) % 6;
    else if (high === green) hue = (blue - red) / spread + 2;
    else hue = (red - green) / spread + 4;
  }
  return { h: Math.round(hue * 60), s: Math.round(saturation * 100), l: Math.round(lightness * 100) };
}

function fromHsl({ h, s, l }: HSL): RGB {
  const saturation = s / 100;
  const lightness = l / 100;
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const turn = (offset + h / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))));
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}
