import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  createDatabase,
  describeWithPostgres,
  guardedUser,
  runSql,
  sharedServer,
} from './support/postgres-server.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const cases = Array.from({ length: 40 }, (_, index) => ({
  id: `case ${index}`,
  question: `Question ${index}?`,
  category: ['billing', 'Ämter', 'a b', undefined][index % 4],
  expected_keywords: ['answer', `${index % 3}`],
  expected_answer: `answer ${index}`,
}));
const bot = `export default (question) => {
  const number = Number(/\\d+/.exec(question)?.[0]);
  if (number % 11 === 3) throw new Error('broken');
  return { answer: 'answer ' + (number % 7), usage: { inputTokens: 7 * number, outputTokens: number / 3 }, cost: number / 7000 };
};`;
const config = (store: string) => `dataset: golden.jsonl
store: ${store}
attempts: 2
targets:
  - { use: module, name: bot, path: ./bot.mjs }
`;

/** Removes what differs from run to run: ids, times, latencies and the traces of errors. */
function withoutTimes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value
      .filter((each) => ![Object(each).metric, Object(each).metrics].flat().includes('latency'))
      .map(withoutTimes);
  const kept = Object.entries(value).filter(
    ([name]) => !/^id$|runId|At$|Ms$|latency|git|duration|^logs$/i.test(name),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutTimes(member)]));
}

describeWithPostgres('a project with its runs in PostgreSQL', () => {
  let cwd = '';
  let url = '';
  const command = async (words: string, env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await touchstone(words.split(' '), { cwd, env });
    return { code, stdout, stderr };
  };
  const json = async (words: string) => {
    const { stdout } = await command(`${words} --json`);
    return JSON.parse(stdout) as { run: { id: string } };
  };

  beforeAll(async () => {
    cwd = await temporaryFolder();
    url = await createDatabase(await sharedServer());
    await writeFile(path.join(cwd, 'golden.jsonl'), cases.map((each) => JSON.stringify(each)).join('\n'));
    await writeFile(path.join(cwd, 'bot.mjs'), bot);
    await writeFile(path.join(cwd, 'touchstone.config.yaml'), config(url));
  });

  test('a run has the same summary in SQLite and in PostgreSQL, and moves between them without a change', async () => {
    expect(await command('runs')).toMatchObject({ code: 0 });
    const here = await json('run --store here');
    const there = await json('run');
    expect(withoutTimes(there)).toEqual(withoutTimes(here));
    expect(JSON.stringify(there)).toContain('"total"');

    const exported = await command(`export ${here.run.id} --store here --output run.jsonl`);
    expect(exported.code).toBe(0);
    expect(await command(`import run.jsonl --store ${url}`)).toMatchObject({ code: 0 });
    expect(await json(`show ${here.run.id} --store ${url}`)).toEqual(
      await json(`show ${here.run.id} --store here`),
    );
    await command(`export ${here.run.id} --store ${url} --output again.jsonl`);
    expect(await readFile(path.join(cwd, 'again.jsonl'), 'utf8')).toBe(
      await readFile(path.join(cwd, 'run.jsonl'), 'utf8'),
    );
    expect(await command('check')).toMatchObject({ code: 0 });
  });

  test('the password of the address is in no run, no output and no error', async () => {
    const server = new URL(await sharedServer());
    const { name } = guardedUser;
    const password = 'correct-horse-9';
    await runSql(
      server.href,
      `DROP ROLE IF EXISTS ${name}_cli; CREATE ROLE ${name}_cli LOGIN PASSWORD '${password}' SUPERUSER`,
    );
    const database = new URL(await createDatabase(server.href));
    Object.assign(database, { username: `${name}_cli`, password });
    await writeFile(
      path.join(cwd, 'bot.mjs'),
      `export default (question) => 'It is ${password}: ' + question;`,
    );
    await writeFile(path.join(cwd, 'secret.config.yaml'), config(`{ use: postgres, urlEnv: EVALS }`));
    const env = { EVALS: database.href };
    const run = await command('run secret.config.yaml', env);
    expect(run.stdout).toContain('40');
    const rows = await runSql(
      database.href,
      'SELECT record FROM touchstone.runs UNION ALL SELECT record FROM touchstone.trials',
    );
    expect(rows.length).toBe(81);
    const broken = await command('run secret.config.yaml', { EVALS: `${database.href}_missing` });
    expect(broken.stderr).toContain('does not exist');
    const flagged = await command(`runs --store ${database.href}`);
    expect(flagged).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('takes an address without a password'),
    });
    const invalid = await command('run secret.config.yaml', { EVALS: `postgres:/x:${password}@nowhere` });
    expect(invalid.stderr).toContain('The environment variable EVALS: expected an address');
    expect(JSON.stringify([run, rows, broken, flagged, invalid])).not.toContain(password);
  });
});
