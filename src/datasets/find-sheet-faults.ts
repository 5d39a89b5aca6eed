import { inflateRawSync } from 'node:zlib';

/** A cell of the first sheet of a workbook that has no value where it should have one. */
export interface SheetFault {
  /** From 1 on. */
  readonly column: number;
  /** Such as `#N/A`. */
  readonly message: string;
}

const cell = /<(?:\w+:)?c\s([^>]*?)(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gs;

/**
 * Finds the cells that show an error, and the formulas of which no result was saved. The package that reads sheets takes both
 * for empty, and a case would lose what it expects without a word. Of each row the first, by the number of the row.
 */
export function findSheetFaults(workbook: Buffer): ReadonlyMap<number, SheetFault> {
  const sheet = readEntry(workbook, pathOfFirstSheet(workbook)) ?? '';
  const found = new Map<number, SheetFault>();
  for (const [, attributes = '', content = ''] of sheet.matchAll(cell)) {
    const message = faultOf(attributes, content);
    const [, letters = '', row = ''] = /\br="([A-Z]+)(\d+)"/.exec(attributes) ?? [];
    if (message === undefined || letters === '' || found.has(Number(row))) continue;
    const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    found.set(Number(row), { column, message });
  }
  return found;
}

function faultOf(attributes: string, content: string): string | undefined {
  const [, value = ''] = /<(?:\w+:)?v>(.*?)<\/(?:\w+:)?v>/s.exec(content) ?? [];
  if (/\bt="e"/.test(attributes)) return `the error ${value}`;
  const isText = /\bt="str"/.test(attributes);
  const hasNoResult = value === '' && !(isText && /<(?:\w+:)?v\b/.test(content));
  return hasNoResult && /<(?:\w+:)?f\b/.test(content) ? 'a formula without its result' : undefined;
}

function pathOfFirstSheet(workbook: Buffer): string {
  const [, id = ''] =
    /<(?:\w+:)?sheet\s[^>]*?\br:id="([^"]*)"/.exec(readEntry(workbook, 'xl/workbook.xml') ?? '') ?? [];
  const relations = readEntry(workbook, 'xl/_rels/workbook.xml.rels') ?? '';
  const relation = [...relations.matchAll(/<Relationship\s[^>]*>/g)].find(([tag]) =>
    tag.includes(`Id="${id}"`),
  );
  const [, target = ''] = /Target="([^"]*)"/.exec(relation?.[0] ?? '') ?? [];
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/** The text of a file in a zip archive, by the directory at its end (PKWARE APPNOTE 4.3.12); undefined without such a file. */
function readEntry(archive: Buffer, wanted: string): string | undefined {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = end === -1 ? -1 : archive.readUInt32LE(end + 16);
  while (at !== -1 && archive.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) =>
      archive.readUInt16LE(at + place),
    ) as [number, number, number];
    if (archive.toString('utf8', at + 46, at + 46 + nameSize) === wanted) return readData(archive, at);
    at += 46 + nameSize + extraSize + commentSize;
  }
  return undefined;
}

/** @param entry - Where the archive's directory tells of the file. */
function readData(archive: Buffer, entry: number): string {
  const [method, size, local] = [
    archive.readUInt16LE(entry + 10),
    archive.readUInt32LE(entry + 20),
    archive.readUInt32LE(entry + 42),
  ];
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const data = archive.subarray(from, from + size);
  return (method === 0 ? data : inflateRawSync(data)).toString('utf8');
}
