import { formatTime } from '../../../src/look/report/format.ts';

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Formats a time by the clock of the reader: `2026-02-01 10:00`. */
export function formatLocalTime(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(twoDigits).join('-');
  return `${day} ${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** A time by the clock of the reader; the time in UTC is in its title. */
export function TimeText({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)} className="whitespace-nowrap">
      {formatLocalTime(at)}
    </time>
  );
}
