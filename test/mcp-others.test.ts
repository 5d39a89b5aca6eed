import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, temporaryFolder, touchstone } from './run-cli.ts';

/** The Python with the package `mcp`, where it is not the Python of the system. */
const python = process.env['TOUCHSTONE_TEST_MCP_PYTHON'] ?? 'python3';
const hasPackage = spawnSync(python, ['-c', 'import mcp']).status === 0;
const inspector = process.env['TOUCHSTONE_TEST_MCP_INSPECTOR'];

async function makeProject(): Promise<string> {
  const folder = await temporaryFolder();
  await touchstone(['init', '.'], { cwd: folder });
  await touchstone(['run'], { cwd: folder });
  return folder;
}

test.skipIf(!hasPackage)(
  'the Python client lists the tools and calls one that fails and one that does not (needs the Python package of mcp)',
  async () => {
    const cwd = await makeProject();
    const script = path.join(import.meta.dirname, 'support', 'mcp-client.py');
    const { stdout, stderr, status } = spawnSync(python, [script, process.execPath, program], {
      cwd,
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('Traceback');
    expect(status).toBe(0);
    const { tools, failed, missing } = JSON.parse(stdout);
    expect(tools).toHaveLength(12);
    expect(failed).toMatchObject({ total: 1, cases: [{ id: 'price-two' }] });
    expect(missing).toMatchObject({ isError: true });
  },
);

test.skipIf(inspector === undefined)(
  'the inspector of the protocol lists the tools and calls one (needs TOUCHSTONE_TEST_MCP_INSPECTOR)',
  async () => {
    const cwd = await makeProject();
    const inspect = (...args: string[]) => {
      const all = [inspector ?? '', '--cli', process.execPath, program, 'mcp', ...args];
      const { stdout, status } = spawnSync(process.execPath, all, { cwd, encoding: 'utf8' });
      expect(status).toBe(0);
      return JSON.parse(stdout);
    };
    expect(inspect('--method', 'tools/list').tools).toHaveLength(12);
    const called = inspect('--method', 'tools/call', '--tool-name', 'failed_cases', '--tool-arg', 'limit=2');
    expect(called.structuredContent).toMatchObject({ total: 1, cases: [{ id: 'price-two' }] });
  },
);
