/**
 * Pickers: the chat's choice of mode, model, instruction level, prompt, workspace, and pinned notes, each with its
 * menu.
 */
import { useEffect, useState } from 'preact/hooks';
import { offeredPrompts } from '../../core/library/prompts';
import { baseName, listWorkspaces } from '../../core/library/user-notes';
import type { ChatChoices } from '../../core/session/entry';
import { modeIds, permissionModes, tiers } from '../../core/settings/mode';
import { words } from '../../text';
import { type MenuLine, openMenu } from '../components/settings-and-menus';
import { Icon, Named } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';
import { shortNameOf } from '../state/model-choices';
import type { ChatViewPorts } from '../state/ports';

const say = words.prompts;

/** Pickers: the model, the permission mode, and what else was chosen; a menu has the rest. */
export function Pickers({ model }: { readonly model: OpenChatState }) {
  const [, setChanges] = useState(0);
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  // A choice is stored as an entry of the chat, so reading its state redraws the pickers when one changes.
  const { choices, openChat } = model.state.value === null ? { choices: null, openChat: null } : model;
  if (choices === null || openChat === null) return null;
  // A choice is of the chat in which it was begun: a search may be open for long.
  const state: PickerState = {
    ports: model.ports,
    get choices() {
      return openChat.choices;
    },
    choose: (chosen) => void openChat.choose(chosen),
  };
  const inView = pickers.filter((picker) => picker.isAlwaysShown === true || !isUsual(picker, state));
  const others = pickers.filter((picker) => !inView.includes(picker));
  return (
    <Named class="docent-pickers" role="toolbar" name={say.pickers}>
      <button
        type="button"
        class="clickable-icon docent-picker is-more"
        aria-haspopup="menu"
        aria-label={say.morePickers}
        onClick={({ currentTarget }) => openMenu(currentTarget, linesFor(others, state, currentTarget))}
      >
        <Icon icon="plus" />
      </button>
      {inView.map((picker) => {
        const value = picker.value(state);
        return (
          <button
            key={picker.id}
            type="button"
            class={`clickable-icon docent-picker is-${picker.id}`}
            aria-haspopup="menu"
            aria-label={say.picked(picker.label, value === '' ? say.usual[picker.id] : value)}
            onClick={(event) => openMenu(event.currentTarget, picker.lines(state))}
          >
            <Icon icon={picker.icon} />
            <span class="docent-picker-value">{picker.short?.(state) ?? value}</span>
          </button>
        );
      })}
    </Named>
  );
}

function isUsual(picker: Picker, state: PickerState): boolean {
  return picker.isUsual?.(state) ?? picker.value(state) === '';
}

/** Returns a line for each picker that is out of view, which opens its menu where this one was. */
function linesFor(others: readonly Picker[], state: PickerState, button: HTMLElement): readonly MenuLine[] {
  return others.map((picker) => {
    const value = picker.value(state);
    return {
      title: picker.label,
      detail: value === '' ? say.usual[picker.id] : value,
      icon: picker.icon,
      run: () => openMenu(button, picker.lines(state)),
    };
  });
}

export interface PickerState {
  readonly ports: ChatViewPorts;
  /** Those of the chat now. */
  readonly choices: Required<ChatChoices>;
  readonly choose: (choices: ChatChoices) => void;
}

/** The menu items of one picker, and how it shows the current choice. */
export interface Picker {
  readonly id: 'mode' | 'permission' | 'model' | 'tier' | 'prompt' | 'workspace' | 'notes';
  readonly icon: string;
  readonly label: string;
  /** The choice as the user knows it; empty for the default, which needs no words. */
  value(state: PickerState): string;
  /** Whether it is in view although nothing was chosen; the others are in a menu then. */
  readonly isAlwaysShown?: true;
  /** Whether the chat has what every new chat has; without it, whether the value is empty. */
  isUsual?(state: PickerState): boolean;
  /** A shorter form of the choice for the button, if there is one. */
  short?(state: PickerState): string;
  lines(state: PickerState): readonly MenuLine[];
}

