import type { GateRule } from '../../schema/gate-rule.ts';

/** What a rule looks at, trial by trial. */
export type Subject =
  | { readonly measure: 'score' | 'passed' }
  | { readonly measure: 'metric' | 'criterion'; readonly name: string };

/** What a rule looks at; undefined for one that needs no numbers of single trials. */
export function subjectOf(rule: GateRule): Subject | undefined {
  switch (rule.type) {
    case 'score':
      return { measure: 'score' };
    case 'pass-rate':
    case 'required-cases':
      return { measure: 'passed' };
    case 'metric':
      return { measure: 'metric', name: rule.metric };
    case 'criterion':
      return { measure: 'criterion', name: rule.criterion };
    case 'coverage':
      return rule.metric === undefined ? { measure: 'score' } : { measure: 'metric', name: rule.metric };
    case 'no-regression':
      if (rule.metric !== undefined) return { measure: 'metric', name: rule.metric };
      if (rule.criterion !== undefined) return { measure: 'criterion', name: rule.criterion };
      return { measure: rule.of === 'score' ? 'score' : 'passed' };
    default:
      return undefined;
  }
}

/** A text that is the same for the same subject. */
export function keyOfSubject(subject: Subject): string {
  return 'name' in subject ? `${subject.measure} ${subject.name}` : subject.measure;
}

/** A subject in a sentence. */
export function sayOfSubject(subject: Subject): string {
  if (subject.measure === 'passed') return 'the pass rate';
  return 'name' in subject ? subject.name : 'the score';
}
