/** Markdown files are bundled as strings. */
declare module '*.md' {
  const text: string;
  export default text;
}
