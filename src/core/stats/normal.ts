import { checkDomain } from './check-domain.ts';

/** Coefficients in ascending powers. */
type Polynomial = readonly number[];
type Rational = { readonly numerator: Polynomial; readonly denominator: Polynomial };

const SQRT_2_PI = Math.sqrt(2 * Math.PI);

/** Cody's three ranges, rearranged for the normal distribution: |z| ≤ 0.66291, |z| ≤ √32 and beyond. */
const CODY_CENTRE: Rational = {
  numerator: [
    18154.98125334356, 1067.6894854603709, 161.02823106855587, 2.2352520354606837, 0.06568233791820745,
  ],
  denominator: [45507.78933502673, 10260.932208618979, 976.0985517377767, 47.202581904688245, 1],
};
const CODY_SHOULDER: Rational = {
  numerator: [
    9842.714838383978, 11602.65143764735, 6848.190450536283, 2494.5375852903726, 597.2702763948002,
    93.50665613217785, 8.883149794388377, 0.39894151208813466, 1.0765576773720192e-8,
  ],
  denominator: [
    19685.429676859992, 38912.00328609327, 34900.95272114598, 18615.571640885097, 6485.558298266761,
    1519.3775994075547, 235.387901782625, 22.266688044328117, 1,
  ],
};
const CODY_TAIL: Rational = {
  numerator: [
    0.000029112874951168793, 0.0014216191932278934, 0.022235277870649807, 0.12740116116024736,
    0.215898534057957, 0.023073441764940174,
  ],
  denominator: [
    0.00007297515550839662, 0.0037823963320275824, 0.06598813786892856, 0.4682382124808651, 1.284260096144911,
    1,
  ],
};

/** Wichura's three ranges. */
const WICHURA_CENTRE: Rational = {
  numerator: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  denominator: [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
};
const WICHURA_SHOULDER: Rational = {
  numerator: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  denominator: [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
};
const WICHURA_TAIL: Rational = {
  numerator: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  denominator: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    0.000018463183175100548, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
};

/**
 * Returns the probability that a standard normal variable is at most `z`; relative error near 1e-15, also in the lower
 * tail.
 *
 * Method: W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), in the
 * arrangement of his ANORM (ACM Algorithm 715, 1993).
 *
 * @throws RangeError when `z` is NaN.
 */
export function normalCdf(z: number): number {
  checkDomain(!Number.isNaN(z), 'z', z, 'a number');
  const distance = Math.abs(z);
  if (distance <= 0.66291) {
    return 0.5 + z * evaluate(CODY_CENTRE, z * z);
  }
  const tail = upperTail(distance);
  return z > 0 ? 1 - tail : tail;
}

/**
 * Returns the `z` below which a standard normal variable lies with probability `p`; relative error near 1e-15. `p` = 0
 * and 1 give −Infinity and Infinity.
 *
 * Method: M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37
 * (1988), routine PPND16.
 *
 * @throws RangeError when `p` is outside [0, 1].
 */
export function normalQuantile(p: number): number {
  checkDomain(p >= 0 && p <= 1, 'p', p, 'from 0 to 1');
  const fromCentre = p - 0.5;
  if (Math.abs(fromCentre) <= 0.425) {
    return fromCentre * evaluate(WICHURA_CENTRE, 0.180625 - fromCentre * fromCentre);
  }
  const tail = Math.min(p, 1 - p);
  return Math.sign(fromCentre) * (tail === 0 ? Infinity : tailDistance(tail));
}

/** Returns the density of the standard normal distribution at `z`. */
function normalDensity(z: number): number {
  // z² is split into an exact and a small part, because the exponential would magnify its rounding error.
  const coarse = Math.trunc(z * 16) / 16;
  const rest = (z - coarse) * (z + coarse);
  return (Math.exp(-coarse * coarse * 0.5) * Math.exp(-rest * 0.5)) / SQRT_2_PI;
}

/** Returns the probability above `z`, for z > 0.66291. */
function upperTail(z: number): number {
  if (z > 39) {
    return 0;
  }
  if (z <= Math.sqrt(32)) {
    return normalDensity(z) * SQRT_2_PI * evaluate(CODY_SHOULDER, z);
  }
  const inverseSquare = 1 / (z * z);
  return (normalDensity(z) / z) * (1 - SQRT_2_PI * inverseSquare * evaluate(CODY_TAIL, inverseSquare));
}

/** Returns the z > 0 above which the small probability `tail` lies. */
function tailDistance(tail: number): number {
  const r = Math.sqrt(-Math.log(tail));
  return r <= 5 ? evaluate(WICHURA_SHOULDER, r - 1.6) : evaluate(WICHURA_TAIL, r - 5);
}

function evaluate({ numerator, denominator }: Rational, x: number): number {
  return horner(numerator, x) / horner(denominator, x);
}

function horner(coefficients: Polynomial, x: number): number {
  let value = 0;
  for (let i = coefficients.length - 1; i >= 0; i -= 1) {
    value = value * x + (coefficients[i] as number);
  }
  return value;
}
