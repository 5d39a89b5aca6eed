import { comparedPairs, type PairOfTargets, type PreferenceTable } from './tally-preferences.ts';
import { findWinOrder, hasTieEstimate } from './win-order.ts';

/** The treatment of ties: as half a win each, or by Davidson's model, in which ties have a parameter of their own. */
export type TieModel = 'half' | 'davidson';

/** Strengths of targets as logarithms, each relative to a target of its group. */
export type FittedStrengths = {
  /** By target; NaN where the estimate is not finite. */
  readonly strengths: Float64Array;
  /** The group of every target, as in `WinOrder`. */
  readonly groups: readonly number[];
  /** Davidson's ν, 0 without ties; null for ties as half-wins, and where the estimate is not finite. */
  readonly tieParameter: number | null;
  /** The covariance of the strengths, row by row; 0 for the target that each group is relative to. */
  readonly covariance: Float64Array;
  /** Returns the strength of i minus the strength of j: ±Infinity where wins lead only one way, NaN where it is unknown. */
  difference(i: number, j: number): number;
};

/**
 * Fits strengths by maximum likelihood, within the groups in which it is finite: between groups, one strength exceeds
 * the other without bound.
 *
 * Method: R. A. Bradley & M. E. Terry, Biometrika 39 (1952), P(i beats j) = 1 / (1 + exp(s_j − s_i)); R. R. Davidson,
 * JASA 65 (1970), for ties: P(tie) ∝ ν √(π_i π_j) with π = exp s. Newton's method with the inverse of the information as
 * covariance.
 */
export function fitStrengths(table: PreferenceTable, ties: TieModel): FittedStrengths {
  const size = table.names.length;
  const { groups, leads } = findWinOrder(table);
  const pairs = comparedPairs(table).filter(({ i, j }) => groups[i] === groups[j]);
  const hasTies = pairs.some((pair) => pair.ties > 0);
  const free = groups.flatMap((group, target) => (group === target ? [] : [target]));
  const model = { pairs, free, size, hasTieParameter: ties === 'davidson' && hasTies };
  const isFinite = !model.hasTieParameter || hasTieEstimate(pairs, size);
  const found = isFinite ? maximize(model) : undefined;
  const strengths = new Float64Array(size).map((_, target) =>
    found === undefined ? Number.NaN : (found.parameters[free.indexOf(target)] ?? 0),
  );
  const difference = (i: number, j: number) => {
    if (groups[i] === groups[j]) return (strengths[i] as number) - (strengths[j] as number);
    if (leads(i, j)) return Infinity;
    return leads(j, i) ? -Infinity : Number.NaN;
  };
  const ofTies = model.hasTieParameter ? Math.exp(found?.parameters.at(-1) ?? Number.NaN) : 0;
  return {
    strengths,
    groups,
    tieParameter: ties === 'half' || found === undefined ? null : ofTies,
    covariance: spreadOut(found?.inverse, model),
    difference,
  };
}

type Model = {
  readonly pairs: readonly PairOfTargets[];
  /** The targets with a parameter; the others are the references of their groups. */
  readonly free: readonly number[];
  readonly size: number;
  /** True when the last parameter is the logarithm of ν. */
  readonly hasTieParameter: boolean;
};

type Maximum = { readonly parameters: Float64Array; readonly inverse: Float64Array };

const mostSteps = 200;
const leastStep = 1e-13;

/** Returns the parameters of the largest likelihood, or undefined when the numbers leave the range of doubles. */
function maximize(model: Model): Maximum | undefined {
  const count = model.free.length + (model.hasTieParameter ? 1 : 0);
  let parameters = new Float64Array(count);
  let here = evaluate(model, parameters);
  for (let step = 0; step < mostSteps; step += 1) {
    const inverse = invert(here.information, count);
    if (inverse === undefined) return undefined;
    const move = multiply(inverse, here.gradient);
    if (move.every((part) => Math.abs(part) <= leastStep)) return { parameters, inverse };
    let next = { at: parameters, value: here };
    for (let share = 1; share > 1e-10; share /= 2) {
      const at = parameters.map((parameter, place) => parameter + share * (move[place] as number));
      next = { at, value: evaluate(model, at) };
      // Rounding may lose the last digits of a likelihood near its maximum.
      if (next.value.likelihood >= here.likelihood - 1e-12 * Math.abs(here.likelihood)) break;
    }
    if (next.at.every((parameter, place) => parameter === parameters[place])) return { parameters, inverse };
    [parameters, here] = [next.at, next.value];
  }
  const inverse = invert(here.information, count);
  const isAtMaximum = here.gradient.every((part) => Math.abs(part) < 1e-6);
  return inverse === undefined || !isAtMaximum ? undefined : { parameters, inverse };
}

