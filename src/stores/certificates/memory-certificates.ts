import type { Certificate } from '../../schema/review/certificate.ts';
import type { CertificateStore } from './certificate-store.ts';
import { type MemoryTexts, valuesOf } from '../texts/memory-texts.ts';

/** Creates an empty collection of certificates in memory. `countWrites` returns a number that grows with every write. */
export function createMemoryCertificates(): {
  readonly certificates: CertificateStore;
  readonly countWrites: () => number;
  /** The records whose texts may be erased. */
  readonly texts: Pick<MemoryTexts, 'certificate'>;
} {
  const kept = new Map<string, Certificate>();
  const certificates: CertificateStore = {
    add: async (certificate) => {
      if (kept.has(certificate.id)) return false;
      kept.set(certificate.id, structuredClone(certificate));
      return true;
    },
    list: async (metric) =>
      structuredClone([...kept.values()])
        .filter(({ calibration }) => metric === undefined || calibration.metric.name === metric)
        .toSorted((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1)),
  };
  return { certificates, countWrites: () => kept.size, texts: { certificate: () => valuesOf(kept) } };
}

function orderOf({ madeAt, id }: Certificate): string {
  return `${madeAt} ${id}`;
}
