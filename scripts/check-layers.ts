// Checks the imports in src/ and dashboard/src against layers.ts, and that neither files nor folders import each other in a circle.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  browserSafe,
  choosers,
  dashboardLayers,
  implementingStores,
  registryReader,
  rooms,
  sharedInEvaluate,
  usedByDashboard,
} from './layers.ts';
import { printFindings } from './print-findings.ts';
import { type Import, readImports } from './read-imports.ts';

/** One import from one file of src/ to another; paths are relative to src/, with slashes. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** Returns all breaches of the import rule under `root`/src, one line each. */
export function checkLayers(root: string): string[] {
  const source = path.join(root, 'src');
  const files = globSync('**/*.ts', { cwd: source }).map(slashed).sort();
  const mentions = files
    .filter((file) => !isTest(file))
    .map((file) => [file, readImports(file, readFileSync(path.join(source, file), 'utf8'))] as const);
  const edges = mentions.flatMap(([file, imports]) => imports.flatMap((found) => toEdge(file, found)));
  return [
    ...unknownEntries(source),
    ...unusedShares(files, edges),
    ...edges.flatMap(findBreach),
    ...findNodeImports(new Map(mentions)),
    ...describeCycles(files, edges),
    ...describeFolderCycles(edges),
  ];
}

/** Returns all breaches of the import rule under `root`/dashboard/src, one line each. */
export function checkDashboardLayers(root: string): string[] {
  const files = globSync('dashboard/src/**/*.{ts,tsx}', { cwd: root }).map(slashed).sort();
  const sources = globSync('src/**/*.ts', { cwd: root }).map(slashed);
  const mentions = [...files, ...sources]
    .filter((file) => !isTest(file))
    .map((file) => [file, readImports(file, readFileSync(path.join(root, file), 'utf8'))] as const);
  const own = mentions.filter(([file]) => file.startsWith(dashboard));
  const edges = own.flatMap(([file, imports]) => imports.flatMap((found) => toEdge(file, found)));
  return [
    ...edges.flatMap(findDashboardBreach),
    ...findNodeModules(
      new Map(mentions),
      own.map(([file]) => file),
    ).map(
      ({ file, line, specifier }) => `${file}:${line} imports ${specifier}: the dashboard runs in a browser`,
    ),
    ...describeCycles(files, edges, ''),
    ...describeFolderCycles(
      edges.filter(({ to }) => to.startsWith(dashboard)),
      '',
    ),
  ];
}

const dashboard = 'dashboard/src/';

function findDashboardBreach({ from, to, line }: Edge): string[] {
  const where = `${from}:${line} imports ${to}`;
  if (isTest(to)) return [`${where}: nothing may import a test`];
  if (to.startsWith('src/')) {
    const inside = to.slice('src/'.length);
    const isUsed = usedByDashboard.some((place) => isIn(inside, place));
    return isUsed
      ? []
      : [`${where}: the dashboard may import ${usedByDashboard.map(withSlash).join(', ')} of src/`];
  }
  if (!to.startsWith(dashboard)) return [`${where}: it lies outside of the dashboard`];
  const [own, other] = [from, to].map((file) => file.slice(dashboard.length).split('/'));
  const [layer = '', page] = own ?? [];
  const [otherLayer = '', otherPage] = other ?? [];
  const allowed = dashboardLayers[layer];
  if (allowed === undefined) return [`${from}: not a known place in ${dashboard}`];
  if (layer === otherLayer) {
    return layer === 'pages' && page !== otherPage ? [`${where}: a page imports no other page`] : [];
  }
  return allowed.includes(otherLayer)
    ? []
    : [`${where}: ${withSlash(layer)} may import ${allowed.map(withSlash).join(', ')}`];
}

function unknownEntries(source: string): string[] {
  const known = Object.keys(rooms).map(withSlash).join(', ');
  return readdirSync(source)
    .filter((entry) => !Object.hasOwn(rooms, entry))
    .map((entry) => `src/${entry}: not a known place; known are ${known}`);
}

/** Finds files that other folders of evaluate/ may import, and that none of them does. */
function unusedShares(files: readonly string[], edges: readonly Edge[]): string[] {
  const isUsed = (file: string): boolean =>
    edges.some(({ from, to }) => to === file && isIn(from, 'evaluate') && folderOf(from) !== folderOf(file));
  return sharedInEvaluate
    .filter((file) => files.includes(file) && !isUsed(file))
    .map((file) => `src/${file}: no other folder of evaluate/ imports it, so layers.ts need not name it`);
}

function folderOf(file: string): string | undefined {
  return file.split('/')[1];
}

function toEdge(from: string, { specifier, line }: Import): Edge[] {
  if (!specifier.startsWith('.')) return [];
  const to = path.posix.join(path.posix.dirname(from), specifier);
  // The version is that of the package.
  return to === '../package.json' ? [] : [{ from, to, line }];
}

function findBreach({ from, to, line }: Edge): string[] {
  const where = `src/${from}:${line} imports ${path.posix.join('src', to)}`;
  if (isTest(to)) return [`${where}: nothing may import a test`];
  const own = roomOf(from);
  const other = roomOf(to);
  if (path.posix.basename(to) === 'registry.ts' && !mayReadRegistry(from, to)) {
    return [`${where}: only ${registryReader}/ and the kind's index.ts may import a registry`];
  }
  const allowed = rooms[own] ?? [];
  if (own !== other && !allowed.includes(other)) {
    const may = allowed.length === 0 ? 'nothing else of src/' : allowed.map(withSlash).join(', ');
    return [`${where}: ${own}/ may import ${may}`];
  }
  if (own === 'evaluate' && other === own && !isOpenInEvaluate(from, to))
    return [`${where}: a folder of evaluate/ sees the interfaces of its others alone`];
  if (other === 'stores' && own !== other && !choosers.includes(own) && !isOfEveryStore(to))
    return [`${where}: ${own}/ sees what is the same for every store alone`];
  return [];
}

