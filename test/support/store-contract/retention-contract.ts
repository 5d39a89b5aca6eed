import { cutAudit, readAudit, recordEvent, verifyChain } from '../../../src/privacy/accounts/audit.ts';
import { applyDaily, applyRetention } from '../../../src/privacy/retention/apply-retention.ts';
import { setRetention } from '../../../src/privacy/retention/settings.ts';
import type { StoredSpan } from '../../../src/core/schema/trace/stored-trace.ts';
import type { Store } from '../../../src/stores/store.ts';
import { buildRun } from '../../../src/library/testing/build-records.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { baselineAt } from './baselines-contract.ts';
import { buildCertificate } from './certificates-contract.ts';
import { buildFeedback } from './feedback-contract.ts';
import { collect, fill, judgementAt, run, type StoreTest } from './store-records.ts';
import { addReviewRecords } from '../../../src/stores/reviews/review-records.ts';
import type { Subject } from '../../../src/core/schema/review/label.ts';
import { buildLabel, buildSubject, buildTask } from '../build-labels.ts';
import { labelKind } from '../../../src/stores/kinds/label.ts';
import { groupingKind, markKind } from '../../../src/stores/kinds/mode.ts';
import { certificateKind } from '../../../src/stores/kinds/certificate.ts';
import { baselineKind } from '../../../src/stores/kinds/baseline.ts';
import { feedbackKind } from '../../../src/stores/kinds/feedback.ts';
import { traceKind } from '../../../src/stores/kinds/trace.ts';
import { addDocument, putDocuments } from '../../../src/stores/documents/document-store.ts';
import { addFeedback, countFeedback } from '../../../src/stores/feedback/feedback-records.ts';
import { addSpans, removeTracesBeyond } from '../../../src/stores/traces/trace-records.ts';

const event = { who: 'ann', address: null, action: 'sign-in', project: 'main', object: null } as const;
const day = (days: number, from = new Date()) => new Date(from.getTime() + days * 86_400_000);

/** Makes a pass over a store as the only one of a server. */
async function pass(home: Store, now = new Date(), isDry = false) {
  const openProject = async () => {
    throw new Error('there is no other project');
  };
  return (await applyRetention({ home, openProject, who: 'test', now, isDry }))[0];
}

const span = (traceId: string, spanId: string): StoredSpan => ({
  traceId,
  spanId,
  name: 'chat',
  attributes: {},
  events: [],
  resource: {},
});

/** Adds notes, of answers of the old run, of a pair with one of its answers, and of another run; with a mark, and groups of notes. */
async function addNotes({ documents }: Store): Promise<void> {
  const spans = [{ start: 0, end: 8, text: 'on 3 May' }];
  const label = (id: string, subject: Subject, task: string) =>
    buildLabel(id, { task, subject, note: 'Its date is wrong', spans });
  const [old, young] = [buildSubject(0, { run: run.id }), buildSubject(0, { run: 'young' })];
  const { trialKey, answerHash, target, attempt } = old;
  const pair = { ...young, against: { trialKey, answerHash, target, attempt, run: run.id } };
  const sides = [young, old].map((side) => ({ name: 'bot', target: 'bot', run: side.run ?? '' }));
  const written = { by: { person: 'ann' }, at: '2026-01-02T03:04:05.678Z' };
  const group = (id: string, note: string) => ({
    id,
    task: null,
    by: { type: 'embedder', name: 'lexical', cut: 0.35 } as const,
    groups: [{ name: 'Its date is wrong', definition: '', notes: [note] }],
    ungrouped: [],
    at: written.at,
  });
  const mode = { id: 'wrong-date', version: '8'.repeat(32) };
  const told = { note: 'l1', mode, present: true, first: true, spans, task: 'task-1', draw: null };
  await addReviewRecords(documents, {
    tasks: [buildTask({ items: 1 }), { ...buildTask({ items: 1 }), id: 'pairs', pairs: { targets: sides } }],
    labels: [label('l1', old, 'task-1'), label('l2', pair, 'pairs'), label('l3', young, 'task-1')],
    marks: [{ id: 'm1', subject: old, ...told, ...written }],
    groupings: [group('g1', 'l1'), group('g2', 'l3')],
  });
}

