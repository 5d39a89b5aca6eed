import { expect, test } from 'vitest';
import { foldDigits, foldText, foldWidth } from './fold-text.ts';

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
