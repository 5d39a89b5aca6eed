import { expect, test } from 'vitest';
import { buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { buildLabel, buildSubject, buildTask } from '../../../test/support/build-labels.ts';
import { callTool, connectInMemory, projectOf } from '../../../test/support/mcp-client.ts';
import { editMode } from '../../people/modes/edit-mode.ts';
import { addReviewRecords } from '../../stores/reviews/review-records.ts';

test('what people said of answers is in no reply: labels and notes certify the judges that agents improve', async () => {
  const { run, store } = await buildKeptRun([{ asks: 'q', attempts: [{ total: 0 }] }]);
  const said = 'said-by-people';
  const { trial } = (await Array.fromAsync(store.readResults(run.id))).flat()[0] ?? {};
  const place = { run: run.id, caseId: 'q', trialKey: trial?.key, caseHash: trial?.caseHash };
  const subject = buildSubject(0, place);
  const label = buildLabel(said, { subject, value: false, note: said, person: said });
  await addReviewRecords(store.documents, { tasks: [buildTask({ id: said })], labels: [label] });
  const by = { person: said };
  await editMode(store.documents, { type: 'add', id: said, definition: said }, { by });
  const client = await connectInMemory(projectOf(store));
  const replies = [
    await callTool(client, 'project'),
    await callTool(client, 'run_status', { waitSeconds: 0 }),
    await callTool(client, 'show_run'),
    await callTool(client, 'failed_cases'),
    await callTool(client, 'show_case', { case: 'q' }),
    await callTool(client, 'compare_runs', { a: 'latest', b: 'latest' }),
  ];
  expect(replies[4]?.isError).toBe(false);
  expect(JSON.stringify(replies)).not.toContain(said);
});
