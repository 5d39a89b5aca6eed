import { expect, test } from 'vitest';
import { refuseDisguisedFile } from './refuse-disguised-file.ts';

test.each([
  ['version https://git-lfs.github.com/spec/v1\noid sha256:e8\n', 'git-lfs pointer', 'git lfs pull'],
  ['PK\x03\x04\x14\0[Content_Types].xml', 'spreadsheet', 'CSV UTF-8'],
  ['PK\x03\x04\x14\0a.jsonl', 'zip archive', 'Unpack'],
  ['\x1f\x8b\x08', 'gzip', 'gunzip'],
  ['\xd0\xcf\x11\xe0\xa1', 'old Excel', 'CSV UTF-8'],
  ['%PDF-1.7', 'PDF', '.jsonl'],
  ['PAR1\x15\x04', 'Parquet', 'Convert'],
  ['SQLite format 3\0', 'SQLite', 'Export'],
  ['\xff\xfe\0\0a\0\0\0', 'UTF-32', 'UTF-8'],
  ['\n<!DOCTYPE html><html>', 'web page', 'Download'],
])('%j is refused as what it is', (head, is, remedy) => {
  expect(() => refuseDisguisedFile(Buffer.from(head, 'latin1'), 'golden.jsonl')).toThrow(
    expect.objectContaining({
      code: 'dataset-unreadable',
      message: expect.stringContaining(is),
      remedy: expect.stringContaining(remedy),
    }),
  );
});

test.each(['~$golden.xlsx', 'data/.~lock.golden.csv#'])('the lock file %s is refused as one', (name) => {
  expect(() => refuseDisguisedFile(Buffer.from('x'), name)).toThrow('lock file');
});

test.each(['PK,question\n', 'PAR1,question\n', 'version,question\n', '{"question":"<html>"}', ''])(
  '%j is text like any other',
  (head) => {
    expect(() => refuseDisguisedFile(Buffer.from(head), 'golden.csv')).not.toThrow();
  },
);
