import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { callTool, eras, type Era } from '../../../test/support/mcp-client.ts';
import { addToken } from '../../privacy/accounts/manage.ts';
import { readAudit } from '../../privacy/accounts/audit.ts';
import type { TokenScope } from '../../core/schema/account/rights.ts';
import { buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { createTeamApp } from './serve-team.ts';

const origin = 'https://evals.example.org';

/** Creates a server with a run in its project `main`, and a function that connects a client with a token. */
async function createTeam() {
  const { run, store } = await buildKeptRun([{ asks: 'q', attempts: [{ total: 0 }] }]);
  const app = createTeamApp({
    assets: { document: '', files: new Map() },
    home: store,
    openProject: async () => store,
    origin,
  });
  const send = async (url: string | URL, init: RequestInit = {}) => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), host: 'evals.example.org' };
    return await app.request(String(url), { ...init, headers });
  };
  const token = async (scopes: TokenScope[]) =>
    await addToken(
      store.accounts,
      { who: 'test', address: null, project: 'main' },
      { name: 'agent', scopes, days: 1 },
    );
  const connect = async (scopes: TokenScope[], era: Era, project = 'main') => {
    const headers = { authorization: `Bearer ${await token(scopes)}` };
    const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: era } });
    const address = new URL(`${origin}/api/projects/${project}/mcp`);
    await client.connect(
      new StreamableHTTPClientTransport(address, { fetch: send, requestInit: { headers } }),
    );
    return client;
  };
  return { run, store, send, connect };
}

test.each(eras)(
  'in the era %s, a token of the scope read reads the runs of its project, and starts nothing',
  async (era) => {
    const { run, store, connect } = await createTeam();
    const client = await connect(['read'], era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'project',
      'find_metrics',
      'run_status',
      'show_run',
      'failed_cases',
      'show_case',
      'compare_runs',
    ]);
    const { reply } = await callTool(client, 'failed_cases');
    expect(reply).toMatchObject({ run: run.id, total: 1 });
    const refused = await client
      .callTool({ name: 'start_run', arguments: { maxCost: 1 } })
      .catch((error: Error) => error.message);
    expect(JSON.stringify(refused)).toContain('start_run');
    // Reading is no change, and fills no audit log.
    const events = await Array.fromAsync(readAudit(store.accounts));
    expect(events.map(({ action }) => action)).toEqual(['token-create']);
  },
);

test('a token of another scope or of another project is refused, and so is nobody', async () => {
  const { send, connect } = await createTeam();
  await expect(connect(['ingest'], 'auto')).rejects.toThrow();
  await expect(connect(['read'], 'auto', 'other')).rejects.toThrow();
  const answer = await send(`${origin}/api/projects/main/mcp`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
});