type Evaluation = {
  readonly likelihood: number;
  readonly gradient: Float64Array;
  /** The negative second derivatives, row by row. */
  readonly information: Float64Array;
};

/** Computes the logarithm of the likelihood with its derivatives. */
function evaluate({ pairs, free, size, hasTieParameter }: Model, parameters: Float64Array): Evaluation {
  const count = parameters.length;
  const places = new Int32Array(size).fill(-1);
  for (const [place, target] of free.entries()) places[target] = place;
  const [gradient, information] = [new Float64Array(count), new Float64Array(count * count)];
  const logTie = hasTieParameter ? (parameters[count - 1] as number) : undefined;
  const strengthAt = (place: number) => (place < 0 ? 0 : (parameters[place] as number));
  let likelihood = 0;
  for (const pair of pairs) {
    const [i, j] = [places[pair.i] as number, places[pair.j] as number];
    const terms = termsOf(pair, strengthAt(i) - strengthAt(j), logTie);
    likelihood += terms.likelihood;
    const slopes: [place: number, sign: number][] = [
      [i, 1],
      [j, -1],
    ];
    for (const [place, sign] of slopes) {
      if (place < 0) continue;
      add(gradient, place, sign * terms.slope);
      for (const [other, otherSign] of slopes) {
        if (other >= 0) add(information, place * count + other, sign * otherSign * terms.curvature);
      }
      if (logTie === undefined) continue;
      add(information, place * count + count - 1, sign * terms.mixed);
      add(information, (count - 1) * count + place, sign * terms.mixed);
    }
    if (logTie === undefined) continue;
    add(gradient, count - 1, terms.tieSlope);
    add(information, count * count - 1, terms.tieCurvature);
  }
  return { likelihood, gradient, information };
}

/** Returns the part of a pair in the likelihood and its derivatives by the difference of strengths and by log ν. */
function termsOf({ iWins, jWins, ties }: PairOfTargets, difference: number, logTie: number | undefined) {
  const n = iWins + jWins + ties;
  const half = Math.abs(difference) / 2;
  // Both sums are divided by the larger of the winners' terms, exp |d / 2|, which would leave the range of doubles.
  const [large, small, tie] = [1, Math.exp(-2 * half), logTie === undefined ? 0 : Math.exp(logTie - half)];
  const sum = large + small + tie;
  const [i, j] = (difference >= 0 ? [large, small] : [small, large]).map((part) => part / sum) as [
    number,
    number,
  ];
  const t = tie / sum;
  const logSum = half + Math.log(sum);
  const advantage = (difference / 2) * (iWins - jWins);
  return {
    likelihood: advantage + (logTie === undefined ? 0 : ties * logTie) - n * logSum,
    slope: (iWins - jWins) / 2 - (n * (i - j)) / 2,
    curvature: (n * (i + j - (i - j) ** 2)) / 4,
    mixed: (-n * (i - j) * t) / 2,
    tieSlope: ties - n * t,
    tieCurvature: n * t * (1 - t),
  };
}

function add(list: Float64Array, place: number, more: number): void {
  list[place] = (list[place] as number) + more;
}

function multiply(matrix: Float64Array, vector: Float64Array): Float64Array {
  const count = vector.length;
  return vector.map((_, row) =>
    vector.reduce((sum, part, column) => sum + (matrix[row * count + column] as number) * part, 0),
  );
}

/** Returns the inverse of a symmetric positive definite matrix by Gauss and Jordan, or undefined when it is not that. */
function invert(matrix: Float64Array, count: number): Float64Array | undefined {
  const left = matrix.slice();
  for (let pivot = 0; pivot < count; pivot += 1) {
    const value = left[pivot * count + pivot] as number;
    if (!(value > 0)) return undefined;
    left[pivot * count + pivot] = 1;
    for (let column = 0; column < count; column += 1) {
      left[pivot * count + column] = (left[pivot * count + column] as number) / value;
    }
    for (let row = 0; row < count; row += 1) {
      if (row === pivot) continue;
      const factor = left[row * count + pivot] as number;
      left[row * count + pivot] = 0;
      for (let column = 0; column < count; column += 1) {
        add(left, row * count + column, -factor * (left[pivot * count + column] as number));
      }
    }
  }
  return left;
}

/** Returns the covariance of all targets from the covariance of the parameters. */
function spreadOut(inverse: Float64Array | undefined, { free, size, hasTieParameter }: Model): Float64Array {
  const covariance = new Float64Array(size * size);
  const count = free.length + (hasTieParameter ? 1 : 0);
  for (const [row, i] of free.entries()) {
    for (const [column, j] of free.entries()) {
      covariance[i * size + j] = inverse?.[row * count + column] ?? Number.NaN;
    }
  }
  return covariance;
}
