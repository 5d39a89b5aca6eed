import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../run-cli.ts';
import { isReleaseTested } from '../support/is-release-tested.ts';
import { execute, installPacked } from './pack.ts';

/** A project with the packed program and no optional package. */
let [project, program] = ['', ''];

beforeAll(async () => {
  if (!isReleaseTested) return;
  const { modules } = await installPacked();
  project = path.join(modules, '..', 'optional-packages');
  await mkdir(project);
  program = path.join(modules, 'touchstone-evals', 'bin', 'touchstone.js');
  const write = async (name: string, text: string) => await writeFile(path.join(project, name), text);
  await write('golden.jsonl', '{"id":"a","question":"Is it?","expected":"yes"}\n');
  await write('golden.xlsx', 'PK\u0003\u0004');
  await write('tiny.gguf', '');
  await write(
    'oidc.yaml',
    'issuer: https://id.example.org\nclientId: a\nname: Acme\ngroups:\n  team: { main: editor }\n',
  );
  const chat = "{ use: chat, model: { use: openai-chat, model: m, baseUrl: 'http://127.0.0.1:1' }";
  const bots = {
    xlsx: "{ use: command, command: 'cat' }",
    plain: "{ use: command, command: 'cat' }",
    sql: "{ use: command, command: 'cat' }",
    llama: '{ use: chat, model: { use: node-llama-cpp, path: tiny.gguf } }',
    mcp: `${chat}, mcp: [{ command: 'cat' }] }`,
  };
  for (const [name, bot] of Object.entries(bots)) {
    const dataset = name === 'xlsx' ? 'golden.xlsx' : 'golden.jsonl';
    const metrics = name === 'sql' ? 'metrics: [sql-valid]\n' : '';
    await write(`${name}.yaml`, `dataset: ${dataset}\ntargets: [${bot}]\n${metrics}`);
  }
});

test.skipIf(!isReleaseTested).for([
  ['pg', '@8', 'A store in PostgreSQL', 'runs --store postgres://127.0.0.1:1/x'],
  ['pg', '@8', 'A queue in PostgreSQL', 'run plain.yaml --workers 2 --queue postgres://127.0.0.1:1/x'],
  ['ioredis', '', 'A queue in Redis', 'run plain.yaml --workers 2 --queue redis://127.0.0.1:1'],
  ['openid-client', '@6', 'Signing in with OpenID Connect', 'server --oidc oidc.yaml'],
  ['read-excel-file', '@9', 'Reading .xlsx', 'run xlsx.yaml'],
  ['node-sql-parser', '@5', 'The metric sql-valid', 'run sql.yaml'],
  ['node-llama-cpp', '@3', 'A local GGUF model', 'run llama.yaml'],
  ['@modelcontextprotocol/client', '@2', 'An MCP server', 'run mcp.yaml'],
] as const)(
  'without %s%s: "%s needs it" and the command that installs it (needs TOUCHSTONE_TEST_ALL=1)',
  async ([name, version, use, command]) => {
    const env = { ...process.env, OPENAI_API_KEY: 'k', TOUCHSTONE_OIDC_SECRET: 's', NO_COLOR: '1' };
    const { code, stderr } = await execute(process.execPath, [program, ...command.split(' ')], {
      cwd: project,
      env,
    }).then(
      () => ({ code: 0, stderr: '' }),
      (failed: { code: number; stderr: string }) => failed,
    );
    const install = `npm install --save-dev ${name}${version}`;
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `${use} needs the package ${name}, which is not installed. → ${install}`,
    );
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(4);
  },
);

test.skipIf(!isReleaseTested)(
  'a program that is installed elsewhere loads the package of the project (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const other = await temporaryFolder();
    const folder = path.join(other, 'node_modules', 'pg');
    await mkdir(folder, { recursive: true });
    const manifest = { name: 'pg', version: '8.16.0', type: 'module', exports: { import: './index.js' } };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'index.js'), "throw new Error('the one of the project');");
    const args = [program, 'runs', '--store', 'postgres://127.0.0.1:1/x'];
    await expect(execute(process.execPath, args, { cwd: other })).rejects.toMatchObject({
      code: 4,
      stderr: expect.stringContaining(
        'The package pg is installed and cannot be loaded: the one of the project',
      ),
    });
  },
);
