import { copyJson } from '../../core/lib/json/copy-json.ts';
import type { Certificate, RefusedCalibration } from '../../core/schema/review/certificate.ts';
import type { CertificateStore } from './certificate-store.ts';
import { type MemoryTexts, valuesOf } from '../texts/memory-texts.ts';

/** Creates an empty collection of certificates in memory. `countWrites` returns a number that grows with every write. */
export function createMemoryCertificates(): {
  readonly certificates: CertificateStore;
  readonly countWrites: () => number;
  /** The records whose texts may be erased. */
  readonly texts: Pick<MemoryTexts, 'certificate' | 'refused-calibration'>;
} {
  const kept = new Map<string, Certificate>();
  const refused = new Map<string, RefusedCalibration>();
  return {
    certificates: {
      add: async (certificate) => addTo(kept, certificate),
      list: async (metric) => listFrom(kept, metric),
      addRefusal: async (refusal) => addTo(refused, refusal),
      listRefusals: async (metric) => listFrom(refused, metric),
    },
    countWrites: () => kept.size + refused.size,
    texts: { certificate: () => valuesOf(kept), 'refused-calibration': () => valuesOf(refused) },
  };
}

function addTo<T extends RefusedCalibration>(kept: Map<string, T>, record: T): boolean {
  if (kept.has(record.id)) return false;
  kept.set(record.id, copyJson(record));
  return true;
}

function listFrom<T extends RefusedCalibration>(kept: ReadonlyMap<string, T>, metric?: string): T[] {
  return copyJson([...kept.values()])
    .filter(({ calibration }) => metric === undefined || calibration.metric.name === metric)
    .toSorted((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
}

function orderOf({ madeAt, id }: RefusedCalibration): string {
  return `${madeAt} ${id}`;
}
