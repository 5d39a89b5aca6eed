import { type NamedUse, withOptions } from '../../../core/lib/define.ts';
import { problem } from './read-grid.ts';

/**
 * Returns a target without the setting that says whether it is deterministic, which is about its answers and changes none of them, and
 * what that says. Throws `ConfigProblem`.
 */
export function readDeterministic(
  written: NamedUse,
  path: readonly PropertyKey[],
): { readonly own: NamedUse; readonly isDeterministic: true | undefined } {
  const said: unknown = written['deterministic'];
  if (said === undefined) return { own: written, isDeterministic: undefined };
  if (typeof said !== 'boolean') throw problem([...path, 'deterministic'], 'expected true or false');
  const own = withOptions(written, { deterministic: undefined });
  delete (own as Record<string, unknown>)['deterministic'];
  return { own, isDeterministic: said ? true : undefined };
}
