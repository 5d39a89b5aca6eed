import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

/** Starts `touchstone view` on a free port, asks for an address of it, interrupts it, and returns its end and the answer. */
async function view(args: readonly string[], ask: (address: URL) => Promise<Response>) {
  let answer: Response | undefined;
  const ended = await touchstone(['view', ...args], {
    cwd: await temporaryFolder(),
    onStarted: async (child) => {
      let printed = '';
      while (!printed.includes('Ctrl-C')) {
        const [text] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [string];
        printed += text;
      }
      answer = await ask(new URL(/http:\S+/.exec(printed)?.[0] ?? ''));
      child.kill('SIGINT');
    },
  });
  return { ...ended, answer };
}

test('prints an address that leads to the page, and ends after Ctrl-C', async () => {
  const { code, stdout, answer } = await view([], async (address) => {
    const opened = await fetch(address, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    return await fetch(new URL(opened.headers.get('location') ?? '', address), { headers: { cookie } });
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^The dashboard: http:\/\/127\.0\.0\.1:\d+\/\?access=[\w-]{43}\nCtrl-C ends it\.\n$/,
  );
  expect(answer?.status).toBe(200);
  expect(await answer?.text()).toContain('<title>Touchstone</title>');
});

test('refuses a program that does not have the address', async () => {
  const { answer } = await view([], async ({ origin }) => await fetch(`${origin}/api/runs`));
  expect(answer?.status).toBe(403);
});

test('a port that is taken is named', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await touchstone(['view', '--port', String(port)], {
    cwd: await temporaryFolder(),
  });
  other.close();
  expect(code).toBe(4);
  expect(stderr).toContain(`Port ${port} is in use by another program.`);
  expect(stderr).toContain('Choose another with `--port`');
});

test('an unknown run is refused before anything is served', async () => {
  const { code, stderr } = await touchstone(['view', 'none'], { cwd: await temporaryFolder() });
  expect(code).toBe(4);
  expect(stderr).toContain('There are no runs yet.');
});
