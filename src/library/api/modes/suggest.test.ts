import { expect, test } from 'vitest';
import { buildLabel } from '../../../../test/support/build-labels.ts';
import { serve } from '../../../../test/support/model-harness.ts';
import { storeReviewTask } from '../../../../test/support/review-task.ts';
import { makeRubric } from '../../../decide/certificates/rubric.ts';
import { halfOf } from '../../../people/reviews/calibrate/tuned-judge.ts';
import { notesRubric } from '../../../people/reviews/notes-rubric.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { addReviewRecords, readItems } from '../../../stores/reviews/review-records.ts';
import { suggestModes } from './suggest.ts';

test('groups by similarity are of notes of the tune half alone: the others are sent to nothing and shown to nothing', async () => {
  const store = createMemoryStore();
  const rubric = makeRubric(notesRubric);
  const answers = { passed: 20, failed: 20 };
  const task = await storeReviewTask(store, { answers, rubrics: [rubric], labels: 40 });
  const items = await readItems(store.documents, task.id);
  const labels = items.map(({ subject, position }) =>
    buildLabel(`label${position}`, {
      subject,
      rubric: { id: rubric.id, version: rubric.version },
      task: task.id,
      item: position,
      value: true,
      note: `note of ${halfOf(subject)} ${position}`,
    }),
  );
  await addReviewRecords(store.documents, { labels });
  const server = await serve();
  const embedder = { use: 'openai-embeddings', model: 'embed', baseUrl: server.url } as const;
  const config = { dataset: 'a.jsonl', targets: [{ use: 'echo' }], embedder };
  const suggested = await suggestModes({ store, config, embed: true });
  const certify = items.filter(({ subject }) => halfOf(subject) === 'certify').length;
  expect(certify).toBeGreaterThan(5);
  expect(suggested.heldBack).toBe(certify);
  expect(Object.keys(suggested.notes)).toHaveLength(items.length - certify);
  const sent = server.requests.flatMap(({ body }) => body['input'] as string[]);
  expect(sent).toHaveLength(items.length - certify);
  expect(JSON.stringify([suggested, sent])).not.toContain('note of certify');
});
