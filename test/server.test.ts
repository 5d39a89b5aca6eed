import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../scripts/find-free-port.ts';
import { openPostgresStore } from '../src/stores/postgres/postgres.ts';
import { openSqliteStore, sqliteFileIn } from '../src/stores/sqlite/sqlite.ts';
import type { Store } from '../src/stores/store.ts';
import { buildRun } from '../src/library/testing/build-records.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { client, signInAt, startProvider } from './support/oidc-provider.ts';
import { createDatabase, describeWithPostgres, runSql, sharedServer } from './support/postgres-server.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const password = 'correct horse battery';
const foreign = '20260102-030405-wxyz';

/** A store of a server, as the command line and as a test reach it. */
interface Place {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Opens the store of the project `shop`. */
  readonly openShop: () => Store;
  /** Changes the audit log, as a user of the database can who may remove its triggers. */
  readonly forge: () => Promise<unknown>;
}

/** Starts a server, uses it, and stops it with Ctrl-C. Returns what it printed. */
async function serve(
  { cwd, args, env }: Pick<Place, 'cwd' | 'args' | 'env'>,
  use: (origin: string, printed: string) => Promise<void>,
) {
  return await touchstone(['server', ...args], {
    cwd,
    ...(env && { env }),
    onStarted: async (child) => {
      let printed = '';
      while (!printed.includes('Ctrl-C')) {
        const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [string];
        printed += text;
      }
      try {
        await use(/http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '', printed);
      } finally {
        child.kill('SIGINT');
      }
    },
  });
}

/** Sends a form as a page does. Returns the answer and the cookie that it sets. */
async function post(address: string, fields: Record<string, string>, cookie = '') {
  const answer = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: new URL(address).origin, cookie },
    redirect: 'manual',
  });
  return { answer, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** Accepts the invitation in a printed text. Returns the cookie of the session. */
async function accept(printed: string, origin: string): Promise<string> {
  const address = /\/invitations\/[\w-]{43}/.exec(printed)?.[0] ?? '';
  const { answer, cookie } = await post(origin + address, { password });
  expect(answer.status).toBe(303);
  return cookie;
}

async function statusOf(address: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(address, { headers, redirect: 'manual' })).status;
}

/** Sends SQL, patterns that take long and paths of other files wherever a text is taken: none is executed or found. */
async function sendHostile(origin: string, headers: Record<string, string>): Promise<void> {
  const texts = [
    "' OR 1=1; DROP TABLE runs; --",
    '"; SELECT pg_sleep(10); --',
    "touchstone'; SET ROLE postgres; --",
    String.raw`id =~ /(a+)+$/`,
    '\u0000',
    '%_%'.repeat(1000),
    '../../../../etc/passwd',
  ];
  const places = [
    ...['dataset', 'target', 'branch', 'before'].map((name) => (text: string) => `runs?${name}=${text}`),
    ...['where', 'sort', 'after', 'text'].map(
      (name) => (text: string) => `runs/${foreign}/trials?${name}=${text}`,
    ),
    (text: string) => `runs/${foreign}/search?text=${text}`,
    (text: string) => `runs/${foreign}/search?text=a&where=${text}`,
    (text: string) => `runs/${foreign}/facets?where=${text}`,
    (text: string) => `compare?before=${text}&after=${text}`,
    (text: string) => `datasets/${text}`,
    (text: string) => `datasets/${text}/lint`,
    (text: string) => `runs/${text}`,
    (text: string) => `traces/${text}`,
    (text: string) => `reviews/${text}`,
  ];
  for (const place of places)
    for (const text of texts) {
      const answer = await fetch(`${origin}/api/${place(encodeURIComponent(text))}`, { headers });
      const [status, body] = [answer.status, await answer.text()];
      expect([place(text), status < 500 && status !== 429]).toEqual([place(text), true]);
      expect(body).not.toContain('root:');
    }
  for (const name of ['..%2f..%2f..%2fetc%2fpasswd', '..%5c..%5cpackage.json', 'x.css%00'])
    expect(await statusOf(`${origin}/assets/${name}`, headers)).toBe(404);
}

