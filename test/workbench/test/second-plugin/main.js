const { Notice, Plugin } = require('obsidian');

module.exports = class WordCount extends Plugin {
  onload() {
    this.addRibbonIcon('hash', 'Count words', () => void this.show());
    this.addCommand({ id: 'note', name: 'Note the words of this file', callback: () => void this.note() });
  }

  async count(file) {
    const text = file === null ? '' : await this.app.vault.cachedRead(file);
    return text.split(/\s+/).filter(Boolean).length;
  }

  async show() {
    new Notice(`${await this.count(this.app.workspace.getActiveFile())} words`);
  }

  async note() {
    const file = this.app.workspace.getActiveFile();
    const words = await this.count(file);
    await this.app.fileManager.processFrontMatter(file, (properties) => Object.assign(properties, { words }));
  }
};
