import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { detectError, errorSigns } from './detect-error.ts';

/** Error reports of each class, and answers that talk about errors or resemble a report. */
const table: Readonly<Record<'errors' | 'answers', Readonly<Record<string, string[]>>>> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'error-texts.json'), 'utf8'),
);

/** Answers that are error reports, each with the sign that it shows. */
const errors: [answer: string | null, sign: string][] = [
  [null, 'empty-answer'],
  ['', 'empty-answer'],
  [' \n\t ', 'empty-answer'],
  ['\u00a0\u2003', 'empty-answer'],
  ['Traceback (most recent call last)', 'python-traceback'],
  [
    'Traceback (most recent call last):\n  File "bot.py", line 3, in <module>\n    main()\nKeyError: 3',
    'python-traceback',
  ],
  ['Sorry!\n\n```\nTraceback (most recent call last):\n  File "a.py", line 1\n```', 'python-traceback'],
  ['Traceback (most recent call last): File "bot.py", line 3, in ask KeyError: 3', 'python-traceback'],
  ['ERROR Traceback (most recent call last):\n  File "a.py", line 1', 'python-traceback'],
  [
    "TypeError: Cannot read properties of undefined (reading 'x')\n    at ask (bot.js:10:5)",
    'javascript-stack',
  ],
  ['    at async Object.search (file:///app/tools.mjs:31:9)\n    at run (bot.js:1:2)', 'javascript-stack'],
  ['at f (file:1:2)', 'javascript-stack'],
  ['It broke:\n    at /srv/app/index.js:12:34', 'javascript-stack'],
  ['TypeError: x is not a function at f (bot.js:1:2)', 'javascript-stack'],
  ['java.lang.NullPointerException\n\tat com.acme.Bot.answer(Bot.java:42)', 'jvm-stack'],
  ['Exception in thread "main" java.lang.Error', 'jvm-stack'],
  ['System.Exception: no\n   at Bot.Ask(String q) in /src/Bot.cs:line 9', 'jvm-stack'],
  ['panic: runtime error: index out of range\n\ngoroutine 1 [running]:', 'native-panic'],
  ["thread 'main' panicked at src/main.rs:2:5:", 'native-panic'],
  ['None', 'null-value'],
  ['[object Object]', 'null-value'],
  ['DatabaseError: Connection refused', 'error-name'],
  ['Query failed: database is locked', 'failure-report'],
  ['sqlite3.OperationalError: no such table: properties', 'error-name'],
  ['ToolExecutionError: Document not found', 'error-name'],
  ['java.io.IOException: Stream closed', 'error-name'],
  ['Error: connection refused', 'error-prefix'],
  ['ERROR: relation "properties" does not exist', 'error-prefix'],
  ['Internal error: 17', 'error-prefix'],
  ['Unhandled exception in tool query_database', 'error-prefix'],
  ['I encountered an error while searching...', 'failure-report'],
  ['I encountered an error while searching the documents. Please try again.', 'failure-report'],
  ["I'm sorry, but I encountered an unexpected error.", 'failure-report'],
  ["Sorry, I've run into a technical error while trying to answer.", 'failure-report'],
  ['Unfortunately, I ran into an internal error.', 'failure-report'],
  ['I apologize, but I encountered an error processing your request.', 'failure-report'],
  ['It seems that I encountered an error when calling the tool.', 'failure-report'],
  ['I tried to look that up, but I encountered an error while accessing the database.', 'failure-report'],
  ['Let me check. I ran into an error when searching the documents.', 'failure-report'],
  ['An error occurred while processing your request.', 'failure-report'],
  ['An unexpected error has occurred. Try later.', 'failure-report'],
  ['There was an error processing your request', 'failure-report'],
  ['Oops! Something went wrong.', 'failure-report'],
  ['Something went wrong while generating the response.', 'failure-report'],
  ['500 Internal Server Error', 'http-error'],
  ['HTTP 503: Service Unavailable', 'http-error'],
  ['Error 404: Not Found', 'http-error'],
  ['Bad Gateway', 'http-error'],
  ['<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>', 'html-error-page'],
  ['<html>\n<head><title>Internal Server Error</title></head>', 'html-error-page'],
  ['{"error": "model overloaded"}', 'json-error'],
  ['{"error": {"message": "quota"}, "status": 429}', 'json-error'],
];

/** Answers that only talk about errors, or slightly resemble a report. */
const answers: string[] = [
  'Your property is located at 900 S 9th St, Montrose, CO 81401',
  'What does error 404 mean? It means that the page was not found.',
  'Error 404 means that the page you asked for does not exist.',
  'A 500 Internal Server Error shows you that the server failed; look at its log.',
  'The error rate in August was 2 %.',
  'There was an error in the 2023 statement; it was corrected in March.',
  'An error in the deed was corrected in 2022.',
  'In Python, a traceback begins with "Traceback (most recent call last)" and ends with the error.',
  'Traceback (most recent call last) is the first line that Python prints.',
  'If you see "I encountered an error while searching", restart the service.',
  'When a tool fails, the assistant says: I encountered an error while searching.',
  'You raise a ValueError: that shows the caller that the argument was wrong.',
  'To handle a DatabaseError, wrap the call in try and except.',
  'Exception: tenants with pets pay a deposit of $300.',
  'Exceptions: none.',
  'Errors and omissions insurance is required.',
  'I encountered two leases for that address: one from 2021 and one from 2024.',
  'I got an email from the county about errors in the assessment.',
  'Meet me at noon (room 12:30).',
  'We look at the ratio (see section 3:4:5).',
  'at the corner of 9th St (west side)',
  'Something went well: rent was paid on time. Nothing went wrong.',
  'The panic: how landlords reacted in 2020.',
  '{"answer": "42", "error": null}',
  '{"answer": "42", "error": "none worth mentioning"}',
  '<html><body><h1>Welcome</h1></body></html>',
  "I'm sorry, I can't help with that.",
  'Sorry, the documents do not say.',
  'No error occurred.',
  'None.',
  '0',
];

