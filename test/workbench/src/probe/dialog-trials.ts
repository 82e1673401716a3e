/** Trials that open dialogs, menus, notices and popovers; the test presses what they show. */
import { ConfirmationModal, HoverPopover, Menu, Modal, Notice, setTooltip } from 'obsidian';
import type ProbePlugin from './main';
import type { Trials } from './main';
import { FolderSuggest, NoteModal, WordModal } from './suggesters';

export function createDialogTrials(plugin: ProbePlugin): Trials {
  let notice: Notice | null = null;

  return {
    openModal() {
      const modal = new Modal(plugin.app);
      modal.setTitle('Probe dialog');
      modal.setContent('Some words.');
      const input = modal.contentEl.createEl('input', { type: 'text', cls: 'probe-modal-input' });
      input.addEventListener('keydown', (event) => plugin.note(`modal input ${event.key}`));
      new FolderSuggest(plugin.app, input).onSelect((folder) => plugin.note(`folder ${folder.path}`));
      modal.scope.register(['Mod'], 'Enter', () => {
        plugin.note('modal key');
        modal.close();
        return false;
      });
      modal.setCloseCallback(() => plugin.note('modal closed'));
      modal.open();
    },

    openConfirmation() {
      const modal = new ConfirmationModal(plugin.app);
      modal.setTitle('Really?').setContent('It cannot be undone.');
      modal
        .addCheckbox('Do not ask again', (value) => plugin.note(`checkbox ${String(value)}`))
        .addButton((button) =>
          button
            .setButtonText('Do it')
            .setCta()
            .onClick(() => plugin.note('confirmed')),
        )
        .addCancelButton();
      modal.open();
    },

    openWords: () => new WordModal(plugin.app, (word) => plugin.note(`tree ${word}`)).open(),

    openNotes: () => new NoteModal(plugin.app, (file) => plugin.note(`chosen ${file.path}`)).open(),

    openMenu() {
      const menu = new Menu();
      menu.addItem((item) => item.setTitle('Label').setIsLabel(true));
      menu.addItem((item) =>
        item
          .setTitle('Checked')
          .setIcon('check')
          .setChecked(true)
          .onClick(() => plugin.note('menu checked')),
      );
      menu.addItem((item) =>
        item
          .setTitle('Disabled')
          .setDisabled(true)
          .onClick(() => plugin.note('never')),
      );
      menu.addSeparator();
      menu.addItem((item) => {
        item.setTitle('More').setIcon('folder');
        // Not in obsidian.d.ts; plugins use it.
        const submenu = (item as unknown as { setSubmenu(): Menu }).setSubmenu();
        submenu.addItem((inner) => inner.setTitle('Inner').onClick(() => plugin.note('menu inner')));
      });
      menu.addItem((item) => item.setTitle('Danger').setWarning(true).setSection('danger'));
      menu.onHide(() => plugin.note('menu hidden'));
      menu.showAtPosition({ x: 300, y: 200 });
    },

    showNotice() {
      notice = new Notice(
        createFragment((fragment) => fragment.createEl('b', { text: 'Probe notice' })),
        0,
      );
      notice.messageEl.addClass('probe-notice');
    },

    changeNotice: () => notice?.setMessage('Probe notice changed'),

    hideNotice: () => notice?.hide(),

    openPopover() {
      const target = document.body.createDiv({ cls: 'probe-target', text: 'Point here' });
      target.setCssStyles({ position: 'fixed', left: '500px', top: '300px', zIndex: '99' });
      setTooltip(target, 'Probe tooltip', { placement: 'bottom' });
      plugin.register(() => target.remove());
      const parent: { hoverPopover: HoverPopover | null } = { hoverPopover: null };
      target.addEventListener('mouseenter', () => {
        const popover = new HoverPopover(parent, target, 50);
        popover.hoverEl.createDiv({ cls: 'probe-popover', text: 'Probe popover' });
      });
    },

    /** Triggers what a plugin triggers so that the app previews a link in the plugin's own view. */
    offerPreview() {
      const link = document.body.createEl('a', { cls: 'probe-link internal-link', text: 'Links' });
      link.setCssStyles({ position: 'fixed', left: '500px', top: '400px', zIndex: '99' });
      plugin.register(() => link.remove());
      const hoverParent: { hoverPopover: HoverPopover | null } = { hoverPopover: null };
      link.addEventListener('mouseover', (event) => {
        plugin.app.workspace.trigger('hover-link', {
          event,
          source: 'probe',
          hoverParent,
          targetEl: link,
          linktext: 'Links',
          sourcePath: '',
        });
      });
    },
  };
}
