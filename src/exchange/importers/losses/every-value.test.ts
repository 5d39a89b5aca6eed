import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { importFiles } from '../../../../test/support/import-files.ts';
import { isReleaseTested } from '../../../../test/support/is-release-tested.ts';
import { ExactNumber } from '../../../core/lib/json/exact-number.ts';
import { parseJsonWithNaN } from '../content/read-json-with-nan.ts';
import type { ImportedProject } from '../importer.ts';
import { asTime, withoutTerminalCodes } from '../values.ts';

type Plain = string | number | boolean | ExactNumber;

/** Returns a value in which each number, text and truth value is what a function returns for it. JSON in a text is looked into. */
function mapValues(value: unknown, change: (plain: Plain, at: string) => unknown, at = ''): unknown {
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    const inside = parsed(value);
    if (inside !== undefined) return JSON.stringify(mapValues(inside, change, at));
  }
  if (value instanceof ExactNumber) return change(value, at);
  if (Array.isArray(value)) return value.map((item) => mapValues(item, change, `${at}[]`));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        mapValues(item, change, at === '' ? name : `${at}.${name}`),
      ]),
    );
  }
  return value === null || value === undefined || value === '' ? value : change(value as Plain, at);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns all that was written but for the ledger. */
function textOf({ files, record }: ImportedProject): string {
  const { 'import.json': _ledger, 'todo.md': _todo, ...rest } = files;
  const written = [...Object.values(rest), JSON.stringify([record.metadata, record.found])].join('\n');
  return written.replaceAll(record.source.file, '');
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Returns whether a value may be anywhere, so that finding it says nothing. */
function isShort(value: Plain): boolean {
  return typeof value === 'boolean' || String(value).trim().length < 4;
}

/** Returns whether a text contains a value: as it is, as a time in UTC, or as milliseconds. */
function isIn(value: Plain, text: string): boolean {
  const plain = typeof value === 'string' ? withoutTerminalCodes(value).trim() : String(value);
  if (isShort(value)) return false;
  const time = asTime(typeof value === 'number' ? value : plain);
  const scaled = typeof value === 'number' ? [String(value * 1000), String(Math.round(value * 1000))] : [];
  const forms = [
    plain,
    inJson(plain),
    inJson(inJson(plain)),
    ...scaled,
    ...(time === undefined ? [] : [time]),
  ];
  return forms.some((form) => text.includes(form));
}

/** The number of ways in which a value is changed. */
const ways = [0, 1, 2, 3, 4];

/** Returns another value of the same type; words that tools give a meaning are among them. */
function changed(value: Plain, way: number): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return [`${value} changed`, 'zz', 'pass', 'ai', 'ARCHIVED'][way];
  const number = Number(value);
  return [number + 1, number + 1e9, -number - 3, 2, 0.5][way];
}

/** Returns whether the ledger says that what is at a path was not taken over, by its path or a member above it. */
function isNamed(at: string, { record }: ImportedProject): boolean {
  // A file of one line is one record and no list.
  const plain = at.replaceAll('[]', '').replace(/^\./, '');
  return record.ledger.some(({ fate, part }) => {
    if (fate === 'taken' || fate === 'metadata') return false;
    const named = part.replaceAll('[]', '').replace(/^\./, '');
    return `${plain}.`.startsWith(`${named}.`) || plain.split('.').slice(0, 2).includes(named);
  });
}

function textOfFile(name: string, source: unknown): string {
  if (!name.endsWith('.jsonl')) return JSON.stringify(source);
  return (source as unknown[]).map((line) => JSON.stringify(line)).join('\n');
}

/** The kind of a part in answers of OpenAI's API, `eval.run` and so on, which its place says too. */
const isKind = /(?:^|\.)object$/;

/**
 * Returns the paths of the values of a file that are not written, that change nothing of what is written if they are others, and that the
 * ledger does not name.
 */
async function silentPaths(
  name: string,
  source: unknown,
  { mostOfPath, areAllUnique }: { readonly mostOfPath: number; readonly areAllUnique: boolean },
): Promise<string[]> {
  const importOf = async (value: unknown) => await importFiles({ [name]: textOfFile(name, value) });
  const project = await importOf(source);
  const [written, ledger] = [textOf(project), JSON.stringify(project.record.ledger)];
  const looked = new Map<string, number>();
  const unseen: { readonly index: number; readonly value: Plain; readonly at: string }[] = [];
  let count = 0;
  mapValues(source, (value, at) => {
    const [index, times] = [count, looked.get(at) ?? 0];
    count += 1;
    if (isKind.test(at) || (!areAllUnique && isShort(value))) return value;
    if (isIn(value, written) || isIn(value, ledger) || isNamed(at, project) || times >= mostOfPath)
      return value;
    looked.set(at, times + 1);
    unseen.push({ index, value, at });
    return value;
  });
  const silent: string[] = [];
  for (const { index, value, at } of unseen) {
    const isSilent = async (way: number) => {
      let place = -1;
      const other = mapValues(source, (each) => {
        place += 1;
        return place === index ? changed(value, way) : each;
      });
      const after = await importOf(other).catch(() => undefined);
      return after !== undefined && textOf(after) === written && !isNamed(at, after);
    };
    let isLost = true;
    for (const way of ways) isLost = isLost && (await isSilent(way));
    if (isLost) silent.push(`${at}: ${String(value)}`);
  }
  return silent;
}

/**
 * Files as other tools write them, with optional members, nested metadata, errors, durations, nulls, empty lists and letters beyond ASCII.
 * Nearly every text and number occurs once, so that it is known of each whether it arrived.
 */
const foreignFiles = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../../test/support/foreign-files.json'), 'utf8'),
) as Readonly<Record<string, unknown>>;

test.each(Object.entries(foreignFiles))('every value of %s is written or named', async (title, source) => {
  const [tool, name = ''] = title.split(' ');
  expect((await importFiles({ [name]: textOfFile(name, source) })).record.tool.name).toBe(tool);
  expect(await silentPaths(name, source, { mostOfPath: 3, areAllUnique: true })).toEqual([]);
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data');

/** Files that are read by themselves; a config names others of its folder. */
const alone = /(?<!facts|package|promptfooconfig|open|bot)\.(?:jsonl?|ya?ml)$/;

const realFiles = existsSync(data)
  ? ['interop', 'golden']
      .flatMap((folder) =>
        readdirSync(path.join(data, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          path.join(folder, name),
        ),
      )
      .filter((name) => alone.test(name))
  : [];

test.skipIf(realFiles.length === 0 || !isReleaseTested)(
  'every value of the files of other tools is written or named (needs ../shared/data) (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const silent: string[] = [];
    let imported = 0;
    for (const file of realFiles) {
      const name = path.basename(file);
      const text = readFileSync(path.join(data, file), 'utf8');
      const isImported = await importFiles({ [name]: text }).then(
        () => true,
        () => false,
      );
      if (!isImported) continue;
      imported += 1;
      const source = sourceIn(name, text);
      for (const each of await silentPaths(name, source, { mostOfPath: 1, areAllUnique: false }))
        silent.push(`${file} ${each}`);
    }
    expect(imported).toBeGreaterThan(40);
    expect(silent).toEqual([]);
  },
);

function sourceIn(name: string, text: string): unknown {
  if (/ya?ml$/.test(name)) return parse(text);
  if (!name.endsWith('.jsonl')) return parseJsonWithNaN(text);
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseJsonWithNaN(line)]));
}
