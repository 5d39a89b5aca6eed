import {
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TouchstoneError } from '../../../core/errors.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import type { Store } from '../../../stores/store.ts';
import { buildCase, buildRun, buildTrial } from '../../../library/testing/build-records.ts';
import { emptySpool, withSpool } from './spool.ts';

const run = buildRun({ dataset: { sources: ['golden.jsonl'], cases: 4, hash: '2'.repeat(32) } });

function answerTo(ordinal: number, answer: string, cost = 0.5): CasedTrial {
  const key = String(ordinal).repeat(32);
  return { case: buildCase({ id: `q${ordinal}` }), trial: buildTrial(answer, { ordinal, key, cost }) };
}

/** A store in memory that can be taken away, with a run and its plan. */
async function createStore() {
  const memory = createMemoryStore();
  await memory.createRun(run);
  await memory.addCases(
    run.id,
    [0, 1, 2, 3].map((position) => ({
      position,
      hash: '1'.repeat(32),
      place: `golden.jsonl:${position + 1}`,
      case: buildCase({ id: `q${position}` }),
    })),
  );
  const state = { isAway: false };
  const fail = async () =>
    await Promise.reject(new TouchstoneError('store-unreadable', 'It cannot be reached.'));
  const store: Store = {
    ...memory,
    addTrials: async (...given) => (state.isAway ? await fail() : await memory.addTrials(...given)),
  };
  return { store, state };
}

function useFolder() {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'spool-'));
  onTestFinished(() => folder.remove());
  const notices: string[] = [];
  const spool = {
    folder: path.join(folder.path, 'spool'),
    onNotice: (message: string) => void notices.push(message),
  };
  const files = () => readdirSync(spool.folder).map((name) => path.join(spool.folder, name));
  return { spool, notices, files };
}

async function readAnswers(store: Store): Promise<(string | null)[]> {
  return (await Array.fromAsync(store.readResults(run.id))).map(({ trial }) => trial.answer);
}

const noLate = () => {
  throw new Error('nothing was late');
};

test('an answer that cannot be stored is kept in a file for its owner alone, and stored from there once', async () => {
  const { store, state } = await createStore();
  const { spool, files, notices } = useFolder();
  const kept = withSpool(store, spool);
  await kept.addTrials(run.id, [answerTo(0, 'first')]);
  state.isAway = true;
  const trials = [answerTo(1, 'second \u2028 "q" \ud800'), answerTo(2, 'third')];
  await expect(kept.addTrials(run.id, trials)).rejects.toThrow('It cannot be reached.');
  const [file = ''] = files();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  state.isAway = false;
  await emptySpool({ ...spool, store, runId: run.id, onLate: noLate });
  expect(await readAnswers(store)).toEqual(['first', 'second \u2028 "q" \ud800', 'third']);
  expect([files(), notices]).toEqual([
    [],
    [expect.stringMatching(/^2 answers saved in .* are now stored\.$/)],
  ]);
  // A process that died between storing and removing the file has left it there.
  expect(await store.addTrials(run.id, trials, { keepsDone: true })).toEqual([]);
});

