import type { NamedUse } from '../lib/define.ts';
import type { ScoringRules } from '../run/begin-run.ts';
import { createKnownSecrets } from './known-secrets.ts';
import { checkConfig } from './resolve.ts';
import { resolveMetrics } from './resolve-metrics.ts';

/** Rules of scoring as plain data, from which another thread makes the same again. */
export interface PortableRules {
  /** Where paths in them start. */
  readonly folder: string;
  readonly metrics: readonly NamedUse[];
  readonly scorecard: NamedUse | null;
  /** What tells each metric from others, in order. */
  readonly fingerprints: readonly string[];
}

type Rules = Pick<ScoringRules, 'metrics' | 'scorecard' | 'secrets'>;

/** Rules whose `use`s say all of them, as plain data. */
export function toPortable({ metrics, scorecard }: Rules, folder: string): PortableRules {
  return {
    folder,
    metrics: metrics.map(({ use }) => use),
    scorecard: scorecard?.use ?? null,
    fingerprints: metrics.map(({ fingerprint }) => fingerprint),
  };
}

/** The opposite of `toPortable`. Throws when the rules would not be the same, such as when a file they read has changed. */
export function fromPortable({ folder, metrics, scorecard, fingerprints }: PortableRules): Rules {
  // Nothing is asked of these: a config has to have them.
  const unused = { dataset: 'none', targets: [{ use: 'module' }] };
  const config = checkConfig({ ...unused, metrics, scorecard });
  const rules = resolveMetrics(config, { folder, environment: process.env });
  const made = rules.metrics.map(({ fingerprint }) => fingerprint);
  if (made.join() !== fingerprints.join()) throw new Error('the metrics have changed while they were used');
  return { ...rules, secrets: createKnownSecrets(config, process.env) };
}
