import { planErasure } from '../../../src/privacy/erasure/erase-texts.ts';
import { findTexts } from '../../../src/privacy/erasure/find-texts.ts';
import { keyedHash } from '../../../src/core/lib/content-hash.ts';
import { draftOfTrace } from '../../../src/core/schema/judgement.ts';
import type { Result } from '../../../src/core/schema/result.ts';
import type { Store } from '../../../src/stores/store.ts';
import { textKinds } from '../../../src/stores/texts/text-records.ts';
import { buildItems, buildLabel, buildRubric, buildSubject, buildTask } from '../build-labels.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';
import { createBatchDesk } from '../../../src/evaluate/run/batches/batch-desk.ts';
import { batchKind } from '../../../src/stores/kinds/batch.ts';
import { baselineAt } from './baselines-contract.ts';
import { batchOf, promptOf } from './batches-contract.ts';
import { buildFeedback } from './feedback-contract.ts';
import { buildDecision, buildProposal } from './proposals-contract.ts';
import { collect, fill, judgementAt, keyOf, plan, run, type StoreTest, trialAt } from './store-records.ts';
import { addReviewRecords } from '../../../src/stores/reviews/review-records.ts';
import type { RubricEquivalence } from '../../../src/core/schema/review/rubric.ts';
import type { RefusedCalibration } from '../../../src/core/schema/review/certificate.ts';
import { certificateKind, refusedCalibrationKind } from '../../../src/stores/kinds/certificate.ts';
import { runEditKind } from '../../../src/stores/kinds/run-edit.ts';
import { watchDayKind, watchKind } from '../../../src/stores/kinds/watch.ts';
import { kinds } from '../../../src/stores/kinds/kinds.ts';
import { reserveItems } from '../../../src/stores/reviews/reservations.ts';
import { buildCertificate, buildRefusal } from './certificates-contract.ts';
import { baselineKind } from '../../../src/stores/kinds/baseline.ts';
import { feedbackKind, readUserKey } from '../../../src/stores/kinds/feedback.ts';
import { traceKind } from '../../../src/stores/kinds/trace.ts';
import { addDocument, putDocuments } from '../../../src/stores/documents/document-store.ts';
import { addFeedback } from '../../../src/stores/feedback/feedback-records.ts';
import { addProposals, storeDecision } from '../../../src/stores/proposals/proposal-records.ts';
import { addSpans } from '../../../src/stores/traces/trace-records.ts';

const day = '2026-11-27';
const mark = `[erased ${day}]`;
/** A text with letters that JSON and SQL write in their own ways. */
const secret = 'Ann "Nán" O\'Lee\n<ann@example.org> 100%_\\';

/** Fills a store with records of every kind, each of which contains a text. The records without it come from `fill`. */
export async function fillWithText(store: Store, text: string): Promise<void> {
  await fill(store);
  await store.updateRun({ ...run, description: `for ${text}`, status: 'completed' });
  const judgement = judgementAt(1);
  const asked = { role: 'user' as const, content: `Judge ${text}` };
  const call = {
    ...(judgement.calls[0] as (typeof judgement.calls)[number]),
    prompt: [asked],
    reply: text,
    reasoning: text,
  };
  await store.addJudgements(run.id, [
    { ...judgement, outcome: { status: 'answered', answer: { reason: text, score: 0.5 } }, calls: [call] },
    judgementAt(2),
  ]);
  const planned = plan(2, {
    id: `c ${text}`,
    input: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: `I am ${text}` },
    ],
    category: 'x',
    tags: [text, 'vip'],
    expected: { answer: `Hello ${text}`, keywords: [text], passMark: 0.5 },
    context: text,
    metadata: { [text]: { deep: [text] } },
  });
  await store.addCases(run.id, [planned]);
  const call2 = { id: '1', name: 'look', arguments: { who: text }, result: { [text]: [text] } };
  const long = `${text} ${'and more '.repeat(1000)}`;
  const trial = trialAt(4, long, planned, {
    key: keyOf(4),
    logs: text,
    state: { user: text },
    recorded: { user: text },
    cost: 0.5,
    documents: [{ id: 'd', text }],
    transcript: [
      { role: 'user', content: `I am ${text}`, name: text },
      { role: 'assistant', content: long, reasoning: text, toolCalls: [call2] },
    ],
  });
  const result: Result = {
    case: planned.case,
    trial,
    verdicts: {
      tone: {
        status: 'scored',
        value: 0.25,
        passed: false,
        explanation: `rude to ${text}`,
        evidence: { quote: text },
        judgements: [judgement.id, judgementAt(2).id],
      },
      keywords: { status: 'failed', code: 'x', reason: text },
    },
    scorecard: { total: 0.25, lower: 0.25, upper: 0.25, grade: null, passed: false, explanation: text },
  };
  await store.addTrials(run.id, [result]);
  await store.addScores(run.id, [result]);
  await fillPeople(store, text);
}

