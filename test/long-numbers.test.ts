import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createDatabase, describeWithPostgres, sharedServer } from './support/postgres-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { exactNumber } from '../src/core/lib/json/exact-number.ts';

const atEnd: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of atEnd) await end();
});

/** The ids of the fault: a double makes 1290461237612345600 of both. */
const wanted = '1290461237612345677';
const other = '1290461237612345678';

async function writeFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(cwd, name), text);
  return cwd;
}

/** Returns how often each of the long numbers occurs in a text. */
function countIds(text: string): Record<string, number> {
  const found = text.match(/\d{16,}/g) ?? [];
  return Object.fromEntries(
    [...new Set(found)].map((id) => [id, found.filter((each) => each === id).length]),
  );
}

/** Starts a server that answers with raw JSON, and returns its address and the bodies that it received. */
async function serve(answer: (body: string) => string): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8');
      bodies.push(body);
      response.setHeader('Content-Type', 'application/json').end(answer(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  atEnd.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

test('a call with another id fails and is shown with its digits; export and import keep them', async () => {
  const row = (id: string, args: string) =>
    `{"id":${id},"question":"ban the user ${id}","expected_calls":[{"name":"ban","arguments":{"user_id":${wanted}}}],"answer":"done ok","tool_calls":[{"name":"ban","arguments":${args}}]}`;
  const rows = [
    row('1290461237612345671', `{"user_id":${other}}`),
    row('1290461237612345672', `{"user_id":${wanted}}`),
    row('1290461237612345673', JSON.stringify(`{"user_id":${other}}`)),
    row('1290461237612345674', JSON.stringify(`{"user_id":${wanted}}`)),
  ];
  const cwd = await writeFiles({ 'rows.jsonl': rows.join('\n') });
  const { stdout, code } = await touchstone(['score', 'rows.jsonl', '--fail-under', '95', '--json'], { cwd });
  expect(code).not.toBe(0);
  const { results } = JSON.parse(stdout) as {
    results: { case: { id: string }; scorecard: { passed: boolean } }[];
  };
  expect(results.map((each) => [each.case.id, each.scorecard.passed])).toEqual([
    ['1290461237612345671', false],
    ['1290461237612345672', true],
    ['1290461237612345673', false],
    ['1290461237612345674', true],
  ]);
  const known = new Set([
    '1290461237612345671',
    '1290461237612345672',
    '1290461237612345673',
    '1290461237612345674',
    wanted,
    other,
  ]);
  const shown = await touchstone(['show', '--case', '1290461237612345671'], { cwd });
  expect(shown.stdout).toContain(`ban({"user_id":${other}})`);
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(`user_id was ${other} instead of ${wanted}`);
  await touchstone(['export', '-o', 'run.jsonl'], { cwd });
  const exported = await readFile(path.join(cwd, 'run.jsonl'), 'utf8');
  expect(Object.keys(countIds(exported)).filter((id) => !known.has(id) && id.startsWith('12904'))).toEqual(
    [],
  );
  const elsewhere = await writeFiles({ 'run.jsonl': exported });
  expect((await touchstone(['import', 'run.jsonl'], { cwd: elsewhere })).code).toBe(0);
  expect((await touchstone(['export'], { cwd: elsewhere })).stdout).toBe(exported);
});

test('a module, a program and an HTTP bot receive and return all digits', async () => {
  const server = await serve(
    (body) =>
      `{"answer":"ok","state":{"seen":${/"ref":(\d+)/.exec(body)?.[1] ?? '0'},"sum":12345678901234567.89}}`,
  );
  const cwd = await writeFiles({
    'golden.jsonl': `{"id":"a","question":"q","metadata":{"ref":${wanted}},"expected_state":{"seen":${wanted},"sum":12345678901234567.89}}\n`,
    'bot.mjs': `export default (question, { metadata }) => ({
      answer: 'ok',
      state: { seen: BigInt(String(metadata.ref)), sum: typeof metadata.ref === 'number' ? 1 : null },
    });`,
    'bot.js': `process.stdin.setEncoding('utf8').on('data', (text) => {
      for (const line of text.split('\\n').filter(Boolean)) {
        const ref = /"ref":\\s*(\\d+)/.exec(line)?.[1] ?? '0';
        process.stdout.write('{"id":' + /"id":\\s*("[^"]*"|\\d+)/.exec(line)[1] + ',"answer":"ok","state":{"seen":' + ref + ',"sum":12345678901234567.89}}\\n');
      }
    });`,
    'touchstone.config.yaml': `dataset: golden.jsonl
targets:
  - { use: module, name: module, path: ./bot.mjs }
  - { use: command, name: program, command: "node bot.js" }
  - { use: http, name: http, url: "${server.url}", body: { ref: "{{metadata.ref}}", text: "ref={{metadata.ref}}" } }
`,
  });
  const { stdout } = await touchstone(['run', '--json'], { cwd });
  const report = JSON.parse(stdout) as {
    results: {
      trial: { target: string };
      verdicts: Record<string, unknown>;
      scorecard: { passed: boolean };
    }[];
  };
  const passed = report.results.map((each) => [each.trial.target, each.scorecard.passed]);
  expect(passed).toContainEqual(['program', true]);
  expect(passed).toContainEqual(['http', true]);
  expect(passed).toContainEqual(['module', false]);
  expect(stdout.replaceAll(/\s+/g, '')).toContain(`"seen":${wanted},"sum":null`);
  expect(server.bodies).toEqual([`{"ref":${wanted},"text":"ref=${wanted}"}`]);
  expect(countIds(stdout)).not.toHaveProperty('1290461237612345600');
});

test('a tool of the target chat receives the digits that the model wrote, and the model gets them back', async () => {
  const call = `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ban","arguments":${JSON.stringify(`{"user_id":${wanted}}`)}}}]},"finish_reason":"tool_calls"}]}`;
  const done = '{"choices":[{"message":{"role":"assistant","content":"done ok"},"finish_reason":"stop"}]}';
  const server = await serve((body) => (body.includes('"role":"tool"') ? done : call));
  const cwd = await writeFiles({
    'golden.jsonl': `{"id":"a","question":"ban the user","expected_calls":[{"name":"ban","arguments":{"user_id":${wanted}}}]}
{"id":"b","question":"ban the user!","expected_calls":[{"name":"ban","arguments":{"user_id":${other}}}]}\n`,
    'tools.mjs': `export default [{
      name: 'ban', description: 'Bans a user.',
      parameters: { type: 'object', properties: { user_id: { type: 'integer' } }, required: ['user_id'] },
      run: ({ user_id }) => ({ banned: user_id, said: \`banned \${user_id}\`, next: BigInt(String(user_id)) + 1n }),
    }];`,
    'touchstone.config.yaml': `dataset: golden.jsonl
targets:
  - { use: chat, name: chat, model: { use: openai-chat, model: m, baseUrl: "${server.url}/v1", stream: false }, tools: ./tools.mjs }
`,
  });
  const { stdout } = await touchstone(['run', '--json'], { cwd });
  const { results } = JSON.parse(stdout) as {
    results: { case: { id: string }; scorecard: { passed: boolean } }[];
  };
  expect(results.map((each) => [each.case.id, each.scorecard.passed])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  const second = server.bodies.filter((body) => body.includes('"role":"tool"'));
  expect(second).toHaveLength(2);
  for (const body of second) {
    expect(body).toContain(String.raw`{\"user_id\":1290461237612345677}`);
    expect(body).toContain(
      String.raw`{\"banned\":1290461237612345677,\"said\":\"banned 1290461237612345677\",\"next\":1290461237612345678}`,
    );
  }
});

describeWithPostgres('long numbers in PostgreSQL', () => {
  test('the digits are kept, found by a filter and exported', async () => {
    const address = await createDatabase(await sharedServer());
    const cwd = await writeFiles({
      'rows.jsonl': `{"id":${wanted},"question":"q","metadata":{"ref":${wanted},"sum":12345678901234567.89},"expected_answer":"a","answer":"a"}
{"id":${other},"question":"q2","metadata":{"ref":${other},"sum":1e400},"expected_answer":"a","answer":"b"}\n`,
      'touchstone.config.yaml': `store: { use: postgres, url: "${address}" }\n`,
    });
    expect((await touchstone(['score', 'rows.jsonl', '--store', address], { cwd })).stderr).not.toContain(
      '✗',
    );
    const { stdout } = await touchstone(['show', '--store', address, '--filter', `metadata.ref=${other}`], {
      cwd,
    });
    expect(stdout).toContain(other);
    expect(stdout).not.toContain(`· ${wanted}`);
    const exported = (await touchstone(['export', '--store', address], { cwd })).stdout;
    expect(exported).toContain(`"ref":${wanted}`);
    expect(exported).toContain('"sum":12345678901234567.89');
    expect(exported).toContain('"sum":1e+400');
  });
});

test('whatever long numbers a file has, they go through the store, an export and an import with their digits', async () => {
  const number = fc
    .tuple(
      fc.boolean(),
      fc.bigInt({ min: 2n ** 53n, max: 10n ** 30n }),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 400 }),
    )
    .map(([isNegative, digits, last, exponent]) => {
      const text =
        [
          String(digits),
          `${digits}.${digits}${last || 1}`,
          `0.${digits}${last || 1}`,
          `${digits}1e${exponent}`,
        ][last % 4] ?? '';
      return isNegative ? `-${text}` : text;
    });
  const samples = fc.sample(number, { numRuns: 400, seed: 40 });
  const rows = samples.map(
    (text, index) =>
      `{"id":"r${index}","question":"q${index}","metadata":{"n":${text},"list":[${text}]},"answer":"x","state":{"n":${text}}}`,
  );
  const cwd = await writeFiles({ 'rows.jsonl': rows.join('\n') });
  const scored = await touchstone(['score', 'rows.jsonl'], { cwd });
  expect(scored.code).toBe(0);
  const first = (await touchstone(['export'], { cwd })).stdout;
  const elsewhere = await writeFiles({ 'run.jsonl': first });
  await touchstone(['import', 'run.jsonl'], { cwd: elsewhere });
  const second = (await touchstone(['export'], { cwd: elsewhere })).stdout;
  expect(second).toBe(first);
  samples.forEach((text) => {
    const digits = String(exactNumber(text));
    expect(first).toContain(`"metadata":{"list":[${digits}],"n":${digits}}`);
    expect(first).toContain(`"state":{"n":${digits}}`);
  });
});
