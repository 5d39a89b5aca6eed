import { writeSync } from 'node:fs';
import type { Label } from '../../src/core/schema/review/label.ts';
import { createRandom } from '../../src/core/stats/random.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite.ts';
import { buildLabel } from './build-labels.ts';
import { chooseItems } from '../../src/people/reviews/choose-items.ts';
import { TouchstoneError } from '../../src/core/errors.ts';
import type { ReviewView } from '../../src/people/reviews/review-view.ts';
import type { Store } from '../../src/stores/store.ts';
import { readMarks } from '../../src/stores/reviews/review-records.ts';
import { readReservations, reserveItems, submitLabels } from '../../src/stores/reviews/reservations.ts';
import { rubricKind } from '../../src/stores/kinds/rubric.ts';
import { reviewItemKind, reviewTaskKind } from '../../src/stores/kinds/review-task.ts';

/** The task whose items the writers label. */
export const taskId = 'task-1';

/** Returns the id of the label of a person for an item. */
function labelIdOf(person: string, item: number): string {
  return `${person}-${item}`;
}

async function readView({ documents }: Store): Promise<ReviewView> {
  const task = await documents.get(reviewTaskKind, [taskId]);
  if (task === undefined) throw new Error('there is no task');
  return {
    task,
    rubrics: await Array.fromAsync(documents.list(rubricKind)),
    items: await documents.heads(reviewItemKind, ['position', 'people'], { where: { task: taskId } }),
    marks: await readMarks(documents, taskId),
    reservations: await readReservations(documents, taskId),
  };
}

/**
 * Labels items as a person until none is left or the process is killed, and reports each label as soon as it is stored.
 * Reservations last 200 ms, so that the reservations of a killed process are soon free.
 */
async function labelAll(file: string, person: string, seed: number): Promise<void> {
  const store = openSqliteStore(file);
  const random = createRandom(seed);
  for (;;) {
    const now = new Date();
    const wishes = chooseItems(await readView(store), { person, role: 'reviewer', now });
    if (wishes.length === 0) break;
    const reserved = await reserveItems(store.documents, {
      task: taskId,
      person,
      // All writers prefer the same items, so that they meet.
      wishes: wishes.toSorted((one, other) => one.item - other.item).slice(0, 10),
      count: 1 + random.integer(3),
      now: now.toISOString(),
      until: new Date(now.getTime() + 200).toISOString(),
    });
    for (const { item } of reserved) {
      const label = buildLabel(labelIdOf(person, item), { person, item, value: random.next() < 0.5 });
      if (await submit(store, label, item)) writeSync(1, `${label.id}\n`);
    }
  }
  await store.close();
}

async function submit({ documents }: Store, label: Label, item: number): Promise<boolean> {
  const { person } = label.by;
  try {
    const now = new Date().toISOString();
    await submitLabels(documents, { task: taskId, item, person, purpose: 'new', labels: [label], now });
    return true;
  } catch (error) {
    if (error instanceof TouchstoneError && error.code === 'label-refused') return false;
    throw error;
  }
}

if (import.meta.main)
  await labelAll(process.argv[2] ?? '', process.argv[3] ?? '', Number(process.argv[4] ?? 0));
