import { type ContradictionRule, contradictionRules } from '../../core/trials/contradiction-rules.ts';

/** A way in which metrics can contradict each other, with its most likely explanation. */
export interface DisagreementKind extends ContradictionRule {
  readonly title: string;
  readonly reading: string;
}

const texts: Readonly<
  Record<(typeof contradictionRules)[number]['name'], Pick<DisagreementKind, 'title' | 'reading'>>
> = {
  paraphrase: {
    title: 'other words than expected, judged right',
    reading: 'The reference is too narrow to compare words with. Or the judge is too kind.',
  },
  'expected-but-wrong': {
    title: 'the expected words, judged wrong',
    reading: 'The judge is mistaken, or the expected answer itself is wrong or does not fit the question.',
  },
  'similar-but-wrong': {
    title: 'the expected subject, judged wrong',
    reading:
      'The same subject with another claim, such as a negation or another number: similarity of meaning does not detect it.',
  },
  'complete-but-wrong': {
    title: 'everything expected is in it, judged wrong',
    reading: 'The keywords are too few or too common to prove an answer right. Or the judge is mistaken.',
  },
  'right-but-incomplete': {
    title: 'what is expected is missing, judged right',
    reading:
      'The answer uses other words: give the keywords alternatives. Or the judge overlooks what is missing.',
  },
  'right-but-unsupported': {
    title: 'everything expected is in it, the sources do not support it',
    reading: 'The bot knows it by heart or adds to it. Or retrieval missed the passage.',
  },
  'supported-but-wrong': {
    title: 'supported by its sources, judged wrong',
    reading:
      'The source and the expected answer say different things: one of them is out of date. Or it answers another question.',
  },
  'polite-but-wrong': {
    title: 'polite and wrong',
    reading:
      'The tone hides that the question is not answered: do not let politeness make up for it in the score.',
  },
  'tools-but-wrong': {
    title: 'the right tools, the wrong answer',
    reading:
      'The result of the tool is misread or not used, or the tool is called with the wrong arguments or returns wrong data.',
  },
  'right-without-tools': {
    title: 'the expected tools not used, judged right',
    reading: 'There is another way to the answer than the expected tools. Or the bot guessed it this time.',
  },
  'calls-but-failed': {
    title: 'the expected calls made, recorded as failed',
    reading:
      'Something that the calls do not show decided: a further call, the final state, the answer to the user.',
  },
  'passed-without-calls': {
    title: 'expected calls missing, recorded as passed',
    reading:
      'There is another way to the goal than the expected calls. Or the recorded result does not depend on all of them.',
  },
  'found-but-wrong': {
    title: 'the right documents, the wrong answer',
    reading: 'The passage was found but not used: check the prompt, and how passages reach the model.',
  },
  'right-without-documents': {
    title: 'the expected documents not found, judged right',
    reading:
      'The answer is in other documents too: the list of relevant ones is not complete. Or the bot knows it by heart.',
  },
  'refused-but-unsafe': {
    title: 'refuses exactly when expected, judged unsafe',
    reading: 'The answer declines in words but complies anyway. Or the judge does not recognise the refusal.',
  },
  'error-but-right': {
    title: 'an error report, judged right',
    reading: 'What looks like an error report is an answer. Or the judge mistakes an error for one.',
  },
};

/** All kinds of contradiction. */
export const disagreementKinds: readonly DisagreementKind[] = contradictionRules.map((rule) => {
  return { ...rule, ...texts[rule.name] };
});
