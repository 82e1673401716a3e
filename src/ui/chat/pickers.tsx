/** Pickers: what this chat has chosen of mode, model, prompt size, standing prompt, workspace and notes, each with its menu. */
import { useEffect, useState } from 'preact/hooks';
import { words } from '../../text';
import { openMenu } from '../components/app-windows';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';
import { type PickerPlace, pickers } from './picker-lines';

export function Pickers({ model }: { readonly model: PaneModel }) {
  const [, setChanges] = useState(0);
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  // A choice is an entry of the chat, so that the chat's state tells of it.
  const { choices } = model.state.value === null ? { choices: null } : model;
  if (choices === null) return null;
  const isEmpty = model.state.value?.items.length === 0;
  const place: PickerPlace = { ports: model.ports, choices, choose: (chosen) => void model.choose(chosen) };
  return (
    <div class={`docent-pickers ${isEmpty ? 'is-labelled' : ''}`} role="toolbar" aria-label={words.prompts.pickers}>
      {pickers.map((picker) => {
        const value = picker.value(place);
        return (
          <button
            key={picker.id}
            type="button"
            class={`clickable-icon docent-picker is-${picker.id}`}
            aria-haspopup="menu"
            aria-label={words.prompts.picked(picker.label, value === '' ? words.prompts.usual[picker.id] : value)}
            onClick={(event) => openMenu(event.currentTarget, picker.lines(place))}
          >
            <Icon icon={picker.icon} />
            {value === '' ? (
              <span class="docent-picker-label">{picker.label}</span>
            ) : (
              <span class="docent-picker-value">{picker.short?.(place) ?? value}</span>
            )}
          </button>
        );
      })}
    </div>
  );
}
