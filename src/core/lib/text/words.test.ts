import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldDigits, foldText, foldWidth, includesText } from './words.ts';

test('every decimal digit of Unicode becomes the one of its value: each run of digits counts from 0 to 9', () => {
  const isDigit = (codePoint: number) => /\p{Nd}/u.test(String.fromCodePoint(codePoint));
  let start = -1;
  for (let codePoint = 0; codePoint < 0x20000; codePoint++) {
    if (!isDigit(codePoint)) start = -1;
    else {
      if (start === -1) start = codePoint;
      expect(foldDigits(String.fromCodePoint(codePoint))).toBe(String((codePoint - start) % 10));
    }
  }
});

test('texts that look the same are the same', () => {
  expect(foldText('ＦＵＬＬ　４２')).toBe('FULL 42');
  expect(foldText('cafe\u0301 \u202bעברית\u202c pass\u00adword')).toBe('café עברית password');
  expect(foldText('٤٢ ४२ 𝟒𝟐')).toBe('42 42 42');
});

test('full width alone is folded where powers and fractions must stay', () => {
  expect(foldWidth('＄１，２０４ ¥ 10⁶ ½')).toBe('$1,204 ¥ 10⁶ ½');
});

test('the result equals that of `includes`, for short and for long texts', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', '🙂', '\ud83d'), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, pieces, fc.constantFrom(1, 3, 700), (text, wanted, times) => {
      const [long, part] = [text.join('').repeat(times), wanted.join('').repeat(Math.max(1, times - 1))];
      expect(includesText(long, part)).toBe(long.includes(part));
    }),
    { numRuns: 3000 },
  );
});

test('long texts that almost contain each other are searched quickly', () => {
  const wanted = `${'ab'.repeat(30_000)}a${'ab'.repeat(30_000)}`;
  expect(includesText('ab'.repeat(200_000), wanted)).toBe(false);
  expect(includesText(`${'ab'.repeat(200_000)}${wanted}c`, wanted)).toBe(true);
});
