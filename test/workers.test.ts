import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { touchstone } from './run-cli.ts';
import { describeWithRedis, startRedis } from './support/redis-server.ts';
import { writeSlowProject } from './slow-project.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const [cases, concurrency, workers] = [120, 3, 3];
const inFlight = concurrency * workers;

/** A project whose bot also notes the process that calls it. */
async function writeProject() {
  const project = await writeSlowProject({ cases, concurrency });
  const bot = path.join(project.folder, 'bot.mjs');
  const noted = `appendFileSync('workers.txt', process.pid + '\\n');`;
  await writeFile(
    bot,
    (await readFile(bot, 'utf8')).replace('  appendFileSync(', `  ${noted}\n  appendFileSync(`),
  );
  const readWorkers = async () => {
    const text = await readFile(path.join(project.folder, 'workers.txt'), 'utf8').catch(() => '');
    return [
      ...new Set(
        text
          .split('\n')
          .filter((line) => line !== '')
          .map(Number),
      ),
    ];
  };
  return { ...project, readWorkers };
}

/** The summary of a run as JSON, without what depends on the clock: everything about latency. */
function summaryOf(stdout: string): unknown {
  const { summary } = JSON.parse(stdout) as { summary: object };
  return JSON.parse(
    JSON.stringify(summary, (name, value: unknown) => {
      if (name.startsWith('latency')) return undefined;
      const isAboutTime = ({ metric }: { readonly metric?: unknown }) => metric === 'latency';
      return Array.isArray(value) ? value.filter((each) => !isAboutTime(Object(each) as object)) : value;
    }),
  );
}

const env = { SLOW_MS: '30' };
const isAlone = true;

test('workers ask each question once, and the summary is that of one process', async () => {
  const [alone, together] = [await writeProject(), await writeProject()];
  const one = await touchstone(['run', '--json'], { cwd: alone.folder });
  const many = await touchstone(['run', '--json', '--workers', String(workers)], {
    cwd: together.folder,
    env,
    isAlone,
  });
  expect([one.code, many.code]).toEqual([0, 0]);
  expect(await together.readCalls()).toHaveLength(cases);
  expect((await together.readWorkers()).length).toBe(workers);
  expect(summaryOf(many.stdout)).toEqual(summaryOf(one.stdout));
});

test('a worker that is killed loses and repeats only what it had in flight, and another takes its place', async () => {
  const project = await writeProject();
  // The bot answers half of the questions, and the others once a worker is killed: none has ended before.
  const bot = path.join(project.folder, 'bot.mjs');
  const held = `while (calls > ${cases / 2} && !existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));`;
  const text = (await readFile(bot, 'utf8')).replace('  return {', `  ${held}\n  return {`);
  await writeFile(bot, text.replace('import { ', 'import { existsSync, '));
  const { code, stdout, stderr } = await touchstone(['run', '--json', '--workers', String(workers)], {
    cwd: project.folder,
    env,
    onStarted: async () => {
      await project.untilCalled(30);
      for (const pid of (await project.readWorkers()).slice(0, 1)) process.kill(pid, 'SIGKILL');
      await writeFile(path.join(project.folder, 'go'), '');
    },
  });
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/Worker \d died \(SIGKILL\) and is started again/),
  ]);
  const { summary } = JSON.parse(stdout) as { summary: { targets: { counts: object }[] } };
  expect(summary.targets[0]?.counts).toMatchObject({ planned: cases, measured: cases, notRun: 0 });
  expect((await project.readCalls()).length).toBeLessThanOrEqual(cases + concurrency);
});

test('of the calls of killed workers, only those in flight are missing in the record of their account', async () => {
  const project = await writeProject();
  let calls = 0;
  const model = createServer((request, response) => {
    calls += 1;
    request.resume();
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'yes' } }] }));
    }, 30);
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
  const { port } = model.address() as AddressInfo;
  const cwd = project.folder;
  await writeFile(
    path.join(cwd, 'touchstone.config.yaml'),
    `dataset: golden.jsonl\ntargets: [{ use: chat, model: { use: openai-chat, model: m, baseUrl: 'http://127.0.0.1:${port}/v1' } }]\nconcurrency: ${concurrency}\n`,
  );
  let own: number[] = [];
  await touchstone(['run', '--workers', String(workers)], {
    cwd,
    onStarted: async (child) => {
      while (calls < 40) await wait(5);
      own = childrenOf(child.pid);
      process.kill(own[0] as number, 'SIGKILL');
      while (calls < 60) await wait(5);
      child.kill('SIGKILL');
    },
  });
  // The others finish what is in flight. One that had just been started again may have asked nothing.
  while (own.some(isAlive)) await wait(10);
  const { code, stdout } = await touchstone(['run', '--resume', '--json', '--workers', '2'], { cwd });
  model.close();
  expect(code).toBe(0);
  const { run } = JSON.parse(stdout) as { run: { accounts: { requests: number }[] } };
  expect(calls).toBeGreaterThanOrEqual(cases);
  expect(calls - (run.accounts[0]?.requests ?? 0)).toBeLessThanOrEqual(concurrency);
});

