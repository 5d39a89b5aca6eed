import fc from 'fast-check';
import { expect, test } from 'vitest';
import { admissionSigns, clausesOf, findAdmission, withoutClauses } from './admissions.ts';

function admissionIn(answer: string): string | undefined {
  return clausesOf(answer)
    .map(({ text }) => findAdmission(text)?.id)
    .find((id) => id !== undefined);
}

const admitting = [
  "I apologize, but I'm experiencing technical difficulties accessing the calendar at the moment.",
  "Unfortunately, the tool returned an error, so I can't give you the total.",
  'It looks like the service is experiencing issues right now.',
  "It seems I'm unable to get the data you asked for.",
  "I wasn't able to pull up your order.",
  'Due to a technical issue, I cannot access the records.',
  "At this time, the information isn't available.",
  'I attempted to retrieve your balance, but the request timed out.',
  "The lookup failed, so I don't have an answer.",
  "The database didn't respond.",
  'There was an issue connecting to the server.',
  "My search didn't return any results.",
  'No results were found for that query.',
  "I couldn't find any flights.",
  'I could not verify the booking.',
  'The response from the API was empty.',
  'The data I received appears to be incomplete.',
  "The data seems corrupted, I can't interpret it.",
  "I'm afraid the system is down.",
  "I'm having trouble retrieving that information.",
  "I've hit a rate limit on the search tool.",
  'The server is too busy; please try again shortly.',
  'The tool call failed with a 500 error.',
  'I did not get any data back.',
  'We were not able to process your request because the payment service did not answer.',
  "Sorry, I can't check that right now.",
  "Sorry - the flight search isn't working at the moment.",
  'The weather service returned an invalid response.',
  "I don't have enough information to answer this.",
  'I do not have up-to-date figures.',
  'Your booking did not go through.',
  'I was not able to complete the reservation.',
  'The reservation has not been made.',
  "I can't confirm whether it went through.",
  'I lost the connection to the calendar.',
  'The calendar does not answer, so I have booked nothing.',
  'Please note that the data may not be up to date.',
  'This information is from 213 days ago and may have changed.',
  'The search tool returned nothing.',
  'Access to the database was denied.',
  'I got an HTML page instead of the data.',
  'The result could not be parsed.',
  'The tool gave me something I cannot read.',
  'Unable to fetch transactions.',
  'Failed to load the document.',
  'The request was rejected because there were too many requests.',
  "I haven't been able to look that up.",
  'I cannot provide the balance because the banking API is unreachable.',
  'That information is not currently accessible to me.',
  'I do not know.',
  'There is no record of that in what I could load.',
  'My tools are not working properly today.',
  'I keep getting an error from the document search.',
  'The document search is temporarily out of order.',
  'I regret that I cannot give you the figure: the ledger returned an error.',
  "Hmm, looks like the booking tool is acting up. I can't book anything right now.",
  "I was going to check your balance, but the bank's server returned HTTP 503.",
  'Your flight details could not be loaded.',
  'I wanted to look up the weather, but that service is not responding.',
  "I've tried three times and keep getting rate limited.",
  "Apologies - I'm not able to see your calendar at the moment.",
  'The calendar service seems to be offline.',
  "I can't tell you whether pets are allowed because the lease search did not work.",
  "We couldn't complete your order because the inventory check timed out.",
  'I have no data for that period: the query came back empty.',
  'The numbers below come from an old cache, so treat them with caution.',
  'I could only read the first two rows; the rest of the result is missing.',
  'Some of the data seems to be missing.',
  'The output looks garbled.',
  "That lookup didn't work.",
  'The knowledge base cannot be reached.',
  'I am unable to confirm your booking.',
  'Booking failed.',
  'I did not manage to book the room.',
  'The room was not booked: the calendar gave an error.',
  "I wasn't able to find anything about that.",
  "I don't see any matching records.",
  'There were no results.',
  'The tool is rate-limiting me.',
  'Something is wrong with the database connection.',
  'The calendar did not confirm it, so I do not know whether it is booked.',
  "I'm sorry, but I can't get that information right now.",
  "I can't answer that right now because the policy documents are not loading.",
  'Data retrieval failed.',
  'This may not be the current price.',
];

test.each(admitting)('admits a failure: "%s"', (answer) => {
  expect(admissionIn(answer)).toBeDefined();
});

test.each([
  'You received $4,200 in July 2024.',
  'Something went wrong.',
  'An error occurred.',
  'How can I help you today?',
  "I can't help with that.",
  'I cannot give legal advice.',
  'The lease does not allow pets.',
  'There are no open obligations.',
  'The policy does not cover floods.',
  'Smoking is not permitted.',
  'The error rate is 5 %.',
  'The deadline is July 9.',
  'Payment failed rate is low.',
  'Open obligations as of October 15, 2025: insurance due November 1, 2025.',
  'Your meeting has been booked.',
  'Booked: Review.',
  'The document says that tenants could not be evicted without notice.',
  'The filter must be changed every 90 days.',
  'You do not have to pay a deposit.',
  'The seller has no liability.',
  'No smoking. No pets.',
  'The agreement is not valid without a signature.',
  'The warranty covers errors in material.',
  'The building is old.',
  'The largest expense was repairs.',
  'Call the service desk at 9 am.',
  'Members may not transfer shares without consent.',
  'It was built in 1962.',
  'The answer is 42.',
  'You have 3 days left.',
  'The rent must be paid on time; a late fee applies.',
  'The system costs $300.',
  'The property is not insured against earthquakes.',
  'I found 3 payments.',
  'Ana is not available on Monday, but Ben is free at 10:00.',
  'Nobody is available at 9:00 am.',
  'The room is unavailable on Friday.',
  'I ran into a problem.',
  '',
])('admits nothing: "%s"', (answer) => {
  expect(admissionIn(answer)).toBeUndefined();
});

test('every sign of the table has an example', () => {
  const found = new Set(admitting.map(admissionIn));
  expect(admissionSigns.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([]);
});

function textsOf(text: string): string[] {
  return clausesOf(text).map((clause) => clause.text);
}

test('splits at sentences, lines, colons, dashes and contrasts', () => {
  expect(textsOf('It failed. So I asked Ana, but Ben answered: 3 pm — or later!\n- one\n- two')).toEqual([
    'It failed.',
    'So I asked Ana',
    'but Ben answered:',
    '3 pm',
    'or later!',
    '- one',
    '- two',
  ]);
});

test('figures with points and colons stay whole', () => {
  expect(textsOf('At 10:30 it was $1,204.50, ca. 3.5 % more')).toEqual([
    'At 10:30 it was $1,204.50, ca.',
    '3.5 % more',
  ]);
});

test('a clause has its position, and without all clauses only white space and separators are left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const clauses = clausesOf(text);
      for (const clause of clauses) expect(text.slice(clause.index).startsWith(clause.text)).toBe(true);
      const rest = withoutClauses(text, clauses);
      expect(rest).toHaveLength(text.length);
      expect(rest.replaceAll(/[\s,—–-]/gu, '')).toBe('');
    }),
  );
});
