/** What the cases of a file of recorded answers expect. */
export type ExpectationKind = (typeof expectationKinds)[number];

/** The kinds of expectations that are measured. */
export const expectationKinds = ['answer', 'keywords', 'both'] as const;

const subjects = [
  'the deductible',
  'the annual premium',
  'the notice period',
  'the waiting time',
  'your plan',
];
const facts = [
  (n: number) => `costs $${1 + (n % 9)},${String(100 + (n % 900))}.00 a year`,
  (n: number) => `ends on ${1 + (n % 28)} March 20${10 + (n % 20)}`,
  (n: number) => `covers ${n % 100} % of the costs of a stay in hospital`,
  () => 'is paid by the employer and not by the employee',
  (n: number) => `takes ${2 + (n % 30)} working days after the form was received`,
  () => 'includes dental care, glasses and travel abroad',
];
const cities = ['Berlin', 'New York', 'Zürich', 'São Paulo', 'Osaka', 'Cape Town'];
const openings = [
  'Thanks for your question.',
  'According to the handbook of your insurer,',
  'Sure!',
  'I looked it up for you:',
];
const closings = [
  'Please contact the office in time if anything about your contract has changed since the last letter.',
  'You can find the form in your account under “Documents”, and a colleague will call you back.',
  '- Have your policy number at hand\n- **Call** us before noon',
  'Is there anything else that I can do for you today?',
];

/**
 * Returns recorded answers as JSON Lines: expected answers of 6 to 16 words, four keywords, answers of 10 to 60 words, of which an
 * eighth is equal to the expected one, half state it, and the others say something else. The same number of cases gives the same bytes every time.
 */
export function writeAnswers(kind: ExpectationKind, cases: number): string {
  return Array.from({ length: cases }, (_, index) => `${JSON.stringify(toRow(kind, index))}\n`).join('');
}

function toRow(kind: ExpectationKind, index: number): object {
  const at = <Item>(list: readonly Item[], step: number): Item =>
    list[Math.floor(index / step) % list.length] as Item;
  const [subject, city] = [at(subjects, 1), at(cities, 7)];
  const expected = `In ${city}, ${subject} ${at(facts, 2)(index)}.`;
  const stated = index % 8 < 5 ? expected : `In ${city}, ${at(subjects, 3)} ${at(facts, 5)(index + 1)}.`;
  const answer =
    index % 8 === 0 ? expected : `${at(openings, 1)} ${stated} ${at(closings, 3)} ${at(closings, 4)}`;
  const keywords = [city, subject.split(' ').at(-1), 'contract', at(facts, 2)(index).split(' ')[1]];
  return {
    id: `case-${index}`,
    question: `What should I know about ${subject} in ${city}, and where is it written (no. ${index})?`,
    answer,
    ...(kind !== 'keywords' && { expected }),
    ...(kind !== 'answer' && { expected_keywords: keywords }),
  };
}