function mayReadRegistry(from: string, to: string): boolean {
  const isIndex = path.posix.basename(from) === 'index.ts' && isIn(to, path.posix.dirname(from));
  return isIndex || isIn(from, registryReader);
}

/** Returns whether a file of evaluate/ may import another one: of its own folder, an interface, or a shared file. */
function isOpenInEvaluate(from: string, to: string): boolean {
  const [, folder = '', file = ''] = to.split('/');
  const isInterface = `${folder.replace(/s$/, '')}.ts` === file;
  return folderOf(from) === folder || isInterface || sharedInEvaluate.includes(to);
}

/** Returns whether a file of stores/ is the same for every store, and does not implement one. */
function isOfEveryStore(file: string): boolean {
  return !implementingStores.some((place) => file === place || isIn(file, place));
}

/** Follows what files that run in a browser load, and finds modules of Node.js in it. */
function findNodeImports(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const entries = [...imports.keys()].filter((file) => browserSafe.some((place) => isIn(file, place)));
  return findNodeModules(imports, entries).map(({ file, entry, line, specifier }) => {
    const way = file === entry ? '' : `, and is loaded with src/${entry}`;
    return `src/${file}:${line} imports ${specifier}${way}: ${browserSafe.find((place) => isIn(entry, place))}/ must run in a browser too`;
  });
}

/** An import of a module of Node.js, with the file because of which it is loaded. */
interface NodeImport {
  readonly file: string;
  readonly entry: string;
  readonly line: number;
  readonly specifier: string;
}

/** Follows what the given files load, and returns the modules of Node.js in it. */
function findNodeModules(
  imports: ReadonlyMap<string, readonly Import[]>,
  entries: readonly string[],
): NodeImport[] {
  const reached = new Map(entries.map((file) => [file, file]));
  const found: NodeImport[] = [];
  // A map yields what is added while it is walked through.
  for (const [file, entry] of reached) {
    for (const { specifier, line, isType } of imports.get(file) ?? []) {
      if (isType) continue;
      if (specifier.startsWith('node:')) found.push({ file, entry, line, specifier });
      const to = path.posix.join(path.posix.dirname(file), specifier);
      if (specifier.startsWith('.') && !reached.has(to)) reached.set(to, entry);
    }
  }
  return found;
}

function describeCycles(files: readonly string[], edges: readonly Edge[], folder = 'src/'): string[] {
  const graph = new Map(files.map((file) => [file, [] as string[]]));
  for (const { from, to } of edges) graph.get(from)?.push(to);
  return findCycles(graph).map((cycle) => `a circle: ${cycle.map((file) => `${folder}${file}`).join(' → ')}`);
}

/** Finds folders that lie side by side and whose files import each other in a circle, at every level. */
function describeFolderCycles(edges: readonly Edge[], folder = 'src/'): string[] {
  const byParent = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of edges) {
    const [parent, own, other] = partWays(from, to);
    if (own === undefined || other === undefined) continue;
    const graph = byParent.get(parent) ?? new Map<string, Set<string>>();
    byParent.set(parent, graph.set(own, (graph.get(own) ?? new Set()).add(other)));
  }
  return [...byParent.values()].flatMap((graph) =>
    findCycles(graph).map(
      (cycle) => `a circle of folders: ${cycle.map((one) => `${folder}${one}/`).join(' → ')}`,
    ),
  );
}

/**
 * Returns the deepest folder that two files have in common, and the two folders in it in which they lie. A file that lies
 * directly in it has none.
 */
function partWays(from: string, to: string): [string, string?, string?] {
  const own = path.posix.dirname(from).split('/');
  const other = path.posix.dirname(to).split('/');
  let depth = 0;
  while (own[depth] !== undefined && own[depth] === other[depth]) depth += 1;
  const upTo = (parts: readonly string[]): string | undefined =>
    parts[depth] === undefined || parts[0] === '.' ? undefined : parts.slice(0, depth + 1).join('/');
  return [own.slice(0, depth).join('/'), upTo(own), upTo(other)];
}

function roomOf(file: string): string {
  return file.split('/', 1)[0] ?? file;
}

/** Returns whether a file is a place or lies in it. */
function isIn(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function slashed(file: string): string {
  return file.replaceAll(path.sep, '/');
}

function withSlash(place: string): string {
  return path.posix.extname(place) === '' ? `${place}/` : place;
}

/**
 * Returns the cycles in a directed graph: one for each edge that leads back to a node from which it was reached, as the
 * nodes of the cycle, with the first one again at the end. Empty if and only if there is no cycle.
 */
function findCycles(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    if (finished.has(node)) return;
    const begin = trail.indexOf(node);
    if (begin !== -1) {
      cycles.push([...trail.slice(begin), node]);
      return;
    }
    trail.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    trail.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  printFindings([...checkLayers(root), ...checkDashboardLayers(root)], 'every import keeps to its layer');
}