async function fillPeople(store: Store, text: string): Promise<void> {
  const free = buildRubric({ id: 'why', scale: { type: 'text' }, criterion: 'why' });
  const { id, version } = free;
  const subject = buildSubject(4, { trialKey: keyOf(4), caseId: `c ${text}` });
  const task = buildTask({ items: 1 });
  const baseline = baselineAt('main', 0.5);
  await putDocuments(store.documents, baselineKind, [
    {
      ...baseline,
      targets: baseline.targets.map((target) => ({
        ...target,
        cases: target.cases.map((each) => ({ ...each, id: `c ${text}` })),
      })),
    },
  ]);
  await addReviewRecords(store.documents, {
    rubrics: [buildRubric({ examples: [{ type: 'good', answer: text }] }), free],
    tasks: [{ ...task, frame: { ...task.frame, filter: [text] } }],
    items: buildItems(task, { subject }),
    labels: [
      buildLabel('l1', { note: text, subject, spans: [{ start: 0, end: 3, text }] }),
      buildLabel('l2', { rubric: { id, version }, value: 'she is impatient', subject }),
      buildLabel('l3', { note: 'of another answer', item: 1 }),
    ],
  });
  await addFeedback(store, [
    buildFeedback('f1', {
      signal: 'text',
      value: undefined,
      text: `write to ${text}`,
      subject: { trialKey: 'none' },
    }),
    buildFeedback('f2', { text: 'it knew me', subject: { trialKey: keyOf(4) } }),
    buildFeedback('f3', { text: 'of another answer', subject: { trialKey: keyOf(0) } }),
  ]);
  await addProposals(store.documents, [
    buildProposal('p1', {
      case: { input: text, tags: [], metadata: {} },
      source: { type: 'label', label: 'l1' },
    }),
    buildProposal('p2', { source: { type: 'label', label: 'l3' } }),
  ]);
  await storeDecision(store.documents, buildDecision('p1', { note: 'as she said' }), { isOwnAllowed: false });
  const span = { spanId: 'a', name: 'chat', events: [], resource: {}, startMs: 0 };
  const joining = { now: '2026-01-02T10:00:00.000Z', openForMs: 1000 };
  await addSpans(
    store.documents,
    [{ ...span, traceId: 'trace-1', conversation: text, attributes: { input: [text] } }],
    joining,
  );
  await store.addJudgements(null, [{ ...judgementAt(3), askedIn: draftOfTrace('trace-1') }]);
  await fillOthers(store, text);
  await store.shared.change('run/x/note', () => ({ value: { message: text }, result: undefined }));
}

/** The kinds of documents but those that hold no text which someone wrote. */
const kindsWithTexts = kinds.filter(({ name }) => name !== 'user-key' && name !== 'erased-trace');

/** Adds documents of the kinds in which people rarely write a text. */
async function fillOthers({ documents }: Store, text: string): Promise<void> {
  const edit = { at: '2026-01-02T03:04:05.678Z', by: 'ann', note: text };
  await putDocuments(documents, runEditKind, [{ run: run.id, edits: [edit] }]);
  await putDocuments(documents, batchKind, [{ ...batchOf('touchstone-1', run.id, 'submitted'), name: text }]);
  await createBatchDesk(run.id, documents).add({ model: 'm' } as never, promptOf(['k'], `Judge ${text}`));
  const { id, version } = buildRubric();
  const equivalence: RubricEquivalence = {
    id: 'e1',
    rubric: id,
    versions: [version, '7'.repeat(32)],
    by: 'ann',
    at: '2026-01-02T03:04:05.678Z',
    note: text,
  };
  await addReviewRecords(documents, { equivalences: [equivalence] });
  const request = {
    task: 'task-1',
    person: text,
    wishes: [{ item: 0, purpose: 'control' as const }],
    count: 1,
  };
  const times = { now: '2026-01-03T10:00:00.000Z', until: '2026-01-03T10:15:00.000Z' };
  await reserveItems(documents, { ...request, ...times });
  const words = { definition: `is rude to ${text}`, includes: [], excludes: [] };
  const mode = { id: 'rude', version: '8'.repeat(32) };
  const written = { by: { person: 'ann' }, at: '2026-01-02T03:04:05.678Z' };
  const subject = buildSubject(4, { trialKey: keyOf(4), caseId: `c ${text}` });
  await addReviewRecords(documents, {
    modes: [
      { entry: 'r1', ...mode, name: 'rude', ...words, state: { status: 'open' }, sameAs: [], ...written },
    ],
    marks: [
      {
        id: 'm1',
        subject,
        note: 'l1',
        mode,
        present: true,
        first: true,
        spans: [{ start: 0, end: 3, text: 'rude, like her' }],
        ...written,
        task: 'task-1',
        draw: null,
      },
    ],
    groupings: [
      {
        id: 'g1',
        task: null,
        by: { type: 'judge', name: 'tone', fingerprint: 'f' },
        groups: [{ name: 'rude, like her', definition: text, notes: ['l1'] }],
        ungrouped: [],
        at: written.at,
      },
    ],
    looks: [
      {
        id: 'k1',
        rubric: { id, version },
        judge: text,
        labels: 'h',
        purpose: 'certify',
        result: 'refused',
        ...written,
      },
    ],
  });
  const message = { id: 'msg_1', outcome: 'fail' as const, text, rule: 'helps', run: null, evidence: 21 };
  await addDocument(documents, watchKind, { name: 'live', rules: {}, outbox: [message] });
  await addDocument(documents, watchDayKind, {
    watch: 'live',
    day: '2026-01-02',
    from: '2026-01-01T06:00:00.000Z',
    until: '2026-01-02T06:00:00.000Z',
    frame: { units: 1, hash: 'h' },
    probability: 1,
    seed: 's',
    // The id of a conversation, which a bot chose.
    drawn: [{ id: text, traces: ['trace-2'] }],
    run: null,
    scores: null,
  });
  await addDocument(documents, certificateKind, withFilter(buildCertificate(), text));
  await addDocument(documents, refusedCalibrationKind, withFilter(buildRefusal(), text));
}

