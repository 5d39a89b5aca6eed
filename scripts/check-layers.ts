// Checks the imports in src/ against layers.ts, and that no files import each other in a cycle.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findCycles } from './find-cycles.ts';
import { browserSafe, layers, registryReaders } from './layers.ts';
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
    ...edges.flatMap(findBreach),
    ...mentions.flatMap(([file, imports]) => imports.flatMap((found) => findNodeImport(file, found))),
    ...describeCycles(files, edges),
  ];
}

function unknownEntries(source: string): string[] {
  const known = Object.keys(layers).map(withSlash).join(', ');
  return readdirSync(source)
    .filter((entry) => !Object.hasOwn(layers, entry) && !isTest(entry))
    .map((entry) => `src/${entry}: not a known place; known are ${known}`);
}

function toEdge(from: string, { specifier, line }: Import): Edge[] {
  if (!specifier.startsWith('.')) return [];
  return [{ from, to: path.posix.join(path.posix.dirname(from), specifier), line }];
}

function findBreach({ from, to, line }: Edge): string[] {
  const layer = layerOf(from);
  const allowed = layers[layer];
  const where = `src/${from}:${line} imports ${path.posix.join('src', to)}`;
  if (isTest(to)) return [`${where}: nothing may import a test`];
  if (path.posix.basename(to) === 'registry.ts' && !registryReaders.includes(layer)) {
    return [`${where}: only ${registryReaders.map(withSlash).join(' and ')} may import a registry`];
  }
  const isAllowed =
    layerOf(to) === layer || allowed?.some((place) => to === place || to.startsWith(`${place}/`));
  if (allowed === undefined || isAllowed === true) return [];
  const may = allowed.length === 0 ? 'nothing else of src/' : allowed.map(withSlash).join(', ');
  return [`${where}: ${withSlash(layer)} may import ${may}`];
}

function findNodeImport(file: string, { specifier, line }: Import): string[] {
  if (!specifier.startsWith('node:') || !browserSafe.includes(layerOf(file))) return [];
  return [`src/${file}:${line} imports ${specifier}: ${layerOf(file)}/ must run in a browser too`];
}

function describeCycles(files: readonly string[], edges: readonly Edge[]): string[] {
  const graph = new Map(files.map((file) => [file, [] as string[]]));
  for (const { from, to } of edges) graph.get(from)?.push(to);
  return findCycles(graph).map((cycle) => `a circle: ${cycle.map((file) => `src/${file}`).join(' → ')}`);
}

/** Returns the folder at the top of src/, or the file itself when it is at the top. */
function layerOf(file: string): string {
  return file.split('/', 1)[0] ?? file;
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}

function slashed(file: string): string {
  return file.replaceAll(path.sep, '/');
}

function withSlash(place: string): string {
  return path.posix.extname(place) === '' ? `${place}/` : place;
}

if (import.meta.main) {
  printFindings(checkLayers(path.resolve(import.meta.dirname, '..')), 'every import keeps to its layer');
}