/** Checks a server from its first start to a forged audit log. */
async function checkServer(place: Place): Promise<void> {
  const { cwd, args } = place;
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await touchstone(['server', ...words, ...args], { cwd });
    expect([words, code, stderr]).toEqual([words, 0, '']);
    return stdout;
  };
  const shop = place.openShop();
  await shop.createRun(buildRun({ id: foreign }));
  await shop.close();

  const first = await serve(place, async (origin, printed) => {
    expect(await statusOf(`${origin}/healthz`, {})).toBe(200);
    expect(await statusOf(`${origin}/api/runs`, {})).toBe(401);
    const admin = { cookie: await accept(printed, origin) };
    expect(await statusOf(`${origin}/api/runs`, admin)).toBe(200);
    expect(await statusOf(`${origin}/account`, admin)).toBe(200);
    expect(await statusOf(`${origin}/api/runs/${foreign}`, admin)).toBe(404);

    const invited = await run('invite', 'bob', '--role', 'viewer', '--project', 'shop', '--url', origin);
    const bob = { cookie: await accept(invited, origin) };
    expect(await statusOf(`${origin}/api/runs/${foreign}`, bob)).toBe(200);
    await sendHostile(origin, bob);
    expect(await statusOf(`${origin}/api/runs/${foreign}`, bob)).toBe(200);

    // A role that the command line gives elsewhere ends an invitation that somebody may have kept.
    const kept = await run('invite', 'eve', '--role', 'viewer', '--project', 'shop', '--url', origin);
    await run('invite', 'eve', '--role', 'admin', '--project', 'main', '--url', origin);
    const path = /http\S+/.exec(kept)?.[0] ?? '';
    expect((await post(path, { password })).answer.status).toBe(400);
    expect((await post(`${origin}/sign-in`, { name: 'eve', password })).answer.status).toBe(403);
    await run('remove', 'eve', '--project', 'shop');
    await run('remove', 'eve');

    // Another process creates a token, and revokes it: the server knows with the next request.
    const token = (await run('token', 'ci', '--scope', 'read', '--project', 'shop')).trim();
    const program = { authorization: `Bearer ${token}` };
    expect(await statusOf(`${origin}/api/runs/${foreign}`, program)).toBe(200);
    const [, id = '', secret = ''] = /^ts_(\w{12})_(.+)$/.exec(token) ?? [];
    await run('revoke', id, '--project', 'shop');
    expect(await statusOf(`${origin}/api/runs/${foreign}`, program)).toBe(401);
    expect(await run('tokens', '--project', 'shop', '--json')).not.toContain(secret);

    await run('remove', 'bob', '--project', 'shop');
    expect(await statusOf(`${origin}/api/runs/${foreign}`, bob)).toBe(401);
    expect(await run('people')).toBe('admin  admin\n');
  });
  expect([first.code, first.stderr]).toEqual([0, '']);

  // A session lasts over a restart, and there is no second administrator to invite.
  const second = await serve(place, async (origin, printed) => {
    expect(printed).not.toContain('/invitations/');
    const { answer, cookie } = await post(`${origin}/sign-in`, { name: 'admin', password });
    expect(answer.status).toBe(303);
    expect(await statusOf(`${origin}/api/runs`, { cookie })).toBe(200);
  });
  expect(second.code).toBe(0);

  const log = await run('audit');
  for (const action of ['invite', 'password-set', 'token-create', 'token-revoke', 'sign-in', 'role'])
    expect(log).toContain(`  ${action}`);
  expect(log).not.toContain(password);
  const head = /ends with (\w{64})/.exec(await run('audit', '--verify'))?.[1] ?? '';
  await run('audit', '--verify', '--head', head);
  await place.forge();
  const forged = await touchstone(['server', 'audit', '--verify', ...args], { cwd });
  expect(forged.code).toBe(1);
  expect(forged.stdout).toBe('The audit log is not whole: entry 2 was changed.\n');
}