test('a write that is refused leaves no file, and one that takes long leaves none once it is done', async () => {
  const { store } = await createStore();
  const { spool, files } = useFolder();
  const slow: Store = {
    ...store,
    addTrials: async (...given) => {
      while (!readdirSync(path.dirname(spool.folder)).includes('spool') || files().length === 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
      return await store.addTrials(...given);
    },
  };
  await withSpool(slow, spool).addTrials(run.id, [answerTo(0, 'slow')]);
  expect(await readAnswers(store)).toEqual(['slow']);
  await expect(withSpool(store, spool).addTrials('gone', [answerTo(0, 'x')])).rejects.toThrow(/gone/);
  expect(files()).toEqual([]);
});

test('an answer that another worker has given meanwhile is late, and counts with its price', async () => {
  const { store, state } = await createStore();
  const { spool, files } = useFolder();
  state.isAway = true;
  await withSpool(store, spool)
    .addTrials(run.id, [answerTo(0, 'too late', 0.25)])
    .catch(() => {});
  state.isAway = false;
  await store.addTrials(run.id, [answerTo(0, 'in time')]);
  // While a process coordinates the run, that process counts it in the end.
  const costs: (number | undefined)[] = [];
  const claim = await store.claimRun(run.id);
  await store.createRun({ ...run, id: 'another' });
  await emptySpool({ ...spool, store, runId: 'another', onLate: noLate });
  expect(files()).toHaveLength(1);
  await emptySpool({ ...spool, store, runId: run.id, onLate: (cost) => costs.push(cost) });
  expect([await readAnswers(store), costs, files()]).toEqual([['in time'], [0.25], []]);
  await claim[Symbol.asyncDispose]();
  // A run that has ended gets it in its record.
  state.isAway = true;
  await withSpool(store, spool)
    .addTrials(run.id, [answerTo(0, 'too late', 0.25)])
    .catch(() => {});
  state.isAway = false;
  await emptySpool({ ...spool, store, runId: run.id, onLate: noLate });
  expect(await store.readRun(run.id)).toMatchObject({ lateAnswers: 1, lateCost: 0.25 });
});

test('a line that was cut or changed is reported and kept, and the others are stored', async () => {
  const { store, state } = await createStore();
  const { spool, files, notices } = useFolder();
  state.isAway = true;
  await withSpool(store, spool)
    .addTrials(run.id, [answerTo(0, 'zero'), answerTo(1, 'one'), answerTo(2, 'two')])
    .catch(() => {});
  state.isAway = false;
  const [file = ''] = files();
  const [zero = '', one = '', two = ''] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [zero.replace('"zero"', '"best"'), one, two.slice(0, -20)].join('\n'));
  await emptySpool({ ...spool, store, runId: run.id, onLate: noLate });
  expect(await readAnswers(store)).toEqual(['one']);
  expect(files()).toEqual([`${file}.damaged`]);
  expect(notices[0]).toMatch(
    /\.damaged: Line 1, 3 of it was cut or changed, and what it contained has to be asked again/,
  );
});

test('a file that a process was writing when it died is read; one of a living process is left alone', async () => {
  const { store, state } = await createStore();
  const { spool, files, notices } = useFolder();
  state.isAway = true;
  await withSpool(store, spool)
    .addTrials(run.id, [answerTo(0, 'zero'), answerTo(1, 'one')])
    .catch(() => {});
  state.isAway = false;
  const [file = ''] = files();
  const text = readFileSync(file, 'utf8');
  writeFileSync(path.join(spool.folder, 'a.jsonl.part'), text.slice(0, -20));
  writeFileSync(path.join(spool.folder, 'b.jsonl.part'), text.slice(0, 20));
  const longAgo = Date.now() / 1000 - 3600;
  utimesSync(path.join(spool.folder, 'a.jsonl.part'), longAgo, longAgo);
  await emptySpool({ ...spool, store, runId: run.id, onLate: noLate });
  expect(files().map((each) => path.basename(each))).toEqual(['a.jsonl.part.damaged', 'b.jsonl.part']);
  expect(notices[0]).toMatch(/a\.jsonl\.part\.damaged: Line 2 of it was cut/);
});

test('answers of a run that is not in the store stay, and are named', async () => {
  const { store, state } = await createStore();
  const { spool, files, notices } = useFolder();
  state.isAway = true;
  await withSpool(store, spool)
    .addTrials('other', [answerTo(0, 'zero')])
    .catch(() => {});
  await emptySpool({ ...spool, store, runId: run.id, onLate: noLate });
  expect([files().length, notices]).toEqual([
    1,
    [expect.stringMatching(/has answers of run other, which is not in the store/)],
  ]);
});
