import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { atFileEnd } from './support/file-end.ts';

/** The number of questions; of five, two state a date that does not exist, and of ten, one does not greet. */
const asked = 300;
const isDated = (question: number) => question % 5 < 2;
const isCold = (question: number) => question % 10 === 4;

/** The words of the criterion by which the judge is right; before, it goes by the tone. */
const right = 'RIGHT: no date that does not exist.';

/** Replies to one request, as a model: it groups notes, edits a criterion, and judges the last answer that it is shown. */
function replyTo(text: string): object {
  if (text.includes('Put the notes into groups')) {
    const notes = [...text.matchAll(/ note (\d+)>>>\nstates 31 February/g)].map(([, number]) =>
      Number(number),
    );
    return { groups: [{ name: 'wrong date', definition: 'States a date that does not exist.', notes }] };
  }
  if (text.includes('Find out what the criterion should say'))
    return { edits: [right, 'Be strict.'].map((each) => ({ text: each, examples: [] })) };
  const answer = [...text.matchAll(/Reply \d+: [^\n<"]*/g)].at(-1)?.[0] ?? '';
  const isFree = !answer.includes(text.includes(right) ? '31 February' : 'sadly');
  return { reason: 'So.', verdict: isFree ? 'yes' : 'no', in_words: isFree ? 'it is so' : 'it is not so' };
}

/** Answers a request of OpenAI's protocol. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as {
    messages: { content: string }[];
  };
  const text = messages.map(({ content }) => content).join('\n');
  const id = [...text.matchAll(/"id": "(\w+)"/g)].at(-1)?.[1];
  const message = { role: 'assistant', content: JSON.stringify({ ...replyTo(text), id }) };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }));
}

/** Starts the stand-in of a model on loopback. */
async function startModel(): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function project(url: string): Promise<string> {
  const cwd = await temporaryFolder();
  const rows = Array.from({ length: asked }, (_, question) =>
    JSON.stringify({
      id: `q${question}`,
      question: `When does ${question} end?`,
      expected_keywords: ['ends'],
    }),
  );
  await writeFile(path.join(cwd, 'golden.jsonl'), rows.join('\n'));
  const bot = `export default (question) => {
    const n = Number(/\\d+/.exec(question)[0]);
    const end = n % 5 < 2 ? 'it ends on 31 February' : 'it ends in March';
    return 'Reply ' + n + ': ' + (n % 4 === 0 ? 'sadly, ' : '') + end + (n % 10 === 4 ? '.' : '. Good day!');
  };`;
  await writeFile(path.join(cwd, 'bot.mjs'), bot);
  const judge = `{ use: chat-model, model: { use: openai-chat, baseUrl: "${url}", model: stand-in } }`;
  await writeFile(
    path.join(cwd, 'touchstone.config.yaml'),
    `dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs, name: bot }]\njudge: ${judge}\nmetrics: [{ use: contains, value: ends }]\n`,
  );
  return cwd;
}

/** Fills the table of what was drawn as two readers would who saw the conversations alone. */
async function fillTable(cwd: string): Promise<void> {
  const [head = '', ...drawn] = (await readFile(path.join(cwd, 'notes.csv'), 'utf8')).trim().split('\r\n');
  const rows = drawn.flatMap((row) => {
    const place = row.split(',').slice(0, 6);
    const question = Number(place[0]?.slice(1));
    const modes = [isDated(question), isCold(question)];
    const note = modes[0] === true ? 'states 31 February' : modes[1] === true ? 'does not greet' : '';
    const said = ['2026-01-03T10:00:00.000Z', note === '' ? 'no' : 'yes', note, ''];
    const marks = modes.map((has) => (has ? 'yes' : 'no'));
    return ['Ann', 'Bob'].map((reader) => [...place, reader, ...said, ...marks].join(','));
  });
  await writeFile(path.join(cwd, 'read.csv'), [head, ...rows].join('\r\n'));
}

test('from conversations to notes, to a mode, to a judge that is improved and certified, and that the gate requires', async () => {
  const cwd = await project(await startModel());
  const command = async (code: number, ...args: string[]) => {
    const ended = await touchstone(args, { cwd });
    expect([args.join(' '), ended.code, ended.code === code ? '' : ended.stdout + ended.stderr]).toEqual([
      args.join(' '),
      code,
      '',
    ]);
    return ended.stdout;
  };
  await command(0, 'run');
  await command(0, 'review', 'create', '--notes', '--draw', 'random', '--labels', String(asked), '--yes');
  for (const [id, definition] of [
    ['wrong-date', 'States a date that does not exist.'],
    ['no-greeting', 'Does not greet.'],
  ] as const)
    await command(0, 'modes', 'add', id, '--definition', definition, '--by', 'Ann');
  await command(0, 'modes', 'export', 'notes.csv');
  await fillTable(cwd);
  await command(0, 'modes', 'import', 'read.csv', '--blind', '--by', 'Ann');
  expect(await command(0, 'modes')).toMatch(/wrong-date +40\.0 % \[40\.0, 40\.0\]/);
  expect(await command(0, 'modes', 'suggest')).toMatch(
    /wrong date: \d+ notes[\s\S]*not sent: they are of the half/,
  );

  // A check by code would do; a judge is asked for, with examples of one half.
  expect(await command(0, 'modes', 'make-metric', 'wrong-date', '--as', 'judge', '--yes')).toContain(
    'a check, no judge needed',
  );
  await command(2, 'rescore', 'latest');
  expect(await command(2, 'gate', 'latest')).toContain('no valid certificate');
  // The judge goes by the tone: no certificate. Its words are improved on the half for tuning, and it is certified on the other one.
  await command(2, 'calibrate', '--rubric', 'no-wrong-date', '--tuned');
  expect(await command(0, 'calibrate', '--rubric', 'no-wrong-date', '--improve', '--yes')).toContain(right);
  await command(2, 'rescore', 'latest');
  const certified = await command(0, 'calibrate', '--rubric', 'no-wrong-date', '--tuned');
  expect(certified).toMatch(/Look 2 of these labels: 98\.75 % a side/);
  expect(await command(1, 'gate', 'latest')).toMatch(/FAIL +no wrong-date/);
});