const forgery = 'UPDATE audit SET entry = replace(entry, \'"who"\', \'"whom"\') WHERE number = 2';

test.skipIf(!isReleaseTested)(
  'what is kept for how long, legal holds and erasures of a project are set from the command line, and recorded (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const cwd = await temporaryFolder();
    const folder = path.join(cwd, '.touchstone');
    const command = async (...words: string[]) =>
      await touchstone([...words, '--store', folder], { cwd, isAlone: true });
    const openShop = () => openSqliteStore(sqliteFileIn(path.join(folder, 'projects', 'shop')));
    const shop = openShop();
    const createdAt = '2020-01-01T00:00:00.000Z';
    for (const id of ['20200101-000000-aaaa', '20200101-000000-bbbb'])
      await shop.createRun(buildRun({ id, createdAt, status: 'completed', description: 'for Ann Lee' }));
    await shop.close();
    expect((await command('server', 'invite', 'ann', '--role', 'admin')).code).toBe(0);

    const set = await command('server', 'retention', '--set', 'runs=365', '--project', 'shop');
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('shop keeps') });
    expect(set.stdout).toContain('runs 365 days');
    expect(await command('server', 'retention', '--set', 'runs=soon')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('runs=soon'),
    });
    const hold = ['server', 'hold', '20200101-000000-aaaa', '--tag', 'case-7', '--project', 'shop'];
    expect(await command(...hold)).toMatchObject({
      code: 0,
      stdout: '20200101-000000-aaaa is under a legal hold: case-7.\n',
    });
    const dry = await command('server', 'retention', '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      isDry: true,
      projects: expect.arrayContaining([
        expect.objectContaining({ project: 'shop', removed: expect.objectContaining({ runs: 1 }) }),
      ]),
    });
    const pass = await command('server', 'retention');
    expect(pass.stdout).toMatch(
      /Removed 1 runs\.\n {2}kept 20200101-000000-aaaa: it is under a legal hold: case-7/,
    );

    expect(await command('erase', '--text', 'Ann Lee', '--yes')).toMatchObject({
      stdout: expect.stringContaining('No record contains it.'),
    });
    const erased = await command('erase', '--text', 'Ann Lee', '--yes', '--project', 'shop');
    expect(erased).toMatchObject({ code: 0, stdout: expect.stringContaining('1  settings of a run') });
    const after = openShop();
    expect((await after.listRuns()).map(({ id }) => id)).toEqual(['20200101-000000-aaaa']);
    expect((await after.readRun('20200101-000000-aaaa'))?.description).not.toContain('Ann Lee');
    await after.close();
    expect((await command(...hold, '--release')).stdout).toContain('is no longer under a legal hold');

    const log = async () => {
      const { stdout } = await command('server', 'audit', '--json');
      return (JSON.parse(stdout) as { entries: { action: string; project: string | null }[] }).entries;
    };
    expect((await log()).filter(({ project }) => project === 'shop').map(({ action }) => action)).toEqual([
      'retention-set',
      'run-hold',
      'erase',
      'run-release',
    ]);
    // Who prints the log is in it, too.
    expect((await log()).at(-1)).toMatchObject({ action: 'audit-read' });
    expect(JSON.stringify(await log())).not.toContain('Ann Lee');
  },
);

