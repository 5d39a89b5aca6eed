import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { buildXlsx } from './support/build-xlsx.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const root = await temporaryFolder();

/** Writes files into a folder of their own below the root, and imports one of them, or the folder. */
async function importFiles(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  given = '.',
): Promise<{ folder: string; code: number | null; said: string; peakMB: number }> {
  const folder = path.join(root, name);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  let peakMB = 0;
  const onStarted = async (child: ChildProcess) => {
    while (child.exitCode === null && child.signalCode === null) {
      peakMB = Math.max(peakMB, readPeak(child.pid));
      await wait(20);
    }
  };
  const { code, stdout, stderr } = await touchstone(['import', given, '--to', `../out-${name}`], {
    cwd: folder,
    onStarted,
  });
  return { folder, code, said: stdout + stderr, peakMB };
}

/** Returns the most memory that a process has had, in MB; 0 where the system does not tell. */
function readPeak(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Returns everything that an import wrote. */
function writtenBelow(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.db'))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

test('code in tags, assertions, prompts and providers is text in todo.md, and nothing is started', async () => {
  const touch = path.join(root, 'started');
  const code = `require('fs').writeFileSync(${JSON.stringify(touch)}, '')`;
  const config = `
description: !!js/function "function () { ${code.replaceAll('"', '\\"')} }"
tags: !!python/object/apply:os.system ["touch ${touch}"]
prompts: ['{{question}}', 'file://prompt.js', 'exec:touch ${touch}']
providers: ['echo', 'exec:touch ${touch}', 'file://provider.js', 'python:provider.py']
tests:
  - vars: { question: "{{ range.constructor('${code.replaceAll('"', '\\"')}')() }}" }
    assert:
      - { type: javascript, value: ${JSON.stringify(code)} }
      - { type: python, value: "__import__('os').system('touch ${touch}')" }
      - { type: javascript, value: file://prompt.js }
  - file://tests.js
`;
  const { code: exit, folder } = await importFiles('code', {
    'promptfooconfig.yaml': config,
    'prompt.js': code,
    'provider.js': code,
    'provider.py': `open(${JSON.stringify(touch)}, 'w')`,
    'tests.js': code,
  });
  expect(exit).toBe(0);
  const todo = readFileSync(path.join(folder, '../out-code/todo.md'), 'utf8');
  expect(todo).toContain('## assertion javascript');
  expect(todo).toContain('writeFileSync');
  expect(existsSync(touch)).toBe(false);
});

test('paths that lead out of the folder, and links, are named and not followed', async () => {
  await writeFile(
    path.join(root, 'secret.csv'),
    'question,__expected\nthe secret question,the secret answer\n',
  );
  const { folder } = await importFiles('paths', {
    'promptfooconfig.yaml': `
prompts: [file://../secret.csv, '{{question}}']
providers: [echo]
tests:
  - file://../secret.csv
  - file://${path.join(root, 'secret.csv')}
  - vars: { question: file://../secret.csv }
    assert: [{ type: equals, value: file://../../../../../../etc/hostname }]
`,
  });
  const written = writtenBelow(path.join(folder, '../out-paths'));
  expect(written).not.toContain('the secret');
  expect(written).toContain('leads out of the folder');
});

/** Builds an archive of entries that share the same packed bytes: megabytes of blanks. */
function bomb(names: readonly string[], megabytes: number): Buffer {
  const size = megabytes * 2 ** 20;
  const packed = deflateRawSync(Buffer.alloc(size, ' '));
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  const table = names.map((name) => {
    const row = Buffer.alloc(46);
    row.writeUInt32LE(0x02014b50, 0);
    row.writeUInt16LE(8, 10);
    row.writeUInt32LE(packed.length, 20);
    row.writeUInt32LE(1000, 24);
    row.writeUInt16LE(Buffer.byteLength(name), 28);
    return Buffer.concat([row, Buffer.from(name)]);
  });
  const contents = Buffer.concat(table);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(contents.length, 12);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, contents, end]);
}

const megabyte = 2 ** 20;
const line = (text: string) => text.repeat(Math.ceil((100 * megabyte) / text.length));
const scores = gzipSync(Buffer.alloc(32 * megabyte, ' '), { level: 1 });

type Bomb = readonly [title: string, name: string, make: () => string | Uint8Array];

/** Files that are small and become large, or are large. */
const bombs: readonly Bomb[] = [
  [
    'a workbook that unpacks to gigabytes',
    'book.xlsx',
    () => bomb(['xl/workbook.xml', 'xl/a.xml', 'xl/b.xml'], 200),
  ],
  [
    'a workbook with one cell far outside',
    'far.xlsx',
    () => buildXlsx('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
  ],
  [
    'a gzip file that unpacks to gigabytes',
    'scores.jsonl.gz',
    () => Buffer.concat(Array.from({ length: 20 }, () => scores)),
  ],
  ['a log with names that lead out of the archive', 'names.eval', () => bomb(['../../../escaped.json'], 1)],
  ['a cell of 100 MB that never ends', 'cell.csv', () => `id,input\n1,"${line('x, ')}`],
  ['a text of 100 MB', 'text.txt', () => line('lorem ipsum ')],
  ['YAML with 100 MB of one key', 'key.yaml', () => `${line('a')}: [`],
  ['YAML with 100 MB of items', 'items.yaml', () => line('- a\n')],
  ['100 MB of brackets', 'deep.json', () => line('[')],
];

/** Those that take seconds. */
const slowBombs: readonly Bomb[] = [
  ['a log that unpacks to gigabytes', 'log.eval', () => bomb(['header.json'], 700)],
  ['a line of 100 MB that never ends', 'line.jsonl', () => `{"id": "${line('x')}`],
];

/** Imports a file, and returns how that ended. */
async function importBomb([_title, name, make]: Bomb) {
  const { code, said, peakMB } = await importFiles(
    `bomb-${name.replace(/\W/g, '-')}`,
    { [name]: make() },
    name,
  );
  const isShort = said.length < 5000;
  return {
    code,
    said: said.slice(0, 300),
    isShort,
    isLight: peakMB < 2048,
    hasEscaped: existsSync(path.join(root, 'escaped.json')),
  };
}

const aMessage = {
  code: 4,
  said: expect.stringMatching(/^✗ /) as string,
  isShort: true,
  isLight: true,
  hasEscaped: false,
};

test.each(bombs)('%s ends in a message, with less than 2 GB of memory', async (...bomb) => {
  expect(await importBomb(bomb)).toEqual(aMessage);
});

test.skipIf(!isReleaseTested).each(slowBombs)(
  '%s ends in a message, with less than 2 GB of memory (needs TOUCHSTONE_TEST_ALL=1)',
  async (...bomb) => {
    expect(await importBomb(bomb)).toEqual(aMessage);
  },
);
