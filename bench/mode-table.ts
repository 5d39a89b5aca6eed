// `node bench/mode-table.ts`: measures the table of failure modes over 10,000 notes with a mark of each of five modes. See bench/NOTES.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Mark } from '../src/core/schema/modes/mark.ts';
import { notesRubricId } from '../src/core/schema/modes/mode.ts';
import type { Label } from '../src/core/schema/review/label.ts';
import type { ReviewItem } from '../src/core/schema/review/review-task.ts';
import { editMode } from '../src/people/modes/edit-mode.ts';
import { modeTable } from '../src/people/modes/mode-table.ts';
import { addReviewRecords } from '../src/stores/reviews/review-records.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { buildLabel, buildSubject, buildTask } from '../test/support/build-labels.ts';

const count = 10_000;
const ids = ['late', 'rude', 'wrong-date', 'no-source', 'too-long'];
const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-modes-'));
const store = openSqliteStore(path.join(folder, 'touchstone.db'));
const rubric = { id: notesRubricId, version: '6'.repeat(32) };
const by = { person: 'ann' };

const modes = [];
for (const id of ids)
  modes.push(...(await editMode(store.documents, { type: 'add', id, definition: `It is ${id}.` }, { by })));
const task = { ...buildTask({ items: count }), rubrics: [rubric] };
const items: ReviewItem[] = [];
const labels: Label[] = [];
const marks: Mark[] = [];
for (let position = 0; position < count; position += 1) {
  const subject = buildSubject(position, {
    caseHash: `c${position}`,
    answerHash: `b${position}`,
    category: `category ${position % 12}`,
  });
  items.push({ task: task.id, position, subject, stratum: 'all', probability: 0.1, people: 1 });
  const label = buildLabel(`l${position}`, { item: position, subject, rubric, note: `fault ${position}` });
  labels.push(label);
  for (const [place, { id, version }] of modes.entries())
    marks.push({
      id: `m${position}-${place}`,
      subject,
      note: label.id,
      mode: { id, version },
      present: (position * 7 + place) % 11 === 0,
      first: false,
      by,
      at: label.at,
      task: task.id,
      draw: label.draw,
    });
}
const drawn = { ...task, strata: [{ name: 'all', size: 10 * count, drawn: count }] };
await addReviewRecords(store.documents, { tasks: [drawn], items, labels, marks });

const times: number[] = [];
for (let round = 0; round < 7; round += 1) {
  const before = performance.now();
  const cpu = process.cpuUsage();
  await modeTable(store);
  const { user, system } = process.cpuUsage(cpu);
  times.push((user + system) / 1000);
  console.log(
    `${(performance.now() - before).toFixed(0)} ms, ${((user + system) / 1000).toFixed(0)} ms of CPU`,
  );
}
console.log(`median ${times.toSorted((one, other) => one - other)[3]?.toFixed(0)} ms of CPU (goal 300)`);
await store.close();
rmSync(folder, { recursive: true });
