import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readAudit, verifyChain } from '../accounts/audit.ts';
import { openSqliteStore } from '../../stores/sqlite/sqlite.ts';
import { buildFeedback } from '../../../test/support/store-contract/feedback-contract.ts';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { fill, judgementAt, run } from '../../../test/support/store-contract/store-records.ts';
import { applyRetention } from './apply-retention.ts';
import { setRetention } from './settings.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';
import { feedbackKind } from '../../stores/kinds/feedback.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { addFeedback } from '../../stores/feedback/feedback-records.ts';
import { addSpans } from '../../stores/traces/trace-records.ts';

const now = new Date('2026-11-27T00:00:00.000Z');
const old = '2020-01-01T00:00:00.000Z';

/** The removals of a pass in their order, after the first call of each of which it is killed. */
const moments = [
  'store.updateRun',
  'store.shrinkRun',
  'store.eraseJudgements',
  'store.deleteRun',
  // Traces are removed first, then feedback.
  'store.documents.change of trace',
  'store.documents.change of feedback',
];

/** Makes a pass in a process that kills itself, the way a crash does, after the first call of a method. */
async function passAndDie(modules: string, file: string, moment: string): Promise<NodeJS.Signals | null> {
  const [, holder, method, kind] = /^(.*)\.(\w+)(?: of (\w+))?$/.exec(moment) ?? [];
  const script = `
    import { applyRetention, openSqliteStore } from ${JSON.stringify(pathToFileURL(modules).href)};
    const store = openSqliteStore(${JSON.stringify(file)});
    const { ${method}: work } = ${holder};
    const kind = ${JSON.stringify(kind)};
    ${holder}.${method} = async (...given) => {
      const result = await work(...given);
      if (kind === undefined || given[0][0].name === kind) process.kill(process.pid, 'SIGKILL');
      return result;
    };
    const now = new Date(${JSON.stringify(now.toISOString())});
    await applyRetention({ home: store, openProject: async () => store, who: 'test', now });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

test.skipIf(!isReleaseTested)(
  'a pass that is killed again and again, each time at another step, ends with what one pass leaves (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'touchstone.db');
    const first = openSqliteStore(file);
    await fill(first);
    await first.updateRun({ ...run, status: 'completed', createdAt: old });
    await first.createRun({ ...run, id: 'held', status: 'completed', createdAt: old, holds: ['case-7'] });
    await first.addJudgements(run.id, [judgementAt(1)]);
    const span = { name: 'chat', attributes: {}, events: [], resource: {} };
    await addSpans(first.documents, [{ ...span, traceId: 'old', spanId: 'a' }], { now: old, openForMs: 1 });
    await addFeedback(first, [buildFeedback('old', { receivedAt: old }), buildFeedback('new')]);
    await setRetention(first.accounts, 'main', ['runs=365']);
    await first.close();

    const sources = ['../../stores/sqlite/sqlite.ts', 'apply-retention.ts'].map((name) =>
      JSON.stringify(path.join(import.meta.dirname, name)),
    );
    const both = path.join(folder, 'modules.ts');
    await writeFile(both, sources.map((source) => `export * from ${source};`).join('\n'));
    const modules = await bundleProgram(both);
    for (const moment of moments)
      expect([moment, await passAndDie(modules, file, moment)]).toEqual([moment, 'SIGKILL']);

    await using store = openStore(file);
    const [main] = await applyRetention({ home: store, openProject: async () => store, who: 'test', now });
    expect(main?.kept).toEqual([{ run: 'held', why: 'it is under a legal hold: case-7' }]);
    expect((await store.listRuns()).map(({ id }) => id)).toEqual(['held']);
    expect(await store.findJudgement(judgementAt(1).key)).toBeUndefined();
    expect(
      (await Array.fromAsync(store.documents.list(traceKind))).map(({ traceId }) => traceId),
    ).not.toContain('old');
    const feedback = await Array.fromAsync(store.documents.list(feedbackKind));
    expect(feedback.map((each) => each.feedback.id)).not.toContain('old');
    expect(await Array.fromAsync(store.check())).toEqual([]);
    const entries = await Array.fromAsync(readAudit(store.accounts));
    // A pass that was broken off has said nothing.
    expect(entries.map(({ action }) => action)).toEqual(['retention']);
    expect((await verifyChain(store.accounts)).fault).toBeUndefined();
  },
);

function openStore(file: string) {
  const store = openSqliteStore(file);
  return { ...store, [Symbol.asyncDispose]: async () => await store.close() };
}
