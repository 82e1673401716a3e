// What a release must be: its tag, its files, and the rules of Obsidian's plugin directory for them.
import ts from 'typescript';

/** The files of a release, each an asset of its own; the directory warns of any other. */
export const releaseFiles = ['main.js', 'manifest.json', 'styles.css'];

const semantic = /^\d+\.\d+\.\d+$/;
const required = ['id', 'name', 'version', 'minAppVersion', 'description', 'author', 'isDesktopOnly'];
const optional = ['authorUrl', 'fundingUrl'];

/** Returns one sentence for each version that does not agree with the others. */
export function findVersionFaults({ tag, manifest, packaged, versions, changelog, released }) {
  const { version, minAppVersion } = manifest;
  const latest = released
    .filter((each) => semantic.test(each) && each !== tag)
    .sort(compareVersions)
    .at(-1);
  return [
    ...(semantic.test(tag) ? [] : [`The tag “${tag}” is no version such as 0.2.0, without a letter in front of it.`]),
    ...(tag === version ? [] : [`The tag is “${tag}”, and manifest.json has the version ${version}.`]),
    ...(packaged.version === version ? [] : [`package.json has the version ${packaged.version}, not ${version}.`]),
    ...(versions[version] === minAppVersion
      ? []
      : [`versions.json has “${versions[version] ?? 'nothing'}” for ${version}; it should be ${minAppVersion}.`]),
    ...(latest === undefined || compareVersions(version, latest) > 0
      ? []
      : [`The version ${version} is old: ${latest} has been released.`]),
    ...(new RegExp(`^## \\[?${escapeText(version)}\\]? - \\d{4}-\\d{2}-\\d{2}$`, 'm').test(changelog)
      ? []
      : [`CHANGELOG.md has no section “${version}” with a date.`]),
  ];
}

/** Returns one sentence for each rule of the directory that the manifest breaks. */
export function findManifestFaults(manifest) {
  const { id, name, description = '', minAppVersion, isDesktopOnly } = manifest;
  const check = (isFine, fault) => (isFine ? [] : [`manifest.json: ${fault}`]);
  return [
    ...required.flatMap((key) => check(key in manifest, `“${key}” is missing.`)),
    ...Object.keys(manifest).flatMap((key) =>
      check(required.includes(key) || optional.includes(key), `“${key}” is unknown.`),
    ),
    ...check(/^[a-z-]+$/.test(id) && !/obsidian|plugin$/.test(id), 'the id may not be used.'),
    ...check(/^[\w +()-]+$/.test(name) && !/obsi|sidian|plugin/i.test(name), 'the name may not be used.'),
    ...check(
      /^[A-Z][\w .,!?'"-]{8,248}\.$/.test(description) && !/obsidian|plugin/i.test(description),
      'the description needs 10 to 250 plain characters, a capital letter, and a period.',
    ),
    ...check(semantic.test(minAppVersion), '“minAppVersion” is no version.'),
    ...check(typeof isDesktopOnly === 'boolean', '“isDesktopOnly” is neither true nor false.'),
  ];
}

/**
 * Finds what older iOS cannot parse, which stops the whole script, what runs text as code, and characters that double
 * its size in memory.
 */
export function findScriptFaults(code) {
  const faults = [];
  const source = ts.createSourceFile('main.js', code, ts.ScriptTarget.ES2021, false, ts.ScriptKind.JS);
  for (const { messageText, start } of source.parseDiagnostics ?? []) {
    faults.push(`main.js does not parse at ${start}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  }
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral && hasLookbehind(node.text))
      faults.push(`main.js has a regular expression that looks behind: ${node.text.slice(0, 80)}`);
    if (node.kind === ts.SyntaxKind.CallExpression && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      faults.push(`main.js imports a module at ${node.pos}; a phone stops there.`);
    if (node.kind === ts.SyntaxKind.CallExpression && node.expression.text === 'eval')
      faults.push(`main.js runs text as code at ${node.pos}.`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const position = [...code].findIndex((character) => character > '\x7f');
  if (position >= 0) faults.push(`main.js has a character outside ASCII at ${position}.`);
  if (/^\/\/# sourceMappingURL=/m.test(code)) faults.push('main.js names a source map, which is not released.');
  return faults;
}

/** Finds styles that load something from elsewhere, which the directory does not allow. */
export function findStyleFaults(styles) {
  return [...styles.matchAll(/@import[^;]*|url\(\s*['"]?(?:https?:)?\/\/[^)]*/g)].map(
    ([found]) => `styles.css loads something from elsewhere: ${found.slice(0, 80)}`,
  );
}

function hasLookbehind(expression) {
  const withoutEscapesAndClasses = expression.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
  return /\(\?<[=!]/.test(withoutEscapesAndClasses);
}

const escapeText = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function compareVersions(one, other) {
  return new Intl.Collator('en', { numeric: true }).compare(one, other);
}
