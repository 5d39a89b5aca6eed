import { type AssertionType, without } from './assertion.ts';
import { judgedAssertions } from './judged-assertions.ts';
import { textAssertions } from './text-assertions.ts';
import { toolAssertions } from './tool-assertions.ts';

const notRun = 'Code of an imported file is never run. Port it to the metric `function`.';
const noParser = 'No metric of ours reads this language yet.';
const ofSeveral = 'It compares the answers of several targets: see `touchstone prefer`.';

/**
 * Every type of assertion of promptfoo 0.123.1 with what becomes of it; each also exists with `not-`, which becomes `not`.
 * @see https://www.promptfoo.dev/docs/configuration/expected-outputs/
 */
export const assertionTypes: Readonly<Record<string, AssertionType>> = {
  ...textAssertions,
  ...judgedAssertions,
  ...toolAssertions,
  'is-html': without(noParser),
  'contains-html': without(noParser),
  'is-xml': without(noParser),
  'contains-xml': without(noParser),
  'is-sql': without(noParser),
  'contains-sql': without(noParser),
  gleu: without('No metric of ours computes it yet.'),
  meteor: without('No metric of ours computes it yet.'),
  'finish-reason': without('The reason why a model stopped is not kept with the answer.'),
  javascript: without(notRun),
  python: without(notRun),
  ruby: without(notRun),
  'select-best': without(ofSeveral),
  'max-score': without(ofSeveral),
  human: without('People label answers with `touchstone review`.'),
};
