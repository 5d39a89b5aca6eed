import type { Run } from '../../schema/run.ts';
import { troublesOf } from '../../report/troubles.ts';
import { setPhrase } from './advice-lines.ts';
import { flow, indented } from './flow.ts';
import { type Line, span } from './line.ts';

/** What did not go as planned while the run was made; nothing where all went well. */
export function troubleLines(run: Run, width: number): Line[] {
  return troublesOf(run).flatMap(({ title, about, details }) => [
    ...flow(setPhrase(about), { width, first: [span(`  ${title.padEnd(8)}`)] }),
    ...details.flatMap((detail) => indented(setPhrase(detail, 'fault'), width, 10)),
  ]);
}
