import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Described, describeExport } from './describe-export.ts';
import { anchorOf } from '../../src/core/lib/text/anchor-of.ts';
import { code, table } from './markdown.ts';
import {
  findDeclaration,
  findOrigin,
  type Place,
  readExports,
  readSource,
  type Sources,
} from './read-exports.ts';

/** An extension that a config can name, by the name of its function. */
export interface Extension {
  readonly use: string;
  readonly page: string;
  readonly summary: string;
}

interface Entry {
  readonly name: string;
  readonly place: Place;
  readonly described: Described;
}

interface LibraryPage {
  /** What a program imports: `touchstone-evals/stats`. */
  readonly module: string;
  readonly file: string;
  readonly extensions: readonly (Extension & { readonly name: string })[];
  readonly entries: readonly Entry[];
  /** Types that the declarations of the page name, and that no module exports. */
  readonly parts: readonly Entry[];
}

const sections = { function: 'Functions', class: 'Classes', value: 'Values', type: 'Types' } as const;

/**
 * Writes a page for each module of the library that `package.json` exports, from its sources: each export with its
 * declaration and its comment.
 */
export function writeLibraryPages(
  root: string,
  extensions: ReadonlyMap<string, Extension>,
): Map<string, string[]> {
  const sources: Sources = new Map();
  const modules = readModules(root).map(({ module, file, entry }) => ({
    module,
    file,
    names: readExports(entry, sources),
  }));
  const taken = new Set(modules.flatMap(({ names }) => Array.from(names.values(), keyOf)));
  const pages = modules.map(({ module, file, names }): LibraryPage => {
    const own = Array.from(names).filter(([, { file }]) => file.endsWith('.ts'));
    const entries = own.flatMap(([name, place]) =>
      extensions.has(name) ? [] : [readEntry(name, place, sources)],
    );
    return {
      module,
      file,
      extensions: own.flatMap(([name]) =>
        [extensions.get(name) ?? []].flat().map((one) => ({ name, ...one })),
      ),
      entries: sortByName(entries),
      parts: sortByName(findParts(entries, taken, sources)),
    };
  });
  const links = new Map(
    pages.flatMap(({ file, entries, parts }) =>
      [...entries, ...parts].map(({ name, place }) => [keyOf(place), { file, name }] as const),
    ),
  );
  return new Map(pages.map((page) => [`library/${page.file}`, writePage(page, links, sources)]));
}

function readModules(root: string): { module: string; file: string; entry: string }[] {
  const { name, exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([subPath, target]) => {
    if (typeof target === 'string') return [];
    const entry = target.types.replace(/^.*\/types\//, '').replace(/\.d\.ts$/, '.ts');
    const file = `${path.posix.join('touchstone', subPath).replaceAll('/', '-')}.md`;
    return [{ module: path.posix.join(name, subPath), file, entry: path.join(root, entry) }];
  });
}

function readEntry(name: string, place: Place, sources: Sources): Entry {
  return { name, place, described: describeExport(readSource(place.file, sources), place.name) };
}

/** Finds the types that declarations name, and those that these name, that are not on a page yet; adds them to `taken`. */
function findParts(entries: readonly Entry[], taken: Set<string>, sources: Sources): Entry[] {
  const found: Entry[] = [];
  for (let next = [...entries]; next.length > 0; ) {
    const places = next
      .flatMap((entry) => mentionsOf(entry, sources))
      .filter((place) => {
        const isNew = !taken.has(keyOf(place));
        taken.add(keyOf(place));
        return isNew;
      });
    next = places.map((place) => readEntry(place.name, place, sources));
    found.push(...next);
  }
  return found;
}

/** Returns where the types are declared that an entry names, those of packages left out. */
function mentionsOf({ place, described }: Entry, sources: Sources): Place[] {
  const source = readSource(place.file, sources);
  return described.mentions.flatMap((name) => {
    const isHere = findDeclaration(source, name) !== undefined;
    const named = isHere ? { file: place.file, name } : source.imports.get(name);
    const origin = named === undefined ? undefined : findOrigin(named, sources);
    return origin?.file.endsWith('.ts') === true ? [origin] : [];
  });
}

type Links = ReadonlyMap<string, { readonly file: string; readonly name: string }>;

function writePage(page: LibraryPage, links: Links, sources: Sources): string[] {
  const { entries, extensions, parts } = page;
  const write = (entry: Entry) => writeEntry(entry, page.file, { links, sources });
  const groups = Object.entries(sections).flatMap(([type, title]) => {
    const those = entries.filter(({ described }) => described.type === type);
    return those.length === 0 ? [] : [`## ${title}`, ...those.flatMap(write)];
  });
  return [
    `# ${code(page.module)}`,
    ...writeExtensions(extensions),
    ...groups,
    ...(parts.length === 0
      ? []
      : ['## Parts of these types', 'These types have no export of their own.', ...parts.flatMap(write)]),
  ];
}

function writeExtensions(extensions: LibraryPage['extensions']): string[] {
  if (extensions.length === 0) return [];
  return [
    '## Extensions',
    'Each is a function of its options, and returns what a configuration holds in its place: `keywords({ threshold: 0.8 })` is ' +
      '`{ use: keywords, threshold: 0.8 }` in YAML.',
    table(
      ['function', '`use`', 'what it is'],
      extensions.map(({ name, use, page, summary }) => [
        code(name),
        `[${code(use)}](../${page}#${anchorOf(use)})`,
        summary,
      ]),
    ),
  ];
}

function writeEntry(
  { name, place, described }: Entry,
  file: string,
  { links, sources }: { links: Links; sources: Sources },
): string[] {
  const { comment, signature } = described;
  const mentioned = mentionsOf({ name, place, described }, sources)
    .filter((origin) => keyOf(origin) !== keyOf(place))
    .map((origin) => links.get(keyOf(origin)))
    .filter((link) => link !== undefined)
    .map((link) => `[${link.name}](${link.file === file ? '' : link.file}#${anchorOf(link.name)})`);
  const facts = [
    ...comment.parameters.map((text) => text.replace(/^(\S+) - /, '`$1`: ')),
    ...(comment.returns === undefined ? [] : [`Returns: ${comment.returns}`]),
    ...(comment.throws === undefined ? [] : [`Throws: ${comment.throws}`]),
    ...(mentioned.length === 0 ? [] : [`Types: ${[...new Set(mentioned)].join(', ')}`]),
  ];
  return [
    `### ${code(name)}`,
    ...(comment.text === '' ? [] : [withCode(comment.text)]),
    ['```ts', signature, '```'].join('\n'),
    ...(facts.length === 0
      ? []
      : [facts.map((fact) => `- ${withCode(fact).replaceAll('\n', ' ')}`).join('\n')]),
  ];
}

/** Writes what a comment links as code. */
function withCode(text: string): string {
  return text.replaceAll(/\{@link (\w+)\}/g, '`$1`');
}

function sortByName(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

function keyOf({ file, name }: Place): string {
  return `${file}#${name}`;
}
