import { TouchstoneError } from '../errors.ts';

interface Disguise {
  /** What the file is in truth. */
  readonly is: string;
  readonly remedy: string;
  /** The first bytes that give it away, one character a byte. */
  readonly magic: RegExp;
}

const unpack = 'Unpack it and name the file inside.';
/** What to do with a sheet that is not read. */
export const exportSheet = 'Save the sheet as "CSV UTF-8" and name that file.';

const disguises: readonly Disguise[] = [
  {
    is: 'a git-lfs pointer, not the data itself',
    remedy: 'Run `git lfs pull`.',
    magic: /^version https:\/\/git-lfs\.github\.com/,
  },
  {
    is: 'a spreadsheet (Excel or OpenDocument)',
    remedy: `Give an Excel workbook the ending .xlsx. Or: ${exportSheet}`,
    magic: /^PK\x03\x04[^]*(\[Content_Types\]|opendocument)/,
  },
  { is: 'a zip archive', remedy: unpack, magic: /^PK(\x03\x04|\x05\x06)/ },
  {
    is: 'a gzip archive',
    remedy: 'Unpack it with `gunzip`, or pipe it: `gunzip -c FILE | touchstone run --dataset -`.',
    magic: /^\x1f\x8b/,
  },
  { is: 'a zstd archive', remedy: unpack, magic: /^\x28\xb5\x2f\xfd/ },
  { is: 'an xz archive', remedy: unpack, magic: /^\xfd7zXZ\0/ },
  { is: 'a bzip2 archive', remedy: unpack, magic: /^BZh[1-9]1AY&SY/ },
  { is: 'an old Excel or Word file', remedy: exportSheet, magic: /^\xd0\xcf\x11\xe0/ },
  { is: 'a PDF document', remedy: 'Copy the cases into a .jsonl or .csv file.', magic: /^%PDF-/ },
  {
    is: 'a Parquet file',
    remedy: "Convert it, for instance with `duckdb -c \"COPY 'FILE' TO 'cases.jsonl' (FORMAT json)\"`.",
    magic: /^PAR1[\x00-\x1f]/,
  },
  { is: 'an Arrow file', remedy: 'Convert it to .jsonl or .csv.', magic: /^ARROW1\0/ },
  { is: 'a SQLite database', remedy: 'Export the table as .csv or .jsonl.', magic: /^SQLite format 3\0/ },
  { is: 'UTF-32 text', remedy: 'Save the file as UTF-8.', magic: /^(\xff\xfe\0\0|\0\0\xfe\xff)/ },
  {
    is: 'a web page',
    remedy: 'Download the file itself; this may be the page around it, or a login page.',
    magic: /^\s*<(!doctype html|html)[\s>]/i,
  },
];

/** Throws `dataset-unreadable` when the first bytes of a file show that it is no text at all, or stands for another file. */
export function refuseDisguisedFile(head: Uint8Array, name: string): void {
  if (/(^|[\\/])(~\$|\.~lock\.)[^\\/]*$/.test(name)) {
    throw new TouchstoneError(
      'dataset-unreadable',
      `${name}: this is the lock file of a program that has the real file open`,
      {
        remedy: "Name the file itself, without the lock file's extra characters.",
      },
    );
  }
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('latin1');
  const disguise = disguises.find(({ magic }) => magic.test(start));
  if (disguise === undefined) return;
  throw new TouchstoneError('dataset-unreadable', `${name}: this is ${disguise.is}`, {
    remedy: disguise.remedy,
  });
}
