import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSections } from '../src/library/find/find-docs.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');

/** A block of code of a page: its language, and the name of the file that it is. */
const blockPattern = /^```(\w+)(?: (?!no-run)(\S+))?\n(.*?)^```$/gms;

/** A server with OpenAI's protocol that answers questions and judges answers. */
const server = await startModelServer((request) => {
  const text = JSON.stringify(request.body);
  const isJudging = /"reason"|Judge/.test(text);
  return isJudging
    ? { judgement: { reason: 'It says the same.', score: 1 } }
    : { text: 'The desk lamp costs 49 dollars.', usage: { inputTokens: 20, outputTokens: 10 } };
});
afterAll(async () => await server.close());

interface Block {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

/**
 * The walk-throughs of the pages: what stands under a heading whose own text names the files to write, sections of it included. Files
 * without commands have a test of their own.
 */
const walkThroughs = globSync('docs/*.md', { cwd: root })
  .sort()
  .flatMap((page) => {
    const sections = readSections(page, root);
    const begins = sections.filter(({ text }) => blocksOf(text).some(({ file }) => file !== ''));
    return begins.flatMap(({ headings }) => {
      const isIn = (inner: readonly string[], outer: readonly string[]) =>
        outer.every((heading, level) => heading === inner[level]);
      if (begins.some((outer) => outer.headings !== headings && isIn(headings, outer.headings))) return [];
      const blocks = sections
        .filter((section) => isIn(section.headings, headings))
        .flatMap(({ text }) => blocksOf(text));
      const name = `${page}: ${headings.at(-1) ?? ''}`;
      return blocks.some(({ language }) => language === 'sh') ? [{ name, blocks }] : [];
    });
  });

function blocksOf(text: string): Block[] {
  return Array.from(text.matchAll(blockPattern), ([, language = '', file = '', text = '']) => ({
    language,
    file,
    text: text.replaceAll('http://127.0.0.1:11434/v1', server.url),
  }));
}

test('there is a walk-through for most of what people begin with', () => {
  expect(walkThroughs.length).toBeGreaterThanOrEqual(11);
});

test.each(walkThroughs)('$name works as written', async ({ blocks }) => {
  const cwd = await temporaryFolder();
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'));
  expect(commands.length).toBeGreaterThan(0);
  for (const { file, text } of blocks) if (file !== '') await writeFile(path.join(cwd, file), text);
  for (const line of commands) {
    const [, command = '', code = '0'] = /^touchstone (.*?)(?:\s+# exit code (\d+).*)?$/.exec(line) ?? [];
    const args = Array.from(
      command.matchAll(/"([^"]*)"|(\S+)/g),
      ([, quoted, plain = '']) => quoted ?? plain,
    );
    const ended = await touchstone(args, { cwd, env: { OPENAI_API_KEY: 'unused' } });
    expect({ line, code: ended.code, ...(ended.code === Number(code) ? {} : ended) }).toEqual({
      line,
      code: Number(code),
    });
  }
});
