import type { ReviewTask, Stratum } from '../../core/schema/review/review-task.ts';
import { formatCount, formatPercent } from '../../look/report/format.ts';
import { expectedHalfWidth } from './draw/allocate.ts';

/** The half-width of the 95 % interval of a corrected pass rate: what it is expected to be, and will not exceed; null where unknown. */
export interface ExpectedHalfWidth {
  readonly expected: number | null;
  readonly most: number | null;
}

/** The share of answers about which a judge is expected to be right, for planning. */
const expectedAccuracy = 0.9;

/** The labels of each verdict below which error rates of a judge cannot be estimated. */
const leastOfVerdict = 50;

/** Returns the half-width to expect of a task; null for draws that are not for estimates. */
export function halfWidthOf({ draw, strata }: ReviewTask): ExpectedHalfWidth | null {
  if (draw.type === 'by-hand' || draw.type === 'uncertainty') return null;
  const widthAt = (shareOf: (name: string) => number) =>
    expectedHalfWidth(strata.map(({ name, size, drawn }) => ({ size, labels: drawn, share: shareOf(name) })));
  const isByVerdict = draw.type === 'stratified' || draw.type === 'neyman';
  const shareIn = (name: string) => (name.startsWith('passed') ? expectedAccuracy : 1 - expectedAccuracy);
  return { expected: isByVerdict ? widthAt(shareIn) : null, most: widthAt(() => 0.5) };
}

/** Returns sentences about what a task cannot show, and about the labels that it would take. */
export function notesOn(
  { draw, strata, items, frame, overlap, pairs }: ReviewTask,
  wanted: number,
): string[] {
  const notes: string[] = [];
  const what = pairs === undefined ? 'answers' : 'pairs of answers';
  if (draw.type === 'by-hand') notes.push('Answers picked by hand are not for estimates.');
  if (draw.type !== 'every-nth' && draw.type !== 'by-hand' && items < wanted)
    notes.push(`There are only ${items} ${what} to label.`);
  if (draw.type === 'stratified' || draw.type === 'neyman') {
    for (const verdict of ['passed', 'failed']) {
      const own = strata.filter(({ name }) => name.startsWith(verdict));
      const drawn = own.reduce((sum, stratum) => sum + stratum.drawn, 0);
      if (drawn < leastOfVerdict)
        notes.push(
          `Only ${drawn} ${drawn === 1 ? 'answer' : 'answers'} that the judge ${verdict}: with fewer than ${leastOfVerdict}, its error rate there is not measured.`,
        );
    }
    notes.push(...noteOnCertificate(strata));
  }
  if (overlap.people === 1 || overlap.share === 0)
    notes.push(
      'No item is labelled by two people, so that their agreement is not measured (`--doubled 20%`).',
    );
  for (const { reason, count } of frame.excluded) notes.push(`${count} ${what} are excluded: ${reason}.`);
  return notes;
}

/** Says what it takes to have 50 answers of each verdict, as a certificate wants; empty where they are drawn. */
function noteOnCertificate(strata: readonly Stratum[]): string[] {
  const of = (verdict: string, count: 'size' | 'drawn') =>
    strata.reduce((sum, stratum) => sum + (stratum.name.startsWith(verdict) ? stratum[count] : 0), 0);
  const [passed, failed] = [of('passed', 'size'), of('failed', 'size')];
  if (Math.min(of('passed', 'drawn'), of('failed', 'drawn')) >= leastOfVerdict) return [];
  const wants = `A certificate wants ${leastOfVerdict} of each kind`;
  const [few, verdict] = failed < passed ? [failed, 'failed'] : [passed, 'passed'];
  if (few >= leastOfVerdict) return [`${wants}: \`--labels ${2 * leastOfVerdict}\`.`];
  const all = passed + failed;
  if (few === 0)
    return [`${wants}, and none of the ${all} answers ${verdict}: ask questions of which some do.`];
  const share = formatPercent(few / all);
  const answers = formatCount(Math.ceil((leastOfVerdict * all) / few));
  return [
    `${wants}: where ${share} ${verdict}, about ${answers} answers have as many, and \`--labels ${2 * leastOfVerdict}\` then finds them.`,
  ];
}