function withFilter<Each extends RefusedCalibration>(record: Each, text: string): Each {
  const { calibration } = record;
  return { ...record, calibration: { ...calibration, frame: { ...calibration.frame, filter: [text] } } };
}

/** Returns all records of a store as one text. */
async function dump(store: Store): Promise<string> {
  const records: unknown[] = [await store.listRuns(), await store.readRun(run.id)];
  for (const kind of textKinds) records.push(await collect(store.texts.read(kind)));
  for (const kind of kindsWithTexts) {
    const columns = Object.keys(kind.columns);
    records.push(await collect(store.documents.list(kind)), await store.documents.heads(kind, columns));
  }
  records.push(await collect(store.readResults(run.id)), await collect(store.readJudgements(run.id)));
  records.push(await store.shared.list(''), await store.selectTrials(run.id, { limit: 100 }));
  return JSON.stringify(records);
}

/** Registers the tests of erasing texts. */
export function testTexts(storeTest: StoreTest, expect: TestRunner['expect']): void {
  const form = JSON.stringify(secret).slice(1, -1);

  storeTest('a text is erased from records of every kind, and their numbers stay', async (store) => {
    await fillWithText(store, secret);
    const before = await collect(store.readOutcomes(run.id));
    const others = (await collect(store.readResults(run.id))).slice(0, 4);
    expect(await dump(store)).toContain(form);
    const { erase, ...planned } = await planErasure(store, { texts: [secret] }, day);
    expect(planned).toMatchObject({
      counts: {
        case: 1,
        trial: 1,
        scores: 1,
        judgement: 3,
        label: 2,
        feedback: 2,
        proposal: 1,
        equivalence: 1,
        reservation: 1,
        certificate: 1,
        'refused-calibration': 1,
        'review-item': 1,
        trace: 1,
        run: 1,
        baseline: 1,
        rubric: 1,
        'review-task': 1,
        'shared-record': 1,
        batch: 1,
        'batch-request': 1,
        'run-edit': 1,
        mode: 1,
        mark: 1,
        grouping: 1,
        'certificate-look': 1,
        watch: 1,
        'watch-day': 1,
      },
      runs: [run.id],
      left: 0,
    });
    expect(await dump(store)).toContain(form);
    await erase();
    const after = await dump(store);
    expect(after).not.toContain(form);
    for (const part of [
      'Nán',
      'she is impatient',
      'it knew me',
      'as she said',
      'Judge it.',
      'vip and more',
      'like her',
    ])
      expect(after).not.toContain(part);
    expect(after).toContain('of another answer');
    const results = await collect(store.readResults(run.id));
    expect(results.slice(0, 4)).toEqual(others);
    expect(results[4]).toMatchObject({
      case: { id: `c ${mark}`, category: 'x', expected: { passMark: 0.5 } },
      trial: {
        key: keyOf(4),
        caseId: `c ${mark}`,
        answer: mark,
        cost: 0.5,
        erased: day,
        transcript: [{ role: 'user' }, { role: 'assistant', content: mark, toolCalls: [{ name: 'look' }] }],
      },
      verdicts: { tone: { value: 0.25, passed: false, explanation: mark }, keywords: { reason: mark } },
      scorecard: { total: 0.25, explanation: mark },
    });
    const numbers = ({ trial, scorecard }: (typeof before)[number][number]) => ({
      ordinal: trial.ordinal,
      status: trial.status,
      cost: trial.cost,
      latency: trial.latency,
      total: scorecard?.total,
    });
    expect((await collect(store.readOutcomes(run.id))).flat().map(numbers)).toEqual(
      before.flat().map(numbers),
    );
    expect((await store.readRun(run.id))?.erasures).toEqual([{ day, records: 3 }]);
    expect(await store.documents.count(traceKind)).toBe(0);
    expect(await collect(store.check())).toEqual([]);
  });

  storeTest('there is a document with the text of every kind, each as its schema says', async (store) => {
    await fillWithText(store, secret);
    for (const kind of kindsWithTexts) {
      const documents = await collect(store.documents.list(kind));
      expect([kind.name, documents.some((each) => JSON.stringify(each).includes(form))]).toEqual([
        kind.name,
        true,
      ]);
      for (const each of documents)
        expect([kind.name, kind.schema().safeParse(each).error]).toEqual([kind.name, undefined]);
    }
  });

  storeTest('an erasure that was broken off is finished by the same one', async (store) => {
    await fillWithText(store, secret);
    const { change } = await findTexts(store, { texts: [secret] }, day);
    // As after a kill: the case has lost the text by which the others were found.
    await store.texts.rewrite('case', change);
    await (await planErasure(store, { texts: [secret] }, day)).erase();
    const after = await dump(store);
    for (const part of [form, 'she is impatient', 'it knew me', 'Judge it.'])
      expect(after).not.toContain(part);
    expect((await store.readRun(run.id))?.erasures).toEqual([{ day, records: 3 }]);
    const { counts } = await planErasure(store, { texts: [secret] }, '2026-12-01');
    expect(counts).toEqual({});
  });

  storeTest(
    'a person is found by the hash of the id, with traces, reactions and cases made of them',
    async (store) => {
      await fill(store);
      const { id: key, secret: hashing } = await readUserKey(store.documents);
      const user = { key, hash: keyedHash('user-1', hashing) };
      const span = { name: 'chat', attributes: { q: 'my rash' }, events: [], resource: {}, startMs: 0 };
      const joining = { now: '2026-01-02T10:00:00.000Z', openForMs: 1000 };
      await addSpans(
        store.documents,
        [
          { ...span, traceId: 'mine', spanId: 'a', user, conversation: 'talk-1' },
          { ...span, traceId: 'other', spanId: 'b', user: { key, hash: 'h' } },
        ],
        joining,
      );
      await addFeedback(store, [
        buildFeedback('mine', { user, text: 'it itches', subject: { conversation: 'talk-1' } }),
        buildFeedback('other', { user: { key, hash: 'h' }, text: 'all fine' }),
      ]);
      await store.addCases(run.id, [plan(2, { id: 'rash', input: 'my rash', metadata: { trace: 'mine' } })]);
      const { erase, counts } = await planErasure(store, { users: ['user-1'] }, day);
      expect(counts).toEqual({ case: 1, trial: 1, scores: 1, feedback: 1, trace: 1 });
      await erase();
      const feedback = (await collect(store.documents.list(feedbackKind))).map((each) => each.feedback);
      expect(feedback.map(({ id, text, user: who }) => [id, text, who?.hash])).toEqual([
        ['mine', mark, undefined],
        ['other', 'all fine', 'h'],
      ]);
      expect((await Array.fromAsync(store.documents.list(traceKind))).map(({ traceId }) => traceId)).toEqual([
        'other',
      ]);
      expect((await collect(store.readCases(run.id)))[2]?.case).toMatchObject({ input: mark, metadata: {} });
    },
  );

  storeTest(
    'a text that is a word of the records themselves is refused, and nothing changes',
    async (store) => {
      await fillWithText(store, secret);
      const before = await dump(store);
      for (const text of ['assistant', 'no', 'scored'])
        await expect(planErasure(store, { texts: [text] }, day)).rejects.toMatchObject({
          code: 'usage-invalid',
        });
      expect(await dump(store)).toBe(before);
    },
  );

  storeTest('the texts of a run that a process works on are not erased', async (store) => {
    await fillWithText(store, secret);
    await using _claim = await store.claimRun(run.id);
    const { erase } = await planErasure(store, { texts: [secret] }, day);
    await expect(erase()).rejects.toMatchObject({ code: 'run-in-progress' });
    expect(await dump(store)).toContain(form);
  });
}
