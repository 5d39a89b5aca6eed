import { expect, test } from 'vitest';
import { detectError, errorSigns } from './detect-error.ts';

/** Answers that are error reports, with the sign that gives them away. */
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
  ['DatabaseError: Connection refused', 'error-name'],
  ['sqlite3.OperationalError: no such table: properties', 'error-name'],
  ['ToolExecutionError: Document not found', 'error-name'],
  ['java.io.IOException: Stream closed', 'error-name'],
  ['Error: connection refused', 'error-prefix'],
  ['ERROR: relation "properties" does not exist', 'error-prefix'],
  ['Internal error: 17', 'error-prefix'],
  ['Unhandled exception in tool query_database', 'error-prefix'],
  ['I encountered an error while searching...', 'error-sentence'],
  ['I encountered an error while searching the documents. Please try again.', 'error-sentence'],
  ["I'm sorry, but I encountered an unexpected error.", 'error-sentence'],
  ["Sorry, I've run into a technical error while trying to answer.", 'error-sentence'],
  ['Unfortunately, I ran into an internal error.', 'error-sentence'],
  ['I apologize, but I encountered an error processing your request.', 'error-sentence'],
  ['It seems that I encountered an error when calling the tool.', 'error-sentence'],
  ['I tried to look that up, but I encountered an error while accessing the database.', 'error-sentence'],
  ['Let me check. I ran into an error when searching the documents.', 'error-sentence'],
  ['An error occurred while processing your request.', 'error-sentence'],
  ['An unexpected error has occurred. Try later.', 'error-sentence'],
  ['There was an error processing your request', 'error-sentence'],
  ['Oops! Something went wrong.', 'error-sentence'],
  ['Something went wrong while generating the response.', 'error-sentence'],
  ['500 Internal Server Error', 'http-error'],
  ['HTTP 503: Service Unavailable', 'http-error'],
  ['Error 404: Not Found', 'http-error'],
  ['Bad Gateway', 'http-error'],
  ['<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head></html>', 'html-error-page'],
  ['<html>\n<head><title>Internal Server Error</title></head>', 'html-error-page'],
  ['{"error": "model overloaded"}', 'json-error'],
  ['{"error": {"message": "quota"}, "status": 429}', 'json-error'],
];

/** Answers that only talk about errors, or look a little like one. */
const answers: string[] = [
  'Your property is located at 900 S 9th St, Montrose, CO 81401',
  'What does error 404 mean? It means that the page was not found.',
  'Error 404 means that the page you asked for does not exist.',
  'A 500 Internal Server Error tells you that the server failed; look at its log.',
  'The error rate in August was 2 %.',
  'There was an error in the 2023 statement; it was corrected in March.',
  'An error in the deed was corrected in 2022.',
  'In Python, a traceback begins with "Traceback (most recent call last)" and ends with the error.',
  'Traceback (most recent call last) is the first line that Python prints.',
  'If you see "I encountered an error while searching", restart the service.',
  'When a tool fails, the assistant says: I encountered an error while searching.',
  'You raise a ValueError: that tells the caller that the argument was wrong.',
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
  'null',
  '0',
];

test.each(errors)('%j is an error: %s', (answer, sign) => {
  expect(detectError(answer)?.id).toBe(sign);
});

test.each(answers)('%j is no error', (answer) => {
  expect(detectError(answer)).toBeUndefined();
});

test('every sign has an example', () => {
  expect(new Set(errors.map(([, sign]) => sign))).toEqual(new Set(errorSigns.map(({ id }) => id)));
});

test('a very long answer is searched in a moment', () => {
  const long = `${'at the office (see page 3) we said: '.repeat(150_000)}\n`;
  expect(detectError(long)).toBeUndefined();
});
