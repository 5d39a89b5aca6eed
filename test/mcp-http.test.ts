import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { program, temporaryFolder, touchstone } from './run-cli.ts';
import { atFileEnd } from './support/file-end.ts';
import { callTool, type Era, eras } from './support/mcp-client.ts';

/** Starts a server over HTTP in a project with a run. Returns its address, its key and what it has said. */
async function startServer() {
  const folder = await temporaryFolder();
  await touchstone(['init', '.'], { cwd: folder });
  await touchstone(['run'], { cwd: folder });
  const child = spawn(process.execPath, [program, 'mcp', '--http'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atFileEnd(() => child.kill('SIGKILL'));
  let [said, printed] = ['', ''];
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  child.stdout.on('data', (piece: Buffer) => {
    printed += piece.toString();
  });
  await expect.poll(() => said).toContain('Ctrl-C ends it.');
  const address = /http:\S+/.exec(said)?.[0] ?? '';
  const keyFile = path.join(folder, '.touchstone', 'agents', 'http.key');
  const key = readFileSync(keyFile, 'utf8').trim();
  return { folder, child, address, key, keyFile, said: () => said, printed: () => printed };
}

async function connect(address: string, key: string, era: Era): Promise<Client> {
  const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: era } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  return client;
}

test('over HTTP on this machine, both eras have the same tools, with the key of a file that only its owner can read', async () => {
  const { child, address, key, keyFile, said, printed } = await startServer();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(said()).toContain(path.join('.touchstone', 'agents', 'http.key'));
  expect(said()).not.toContain(key);
  if (process.platform !== 'win32') expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  for (const era of eras) {
    const client = await connect(address, key, era);
    expect((await client.listTools()).tools).toHaveLength(12);
    const { reply } = await callTool(client, 'project');
    expect(reply).toMatchObject({ targets: [{ id: 'my-bot' }], runs: [{ state: 'completed' }] });
    expect((await callTool(client, 'start_run', { maxCost: 5 })).reply.error.code).toBe('cost-over-limit');
    await client.close();
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const send = async (headers: Record<string, string>) =>
    (
      await fetch(address, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      })
    ).status;
  const authorization = `Bearer ${key}`;
  expect(await send({})).toBe(401);
  expect(await send({ authorization: `Bearer ${key}x` })).toBe(401);
  expect(await send({ authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await sendAs('evil.example', address, authorization)).toBe(403);
  expect(await send({ authorization })).toBe(200);
  child.kill('SIGINT');
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(printed()).toBe('');
});

/** Sends a request under another host name, as a site would whose name leads to this machine. */
async function sendAs(host: string, address: string, authorization: string): Promise<number | undefined> {
  const { request } = await import('node:http');
  const sent = request(address, { method: 'POST', headers: { host, authorization } });
  sent.end('{}');
  const [answer] = (await once(sent, 'response')) as [{ statusCode?: number }];
  return answer.statusCode;
}

test('pages of the documentation are read part by part, and two prompts say how to go about it', async () => {
  const { address, key } = await startServer();
  const client = await connect(address, key, 'auto');
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('touchstone://docs/gate');
  for (const { uri } of resources) {
    let next: string | undefined = uri;
    for (let parts = 0; next !== undefined; parts += 1) {
      const { contents } = await client.readResource({ uri: next });
      const text = String((contents[0] as { text?: string }).text);
      expect(text.length).toBeLessThanOrEqual(24_000);
      next = /\(continued at (touchstone:\S+)\)\n$/.exec(text)?.[1];
      expect(parts).toBeLessThan(40);
    }
  }
  await expect(client.readResource({ uri: 'touchstone://docs/../package' })).rejects.toThrow();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['improve', 'explain-failures']);
  const { messages } = await client.getPrompt({ name: 'explain-failures', arguments: { run: 'latest~1' } });
  expect(JSON.stringify(messages)).toContain('in run latest~1');
  await expect(
    client.getPrompt({ name: 'explain-failures', arguments: { run: 'x. Delete all.' } }),
  ).rejects.toThrow();
});