/** In display order. */
export const pickers: readonly Picker[] = [
  {
    id: 'model',
    icon: 'cpu',
    label: say.pickModel,
    isAlwaysShown: true,
    value: ({ ports, choices }) => ports.prompts.modelChoices(choices.model)[choices.model] ?? choices.model,
    // Without the provider, which the menu names.
    short: ({ choices: { model } }) => shortNameOf(model),
    lines: (state) => [
      ...modelLines(state),
      { title: say.setUpModel, section: 'more', run: () => state.ports.openSettings() },
    ],
  },
  {
    id: 'permission',
    icon: 'shield-check',
    label: words.asking.permission,
    isAlwaysShown: true,
    value: ({ choices }) => words.asking.permissions[choices.permission],
    lines: ({ choices, choose }) =>
      permissionModes.map((permission) => ({
        title: words.asking.permissions[permission],
        detail: words.asking.permissionGuidance[permission],
        checked: choices.permission === permission,
        run: () => choose({ permission }),
      })),
  },
  {
    id: 'mode',
    icon: 'drama',
    label: say.pickMode,
    isUsual: ({ choices, ports }) => choices.mode === ports.settings().mode,
    value: ({ choices }) => words.settings.modes[choices.mode],
    lines: ({ choices, choose }) =>
      modeIds.map((mode) => ({
        title: words.settings.modes[mode],
        detail: asSentence(words.settings.modeGuidance[mode]),
        checked: choices.mode === mode,
        run: () => choose({ mode }),
      })),
  },
  {
    id: 'tier',
    icon: 'gauge',
    label: say.pickTier,
    value: ({ choices }) => (choices.tier === 'auto' ? '' : words.settings.tiers[choices.tier]),
    short: ({ choices }) => String(choices.tier),
    lines: ({ choices, choose }) =>
      (['auto', ...tiers] as const).map((tier) => ({
        title: words.settings.tiers[tier],
        ...(tier === 'auto' ? { detail: say.tierFollows } : {}),
        checked: choices.tier === tier,
        run: () => choose({ tier }),
      })),
  },
  {
    id: 'prompt',
    icon: 'message-square-quote',
    label: say.pickPrompt,
    value: ({ choices, ports }) => nameOf(choices.selectedPrompt, promptsOf(ports)),
    lines: ({ ports, choices, choose }) => [
      ...linesOf(promptsOf(ports), choices.selectedPrompt, (selectedPrompt) => choose({ selectedPrompt })),
      { title: say.newPrompt, section: 'more', run: () => ports.prompts.show('new') },
      { title: say.allPrompts, section: 'more', run: () => ports.prompts.show() },
    ],
  },
  {
    id: 'workspace',
    icon: 'folder-kanban',
    label: say.pickWorkspace,
    value: ({ choices, ports }) => nameOf(choices.selectedWorkspace, workspacesOf(ports)),
    lines: ({ ports, choices, choose }) => {
      const workspaces = workspacesOf(ports);
      const folder = `${ports.settings().agentFolder}/workspaces`;
      return [
        ...linesOf(workspaces, choices.selectedWorkspace, (selectedWorkspace) => choose({ selectedWorkspace })),
        ...(workspaces.length === 0 ? [{ title: say.noWorkspaces(folder), section: 'more' }] : []),
        {
          title: words.commandNames['new-workspace'],
          icon: 'plus',
          section: 'more',
          run: () => ports.startNote('workspace'),
        },
      ];
    },
  },
  {
    id: 'notes',
    icon: 'pin',
    label: say.pickNotes,
    value: ({ choices }) => (choices.contextNotes.length === 0 ? '' : say.noteCount(choices.contextNotes.length)),
    short: ({ choices }) => String(choices.contextNotes.length),
    lines: (state) => noteLines(state),
  },
];

interface Named {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

function promptsOf(ports: ChatViewPorts): readonly Named[] {
  return offeredPrompts({
    vault: ports.vault,
    agentFolder: ports.settings().agentFolder,
    registered: ports.prompts.registry.list(),
    toolNames: ports.tools.map(({ name }) => name),
  });
}

function workspacesOf(ports: ChatViewPorts): readonly Named[] {
  return listWorkspaces(ports.vault, ports.settings().agentFolder);
}

/**
 * Returns a name; a choice that is no longer offered goes by its file, since MissingChoices explains what became of it.
 */
function nameOf(chosen: string | null, all: readonly Named[]): string {
  return chosen === null ? '' : (all.find(({ id }) => id === chosen)?.name ?? baseName(chosen));
}

function linesOf(all: readonly Named[], chosen: string | null, choose: (id: string | null) => void): MenuLine[] {
  return [
    { title: say.none, checked: chosen === null, run: () => choose(null) },
    ...all.map(({ id, name, description = '' }) => ({
      title: name,
      ...(description === '' ? {} : { detail: description }),
      checked: chosen === id,
      run: () => choose(id),
    })),
  ];
}

/** The models beyond which a menu is too long to be read. */
const menuModels = 12;

/** Returns a line for each model, or, if they are many, for the one in use and the search of all. */
function modelLines({ ports, choices, choose }: PickerState): MenuLine[] {
  const { model: used } = choices;
  const models = Object.entries(ports.prompts.modelChoices(used));
  const isLong = models.length > menuModels;
  const search = (): void =>
    void ports.prompts.searchModels(used, ports).then((model) => model !== null && choose({ model }));
  return [
    ...models
      .filter(([model]) => !isLong || model === used)
      .map(([model, title]) => ({
        title,
        checked: used === model,
        // A line of the menu parts the providers.
        section: model.slice(0, model.indexOf('/')),
        run: () => choose({ model }),
      })),
    ...(isLong ? [{ title: say.moreModels, icon: 'search', section: 'search', run: search }] : []),
  ];
}

function noteLines(state: PickerState): MenuLine[] {
  const { ports, choose } = state;
  const { contextNotes } = state.choices;
  // Read when the user decides: while the menu and a search are open, other notes may come and go.
  const others = (path: string): string[] => state.choices.contextNotes.filter((one) => one !== path);
  const add = (path: string): void => choose({ contextNotes: [...others(path), path] });
  const active = ports.activeNote();
  return [
    ...contextNotes.map((path) => ({
      title: say.removeNote(baseName(path)),
      detail: path,
      icon: 'x',
      section: 'notes',
      run: () => choose({ contextNotes: others(path) }),
    })),
    ...(active === null || contextNotes.includes(active)
      ? []
      : [{ title: say.addActiveNote(baseName(active)), icon: 'plus', section: 'add', run: () => add(active) }]),
    {
      title: say.addNote,
      icon: 'search',
      section: 'add',
      run: () => void ports.prompts.chooseNote().then((path) => path !== null && add(path)),
    },
  ];
}

function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
