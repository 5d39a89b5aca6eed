import { z } from 'zod';

/** What becomes of a case that leaves an expectation out, as an option of the metrics of the three components. */
export const nothingExpectedOption = z
  .enum(['not-applicable', 'full'])
  .default('not-applicable')
  .describe(
    'What a case gets that does not say what it expects: `not-applicable`, or `full` marks as in the source systems. An empty list says that nothing is needed, and always gets full marks.',
  );
