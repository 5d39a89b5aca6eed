const zones: Record<string, string> = {
  'new york': 'America/New_York',
  eastern: 'America/New_York',
  et: 'America/New_York',
  london: 'Europe/London',
  uk: 'Europe/London',
  berlin: 'Europe/Berlin',
  cet: 'Europe/Berlin',
  tokyo: 'Asia/Tokyo',
  japan: 'Asia/Tokyo',
  india: 'Asia/Kolkata',
  kolkata: 'Asia/Kolkata',
  'los angeles': 'America/Los_Angeles',
  pacific: 'America/Los_Angeles',
  pt: 'America/Los_Angeles',
  utc: 'UTC',
  gmt: 'UTC',
};

const named = new RegExp(`\\b(${Object.keys(zones).join('|')}) time\\b`);
const afterTime = new RegExp(`(?:\\d|[ap]m|noon) (?:in )?(${Object.keys(zones).join('|')})\\b`);

/** Whose clocks a time is meant on: those of a zone, or those of somebody who is named. */
export interface ZoneWords {
  zone?: string;
  zoneOf?: string;
}

/** The clocks that a folded text names: "3pm london time", "15:00 utc", "9am ben's time". */
export function readZone(text: string): ZoneWords {
  const place = (named.exec(text) ?? afterTime.exec(text))?.[1];
  if (place !== undefined) return { zone: zones[place] };
  const owner = /\b(\p{L}+)'s? (?:own |local )?time\b/u.exec(text)?.[1];
  return owner === undefined ? {} : { zoneOf: owner };
}
