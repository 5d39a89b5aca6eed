import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addArrivedSecret,
  createSecretRedactor,
  findUnitPlaces,
  isSecretName,
  undoEscapes,
} from './redact-secrets.ts';

const redactor = createSecretRedactor([
  ['KEY', 'abc"d/é+'],
  ['LONGER', 'abc"d/é+and more'],
]);

test('a secret is replaced by its name in plain text, JSON and URLs, the longest secret first', () => {
  expect(redactor.text('x abc"d/é+ y')).toBe('x [KEY] y');
  expect(redactor.text(JSON.stringify({ k: 'abc"d/é+' }))).toBe('{"k":"[KEY]"}');
  expect(redactor.text(`?k=${encodeURIComponent('abc"d/é+')}`)).toBe('?k=[KEY]');
  expect(redactor.text('abc"d/é+and more')).toBe('[LONGER]');
});

test('secrets that come while a process runs are replaced by all redactors: of one name, the newest hundred', () => {
  const early = createSecretRedactor([['OTHER', 'other-secret']]);
  for (let index = 0; index < 150; index += 1) addArrivedSecret('before.token', `token-number-${index}-`);
  addArrivedSecret('keyCommand', 'key-of-a-command');
  addArrivedSecret('short', 'word');
  const text = 'token-number-49- token-number-50- token-number-149- key-of-a-command other-secret word';
  expect(early.text(text)).toBe('token-number-49- [before.token] [before.token] [keyCommand] [OTHER] word');
});

test.each([
  ['JSON as PHP writes it', 'abc\\"d\\/é+'],
  ['JSON as .NET writes it', 'abc\\u0022d/\\u00E9\\u002B'],
  ['JSON in lower case', 'abc\\u0022d\\u002f\\u00e9+'],
  ['JSON in JSON', 'abc\\\\\\"d\\\\/é\\\\u002B'],
  ['a URL in lower case', 'abc%22d%2f%c3%a9%2b'],
  ['a URL in part', 'abc"d%2Fé+'],
  ['a URL in a URL', 'abc%2522d%252F%25C3%25A9%252B'],
  ['every character of a URL', '%61%62%63%22%64%2F%C3%A9%2B'],
  ['HTML with decimals', 'abc&#34;d&#47;&#233;&#43;'],
  ['HTML with hexadecimals', 'abc&quot;d&#x2F;&#xE9;&#x2b;'],
  ['HTML in HTML', 'abc&amp;quot;d&amp;#x2F;é+'],
  ['everything at once', '\\u0061bc&quot;d%2Fé\\u002B'],
])('a secret is found in %s, and nothing around it is lost', (_what, form) => {
  expect(redactor.text(`%3D\\n${form}&amp;\\"`)).toBe('%3D\\n[KEY]&amp;\\"');
});

test.each(['', 'u', 'me', 'me:', 'user:'])(
  'a secret after %j is found in base64, padded or not',
  (before) => {
    const text = Buffer.from(`${before}abc"d/é+`).toString('base64');
    for (const form of [text, text.replace(/=+$/, ''), text.replaceAll('+', '-').replaceAll('/', '_')]) {
      expect(redactor.text(`Basic ${form} x`)).toMatch(/^Basic .{0,7}\[KEY\][\w+/-]?={0,2} x$/);
    }
    expect(redactor.text(encodeURIComponent(text))).toContain('[KEY]');
  },
);

test('a secret that itself looks escaped is found, escaped or not', () => {
  const { text } = createSecretRedactor([['ODD', 'a%41\\n/b&amp;c']]);
  expect(text('a%41\\n/b&amp;c')).toBe('[ODD]');
  expect(text('"a%41\\\\n\\/b&amp;c"')).toBe('"[ODD]"');
  expect(text(encodeURIComponent('a%41\\n/b&amp;c'))).toBe('[ODD]');
});

test('a secret with spaces is found in form-encoded text', () => {
  const { text } = createSecretRedactor([['PHRASE', 'correct horse/battery']]);
  expect(text('p=correct+horse%2Fbattery')).toBe('p=[PHRASE]');
});

test('the name of the longer of two secrets is used, however it is escaped', () => {
  expect(redactor.text('abc"d/é+and\\u0020more')).toBe('[LONGER]');
});

test('a short secret is not looked for in base64', () => {
  expect(createSecretRedactor([['PIN', 'abc']]).text('YWJj abc')).toBe('YWJj [PIN]');
});

test('time grows linearly with the text, even where everything looks like an escape', () => {
  const { text } = createSecretRedactor([
    ['SLASHES', '\\'.repeat(40)],
    ['PERCENTS', '%25'.repeat(40)],
    ['LONG', 'k'.repeat(8000)],
  ]);
  for (const piece of ['\\', '%25', '&amp;', '%', 'k', '&#x26;']) {
    const given = `${piece.repeat(100_000)}!`;
    const before = process.threadCpuUsage();
    text(given);
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(3000);
  }
});

test('JSON is redacted in its values and its keys, and is otherwise the same', () => {
  expect(redactor.json({ 'abc"d/é+': [1, null, { a: 'abc"d/é+!' }] })).toEqual({
    '[KEY]': [1, null, { a: '[KEY]!' }],
  });
});

test.each([
  ['authorization', true],
  ['x-api-key', true],
  ['Set-Cookie', true],
  ['content-type', false],
  ['GIT_AUTHOR_NAME', false],
  ['AUTHORS', false],
])('%s is a secret name: %s', (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret);
});

test.each([
  ['a\\/b\\u002Bc\\u002bd\\"e\\\\f\\n', 'a/b+c+d"e\\f\n'],
  ['a%2Fb%2fc%C3%A9d%F0%9F%99%82', 'a/b/céd🙂'],
  ['a&#x2F;b&#47;c&amp;d&quot;e&sol;', 'a/b/c&d"e/'],
  ['\\x2f \\ud83d\\ude42', '/ 🙂'],
  ['100 % &c. &unknown; &#xFFFFFF; C:\\dir %zz %', '100 % &c. &unknown; &#xFFFFFF; C:\\dir %zz %'],
])('%j is %j', (text, plain) => {
  expect(undoEscapes(text)).toBe(plain);
});

test('one layer is undone at a time', () => {
  expect(undoEscapes('%252F')).toBe('%2F');
  expect(undoEscapes('\\\\/')).toBe('\\/');
});

test('every code unit is found at its place', () => {
  const text = 'a\\u002Fb%C3%A9&amp;c';
  const { starts, ends } = findUnitPlaces(text);
  const stood = Array.from(undoEscapes(text), (_, unit) => text.slice(starts[unit], ends[unit]));
  expect(stood).toEqual(['a', '\\u002F', 'b', '%C3%A9', '&amp;', 'c']);
});

test('the places cover any text from beginning to end', () => {
  const piece = fc.constantFrom('\\', '%', '&', '#x', '2F', 'u002', ';', 'amp', 'é', 'x', '"', 'C3', 'A9');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const units = undoEscapes(text).length;
      const { starts, ends } = findUnitPlaces(text);
      expect(units === 0 ? [0, 0] : [starts[0], ends[units - 1]]).toEqual([0, text.length]);
    }),
  );
});
