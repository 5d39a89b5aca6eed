import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../../stats/random.ts';
import { createDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { createPageTable } from './page-table.ts';
import { mostCharacters } from './piece-table.ts';
import { placeOf, placesPerPage } from './place.ts';

interface Value {
  readonly number: number;
  readonly text: string;
}

function openTable() {
  const raw = new DatabaseSync(':memory:');
  migrate(raw, ':memory:');
  const database = createDatabase(raw, ':memory:');
  const table = createPageTable<Value>(database, 'trials', ([key]) => key === 'text');
  const countPieces = () => Number(raw.prepare('SELECT count(*) AS count FROM trials').get()?.['count']);
  return { raw, table, countPieces };
}

function rowAt(ordinal: number, text = `text ${ordinal}`) {
  return { place: placeOf(1, ordinal), value: { number: ordinal, text } };
}

function rowsFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => rowAt(first + index));
}

test('whatever is added, replaced, removed and put together, in any order, is read as from a map', () => {
  const random = createRandom('pages');
  const { table } = openTable();
  const model = new Map<number, Value>();
  const last = 3 * placesPerPage - 1;
  for (let step = 0; step < 400; step += 1) {
    const first = random.integer(last);
    const ordinals = Array.from({ length: 1 + random.integer(60) }, (_, index) => first + index)
      .filter((ordinal) => ordinal <= last && random.next() < 0.6)
      .sort(() => random.next() - 0.5);
    const rows = ordinals.map((ordinal) => rowAt(ordinal, `text ${step}`));
    const action = random.integer(10);
    if (action < 7) {
      const replaced = table.add(rows);
      expect(new Set(replaced)).toEqual(
        new Set(rows.map(({ place }) => place).filter((place) => model.has(place))),
      );
      for (const { place, value } of rows) model.set(place, value);
    } else if (action < 9) {
      table.remove(rows.map(({ place }) => place));
      for (const { place } of rows) model.delete(place);
    } else {
      for (const page of table.scatteredPages(1)) table.gather(page);
    }
    const [from, to] = [placeOf(1, first), placeOf(1, Math.min(last, first + random.integer(500)))];
    const expected = Array.from({ length: to - from + 1 }, (_, index) => model.get(from + index));
    expect(fill(table.read(from, to), expected.length)).toEqual(expected);
    const heads = fill(table.readHeads(from, to), expected.length);
    expect(heads.map((value) => value?.number)).toEqual(expected.map((value) => value?.number));
  }
});

function fill<Item>(slots: readonly (Item | undefined)[], count: number): (Item | undefined)[] {
  return Array.from({ length: count }, (_, index) => slots[index]);
}

test('a page that is filled one by one is never in many pieces', () => {
  const { table, countPieces } = openTable();
  const pieces = rowsFrom(0, placesPerPage).map((row) => {
    table.add([row]);
    return countPieces();
  });
  expect(Math.max(...pieces)).toBeLessThan(25);
  expect(pieces.at(-1)).toBeLessThan(8);
});

test('a few rows of a page join the many that fill it', () => {
  const { table, countPieces } = openTable();
  table.add(rowsFrom(0, 8));
  table.add(rowsFrom(8, placesPerPage));
  expect(countPieces()).toBe(2);
  table.add(rowsFrom(placesPerPage + 8, placesPerPage - 8));
  expect(countPieces()).toBe(2);
});

test('what is left of a page in small pieces is put together when it is asked for', () => {
  const { table, countPieces } = openTable();
  for (const row of rowsFrom(0, 10)) table.add([row]);
  expect(table.scatteredPages(1)).toEqual([placeOf(1, 0)]);
  table.gather(placeOf(1, 0));
  expect(countPieces()).toBe(1);
  expect(table.scatteredPages(1)).toEqual([]);
});

test('heads are read without words once there are many rows', () => {
  const { table } = openTable();
  table.add(rowsFrom(0, 100));
  expect(table.readHeads(placeOf(1, 7), placeOf(1, 7))).toEqual([{ number: 7 }]);
});

test('rows are read at places anywhere, and pieces without any of them stay packed', () => {
  const { raw, table } = openTable();
  table.add(rowsFrom(0, 3 * placesPerPage));
  raw.prepare("UPDATE trials SET head = 'spoilt' WHERE place = ?").run(placeOf(1, placesPerPage));
  const ordinals = [2 * placesPerPage + 1, 7, 199, 5 * placesPerPage];
  const read = table.readAt(ordinals.map((ordinal) => placeOf(1, ordinal)));
  expect(read.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual([7, 199, 401]);
  expect(read.map(({ text }) => text)).toContain('text 401');
});

test('as many rows as a page has are one piece from the start', () => {
  const { table, countPieces } = openTable();
  table.add(rowsFrom(0, placesPerPage));
  expect(countPieces()).toBe(1);
});

test('of two rows for one place in one call the last counts', () => {
  const { table } = openTable();
  table.add([rowAt(5, 'first'), rowAt(4), rowAt(5, 'last')]);
  expect(table.read(placeOf(1, 5), placeOf(1, 5))).toEqual([{ number: 5, text: 'last' }]);
});

test('very long rows are not put into one piece', () => {
  const { table, countPieces } = openTable();
  const long = 'long '.repeat(mostCharacters / 10);
  const rows = Array.from({ length: 8 }, (_, ordinal) => rowAt(ordinal, long + ordinal));
  table.add(rows);
  expect(countPieces()).toBe(8);
  table.gather(placeOf(1, 0));
  expect(countPieces()).toBe(8);
  expect(table.read(placeOf(1, 6), placeOf(1, 7))).toEqual([rows[6]?.value, rows[7]?.value]);
});

test('long rows are put into pieces that are nearly as long as may be, and short ones after them into one', () => {
  const { table, countPieces } = openTable();
  const long = 'long '.repeat(mostCharacters / 200);
  table.add(Array.from({ length: 120 }, (_, ordinal) => rowAt(ordinal, long + ordinal)));
  expect(countPieces()).toBe(4);
  table.add(rowsFrom(120, placesPerPage - 120));
  expect(countPieces()).toBeLessThanOrEqual(6);
  table.add(rowsFrom(placesPerPage, placesPerPage));
  expect(countPieces()).toBeLessThanOrEqual(7);
  expect(table.read(placeOf(1, 119), placeOf(1, 120))).toEqual([
    { number: 119, text: `${long}119` },
    { number: 120, text: 'text 120' },
  ]);
});

test('rows too long for one piece are not made into text again and again', () => {
  const { table } = openTable();
  const long = 'long '.repeat(mostCharacters / 40);
  let characters = 0;
  const { stringify } = JSON;
  vi.spyOn(JSON, 'stringify').mockImplementation((value, ...rest) => {
    const text = stringify(value, ...(rest as []));
    characters += text?.length ?? 0;
    return text;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const pages = 4;
  for (let page = 0; page < pages; page += 1) {
    const ordinals = Array.from({ length: 64 }, (_, index) => page * placesPerPage + index);
    table.add(ordinals.map((ordinal) => rowAt(ordinal, long + ordinal)));
  }
  // The first time it is found out.
  expect(characters).toBeLessThan((pages + 1.1) * 64 * long.length);
});

test('the rows of a run are removed without those of the next', () => {
  const { table } = openTable();
  const value = { number: 0, text: 'of the next' };
  table.add([...rowsFrom(0, 3), { place: placeOf(2, 0), value }]);
  table.removeRun(1);
  expect([...table.pages(1)]).toEqual([]);
  expect(table.read(placeOf(2, 0), placeOf(2, 0))).toEqual([value]);
});