/** A provider that refuses every key, or one that closes every connection. `asked` returns the number of requests so far. */
async function startBrokenModel(kind: 'refuses' | 'closes') {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => {
      if (kind === 'closes') request.socket.destroy();
      else response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, asked: () => requests, [Symbol.dispose]: () => void server.close() };
}

test.for(['refuses', 'closes'] as const)(
  'a provider that %s is asked by workers at most three times as often as by one process, and said to be given up once',
  async (kind) => {
    const asked: number[] = [];
    for (const args of [[], ['--workers', '4']]) {
      using model = await startBrokenModel(kind);
      const project = await writeSlowProject({ cases: 400, concurrency: 4 });
      const cwd = project.folder;
      const target = `{ use: chat, model: { use: openai-chat, model: m, maxRetries: 1, baseUrl: 'http://127.0.0.1:${model.port}/v1' } }`;
      await writeFile(
        path.join(cwd, 'touchstone.config.yaml'),
        `dataset: golden.jsonl\ntargets: [${target}]\nconcurrency: 4\n`,
      );
      const { code, stderr } = await touchstone(['run', ...args], { cwd, isAlone });
      expect(code).toBe(2);
      expect(stderr.match(/is not asked any more/g)).toHaveLength(1);
      asked.push(model.asked());
    }
    const [alone = 0, together = 0] = asked;
    expect(alone).toBeGreaterThan(0);
    expect(together).toBeLessThanOrEqual(3 * alone);
  },
);

/** Returns the processes that a process has started. */
function childrenOf(pid: number | undefined): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return Array.from(listed.matchAll(/(\d+)\s+(\d+)/g)).flatMap(([, child, parent]) =>
    Number(parent) === pid ? [Number(child)] : [],
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.skipIf(!isReleaseTested)(
  'when the process that began the run is killed, its workers end, and the run is continued by others (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeProject();
    const cwd = project.folder;
    await touchstone(['run', '--workers', String(workers)], {
      cwd,
      env,
      onStarted: async (child) => {
        await project.untilCalled(30);
        child.kill('SIGKILL');
      },
    });
    // They finish what is in flight, and store it.
    while ((await project.readWorkers()).some(isAlive)) await wait(10);
    const calls = (await project.readCalls()).length;
    expect(calls).toBeLessThan(cases);
    expect((await project.readKept()).length).toBe(calls);
    const { code, stdout } = await touchstone(['run', '--resume', '--json', '--workers', '2'], {
      cwd,
      env,
      isAlone,
    });
    expect(code).toBe(0);
    const { summary } = JSON.parse(stdout) as { summary: { targets: { counts: object }[] } };
    expect(summary.targets[0]?.counts).toMatchObject({ planned: cases, measured: cases });
    expect(await project.readCalls()).toHaveLength(cases);
  },
);

test.skipIf(!isReleaseTested)(
  'a worker can be started by hand; one with another config is refused, with the difference (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const project = await writeProject();
    const cwd = project.folder;
    const helped = await touchstone(['run', '--json', '--workers', '1'], {
      cwd,
      env: { SLOW_MS: '300' },
      onStarted: async () => {
        await project.untilCalled(10);
        const helper = await touchstone(['worker'], { cwd, env, isAlone });
        // A slow one says from time to time how far it is.
        const said = helper.stderr.replaceAll(/^\d+ attempts? made and scored by this worker\n/gm, '');
        expect([helper.code, said]).toEqual([0, '']);
      },
    });
    expect(helped.code).toBe(0);
    expect((await project.readWorkers()).length).toBe(2);
    expect((await project.readCalls()).length).toBeLessThanOrEqual(cases + inFlight);
    await writeFile(
      path.join(cwd, 'other.yaml'),
      'dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs }]\nmetrics: [keywords]\n',
    );
    const other = await touchstone(['worker', '--config', 'other.yaml'], { cwd, isAlone });
    expect(other.code).toBe(4);
    expect(other.stderr).toMatch(/This worker cannot work on run [^]*: it has .*, now /);
  },
);

test('an interrupted run with workers stores what was in flight, and says how to continue', async () => {
  const project = await writeProject();
  const { code, stderr } = await touchstone(['run', '--workers', String(workers)], {
    cwd: project.folder,
    env,
    onStarted: async (child) => {
      await project.untilCalled(30);
      child.kill('SIGINT');
    },
  });
  expect([code, stderr]).toEqual([130, expect.stringMatching(/--resume/)]);
  const calls = (await project.readCalls()).length;
  expect(calls).toBeLessThan(cases);
  expect(await project.readKept()).toHaveLength(calls);
});

