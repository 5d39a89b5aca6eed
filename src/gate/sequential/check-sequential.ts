import { TouchstoneError } from '../../errors.ts';
import { type Gate, sequentialOf } from '../../schema/gate.ts';

/** Throws `config-invalid` for a gate that is to end a run once it is decided, and has nothing to decide. */
export function checkSequential(gate: Gate): void {
  const { failUnder, rules = {}, baseline } = gate;
  if (sequentialOf(gate) === undefined) return;
  if (failUnder !== undefined || baseline !== undefined || Object.keys(rules).length > 0) return;
  throw new TouchstoneError(
    'config-invalid',
    'The gate has no rule, so there is nothing that a sequential run could decide.',
    { remedy: 'Add a rule to `gate.rules`, or name a least score: `--fail-under 85`.' },
  );
}
