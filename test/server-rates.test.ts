import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { createDatabase, describeWithPostgres, sharedServer } from './support/postgres-server.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const program = path.resolve(import.meta.dirname, '..', 'bin', 'touchstone.js');

/** Starts a server on a database. Returns its process and its address. */
async function startServer(cwd: string, url: string): Promise<{ child: ChildProcess; origin: string }> {
  const args = [program, 'server', '--store', url, '--rate', 'api=5'];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  while (!printed.includes('Ctrl-C')) {
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    printed += text.toString();
  }
  return { child, origin: /http:\/\/localhost:\d+/.exec(printed)?.[0] ?? '' };
}

describeWithPostgres('servers over one PostgreSQL', () => {
  test.skipIf(!isReleaseTested)(
    'answer a token as often together as one of them would (needs TOUCHSTONE_TEST_ALL=1)',
    async () => {
      const cwd = await temporaryFolder();
      const url = await createDatabase(await sharedServer());
      const first = await startServer(cwd, url);
      const second = await startServer(cwd, url);
      try {
        const made = await touchstone(['server', 'token', 'ci', '--scope', 'read', '--store', url], { cwd });
        const headers = { authorization: `Bearer ${made.stdout.trim()}` };
        const begun = performance.now();
        const answers = await Promise.all(
          Array.from({ length: 120 }, async (_, index) => {
            const { origin } = index % 2 === 0 ? first : second;
            return await fetch(`${origin}/api/runs`, { headers });
          }),
        );
        const seconds = (performance.now() - begun) / 1000;
        const allowed = answers.filter(({ status }) => status === 200).length;
        const refused = answers.filter(({ status }) => status === 429);
        expect(allowed + refused.length).toBe(120);
        expect(allowed).toBeGreaterThanOrEqual(50);
        expect(allowed).toBeLessThanOrEqual(50 + 5 * seconds + 1);
        for (const { headers: sent } of refused) expect(sent.get('retry-after')).toBe('1');
      } finally {
        for (const { child } of [first, second]) {
          child.kill('SIGINT');
          await once(child, 'exit');
        }
      }
    },
  );
});
