import type { Feedback } from '../../../src/core/schema/feedback/feedback.ts';
import { type TraceChoice } from '../../../src/stores/traces/trace-records.ts';
import { listTraces } from '../../../src/stores/traces/trace-records.ts';
import { readAllFeedback } from '../../../src/stores/feedback/feedback-records.ts';
import type { StoredSpan } from '../../../src/core/schema/trace/stored-trace.ts';
import { mostSpansOfTrace } from '../../../src/stores/traces/trace-records.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { buildFeedback } from './feedback-contract.ts';
import { collect, type StoreTest } from './store-records.ts';
import { traceKind } from '../../../src/stores/kinds/trace.ts';
import {
  addFeedback,
  countFeedback,
  matchFeedback,
  readFeedbackOf,
} from '../../../src/stores/feedback/feedback-records.ts';
import {
  addSpans,
  eraseTraces,
  readTrace,
  removeTracesBeyond,
} from '../../../src/stores/traces/trace-records.ts';

/** Builds a span for tests. */
function buildSpan(traceId: string, spanId: string, parts: Partial<StoredSpan> = {}): StoredSpan {
  return {
    traceId,
    spanId,
    name: 'chat',
    startMs: Date.parse('2026-01-02T10:00:00.000Z'),
    endMs: Date.parse('2026-01-02T10:00:01.000Z'),
    attributes: { 'gen_ai.operation.name': 'chat' },
    events: [],
    resource: { 'service.name': 'bot' },
    ...parts,
  };
}

const minutes = (count: number) => count * 60_000;
const at = (minute: number) =>
  new Date(Date.parse('2026-01-02T10:00:00.000Z') + minutes(minute)).toISOString();
const joining = (minute: number) => ({ now: at(minute), openForMs: minutes(10) });
const none = { late: 0, erased: 0, 'trace-too-large': 0 };

