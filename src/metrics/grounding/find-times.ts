import { foldDigits, foldWidth } from '../../lib/fold-text.ts';
import type { TimeFact } from './fact.ts';

const half = String.raw`(?:\s?(?<half>[ap])\.?\s?m(?![\p{L}\p{N}])\.?)`;
const forms = [
  String.raw`(?<![\d:.,])(?<hour>\d{1,2})[:h](?<minute>\d{2})(?::\d{2})?(?![\d:])${half}?`,
  String.raw`(?<![\d:.,])(?<hour>\d{1,2})${half}`,
  String.raw`(?<![\d:.,])(?<hour>\d{1,2})\s?(?:uhr|o['’]clock)(?![\p{L}\p{N}])`,
].map((form) => new RegExp(form, 'giu'));

/** Every time of day in a text: `17:30`, `5:30 pm`, `9 a.m.`, `14h30`, `9 Uhr`. Without am or pm, `5:30` may be either. */
export function findTimes(text: string): TimeFact[] {
  const plain = foldDigits(foldWidth(text));
  const found = new Map<number, TimeFact>();
  for (const form of forms) {
    for (const match of plain.matchAll(form)) {
      const readings = readMinutes(match.groups ?? {});
      if (readings.length === 0 || found.has(match.index)) continue;
      found.set(match.index, { kind: 'time', text: match[0].trim(), index: match.index, readings });
    }
  }
  return [...found.values()];
}

/** Minutes since midnight; none where there is no such time. */
function readMinutes({ hour = '', minute = '0', half }: Record<string, string | undefined>): number[] {
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (hours > 24 || minutes > 59) return [];
  const asWritten = hours * 60 + minutes;
  if (half === undefined)
    return hours >= 1 && hours <= 12 ? [asWritten, (asWritten + 720) % 1440] : [asWritten];
  if (hours < 1 || hours > 12) return [];
  return [(hours % 12) * 60 + minutes + (half.toLowerCase() === 'p' ? 720 : 0)];
}