/** Registers the tests of removing what is too old. */
export function testRetention(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest('traces, feedback and runs are removed by their age, and what runs need stays', async (store) => {
    const now = new Date('2026-11-27T00:00:00.000Z');
    const at = (days: number) => day(-days, now).toISOString();
    await fill(store);
    await store.updateRun({ ...run, status: 'completed', createdAt: at(500) });
    await store.addJudgements(run.id, [judgementAt(1)]);
    const others = ['young', 'held', 'based', 'certified'];
    for (const id of others)
      await store.createRun(buildRun({ id, createdAt: at(id === 'young' ? 10 : 500), status: 'completed' }));
    await store.updateRun({
      ...buildRun({ id: 'held', createdAt: at(500) }),
      status: 'completed',
      holds: ['case-7'],
    });
    const baseline = baselineAt('main', 0.5);
    await putDocuments(store.documents, baselineKind, [
      { ...baseline, run: { ...baseline.run, id: 'based' } },
    ]);
    await addDocument(
      store.documents,
      certificateKind,
      buildCertificate({ calibration: { run: 'certified' } }),
    );
    for (const [trace, age] of [
      ['old', 31],
      ['new', 29],
    ] as const)
      await addSpans(store.documents, [span(trace, 'a'), span(trace, 'b')], {
        now: at(age),
        openForMs: 1000,
      });
    await addNotes(store);
    await addFeedback(store, [
      buildFeedback('old', { receivedAt: at(401) }),
      buildFeedback('new', { receivedAt: at(399) }),
    ]);
    expect(await pass(store, now)).toMatchObject({ removed: { traces: 1, feedback: 1, runs: 0, audit: 0 } });
    await setRetention(store.accounts, 'main', ['runs=365', 'traces=never']);
    const dry = await pass(store, now, true);
    expect(dry).toMatchObject({ removed: { traces: 0, feedback: 0, runs: 1, audit: 0 } });
    expect(await store.readRun(run.id)).toBeDefined();
    expect(await pass(store, now)).toEqual(dry);
    expect(dry?.kept.map((each) => each.run).toSorted()).toEqual(['based', 'certified', 'held']);
    expect((await store.listRuns()).map(({ id }) => id).toSorted()).toEqual(others.toSorted());
    expect(await store.findJudgement(judgementAt(1).key)).toBeUndefined();
    expect((await Array.fromAsync(store.documents.list(traceKind))).map(({ traceId }) => traceId)).toEqual([
      'new',
    ]);
    expect((await collect(store.documents.list(feedbackKind))).map(({ feedback }) => feedback.id)).toEqual([
      'new',
    ]);
    const labels = await collect(store.documents.list(labelKind));
    const written = labels.map(({ id, note, spans, outcome }) => [id, note, spans?.[0]?.text, outcome]);
    const erased = '[erased 2026-11-27]';
    expect(written).toEqual([
      ['l1', erased, erased, { status: 'answered', value: true }],
      ['l2', erased, erased, { status: 'answered', value: true }],
      ['l3', 'Its date is wrong', 'on 3 May', { status: 'answered', value: true }],
    ]);
    const [mark] = await collect(store.documents.list(markKind));
    expect(mark).toMatchObject({ present: true, spans: [{ text: erased }] });
    const groups = (await collect(store.documents.list(groupingKind))).flatMap((each) => each.groups);
    expect(groups.map(({ name }) => name).toSorted()).toEqual(['Its date is wrong', erased]);
    expect(await collect(store.check())).toEqual([]);
    const passes = (await Array.fromAsync(readAudit(store.accounts))).filter(
      ({ action }) => action === 'retention',
    );
    expect(passes).toMatchObject([
      { who: 'test', details: { 'main.traces': '1', 'main.feedback': '1', 'main.runs': '0' } },
      { who: 'test', details: { 'main.traces': '0', 'main.feedback': '0', 'main.runs': '1' } },
    ]);
  });

  storeTest(
    'no more rows are removed at once than wanted, and a removal that was broken off goes on',
    async (store) => {
      const now = '2026-11-27T00:00:00.000Z';
      await fill(store);
      await store.createRun({ ...run, id: 'shared', rescoredFrom: run.id }, { trialsOf: run.id });
      const removed: number[] = [];
      for (let count = -1; count !== 0; removed.push(count)) count = await store.shrinkRun(run.id, 2);
      expect(removed).toEqual([2, 2, 1, 0]);
      expect(await collect(store.readResults('shared'))).toHaveLength(5);
      await store.deleteRun('shared');
      for (removed.length = 0; removed.at(-1) !== 0; ) removed.push(await store.shrinkRun(run.id, 2));
      expect(removed).toEqual([2, 2, 1, 2, 1, 0]);
      await store.deleteRun(run.id);
      expect(await collect(store.check())).toEqual([]);
      for (const id of ['a', 'b', 'c'])
        await addSpans(store.documents, [span(id, '1'), span(id, '2')], {
          now: '2026-01-01T00:00:00.000Z',
          openForMs: 1,
        });
      const limits = { receivedSince: now, most: 100, atOnce: 3 };
      expect(await removeTracesBeyond(store.documents, limits)).toBe(1);
      expect(await removeTracesBeyond(store.documents, { ...limits, atOnce: 4 })).toBe(2);
      await addFeedback(
        store,
        ['a', 'b', 'c'].map((id) => buildFeedback(id)),
      );
      const trim = () =>
        store.documents.change([feedbackKind], (change) =>
          change.remove(feedbackKind, { below: { received_at: now }, limit: 2 }),
        );
      expect([await trim(), await trim()]).toEqual([2, 1]);
      expect(await countFeedback(store.documents)).toEqual({ all: 0, matched: 0, waiting: 0, unmatched: 0 });
    },
  );

  storeTest(
    'the audit log is verified after its old part was cut, and a cut by hand is found',
    async ({ accounts }) => {
      for (let count = 0; count < 5; count += 1) await recordEvent(accounts, event);
      const before = await verifyChain(accounts);
      expect(await cutAudit(accounts, 'test', day(-1).toISOString())).toBe(0);
      expect(await cutAudit(accounts, 'test', day(1).toISOString())).toBe(5);
      const [cut, ...rest] = await Array.fromAsync(readAudit(accounts));
      expect(cut).toMatchObject({
        number: 6,
        action: 'audit-cut',
        details: { last: '5', hash: before.head },
      });
      expect(rest).toEqual([]);
      for (let count = 0; count < 3; count += 1) await recordEvent(accounts, event);
      const whole = await verifyChain(accounts, before.head);
      expect(whole).toMatchObject({ entries: 9 });
      expect(whole.fault).toBeUndefined();
      // Without the entry that says so, the beginning counts as removed.
      await accounts.cutEntries(7);
      expect((await verifyChain(accounts)).fault).toBe(
        'the entries up to 7 are missing, and none says that they were cut',
      );
    },
  );

  storeTest('of many servers one makes the pass of a day', async (home) => {
    const openProject = async () => home;
    const made = await Promise.all(
      ['a', 'b', 'c'].map(async (who) => await applyDaily({ home, openProject, who })),
    );
    expect(made.filter(Boolean)).toEqual([true]);
    expect(await applyDaily({ home, openProject, who: 'd' })).toBe(false);
  });

  storeTest('times that make no sense are refused', async ({ accounts }) => {
    for (const setting of ['traces', 'traces=soon', 'labels=3', 'runs=0', 'audit=7'])
      await expect(setRetention(accounts, 'main', [setting])).rejects.toMatchObject({
        code: 'usage-invalid',
      });
    await expect(setRetention(accounts, 'shop', ['audit=400'])).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  });
}