test.each(errors)('%j is an error: %s', (answer, sign) => {
  expect(detectError(answer)?.id).toBe(sign);
});

test.each(answers)('%j is not an error', (answer) => {
  expect(detectError(answer)).toBeUndefined();
});

test('every sign has an example', () => {
  expect(new Set(errors.map(([, sign]) => sign))).toEqual(new Set(errorSigns.map(({ id }) => id)));
});

describe.each(Object.entries(table.errors))('%s', (_, texts) => {
  test.each(texts)('%j is an error', (text) => {
    expect(detectError(text)).toBeDefined();
  });
});

describe.each(Object.entries(table.answers))('%s', (_, texts) => {
  test.each(texts)('%j is not an error', (text) => {
    expect(detectError(text)).toBeUndefined();
  });
});

test('the table has hundreds of different texts, at least half of them answers', () => {
  const [reports, others] = [table.errors, table.answers].map((side) => Object.values(side).flat());
  const all = [...(reports ?? []), ...(others ?? [])];
  expect(new Set(all).size).toBe(all.length);
  expect(others?.length).toBeGreaterThanOrEqual(reports?.length ?? Number.NaN);
  expect(reports?.length).toBeGreaterThan(200);
});

test.each([
  ['a name without an end', 'a.B'.repeat(700_000)],
  ['errors in a row', 'Error'.repeat(400_000)],
  ['qualifiers in a row', 'database api server '.repeat(100_000)],
  ['apologies in a row', 'sorry, unfortunately, oops! '.repeat(80_000)],
  ['decoration without an end', '*#_ \u274c '.repeat(400_000)],
  ['a subject without a predicate', `the ${'query to '.repeat(200_000)}`],
  ['inability without a cause', `I was unable to ${'due to '.repeat(300_000)}`],
  ['blank lines', '\n \t'.repeat(700_000)],
  ['white space', `${' '.repeat(2_000_000)}x`],
  ['fences', '```\n'.repeat(500_000)],
  ['quoted lines', '> at f (a:1:\n'.repeat(150_000)],
  ['frames that are none', 'at the office (see page 3) we said: '.repeat(60_000)],
  ['lines that begin as frames', '    at a.b.c(d\n'.repeat(150_000)],
  ['tracebacks that are none', 'Traceback (most recent call last):   '.repeat(60_000)],
  ['errors before frames that are none', `TypeError: ${'x at y ('.repeat(250_000)}`],
  ['sentences that begin as apologies', '. I got an unexpected internal unknown '.repeat(60_000)],
  ['HTML without a title', `<html>${'<title>'.repeat(300_000)}`],
  ['JSON without an end', `{"error": ${'['.repeat(2_000_000)}`],
  ['zero-width characters', '\u200b'.repeat(2_000_000)],
])('the time for %s grows at most linearly with their length', (_, text) => {
  // The short text begins and ends as the long one does.
  const part = text.length / 16;
  const shortMs = measureMs(text.slice(0, part) + text.slice(-part));
  const longMs = measureMs(text);
  expect(longMs).toBeLessThan(24 * shortMs + 100);
  expect(longMs).toBeLessThan(5_000);
});

test('compiling the expressions does not delay the first answer of a process', () => {
  const module = pathToFileURL(path.join(import.meta.dirname, 'detect-error.ts')).href;
  const program = `import { detectError } from '${module}';
const before = process.threadCpuUsage();
detectError('The property is at 900 S 9th St. It has two units.');
const { user, system } = process.threadCpuUsage(before);
console.log((user + system) / 1000);`;
  const timesMs = Array.from({ length: 3 }, () =>
    Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })),
  );
  expect(Math.min(...timesMs)).toBeLessThan(25);
});

// V8 compiles expressions without optimization once a process has much code: what they match must not depend on it.
test('error reports are recognised in a process that no longer optimizes expressions', () => {
  const reports = [...errors.map(([text]) => text), ...Object.values(table.errors).flat()];
  const module = pathToFileURL(path.join(import.meta.dirname, 'detect-error.ts')).href;
  const program = `import { detectError } from '${module}';
const reports = ${JSON.stringify(reports)};
console.log(JSON.stringify(reports.filter((text) => detectError(text) === undefined)));`;
  const args = ['--no-regexp-optimization', '--input-type=module', '--eval', program];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual([]);
});

/** Returns the shortest of several computing times of this thread, which leave out the delays of a busy machine. */
function measureMs(text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    detectError(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
