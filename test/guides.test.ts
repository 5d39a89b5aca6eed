import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');
// The bots of `bots.md` are started by a test of their own.
const guides = globSync('docs/guides/*.md', { cwd: root, exclude: ['docs/guides/bots.md'] }).sort();

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

function blocksOf(page: string): Block[] {
  return Array.from(
    page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms),
    ([, language = '', file = '', text = '']) => ({
      language,
      file,
      text: text.replaceAll('http://127.0.0.1:11434/v1', server.url),
    }),
  );
}

test.each(guides)('%s works as written', async (guide) => {
  const blocks = blocksOf(await readFile(path.join(root, guide), 'utf8'));
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
