import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Exporter } from '../../src/exchange/exporters/exporter.ts';
import { inspect } from '../../src/exchange/exporters/inspect/inspect.ts';
import { inspectJson } from '../../src/exchange/exporters/inspect/inspect-json.ts';
import { promptfoo } from '../../src/exchange/exporters/promptfoo/promptfoo.ts';
import { temporaryFolder } from '../run-cli.ts';
import { exportedRun, exportWith } from '../support/exported-run.ts';

/** A Python with the packages `inspect_ai`, `pandas` and `pyarrow`. */
const python = process.env['TOUCHSTONE_TEST_INSPECT_PYTHON'];
/** The program of promptfoo: `…/node_modules/promptfoo/dist/src/main.js`. */
const promptfooProgram = process.env['TOUCHSTONE_TEST_PROMPTFOO'];

const frames = `
import json, sys
from inspect_ai.log import list_eval_logs
from inspect_ai.analysis import evals_df, events_df, messages_df, samples_df
folder = sys.argv[1]
sizes = {frame.__name__: len(frame(folder, quiet=True)) for frame in (evals_df, samples_df, messages_df, events_df)}
ids = messages_df(folder, quiet=True)["message_id"].nunique()
print(json.dumps({"logs": len(list_eval_logs(folder)), "ids": int(ids), **sizes}))
`;

async function writeExport(exporter: Exporter): Promise<string> {
  const folder = await temporaryFolder();
  const { files } = await exportWith(exporter, exportedRun());
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return folder;
}

test.skipIf(python === undefined).each([inspect, inspectJson])(
  'the data frames of Inspect open what $name is given (needs TOUCHSTONE_TEST_INSPECT_PYTHON)',
  async (exporter) => {
    const folder = await writeExport(exporter);
    const { stdout, stderr } = spawnSync(python ?? '', ['-c', frames, folder], { encoding: 'utf8' });
    expect(stderr).not.toContain('Traceback');
    expect(JSON.parse(stdout)).toEqual({
      logs: 2,
      evals_df: 2,
      samples_df: 11,
      messages_df: 22,
      ids: 22,
      events_df: 11,
    });
  },
);

test.skipIf(promptfooProgram === undefined)(
  'promptfoo imports its results (needs TOUCHSTONE_TEST_PROMPTFOO)',
  async () => {
    const folder = await writeExport(promptfoo);
    const env = {
      ...process.env,
      PROMPTFOO_CONFIG_DIR: path.join(folder, 'config'),
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
    };
    const file = path.join(folder, 'r-2026-02-11-a1.promptfoo.json');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [promptfooProgram ?? '', ...args], { encoding: 'utf8', env });
    expect(run('import', file).stdout).toContain('has been successfully imported');
    expect(run('list', 'evals').stdout).toContain('eval-r-2026-02-11-a1');
  },
);
