import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { importTraces, forgetTraces } from './traces.ts';
import { propose } from './propose.ts';
import { draft, planDraft } from './draft.ts';
import { proposalKind } from '../../../stores/kinds/proposal.ts';
import { traceKind } from '../../../stores/kinds/trace.ts';
import { readTrace } from '../../../stores/traces/trace-records.ts';

const fixture = path.join(import.meta.dirname, '../../../../test/otlp/exporter-http.json');

/** A question about the trace of the fixture, whose tool returned the opening hours of Thursday. */
const drafted = (question: string, value: string, quote: string) => ({
  question,
  answer: `It is ${value}.`,
  category: '',
  facts: [{ value, passage: 1, quote }],
});
const reply = (answer: string) => ({ json: { is_answerable: answer !== '', answer, quote: '' } });

/** A model that drafts three questions: one stands, one has a quote that the trace does not show, one says what users know. */
const model = {
  use: 'scripted',
  rules: [
    {
      when: '/asks for one fact.*gave to an assistant.*Question of the user: .*Thursday.*opening_hours/s',
      in: 'any',
      reply: {
        json: {
          questions: [
            drafted('Until what time can I come on Thursdays?', '19:00', '"to": "19:00"'),
            drafted('Who opens the doors in the morning?', 'Jane', 'Jane opens the doors'),
            drafted('Which day is the day after Wednesday?', 'Thursday', 'On Thursday the library is open'),
          ],
        },
      },
    },
    { when: '/general knowledge.*Wednesday/s', in: 'any', reply: reply('Thursday') },
    { when: 'general knowledge alone', in: 'system', reply: reply('') },
    { when: 'Until what time', in: 'any', reply: reply('Until 19:00.') },
  ],
};

function begin() {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-draft-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'golden.jsonl'), '{"id": "one", "question": "Where is the shed?"}\n');
  const store = createMemoryStore();
  return { store, options: { store, folder, dataset: 'golden.jsonl', count: 3, mix: { fact: 1 } } };
}

test('questions are drafted from traces, with what the trace shows as expectations that no person has approved', async () => {
  const { store, options } = begin();
  await importTraces(fixture, { store });
  const input = { from: 'traces', model };
  expect(await planDraft(input, options)).toMatchObject({ questions: 3, calls: 7 });
  const report = await draft(input, options);
  expect(report).toMatchObject({ drafted: 3, kept: 1, notChecked: 0, known: 0 });
  expect(report.rejected.map(({ rejection }) => rejection).toSorted()).toEqual([
    'closed-book',
    'quote-not-found',
  ]);
  const [kept] = await Array.fromAsync(store.documents.list(proposalKind));
  const [head] = await Array.fromAsync(store.documents.list(traceKind));
  const trace = await readTrace(store, head?.traceId ?? '');
  const span = trace?.spans.find(({ name }) => name.includes('opening_hours'));
  expect(kept?.decisions).toEqual([]);
  expect(kept?.proposal).toMatchObject({
    isSynthetic: true,
    case: { input: 'Until what time can I come on Thursdays?', category: 'from traces' },
    source: { type: 'trace', traceId: span?.traceId, model: 'scripted', prompt: 'draft-fact@1' },
    expectations: [
      { field: 'answer', value: 'It is 19:00.', proof: { type: 'text' } },
      {
        field: 'keywords',
        value: '19:00',
        proof: {
          type: 'span',
          spanId: span?.spanId,
          text: expect.stringContaining('opening_hours returned'),
        },
      },
      { field: 'tools', value: 'opening_hours', proof: { type: 'span', spanId: span?.spanId } },
    ],
  });
  // A question that a model wrote does not keep the user's question from being proposed.
  expect((await propose({ ...options, isDryRun: true, share: 1 })).traces).toBe(1);
});

test('a repeated draft from traces asks nothing, and what is forgotten takes its replies and proposals along', async () => {
  const { store, options } = begin();
  await importTraces(fixture, { store });
  const input = { from: 'traces', model };
  expect((await draft(input, options)).spending.calls).toBeGreaterThan(0);
  expect(await draft(input, options)).toMatchObject({ kept: 1, known: 1, spending: { calls: 0 } });
  const [head] = await Array.fromAsync(store.documents.list(traceKind));
  const traceId = head?.traceId ?? '';
  expect(await forgetTraces({ store, traces: [traceId] })).toMatchObject({ proposals: 1 });
  expect(await store.eraseJudgements(`draft:${traceId}`)).toBe(0);
  await expect(draft(input, options)).rejects.toMatchObject({ code: 'trace-not-found' });
});

test('kinds that no trace can answer are refused, and so are traces beside documents', async () => {
  const { options } = begin();
  const from = ['traces', 'docs'];
  await expect(planDraft({ from, model }, options)).rejects.toMatchObject({ code: 'usage-invalid' });
  await expect(
    planDraft({ from: 'traces', model }, { ...options, mix: { unanswerable: 1 } }),
  ).rejects.toMatchObject({ code: 'usage-invalid', message: expect.stringContaining('"unanswerable"') });
});