test('a gate that ends the run early is refused with workers', async () => {
  const project = await writeProject();
  const args = ['run', '--workers', '2', '--fail-under', '80', '--sequential'];
  const { code, stderr } = await touchstone(args, { cwd: project.folder, isAlone });
  expect([code, stderr]).toEqual([4, expect.stringMatching(/ends the run early[^]*--no-sequential/)]);
  expect(await project.readCalls()).toEqual([]);
});

/** Adds parts to the queue of the run that no plan has, as somebody can who has access to the server. */
async function forgeParts(url: string): Promise<void> {
  await using client = new AsyncDisposableStack();
  const redis = client.adopt(new Redis(url), async (opened) => void (await opened.quit()));
  const [key = ''] = await redis.keys('bull:touchstone-*:meta');
  const { hostname: host, port } = new URL(url);
  const queue = client.adopt(
    new Queue(key.split(':')[1] ?? '', { connection: { host, port: Number(port) } }),
    async (opened) => await opened.close(),
  );
  const names = [
    '0-999999',
    '-1-5',
    '../../etc/passwd',
    '__proto__',
    '"; DROP TABLE runs; --',
    'x'.repeat(10_000),
  ];
  const data = { store: '/etc', config: 'https://evil.example/touchstone.config.js' };
  await queue.addBulk(names.map((jobId) => ({ name: 'part', data, opts: { jobId } })));
}

describeWithRedis('workers with a queue', () => {
  test.skipIf(!isReleaseTested)(
    'take their parts from it and no forged ones, and the summary is that of one process (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await using redis = await startRedis();
      const [alone, together] = [await writeProject(), await writeProject()];
      const one = await touchstone(['run', '--json'], { cwd: alone.folder });
      const many = await touchstone(['run', '--json', '--workers', String(workers), '--queue', redis.url], {
        cwd: together.folder,
        env: { SLOW_MS: '100' },
        onStarted: async () => {
          await together.untilCalled(1);
          await forgeParts(redis.url);
        },
      });
      expect([one.code, many.code]).toEqual([0, 0]);
      expect(many.stderr).not.toContain('queue');
      expect(await together.readCalls()).toHaveLength(cases);
      expect((await together.readWorkers()).length).toBe(workers);
      expect(summaryOf(many.stdout)).toEqual(summaryOf(one.stdout));
    },
  );

  test.skipIf(!isReleaseTested)(
    'a queue that is emptied, and a worker that is killed, cost time and the calls in flight (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await using redis = await startRedis();
      const project = await writeProject();
      const { code, stdout } = await touchstone(
        ['run', '--json', '--workers', String(workers), '--queue', redis.url],
        {
          cwd: project.folder,
          env: { SLOW_MS: '100' },
          onStarted: async () => {
            await project.untilCalled(10);
            const client = new Redis(redis.url);
            await client.flushall();
            await client.quit();
            for (const pid of (await project.readWorkers()).slice(0, 1)) process.kill(pid, 'SIGKILL');
          },
        },
      );
      expect(code).toBe(0);
      const { summary } = JSON.parse(stdout) as { summary: { targets: { counts: object }[] } };
      expect(summary.targets[0]?.counts).toMatchObject({ planned: cases, measured: cases, notRun: 0 });
      expect((await project.readCalls()).length).toBeLessThanOrEqual(cases + concurrency);
    },
  );

  test.skipIf(!isReleaseTested)(
    'a queue that is killed in the middle costs time, and nothing else (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      await using redis = await startRedis();
      const project = await writeProject();
      const { code, stdout, stderr } = await touchstone(
        ['run', '--json', '--workers', String(workers), '--queue', redis.url],
        {
          cwd: project.folder,
          env: { SLOW_MS: '100' },
          onStarted: async () => {
            await project.untilCalled(10);
            await redis.kill();
          },
        },
      );
      expect(code).toBe(0);
      expect(stderr).toContain(
        'The queue cannot be reached, so that workers look for their parts in the store',
      );
      const { summary } = JSON.parse(stdout) as { summary: { targets: { counts: object }[] } };
      expect(summary.targets[0]?.counts).toMatchObject({ planned: cases, measured: cases, notRun: 0 });
      expect(await project.readCalls()).toHaveLength(cases);
    },
  );
});

test('a queue without workers is refused, and nothing is asked', async () => {
  const project = await writeProject();
  const { code, stderr } = await touchstone(['run', '--queue', 'redis://127.0.0.1:1'], {
    cwd: project.folder,
  });
  expect([code, await project.readCalls()]).toEqual([4, []]);
  expect(stderr).toContain('Add `--workers N`, or omit `--queue`.');
});
