import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { atFileEnd } from './support/file-end.ts';
import { callTool } from './support/mcp-client.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Copies the example with the assistant into a project that has Touchstone installed. */
async function createProject(): Promise<string> {
  const cwd = path.join(await temporaryFolder(), 'assistant');
  await cp(path.join(root, 'examples', 'property-assistant'), cwd, {
    recursive: true,
    filter: (file) => !file.includes('.touchstone'),
  });
  await mkdir(path.join(cwd, 'node_modules', '.bin'), { recursive: true });
  await symlink(root, path.join(cwd, 'node_modules', 'touchstone-evals'));
  await symlink(
    '../touchstone-evals/bin/touchstone.js',
    path.join(cwd, 'node_modules', '.bin', 'touchstone'),
  );
  return cwd;
}

/**
 * Starts the server as `.mcp.json` of a project says, word for word. The person at the client agrees to what is asked, and the questions
 * are kept.
 */
async function connectAsWritten(cwd: string): Promise<{ client: Client; asked: string[] }> {
  const { mcpServers } = JSON.parse(await readFile(path.join(cwd, '.mcp.json'), 'utf8')) as {
    mcpServers: { touchstone: { command: string; args: string[] } };
  };
  const client = new Client(
    { name: 'scripted-agent', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push((params as { message: string }).message);
    return { action: 'accept', content: { confirm: true } };
  });
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  await client.connect(new StdioClientTransport({ ...mcpServers.touchstone, cwd, env, stderr: 'pipe' }));
  atFileEnd(async () => await client.close());
  return { client, asked };
}

test.skipIf(process.platform === 'win32')(
  'a scripted agent goes from `init --agents` to the first explained failure in at most 8 calls and 30,000 tokens',
  async () => {
    const cwd = await createProject();
    let calls = 1;
    const written = await touchstone(['init', '--agents', 'claude'], { cwd });
    const { client, asked } = await connectAsWritten(cwd);
    // What the client shows its model before the first call.
    const shown = [
      await readFile(path.join(cwd, 'AGENTS.md'), 'utf8'),
      await readFile(path.join(cwd, '.claude', 'skills', 'touchstone', 'SKILL.md'), 'utf8'),
      client.getInstructions() ?? '',
      JSON.stringify((await client.listTools()).tools),
    ];
    let characters = [written.stdout, ...shown].join('').length;
    const call = async (name: string, input: Record<string, unknown> = {}) => {
      const { text, isError, reply } = await callTool(client, name, input);
      expect({ name, isError, text }).toMatchObject({ isError: false });
      calls += 1;
      characters += name.length + JSON.stringify(input).length + text.length;
      return reply;
    };

    await call('project');
    await call('plan_run', { targets: ['v1'] });
    const { run } = await call('start_run', { targets: ['v1'], maxCost: 1 });
    let status = await call('run_status', { run, waitSeconds: 45 });
    // On a machine that is busy, the run may take longer than one call may.
    while (status.state === 'running') {
      status = await call('run_status', { run, waitSeconds: 45 });
      calls -= 1;
    }
    const { cases } = await call('failed_cases', { run, limit: 5 });
    const failure = await call('show_case', { run, case: cases[0].id });

    // The price of a bot that is code is not known: a person is asked once.
    expect(asked).toEqual([expect.stringContaining('71 calls')]);
    const says = (kind: string): { metric: string; passed?: boolean; says: { text: string } }[] =>
      failure.pieces.filter((piece: { kind: string }) => piece.kind === kind);
    expect(says('message').map((piece) => piece.says.text)).toEqual([
      'How much land does the building stand on?',
      expect.stringContaining('The total basis is $442,300'),
    ]);
    expect(says('verdict').filter(({ passed }) => passed === false)).toEqual([
      expect.objectContaining({
        metric: 'response-quality',
        says: expect.objectContaining({ text: 'keywords: missing: 0.31, acre' }),
      }),
    ]);
    expect(calls).toBeLessThanOrEqual(8);
    expect(characters / 4).toBeLessThanOrEqual(30_000);
  },
);
