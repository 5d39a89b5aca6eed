import type { Gate } from '../../schema/gate.ts';
import type { Store } from '../../stores/store.ts';
import { nameBaseline } from './named-baselines.ts';

/**
 * A gate as the record of a run keeps it: with its baseline by name, or by its file from the folder of the store. So what is
 * kept names no folder of this machine, and is found again where the project was moved.
 */
export function keepGate(gate: Gate, { folder }: Pick<Store, 'folder'>): Gate {
  if (gate.baseline === undefined || folder === undefined) return gate;
  return { ...gate, baseline: nameBaseline(gate.baseline, folder) };
}
