import { readFile } from 'node:fs/promises';
import { isMap, isSeq, type Node, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml';
import { type LineEdit, linesOf, unifiedDiff } from '../../../cases/proposals/unified-diff.ts';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import type { ConfigSetting } from '../../../people/modes/make-metric/draft-metric.ts';

/** A change of a config file: a patch that `git apply` accepts, and the text that it leads to. */
export interface ConfigChange {
  readonly file: string;
  readonly diff: string;
  readonly text: string;
}

/**
 * Returns the change of a config file that adds settings; null for a config that is a program, in which a person has to write
 * them. The lines of the file stay as they are where its form allows it.
 */
export async function changeConfig(
  file: string,
  settings: readonly ConfigSetting[],
): Promise<ConfigChange | null> {
  if (/\.[cm]?[jt]s$/.test(file)) return null;
  const before = await readFile(file, 'utf8');
  const wanted = whole(before, settings);
  const inserted = settings.reduce<string | undefined>(
    (text, setting) => (text === undefined ? undefined : insert(text, setting)),
    file.endsWith('.json') ? undefined : before,
  );
  const isSame = inserted !== undefined && canonicalJson(parse(inserted)) === canonicalJson(parse(wanted));
  const text = isSame ? inserted : file.endsWith('.json') ? asJson(wanted) : wanted;
  return { file, text, diff: unifiedDiff(displayPath(file), before, editsBetween(before, text)) };
}

function parse(text: string): unknown {
  return parseDocument(text).toJS() as unknown;
}

function asJson(text: string): string {
  return `${JSON.stringify(parse(text), null, 2)}\n`;
}

/** Returns the text with settings, as the library writes it. */
function whole(text: string, settings: readonly ConfigSetting[]): string {
  const document = parseDocument(text);
  for (const { path, value, isItem } of settings) {
    if (isItem !== true) document.setIn(path, value);
    else if (document.hasIn(path)) document.addIn(path, document.createNode(value));
    else document.setIn(path, [value]);
  }
  return document.toString({ lineWidth: 0 });
}

/** Inserts a setting after the deepest part of its path that is there; undefined where the form does not allow it. */
function insert(text: string, { path, value, isItem }: ConfigSetting): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: true });
  const place = isMap(document.contents) ? findHome(document.contents, path) : undefined;
  if (place === undefined) return undefined;
  const { home, depth } = place;
  if (isSeq(home) !== (isItem === true && depth === path.length)) return undefined;
  const leaf = isItem === true ? [value] : value;
  const addition = path.slice(depth).reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf);
  if (home.flow === true) return insertInFlow(text, home, addition);
  const isTop = home === document.contents;
  const column = isTop ? 0 : columnOf(home, text);
  const end = isTop ? text.length : home.range?.[1];
  if (column === undefined || end === undefined) return undefined;
  const lines = stringify(addition, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(column) + line));
  const kept = text.slice(0, end).trimEnd();
  return `${kept}\n${lines.join('\n')}\n${isTop ? '' : text.slice(kept.length).replace(/^[^\S\n]*\n?/, '')}`;
}

/** Inserts entries before the end of `[…]` or `{…}`, whose other entries stay as they are written. */
function insertInFlow(text: string, home: YAMLMap | YAMLSeq, addition: unknown): string | undefined {
  const end = home.range?.[1];
  if (end === undefined) return undefined;
  const written = stringify(addition, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  // What the library writes has brackets of its own, with a space inside.
  const entries = written.slice(1, -1).trim();
  const body = text.slice(0, end - 1);
  const kept = body.trimEnd();
  const isEmpty = home.items.length === 0;
  const gap = isEmpty && isMap(home) ? ' ' : body.slice(kept.length);
  const comma = kept.endsWith(',') ? ' ' : ', ';
  return `${kept}${isEmpty ? gap : comma}${entries}${gap}${text.slice(end - 1)}`;
}

/** Returns the deepest collection on a path and how many steps lead to it; undefined where something else is there. */
function findHome(
  contents: YAMLMap,
  path: ConfigSetting['path'],
): { readonly home: YAMLMap | YAMLSeq; readonly depth: number } | undefined {
  let home: YAMLMap | YAMLSeq = contents;
  for (const [depth, key] of path.entries()) {
    const next = home.get(key, true) as Node | undefined;
    if (next === undefined) return { home, depth };
    if (!isMap(next) && !isSeq(next)) return undefined;
    home = next;
  }
  return { home, depth: path.length };
}

/** Returns the column at which the entries of a block begin. */
function columnOf(home: YAMLMap | YAMLSeq, text: string): number | undefined {
  const start = home.range?.[0];
  if (start === undefined || home.items.length === 0) return undefined;
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  return text.slice(start - column, start).trim() === '' ? column : undefined;
}

/** Returns the changed lines between two texts: those after their common beginning and before their common end, part by part. */
function editsBetween(before: string, after: string): LineEdit[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const edits: LineEdit[] = [];
  let [at, place] = [0, 0];
  while (at < old.length || place < fresh.length) {
    if (at < old.length && old[at] === fresh[place]) {
      at += 1;
      place += 1;
      continue;
    }
    // Insertions are most of what happens: the next old line that comes again ends the change.
    let [removed, added] = [0, -1];
    for (; at + removed < old.length && added < 0; removed += 1)
      added = fresh.indexOf(old[at + removed] as string, place) - place;
    if (added < 0) [removed, added] = [old.length - at + 1, fresh.length - place];
    edits.push({ at, removed: Math.max(0, removed - 1), added: fresh.slice(place, place + added) });
    at += Math.max(0, removed - 1);
    place += added;
  }
  return edits;
}
