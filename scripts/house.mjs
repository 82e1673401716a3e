// Measures what the architecture test checks: how large files and folders are, and that imports run one way.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
export const root = path.resolve(import.meta.dirname, '..');

/** The maximum of each figure, but for `median_lines` the minimum. The number of files is reported and not limited. */
export const bounds = {
  median_lines: 100,
  slivers: 19,
  circles: 0,
  room_circles: 0,
  core_floors: 8,
  fullest_folder: 25,
  fullest_test_folder: 25,
  fullest_script_folder: 25,
};
/** Lines; a file below this with one importer should be part of that importer. */
const sliverLines = 60;
/** A folder whose index imports this share of its files is a list, which may grow. */
const listShare = 0.6;
/** Folders whose direct subfolders and files count as rooms. */
const roomed = ['src/core', 'src/ui', 'src/models'];
const { posix } = path;

/**
 * @param read returns the text of a file below the root
 * @param files all sources, with forward slashes
 */
export function measureHouse({ read = readSource, files = sourcesBelow('src', 'test', 'scripts') } = {}) {
  const own = files.filter((file) => /^src\/.*\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
  const lines = new Map(own.map((file) => [file, read(file).split('\n').length]));
  const imports = new Map(own.map((file) => [file, importsOf(file, read(file), lines)]));
  const importers = new Map(own.map((file) => [file, own.filter((from) => imports.get(from).has(file))]));
  const lists = new Set(foldersOf(own).filter((folder) => isList(folder, own, imports)));
  const sizes = [...lines.values()].sort((a, b) => a - b);
  const slivers = own
    .filter((file) => lines.get(file) < sliverLines && importers.get(file).length === 1)
    .filter((file) => !lists.has(posix.dirname(file)))
    .map((file) => ({ file, importer: importers.get(file)[0] }));
  const circles = circlesIn(own, (file) => imports.get(file));
  const storeys = roomed.map((top) => storeysOf(top, own, imports));
  const folders = foldersOf(files)
    .filter((folder) => !lists.has(folder))
    .map((folder) => ({ folder, size: filesIn(folder, files).length }));
  const fullest = (top) => Math.max(0, ...folders.filter(({ folder }) => isBelow(folder, top)).map(({ size }) => size));
  return {
    figures: {
      files: own.length,
      median_lines: sizes[sizes.length >> 1] ?? 0,
      slivers: slivers.length,
      circles: circles.length,
      room_circles: storeys.reduce((sum, { circles: of }) => sum + of.length, 0),
      core_floors: storeys[0].floors,
      fullest_folder: fullest('src'),
      fullest_test_folder: fullest('test'),
      fullest_script_folder: fullest('scripts'),
    },
    ...{
      slivers,
      circles,
      folders,
      roomCircles: storeys.flatMap(({ circles: of }) => of),
      highest: storeys[0].highest,
    },
  };
}

/** Returns one sentence for each fault: which file, which rule, and where it should be. */
export function faultsOf({ figures, slivers, circles, roomCircles, folders, highest }) {
  const isBroken = (name) => (name === 'median_lines' ? figures[name] < bounds[name] : figures[name] > bounds[name]);
  return [
    ...circles.map(
      (circle) =>
        `The imports ${circle.join(' → ')} → ${circle[0]} are a circle: move what they share to a file that imports none of them.`,
    ),
    ...roomCircles.map(
      (circle) =>
        `The imports of the rooms ${circle.join(' → ')} → ${circle[0]} are a circle: move what they share to a room below them.`,
    ),
    ...(isBroken('slivers')
      ? slivers.map(
          ({ file, importer }) =>
            `${file} has fewer than ${sliverLines} lines and one importer, as ${figures.slivers} files have and ${bounds.slivers} may: put it into ${importer}.`,
        )
      : []),
    ...folders
      .filter(({ size }) => size > bounds.fullest_folder)
      .map(
        ({ folder, size }) =>
          `${folder} has ${size} files, and a folder may have ${bounds.fullest_folder}: sort them into folders by subject.`,
      ),
    ...(isBroken('core_floors')
      ? [
          `${highest[0]} is on floor ${figures.core_floors} of core, and ${bounds.core_floors} is the highest: drop one of the imports ${highest.join(' → ')}.`,
        ]
      : []),
    ...(isBroken('median_lines')
      ? [
          `Half of the files in src have at most ${figures.median_lines} lines, and it should be ${bounds.median_lines}: join those that make one subject.`,
        ]
      : []),
  ];
}

/**
 * Prints the rooms as they import one another, for docs/architecture.md: those of core by floor, then the rooms around
 * it.
 */
export function drawHouse({ read = readSource, files = sourcesBelow('src') } = {}) {
  const own = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
  const known = new Map(own.map((file) => [file, 0]));
  const imports = new Map(own.map((file) => [file, importsOf(file, read(file), known)]));
  const draw = (top) => {
    const { floorOf, arrows } = storeysOf(top, own, imports);
    const shortOf = (room) => room.slice(top.length + 1);
    return [...arrows]
      .sort(([a], [b]) => floorOf.get(b) - floorOf.get(a) || (a < b ? -1 : 1))
      .map(([room, below]) => {
        const names = [...below].map(shortOf).sort().join(' ');
        return `  ${String(floorOf.get(room)).padStart(2)}  ${shortOf(room).padEnd(18)}  ${names}`.trimEnd();
      });
  };
  return [
    ...[
      'src/',
      '  main.ts → open-docent.ts → open-agent.ts, ui, vault, models, tokens, remote, desktop → core → text',
      '',
    ],
    ...['Floor, room, and the rooms below that it imports.', ''],
    ...roomed.flatMap((top) => [`${top}/`, ...draw(top), '']),
  ]
    .slice(0, -1)
    .concat('')
    .join('\n');
}

function importsOf(file, text, known) {
  const found = new Set();
  for (const [, from, later] of text.matchAll(/\b(?:from|import)\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g)) {
    const base = posix.join(posix.dirname(file), from ?? later);
    const target = [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((each) => known.has(each));
    if (target !== undefined) found.add(target);
  }
  return found;
}

const foldersOf = (files) => [...new Set(files.map((file) => posix.dirname(file)))];
const filesIn = (folder, files) => files.filter((file) => posix.dirname(file) === folder);
const isBelow = (folder, top) => folder === top || folder.startsWith(`${top}/`);

function isList(folder, files, imports) {
  const inside = filesIn(folder, files);
  const index = inside.find((file) => /^index\.tsx?$/.test(posix.basename(file)));
  const rest = inside.filter((file) => file !== index);
  if (index === undefined || rest.length < 3) return false;
  return rest.filter((file) => imports.get(index).has(file)).length >= rest.length * listShare;
}

/** Returns the rooms below a folder: how many floors they form, the way down from the highest, and circles of them. */
function storeysOf(top, files, imports) {
  const roomOf = (file) => file.split('/').slice(0, 3).join('/');
  const own = files.filter((file) => isBelow(file, top));
  const rooms = new Map(own.map((file) => [roomOf(file), new Set()]));
  for (const file of own) {
    for (const other of imports.get(file))
      if (isBelow(other, top) && roomOf(other) !== roomOf(file)) rooms.get(roomOf(file)).add(roomOf(other));
  }
  const groups = groupsOf([...rooms.keys()], (room) => rooms.get(room));
  const floors = new Map();
  // Groups are ordered so that each comes after the groups that it imports.
  for (const group of groups) {
    const below = group.flatMap((room) => [...rooms.get(room)]).filter((room) => !group.includes(room));
    for (const room of group) floors.set(room, 1 + Math.max(0, ...below.map((each) => floors.get(each))));
  }
  const count = Math.max(0, ...floors.values());
  return {
    floors: count,
    highest: wayDown([...floors].find(([, floor]) => floor === count)?.[0] ?? top, rooms, floors),
    ...{ floorOf: floors, arrows: rooms },
    circles: groups.filter((group) => group.length > 1).map((group) => wayAround(group, (room) => rooms.get(room))),
  };
}

/** Returns a room and those below it, each on the floor right below the one before. */
function wayDown(room, rooms, floors) {
  const below = [...(rooms.get(room) ?? [])].find((each) => floors.get(each) === floors.get(room) - 1);
  return below === undefined ? [room] : [room, ...wayDown(below, rooms, floors)];
}

/** Returns files that import one another, each circle by one path around it. */
function circlesIn(files, next) {
  return groupsOf(files, next)
    .filter((group) => group.length > 1)
    .map((group) => wayAround(group, next));
}

function wayAround(group, next) {
  const [start] = group;
  const ways = [[start]];
  for (const way of ways) {
    for (const other of next(way.at(-1))) {
      if (other === start) return way;
      if (group.includes(other) && !ways.some((each) => each.includes(other))) ways.push([...way, other]);
    }
  }
  return group;
}

/** Returns groups of nodes that can reach one another, by Tarjan: a group comes after those that it leads to. */
function groupsOf(nodes, next) {
  const groups = [];
  const trail = [];
  const at = new Map();
  const lowest = new Map();
  const visit = (node) => {
    at.set(node, at.size);
    lowest.set(node, at.get(node));
    trail.push(node);
    for (const other of next(node)) {
      if (!at.has(other)) visit(other);
      if (trail.includes(other)) lowest.set(node, Math.min(lowest.get(node), lowest.get(other)));
    }
    if (lowest.get(node) === at.get(node)) groups.push(trail.splice(trail.indexOf(node)));
  };
  for (const node of nodes) if (!at.has(node)) visit(node);
  return groups;
}

/** Lists sources below the folders, without the demo vault, whose files tests only read, and the engine of the lab. */
export function sourcesBelow(...folders) {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s|tsx)$/.test(entry.name))
      .map((entry) =>
        path
          .relative(root, path.join(entry.parentPath ?? entry.path, entry.name))
          .split(path.sep)
          .join('/'),
      )
      .filter((file) => !/^test\/(?:support\/demo-vault|workbench\/dist|lab\/(?:mcp\/)?node_modules)\//.test(file)),
  );
}

function readSource(file) {
  return readFileSync(path.join(root, file), 'utf8');
}
