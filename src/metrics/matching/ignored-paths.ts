import { pathSteps } from '../../lib/value-at-path.ts';

/** Paths inside a value that do not count, each as the steps that are still to go; `*` is any step. */
export type IgnoredPaths = readonly (readonly string[])[];

/** Reads paths such as `session.id` and `items[*].price`. */
export function readIgnoredPaths(paths: readonly string[] = []): IgnoredPaths {
  return paths.map(pathSteps).filter((steps) => steps.length > 0);
}

/** What is ignored inside a member; null when the member itself is. */
export function ignoredInside(ignored: IgnoredPaths, step: string): IgnoredPaths | null {
  const inside = ignored.filter(([first]) => first === step || first === '*').map((steps) => steps.slice(1));
  return inside.some((steps) => steps.length === 0) ? null : inside;
}
