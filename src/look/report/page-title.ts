import type { Run } from '../../core/schema/run.ts';
import { withoutConditions } from '../../core/schema/condition.ts';

/** The targets that a title names; of more, it has their number. */
const mostTargets = 3;

/** Returns what a run is about, as the title of a page: its name, or else its dataset, and its targets. */
export function pageTitle({ name, dataset, targets }: Pick<Run, 'name' | 'dataset' | 'targets'>): string {
  const files = dataset.sources.map((source) => source.split('/').at(-1) || source);
  const [file = 'questions', ...others] = files;
  const names = withoutConditions(targets).map(({ name }) => name);
  const asked = names.length > mostTargets ? `${names.length} targets` : names.join(', ');
  if (name !== undefined) return `${name} · ${asked}`;
  return `${others.length > 0 ? `${file} and ${others.length} more` : file} · ${asked}`;
}