describe('a server over a folder', () => {
  test('serves people and programs of several projects, and its audit log shows what was forged', async () => {
    const cwd = await temporaryFolder();
    const folder = path.join(cwd, '.touchstone');
    await checkServer({
      cwd,
      args: ['--store', folder],
      openShop: () => openSqliteStore(sqliteFileIn(path.join(folder, 'projects', 'shop'))),
      forge: async () => {
        using raw = new DatabaseSync(sqliteFileIn(folder));
        raw.exec(`DROP TRIGGER audit_refuses_update; ${forgery}`);
      },
    });
  });

  test('listens beyond this machine only where cookies are safe', async () => {
    const cwd = await temporaryFolder();
    for (const args of [
      ['--host', '0.0.0.0'],
      ['--url', 'http://evals.example.org'],
      ['--url', 'evals'],
    ]) {
      const { code, stderr } = await touchstone(['server', ...args], { cwd });
      expect([args, code]).toEqual([args, 4]);
      expect(stderr).toContain('--url');
    }
  });
});

describe('a server with an identity provider', () => {
  const env = { TOUCHSTONE_OIDC_SECRET: client.secret };
  const settings = ['clientId: touchstone', 'name: Acme', 'groups:', '  team: { main: editor }'];

  test('people sign in with their groups, and the secret of the client is nowhere', async () => {
    const cwd = await temporaryFolder();
    const port = await findFreePort();
    const redirect = `http://localhost:${port}/sign-in/oidc/callback`;
    const provider = await startProvider({ redirect });
    provider.people.set('1', { preferred_username: 'ann', groups: ['team'] });
    await writeFile(path.join(cwd, 'oidc.yaml'), [`issuer: ${provider.issuer}`, ...settings].join('\n'));
    const args = ['--oidc', 'oidc.yaml', '--port', String(port)];
    const ended = await serve({ cwd, args, env }, async (origin, printed) => {
      expect(printed).toContain(`People come back from Acme to: ${redirect}\n`);
      const begun = await fetch(`${origin}/sign-in/oidc?next=%2Faccount`, { redirect: 'manual' });
      const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
      const back = await signInAt(provider, begun.headers.get('location') ?? '', '1');
      const answer = await fetch(back, { headers: { cookie }, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
      const session = /__Host-touchstone=[\w-]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? '';
      expect(await statusOf(`${origin}/api/runs`, { cookie: session })).toBe(200);
      const people = await touchstone(['server', 'people'], { cwd });
      expect(people.stdout).toContain(`ann  editor  signs in at ${provider.issuer}\n`);
    });
    await provider.close();
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const folder = path.join(cwd, '.touchstone');
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const contents = files
      .filter((file) => file.isFile())
      .map(async (file) => await readFile(path.join(file.parentPath, file.name), 'latin1'));
    for (const text of [ended.stdout, ...(await Promise.all(contents))])
      expect(text.includes(client.secret)).toBe(false);
  });

  test('the package is needed only where there is a provider', async () => {
    const cwd = await temporaryFolder();
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => {
        if (name !== 'openid-client') return next(name, context);
        throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
      } });`;
    const without = { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
    await writeFile(path.join(cwd, 'oidc.yaml'), ['issuer: https://id.example.org', ...settings].join('\n'));
    const { code, stderr } = await touchstone(['server', '--oidc', 'oidc.yaml'], { cwd, env: without });
    expect(code).toBe(4);
    expect(stderr).toContain('The package openid-client is installed and cannot be loaded: gone');
    expect((await touchstone(['server', '--help'], { cwd, env: without })).code).toBe(0);
    const ended = await serve({ cwd, args: [], env: without }, async (origin) => {
      expect(await (await fetch(`${origin}/sign-in`)).text()).not.toContain('oidc');
    });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });
});

describeWithPostgres('a server over PostgreSQL', () => {
  test('serves people and programs of several projects, and its audit log shows what was forged', async () => {
    const cwd = await temporaryFolder();
    const url = await createDatabase(await sharedServer());
    await checkServer({
      cwd,
      args: ['--store', url],
      openShop: () => openPostgresStore(url, { schema: 'touchstone_shop' }),
      forge: async () =>
        await runSql(url, `SET search_path TO touchstone; DROP TRIGGER audit_refuses ON audit; ${forgery}`),
    });
  });
});