/** Registers the tests of storing traces. */
export function testTraces(storeTest: StoreTest, expect: TestRunner['expect']): void {
  storeTest(
    'spans posted twice are one, and a trace has them in the order in which they began',
    async (store) => {
      const { documents } = store;
      const root = buildSpan('t', 'a', { conversation: 'c', user: { key: 'k', hash: 'h' } });
      const child = buildSpan('t', 'b', {
        startMs: (root.startMs ?? 0) - 5,
        attributes: { text: 'nul \u0000, high \u{1f642}', list: [1, { deep: null }] },
        events: [{ name: 'e', attributes: {} }],
      });
      expect(await addSpans(documents, [root, root, child], joining(0))).toEqual({
        added: 2,
        known: 1,
        refused: none,
        traces: ['t'],
      });
      expect(await addSpans(documents, [child], joining(1))).toEqual({
        added: 0,
        known: 1,
        refused: none,
        traces: [],
      });
      expect(await readTrace(store, 't')).toEqual({
        head: {
          traceId: 't',
          conversation: 'c',
          user: { key: 'k', hash: 'h' },
          startedAt: '2026-01-02T09:59:59.995Z',
          endedAt: '2026-01-02T10:00:01.000Z',
          receivedAt: at(0),
          openUntil: at(10),
          spans: 2,
        },
        spans: [child, root],
      });
      expect(await readTrace(store, 'nothing')).toBeUndefined();
      expect(await documents.count(traceKind)).toBe(1);
    },
  );

  storeTest('late spans join a trace for ten minutes after its last one, and then no more', async (store) => {
    const { documents } = store;
    await addSpans(documents, [buildSpan('t', 'a')], joining(0));
    expect((await addSpans(documents, [buildSpan('t', 'b')], joining(9))).added).toBe(1);
    expect((await addSpans(documents, [buildSpan('t', 'c')], joining(19))).added).toBe(1);
    const late = await addSpans(
      documents,
      [buildSpan('t', 'd'), buildSpan('t', 'a'), buildSpan('u', 'a')],
      joining(30),
    );
    expect(late).toEqual({ added: 1, known: 1, refused: { ...none, late: 1 }, traces: ['u'] });
    expect((await readTrace(store, 't'))?.spans.map(({ spanId }) => spanId)).toEqual(['a', 'b', 'c']);
    // What a person imports joins at any time.
    const imported = { now: at(40), openForMs: 0, acceptsLate: true };
    expect((await addSpans(documents, [buildSpan('t', 'd')], imported)).added).toBe(1);
  });

  storeTest('a trace has a largest number of spans', async (store) => {
    const { documents } = store;
    const spans = Array.from({ length: mostSpansOfTrace + 2 }, (_, index) => buildSpan('t', `s${index}`));
    const { added, refused } = await addSpans(documents, spans, joining(0));
    expect([added, refused]).toEqual([mostSpansOfTrace, { ...none, 'trace-too-large': 2 }]);
  });

  storeTest('traces are listed, the newest first, by conversation, user and id', async (store) => {
    const { documents } = store;
    await addSpans(documents, [buildSpan('aa1', 's', { conversation: 'c' })], joining(0));
    await addSpans(documents, [buildSpan('aa2', 's', { user: { key: 'k', hash: 'h' } })], joining(1));
    await addSpans(documents, [buildSpan('b%', 's')], joining(2));
    const ids = async (choice?: TraceChoice) =>
      (await listTraces(documents, choice)).map(({ traceId }) => traceId);
    expect(await ids()).toEqual(['b%', 'aa2', 'aa1']);
    expect(await ids({ limit: 1 })).toEqual(['b%']);
    expect(await ids({ conversation: 'c' })).toEqual(['aa1']);
    expect(await ids({ user: 'h' })).toEqual(['aa2']);
    expect(await ids({ idPrefix: 'aa' })).toEqual(['aa2', 'aa1']);
    expect(await ids({ idPrefix: '%' })).toEqual([]);
  });

  storeTest(
    'feedback finds its trace by id or by turn, before or after the trace comes in',
    async (store) => {
      const { documents } = store;
      const subjects: Feedback['subject'][] = [
        { traceId: 't1' },
        { conversation: 'c', turn: 2 },
        // Which of two turns is meant is not known.
        { conversation: 'c' },
        { traceId: 'later' },
        { trialKey: 't1' },
      ];
      const start = (minute: number) => ({ conversation: 'c', startMs: Date.parse(at(minute)) });
      await addSpans(documents, [buildSpan('t2', 's', start(5)), buildSpan('t1', 's', start(1))], joining(6));
      const records = subjects.map((subject, index) => buildFeedback(`f${index}`, { subject }));
      expect(await addFeedback(store, records)).toMatchObject({ added: 5, matched: 2 });
      expect(await addFeedback(store, records)).toMatchObject({ added: 0, known: 5, matched: 0 });
      const found = async () => {
        const kept = await collect(readAllFeedback(store.documents));
        for (const traceId of new Set(kept.map(({ trace = 'nothing' }) => trace))) {
          const same = traceId === 'nothing' ? [] : kept.filter(({ trace }) => trace === traceId);
          expect(await readFeedbackOf(documents, traceId)).toEqual(same.map((each) => each.feedback));
        }
        return kept.map(({ trace }) => trace ?? null);
      };
      expect(await found()).toEqual(['t1', 't2', null, null, null]);
      expect(await countFeedback(documents)).toEqual({ all: 5, matched: 2, waiting: 3, unmatched: 0 });
      await addSpans(documents, [buildSpan('later', 's')], joining(7));
      expect(await matchFeedback(store, '2026-01-02T11:00:00.000Z')).toBe(1);
      expect(await matchFeedback(store, '2026-01-02T11:00:00.000Z')).toBe(0);
      expect(await found()).toEqual(['t1', 't2', null, 'later', null]);
      expect(await matchFeedback(store, '2026-03-01T00:00:00.000Z')).toBe(0);
      expect(await countFeedback(documents)).toEqual({ all: 5, matched: 3, waiting: 0, unmatched: 2 });
    },
  );

  storeTest('an erased trace is gone, and its spans are refused from then on', async (store) => {
    const { documents } = store;
    await addSpans(documents, [buildSpan('t', 'a'), buildSpan('u', 'a')], joining(0));
    const before = await store.readVersion();
    expect(await eraseTraces(documents, ['t', 'nothing'], at(1))).toEqual(['t']);
    expect(await store.readVersion()).not.toBe(before);
    expect(await readTrace(store, 't')).toBeUndefined();
    const again = await addSpans(documents, [buildSpan('t', 'a'), buildSpan('nothing', 'a')], {
      ...joining(2),
      acceptsLate: true,
    });
    expect(again).toEqual({ added: 0, known: 0, refused: { ...none, erased: 2 }, traces: [] });
    expect(await collect(store.check())).toEqual([]);
  });

  storeTest('traces beyond the limits on age and number are removed', async (store) => {
    const { documents } = store;
    for (const minute of [0, 1, 2, 3])
      await addSpans(documents, [buildSpan(`t${minute}`, 'a')], joining(minute));
    expect(await removeTracesBeyond(documents, { receivedSince: at(1), most: 2 })).toBe(2);
    expect((await Array.fromAsync(documents.list(traceKind))).map(({ traceId }) => traceId)).toEqual([
      't3',
      't2',
    ]);
    expect(await removeTracesBeyond(documents, { receivedSince: at(1), most: 2 })).toBe(0);
    // They were not erased on demand, and may come again.
    expect((await addSpans(documents, [buildSpan('t0', 'a')], joining(9))).added).toBe(1);
  });

  storeTest('many senders of the same spans store each once', async (store) => {
    const { documents } = store;
    const spans = Array.from({ length: 20 }, (_, index) => buildSpan('t', `s${index}`));
    const all = await Promise.all(
      Array.from({ length: 5 }, async () => await addSpans(documents, spans, joining(0))),
    );
    expect(all.reduce((sum, { added }) => sum + added, 0)).toBe(20);
    expect((await readTrace(store, 't'))?.head.spans).toBe(20);
  });
}
