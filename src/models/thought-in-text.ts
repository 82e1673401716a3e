/** Thoughts that a model writes into the text of its answer, because its server does not separate them. */
import type { ModelEvent } from '../core/ports/model';

const thoughtTags = ['<think>', '<thinking>'];

/**
 * ThoughtInText: separates a thought from the text that it begins, as models write it whose server does not do so. What
 * may be a part of a mark waits for the next piece.
 */
export class ThoughtInText {
  private pending = '';
  private endTag = '';

  constructor(private place: 'start' | 'thought' | 'behind' | 'text') {}

  take(event: ModelEvent): readonly ModelEvent[] {
    if (event.type === 'text-delta') return this.read(this.pending + event.text);
    // A model that thinks elsewhere means what it writes.
    const before = this.place === 'start' ? this.end() : [];
    if (this.place === 'start') this.place = 'text';
    return [...before, event];
  }

  /** Returns what waits. */
  end(): readonly ModelEvent[] {
    const { pending, place } = this;
    this.pending = '';
    if (pending === '') return [];
    return [place === 'thought' ? thoughtOf(pending) : textOf(pending)];
  }

  private read(text: string): readonly ModelEvent[] {
    this.pending = '';
    switch (this.place) {
      case 'start':
        return this.begin(text);
      case 'thought':
        return this.think(text);
      case 'behind':
        return this.speak(text.trimStart());
      case 'text':
        return [textOf(text)];
    }
  }

  private begin(text: string): readonly ModelEvent[] {
    const start = text.trimStart();
    const tag = thoughtTags.find((each) => start.startsWith(each));
    if (tag !== undefined) {
      this.place = 'thought';
      this.endTag = tag.replace('<', '</');
      return this.think(start.slice(tag.length));
    }
    if (thoughtTags.some((each) => each.startsWith(start))) {
      this.pending = text;
      return [];
    }
    this.place = 'text';
    return [textOf(text)];
  }

  private think(text: string): readonly ModelEvent[] {
    const { endTag } = this;
    const end = text.indexOf(endTag);
    if (end >= 0) {
      this.place = 'behind';
      return [...thoughtsIn(text.slice(0, end)), ...this.speak(text.slice(end + endTag.length).trimStart())];
    }
    let held = Math.min(text.length, endTag.length - 1);
    while (!endTag.startsWith(text.slice(text.length - held))) held -= 1;
    this.pending = text.slice(text.length - held);
    return thoughtsIn(text.slice(0, text.length - held));
  }

  /** The blanks between the thought and the text belong to neither. */
  private speak(text: string): readonly ModelEvent[] {
    if (text === '') return [];
    this.place = 'text';
    return [textOf(text)];
  }
}

const textOf = (text: string): ModelEvent => ({ type: 'text-delta', text });
const thoughtOf = (text: string): ModelEvent => ({ type: 'reasoning-delta', text });
const thoughtsIn = (text: string): readonly ModelEvent[] => (text === '' ? [] : [thoughtOf(text)]);
