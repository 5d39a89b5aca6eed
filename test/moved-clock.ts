import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const source = `
  const hour = 3_600_000;
  const RealDate = Date;
  const jumps = process.env.CLOCK_JUMPS.split(',').map(Number);
  const everyMs = Number(process.env.CLOCK_EVERY_MS);
  const offset = () => jumps[Math.floor(performance.now() / everyMs) % jumps.length] * hour;
  // A process reads the clock once at its start and measures from there.
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + jumps[0] * hour });
  globalThis.Date = class Date extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [RealDate.now() + offset()] : given));
    }
    static now() {
      return RealDate.now() + offset();
    }
  };
`;

/** The jumps of the clock of a process. */
export interface Jumps {
  /** Offsets in hours, used in turn and repeated. */
  readonly hours: readonly number[];
  /** Duration of each offset. */
  readonly everyMs: number;
}

/** Returns environment variables under which a Node process sees a system clock that jumps. */
export async function writeMovedClock(folder: string, { hours, everyMs }: Jumps) {
  const file = path.join(folder, 'moved-clock.mjs');
  await writeFile(file, source);
  return {
    NODE_OPTIONS: `--import ${pathToFileURL(file).href}`,
    CLOCK_JUMPS: hours.join(','),
    CLOCK_EVERY_MS: String(everyMs),
  };
}
