/** Prompt templates are compiled to functions when the plugin is built. The first pattern that matches decides. */
declare module '*.eta.md' {
  const template: import('./core/prompt/world').Template;
  export default template;
}

/** Other Markdown files are bundled as strings. */
declare module '*.md' {
  const text: string;
  export default text;
}
