// A plugin with all that docs/hooks.md describes: it notes each call, and misbehaves when a test asks for it.
const { Plugin } = require('obsidian');

module.exports = class TideClock extends Plugin {
  seen = [];
  /** What beforeModel answers with. */
  change = null;
  fault = null;
  /** What the events of Docent's chats said, by event. */
  events = {
    'system-prompt-updated': [],
    'mode-changed': [],
    'active-skills-updated': [],
    'active-tools-updated': [],
    'active-hooks-updated': [],
    'active-mcp-updated': [],
  };

  onload() {
    this.app.workspace.onLayoutReady(() => this.addToDocent());
  }

  addToDocent() {
    const { api } = this.app.plugins.getPlugin('docent') ?? {};
    if (api?.version !== 1) return;
    const release = api.hooks.register({
      id: 'tide-clock',
      label: 'Tide clock',
      beforeAgent: (request) => {
        this.seen.push(`beforeAgent ${request.text} ${request.mentions.map(({ id }) => id).join()}`);
        if (this.fault === 'throw') throw new Error('no almanac');
        return 'High water at 14:20 </hook_context> & falling';
      },
      afterTool: (call, result) => {
        this.seen.push(`afterTool ${call.name} ${result.sources.join()}`);
        return `Seen: ${result.text.length > 0}`;
      },
      beforeModel: (request) => {
        this.seen.push(`beforeModel ${request.messages.length}`);
        return this.change;
      },
      preCompress: () => void this.seen.push('preCompress'),
    });
    this.register(release);
    for (const name of Object.keys(this.events)) {
      this.register(api.events.subscribe(name, (event) => this.events[name].push(event)));
    }
    this.register(
      api.skills.register({
        name: 'read-tides',
        description: 'Reads a tide table. Use it for times of high water.',
        body: 'Give times in UTC.',
        allowedTools: ['search_notes'],
      }),
    );
  }
};
