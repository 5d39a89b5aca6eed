import type { Verdict } from '../../../schema/verdict.ts';

/** What came of a condition. */
export type Finding =
  | {
      readonly status: 'known';
      readonly holds: boolean;
      /** What was found, each a clause: `state.time is "10:00", not "11:00"`. */
      readonly words: readonly string[];
    }
  | Exclude<Verdict, { status: 'scored' }>;

/** All must hold: one that does not decides, whatever is not known of the others. */
export function joinAll(findings: readonly Finding[]): Finding {
  return join(findings, false);
}

/** One must hold: it decides, whatever is not known of the others. */
export function joinAny(findings: readonly Finding[]): Finding {
  return join(findings, true);
}

/** The opposite; what is not known stays so. */
export function negate(finding: Finding): Finding {
  return finding.status === 'known' ? { ...finding, holds: !finding.holds } : finding;
}

/** Kleene's three-valued logic: a finding that equals `decisive` decides; else one that is not known leaves it open. */
function join(findings: readonly Finding[], decisive: boolean): Finding {
  const known = findings.filter((finding) => finding.status === 'known');
  const deciding = known.filter(({ holds }) => holds === decisive);
  if (deciding.length > 0) {
    return { status: 'known', holds: decisive, words: deciding.flatMap(({ words }) => words) };
  }
  const open =
    findings.find(({ status }) => status === 'failed') ??
    findings.find(({ status }) => status === 'not-applicable');
  return open ?? { status: 'known', holds: !decisive, words: known.flatMap(({ words }) => words) };
}
