"""Writes reference-values.jsonl, which reference-values.test.ts holds ours against: every line a function, its options
and numbers computed here, with 40 digits and from definitions (enumeration, integrals, likelihoods) rather than from
the formulas in the code. Needs Python 3.11 and mpmath 1.3: python src/core/stats/write-reference-values.py
"""

import itertools
import json
import math
import pathlib
import random
from fractions import Fraction

from mpmath import betainc, erfinv, exp, findroot, gamma, inf, log, mp, mpf, quad, sqrt

mp.dps = 40
draw = random.Random(2024)
lines = []


def add(function, options, **expected):
    lines.append({"function": function, "options": options, "expected": {k: plain(v) for k, v in expected.items()}})


def plain(value):
    if isinstance(value, (str, type(None))):
        return value
    return [float(v) for v in value] if isinstance(value, list) else float(value)


def solve(f, low, high):
    """Root of a function that changes its sign between two points, by bisection."""
    low, high, rising = mpf(low), mpf(high), f(mpf(high)) > 0
    for _ in range(110):
        middle = (low + high) / 2
        low, high = (low, middle) if (f(middle) > 0) == rising else (middle, high)
    return (low + high) / 2


def z_of(p):
    return sqrt(2) * erfinv(2 * mpf(p) - 1)


def normal_above(z):
    return mp.erfc(mpf(z) / sqrt(2)) / 2


def t_above(t, df):
    df = mpf(df)
    scale = gamma((df + 1) / 2) / gamma(df / 2) / sqrt(df * mp.pi)
    return scale * quad(lambda x: (1 + x * x / df) ** (-(df + 1) / 2), [t, t + 1, t + 10, inf])


def t_of(p, df):
    return findroot(lambda t: t_above(t, df) - (1 - mpf(p)), z_of(p) + mpf(1) / 10, tol=mpf(10) ** -30)


def mean(values):
    return sum(values, mpf(0)) / len(values)


def variance(values):
    return sum((v - mean(values)) ** 2 for v in values) / (len(values) - 1)


def exact(values):
    return [mpf(v) for v in values]


def scores(n, low=0, high=100):
    return [draw.randint(low, high) / 100 for _ in range(n)]


def binomial(n, k, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


# Proportions and means.

for x, n, level in [(0, 7, 0.95), (9, 10, 0.95), (3, 250, 0.9), (40, 40, 0.99), (481, 500, 0.95)]:
    tail, a, b = (1 - mpf(level)) / 2, x + mpf(1) / 2, n - x + mpf(1) / 2
    below = lambda p: betainc(a, b, 0, p, regularized=True)
    lower = 0 if x == 0 else solve(lambda p: below(p) - tail, 0, 1)
    upper = 1 if x == n else solve(lambda p: below(p) - (1 - tail), 0, 1)
    add("jeffreysInterval", {"successes": x, "trials": n, "confidence": level}, lower=lower, upper=upper)

for n, groups, level in [(9, 3, 0.95), (14, 5, 0.9), (20, 8, 0.99)]:
    values, clusters = scores(n), [i % groups for i in range(n)]
    v = exact(values)
    residuals = [sum((x - mean(v) for x, c in zip(v, clusters) if c == g), mpf(0)) for g in range(groups)]
    error = sqrt(mpf(groups) / (groups - 1) * sum(r * r for r in residuals)) / n
    reach = t_of((1 + mpf(level)) / 2, groups - 1) * error
    expected = {"estimate": mean(v), "standardError": error, "lower": mean(v) - reach, "upper": mean(v) + reach}
    options = {"values": values, "clusters": clusters, "confidence": level}
    add("clusterInterval", {**options, "correction": "CR1"}, **expected)
    # CR2: every cluster's residuals times (I - H_gg)^(-1/2), and the degrees of freedom of that quadratic form.
    parts, square = [], mpf(0)
    for g in range(groups):
        places = [i for i, c in enumerate(clusters) if c == g]
        size = len(places)
        block = mp.matrix(size, size)
        for i in range(size):
            for j in range(size):
                block[i, j] = mpf(i == j) - mpf(1) / n
        values_of, vectors = mp.eigsy(block)
        root = vectors * mp.diag([1 / sqrt(w) for w in values_of]) * vectors.T
        adjusted = root * mp.matrix([1] * size)
        square += sum((adjusted[k] * (v[i] - mean(v)) for k, i in enumerate(places)), mpf(0)) ** 2
        total = sum(adjusted)
        parts.append([(adjusted[places.index(i)] if i in places else mpf(0)) - total / n for i in range(n)])
    products = [[sum(x * y for x, y in zip(a, b)) for b in parts] for a in parts]
    trace = sum(products[g][g] for g in range(groups))
    freedom = trace**2 / sum(x * x for row in products for x in row)
    error = sqrt(square) / n
    reach = t_of((1 + mpf(level)) / 2, freedom) * error
    expected = {"estimate": mean(v), "standardError": error, "degreesOfFreedom": freedom}
    add("clusterInterval", options, **expected, lower=mean(v) - reach, upper=mean(v) + reach)


def spacings_bound(groups, tail):
    """Where uniform spacings over the groups (sum, size) and one at 0 have a mean below it with the chance, by partial fractions."""
    with mp.workdps(300):
        apart = [(mpf(s) + mpf(10) ** -40 * (i + 1), mpf(size)) for i, (s, size) in enumerate(groups)]
        largest = max(size for _, size in apart)

        def below(c):
            weights = [s - size * c for s, size in apart] + [-largest * c]
            above = mpf(0)
            for i, w in enumerate(weights):
                if w > 0:
                    term = mpf(1)
                    for j, other in enumerate(weights):
                        if j != i:
                            term *= w / (w - other)
                    above += term
            return 1 - above

        return solve(lambda c: below(c) - tail, 0, 1)


for values, clusters, level in [
    ([0.5, 0.7, 0.9, 0.8, 0.6], None, 0.95),
    ([1, 0.75, 0.5, 1, 1, 0.25], None, 0.95),
    ([1, 1, 1, 0, 1, 0.5, 1], None, 0.99),
    ([0.2, 0.4, 0.9, 0.8, 0.6], [0, 0, 1, 1, 2], 0.9),
    ([0.2, 0.4, 0.9, 0.8, 0.6, 1, 1, 0.95], [0, 1, 1, 1, 1, 2, 3, 3], 0.95),
]:
    labels = clusters if clusters is not None else list(range(len(values)))
    groups = [
        (sum(Fraction(str(v)) for v, c in zip(values, labels) if c == g), labels.count(g)) for g in dict.fromkeys(labels)
    ]
    groups = [(mpf(s.numerator) / s.denominator, size) for s, size in groups]
    tail = 1 - mpf(str(level))
    options = {"values": values, "confidence": level, **({} if clusters is None else {"clusters": clusters})}
    lower, upper = spacings_bound(groups, tail), 1 - spacings_bound([(size - s, size) for s, size in groups], tail)
    add("boundedMeanBounds", options, lower=lower, upper=upper)

for questions, repeats in [(4, 3), (8, 4), (12, 2)]:
    table = [scores(repeats, 20 * (q % 4), 100) for q in range(questions)]
    rows = [exact(row) for row in table]
    between = repeats * variance([mean(row) for row in rows])
    within = mean([variance(row) for row in rows])
    add(
        "varianceComponents",
        {"table": table},
        estimate=mean([mean(row) for row in rows]),
        standardError=sqrt(between / (questions * repeats)),
        betweenVariance=max(mpf(0), (between - within) / repeats),
        withinVariance=within,
        intraclassCorrelation=(between - within) / (between + (repeats - 1) * within),
    )

for sizes, weights, level in [((3, 5), (0.3, 0.7), 0.95), ((4, 2, 9), (5, 1, 4), 0.9)]:
    strata = [{"values": scores(n), "weight": w} for n, w in zip(sizes, weights)]
    shares = [mpf(w) / sum(mpf(x) for x in weights) for w in weights]
    data = [exact(s["values"]) for s in strata]
    parts = [w * w * variance(v) / len(v) for w, v in zip(shares, data)]
    df = sum(parts) ** 2 / sum(p * p / (len(v) - 1) for p, v in zip(parts, data))
    estimate = sum(w * mean(v) for w, v in zip(shares, data))
    reach = t_of((1 + mpf(level)) / 2, df) * sqrt(sum(parts))
    expected = {"standardError": sqrt(sum(parts)), "degreesOfFreedom": df, "estimate": estimate}
    add("stratifiedMean", {"strata": strata, "confidence": level}, **expected, lower=estimate - reach, upper=estimate + reach)

# Pairs of scores.

for n, level in [(4, 0.95), (11, 0.9), (25, 0.99)]:
    a, b = scores(n), scores(n)
    d = [x - y for x, y in zip(exact(a), exact(b))]
    error = sqrt(variance(d) / n)
    t, reach = mean(d) / error, t_of((1 + mpf(level)) / 2, n - 1) * error
    covariance = sum((x - mean(exact(a))) * (y - mean(exact(b))) for x, y in zip(exact(a), exact(b))) / (n - 1)
    add(
        "pairedT",
        {"a": a, "b": b, "confidence": level},
        **{"estimate": mean(d), "statistic": t, "pValue": 2 * t_above(abs(t), n - 1)},
        **{"lower": mean(d) - reach, "upper": mean(d) + reach},
        correlation=covariance / sqrt(variance(exact(a)) * variance(exact(b))),
    )
    gain = gamma(mpf(n - 1) / 2) / sqrt(mpf(n - 1) / 2) / gamma(mpf(n - 2) / 2)
    d_z = mean(d) / sqrt(variance(d))
    add("pairedEffectSize", {"a": a, "b": b}, value=d_z, unbiased=d_z * gain, correction=gain)
    margin = 0.1
    low, high = (mean(d) + mpf(margin)) / error, (mpf(margin) - mean(d)) / error
    reach = t_of(level, n - 1) * error
    bounds = {"lower": mean(d) - reach, "upper": mean(d) + reach}
    options = {"a": a, "b": b, "margin": margin, "confidence": level}
    add("nonInferiority", options, **bounds, statistic=low, pValue=t_above(low, n - 1))
    add("equivalence", options, **bounds, statistic=min(low, high), pValue=t_above(min(low, high), n - 1))

for n, groups in [(1, 1), (6, 6), (10, 10), (12, 4)]:
    whole = [draw.randint(-30, 40) for _ in range(n)]
    clusters = [i % groups for i in range(n)]
    sums = [sum(w for w, c in zip(whole, clusters) if c == g) for g in range(groups)]
    totals = [sum(s * x for s, x in zip(signs, sums)) for signs in itertools.product((1, -1), repeat=groups)]
    hits = sum(abs(total) >= abs(sum(whole)) for total in totals)
    options = {"differences": [w / 100 for w in whole]}
    if groups < n:
        options["clusters"] = clusters
    add("signFlipTest", options, pValue=Fraction(hits, len(totals)), estimate=Fraction(sum(whole), 100 * n))

for n in [3, 7, 10]:
    whole = draw.sample([x for x in range(-40, 60) if x], n)
    while len({abs(w) for w in whole}) < n:
        whole = draw.sample([x for x in range(-40, 60) if x], n)
    rank = {w: 1 + sum(abs(other) < abs(w) for other in whole) for w in whole}
    v = sum(rank[w] for w in whole if w > 0)
    all_v = [sum(r for r, s in zip(range(1, n + 1), signs) if s) for signs in itertools.product((0, 1), repeat=n)]
    tail = min(sum(other <= v for other in all_v), sum(other >= v for other in all_v))
    p = min(1, Fraction(2 * tail, 2**n))
    add("wilcoxonSignedRank", {"differences": [w / 100 for w in whole]}, statistic=v, pValue=p)

# Pairs of passes and fails.

for b, c in [(0, 0), (0, 5), (1, 7), (6, 6), (40, 22), (3, 190)]:
    n, least = b + c, min(b, c)
    chance = lambda k: Fraction(math.comb(n, k), 2**n)
    two = min(Fraction(1), 2 * sum((chance(k) for k in range(least + 1)), Fraction(0)))
    mid = Fraction(1) if n == 0 else 1 - chance(b) / 2 if b == c else two - chance(least)
    add("mcnemar", {"aOnly": b, "bOnly": c}, exactPValue=two, midPValue=mid, pValue=mid)


def tango(b, c, n, d):
    """Score statistic, with the likelihood maximised under a difference of d: A only has q + d, B only q."""
    slope = lambda q: (b / (q + d) if b else 0) + (c / q if c else 0) - (2 * (n - b - c) / (1 - 2 * q - d) if n > b + c else 0)
    least, most = max(mpf(0), -d), (1 - d) / 2
    tiny = mpf(10) ** -38
    q = least if slope(least + tiny) <= 0 else most if slope(most - tiny) >= 0 else solve(slope, least + tiny, most - tiny)
    return (b - c - n * d) / sqrt(n * (2 * q + d - d * d))


def tango_limits(b, c, n, z):
    estimate, tiny = mpf(b - c) / n, mpf(10) ** -30
    lower = -1 if b - c == -n else solve(lambda d: tango(b, c, n, d) - z, -1 + tiny, estimate - tiny)
    upper = 1 if b - c == n else solve(lambda d: tango(b, c, n, d) + z, estimate + tiny, 1 - tiny)
    return {"lower": lower, "upper": upper}


for both, b, c, neither, level in [(0, 7, 1, 13, 0.95), (180, 6, 10, 4, 0.95), (30, 0, 0, 5, 0.9), (8, 12, 0, 0, 0.95), (50, 9, 21, 20, 0.99)]:
    n, z = both + b + c + neither, z_of((1 + mpf(level)) / 2)
    counts = {"both": both, "aOnly": b, "bOnly": c, "neither": neither}
    add("tangoInterval", {**counts, "confidence": level}, estimate=Fraction(b - c, n), **tango_limits(b, c, n, z))
    low, high = tango(b, c, n, mpf(-0.05)), -tango(b, c, n, mpf(0.05))
    bounds = tango_limits(b, c, n, z_of(level))
    options = {"counts": counts, "margin": 0.05, "confidence": level}
    add("nonInferiority", options, **bounds, statistic=low, pValue=normal_above(low))
    add("equivalence", options, **bounds, statistic=min(low, high), pValue=normal_above(min(low, high)))

# Effect sizes and several tests.

for a, b in [(0.9, 0.8), (0, 1), (0.31, 0.305)]:
    add("cohensH", {"a": a, "b": b}, value=2 * mp.asin(sqrt(mpf(a))) - 2 * mp.asin(sqrt(mpf(b))))

for m, n in [(1, 1), (6, 9), (20, 15)]:
    a, b = [draw.randint(1, 5) for _ in range(m)], [draw.randint(1, 5) for _ in range(n)]
    wins, losses = sum(x > y for x in a for y in b), sum(x < y for x in a for y in b)
    add("cliffsDelta", {"a": a, "b": b}, value=Fraction(wins - losses, m * n), superiority=Fraction(m * n + wins - losses, 2 * m * n))

for m in [1, 4, 9]:
    p = [draw.randint(0, 60) / 100 for _ in range(m)]
    order = sorted(range(m), key=lambda i: p[i])
    harmonic = sum(Fraction(1, j) for j in range(1, m + 1))

    def back(adjusted):
        return [adjusted[order.index(i)] for i in range(m)]

    step_down = [max(min(1.0, (m - j) * p[order[j]]) for j in range(i + 1)) for i in range(m)]
    step_up = [min(min(Fraction(1), m * Fraction(p[order[j]]) / (j + 1)) for j in range(i, m)) for i in range(m)]
    slower = [min(min(Fraction(1), harmonic * m * Fraction(p[order[j]]) / (j + 1)) for j in range(i, m)) for i in range(m)]
    add("holm", {"pValues": p}, adjusted=back(step_down))
    add("benjaminiHochberg", {"pValues": p}, adjusted=back(step_up))
    add("benjaminiYekutieli", {"pValues": p}, adjusted=back(slower))

# Planning.

for level, power, delta, deviation in [(0.95, 0.8, 0.05, 0.3), (0.9, 0.9, 0.02, 0.41), (0.99, 0.5, 0.3, 0.6)]:
    two, one, zb = z_of((1 + mpf(level)) / 2), z_of(level), z_of(power)
    levels = {"power": power, "confidence": level}
    n = ((two + zb) * mpf(deviation) / mpf(delta)) ** 2
    add("pairedSampleSize", {"difference": delta, "standardDeviation": deviation, **levels}, unrounded=n, n=mp.ceil(n))
    parts = {"betweenVariance": 0.04, "withinVarianceA": 0.1, "withinVarianceB": 0.2, "repeatsA": 4, "repeatsB": 5}
    total = mpf(0.04) + mpf(0.1) / 4 + mpf(0.2) / 5
    add("minimumDetectableDifference", {"n": 150, **parts, **levels}, value=(two + zb) * sqrt(total / 150))
    n = 2 * ((one + zb) / (mpf(0.05) + mpf(0.01))) ** 2 * total
    add("nonInferioritySampleSize", {"margin": 0.05, "difference": 0.01, "designEffect": 2, **parts, **levels}, unrounded=n)
    psi, d = mpf(0.2), mpf(delta) / 2
    n = ((two * sqrt(psi) + zb * sqrt(psi - d * d)) / d) ** 2
    add("mcnemarSampleSize", {"difference": delta / 2, "discordant": 0.2, **levels}, unrounded=n, n=mp.ceil(n))

# Stopping early.

for values, level in [(scores(6), 0.95), (scores(20, 70, 100), 0.95), ([1, 0, 1, 1, 1, 1, 1, 1, 0, 1] * 3, 0.9)]:
    x, alpha = exact(values), 1 - mpf(level)

    def bet(t):
        centres = [(mpf(1) / 2 + sum(x[:i])) / (i + 1) for i in range(1, t)]
        spread = (mpf(1) / 4 + sum((v - m) ** 2 for v, m in zip(x, centres))) / t
        return sqrt(2 * log(2 / alpha) / (spread * t * log(mpf(1 + t))))

    bets = [bet(t) for t in range(1, len(x) + 1)]

    def capital(m, sign):
        most = mpf(1) / 2 / (m if sign > 0 else 1 - m)
        product = mpf(1)
        for b, v in zip(bets, x):
            product *= 1 + sign * min(b, most) * (v - m)
        return product

    tiny = mpf(10) ** -30
    lower = solve(lambda m: capital(m, 1) - 2 / alpha, tiny, 1) if capital(tiny, 1) > 2 / alpha else 0
    upper = solve(lambda m: capital(m, -1) - 2 / alpha, 0, 1 - tiny) if capital(1 - tiny, -1) > 2 / alpha else 1
    options = {"values": values, "confidence": level, "threshold": 0.5}
    add("bettingSequence", options, lower=lower, upper=upper, estimate=mean(x), eValue=capital(mpf(0.5), 1))

restart_rates = [mpf(q) / 90 for q in (88, 86, 84, 80, 75, 65)]
for threshold, days in [
    ("0.9", [(182, 200)]),
    ("0.9", [(182, 200), (176, 200)]),
    ("0.9", [(182, 200), (176, 200), (168, 200)]),
    ("0.75", [(70, 90), (0, 3), (60, 88), (61, 90)]),
]:
    m = mpf(threshold)
    states = [mpf(0)] * 6
    for d, (x, n) in enumerate(days, 1):
        states = [
            (s + mpf(1) / (d * (d + 1))) * r**x * ((1 - r * m) / (1 - m)) ** (n - x)
            for s, r in zip(states, restart_rates)
        ]
    options = {"days": [{"passes": x, "n": n} for x, n in days], "threshold": float(threshold)}
    add("restartEvidence", options, evidence=sum(states) / 6)

# Repeats and quantiles.

for counts, k in [([(10, 3)], 5), ([(4, 0), (4, 2), (4, 4), (2, 2), (5, 1)], 3), ([(8, 6), (7, 1), (1, 1)], 2)]:
    enough = [(n, c) for n, c in counts if n >= k]
    subsets = [[s for s in itertools.combinations(range(n), k)] for n, _ in enough]
    some = [Fraction(sum(any(i < c for i in s) for s in sets), len(sets)) for sets, (_, c) in zip(subsets, enough)]
    every = [Fraction(sum(all(i < c for i in s) for s in sets), len(sets)) for sets, (_, c) in zip(subsets, enough)]
    options = {"counts": [{"n": n, "c": c} for n, c in counts], "k": k}
    add("passAtK", options, estimate=sum(some) / len(some), n=len(enough), leftOut=len(counts) - len(enough))
    add("passHatK", options, estimate=sum(every) / len(every), n=len(enough), leftOut=len(counts) - len(enough))
    twice = [(n, c) for n, c in counts if n >= 2]
    pairs = [[(i < c) != (j < c) for i, j in itertools.combinations(range(n), 2)] for n, c in twice]
    differ = sum(Fraction(sum(p), len(p)) for p in pairs) / len(pairs)
    add("flakiness", {"counts": options["counts"]}, disagreement=differ, flakyShare=Fraction(sum(any(p) for p in pairs), len(pairs)))

for n, p, level in [(20, 0.5, 0.95), (72, 0.95, 0.95), (59, 0.95, 0.9), (150, 0.25, 0.99)]:
    values = draw.sample(range(1000), n)
    share, tail = Fraction(p), (1 - Fraction(level)) / 2
    chances = [binomial(n, k, share) for k in range(n + 1)]
    least = lambda chance: next(k for k in range(n + 1) if sum(chances[: k + 1]) >= chance)
    low, high = least(tail), least(1 - tail) + 1
    found = {"lower": sorted(values)[low - 1], "upper": sorted(values)[high - 1], "lowerRank": low, "upperRank": high}
    add("quantileInterval", {"values": values, "p": p, "confidence": level}, **found, coverage=sum(chances[low:high]))

# Agreement: coefficients from pairs of ratings, standard errors by derivatives of the coefficient (delta method).


def kappa_of(shares, credit):
    q = range(len(shares))
    rows, columns = [sum(shares[i]) for i in q], [sum(row[j] for row in shares) for j in q]
    observed = sum(shares[i][j] * credit(i, j) for i in q for j in q)
    chance = sum(rows[i] * columns[j] * credit(i, j) for i in q for j in q)
    return (observed - chance) / (1 - chance)


credits = {
    "none": lambda i, j, q: mpf(i == j),
    "linear": lambda i, j, q: 1 - mpf(abs(i - j)) / (q - 1),
    "quadratic": lambda i, j, q: 1 - (mpf(i - j) / (q - 1)) ** 2,
}
tables = [[[20, 5], [10, 15]], [[138, 12], [9, 41]], [[11, 3, 1], [4, 17, 5], [0, 2, 9]], [[8, 1, 0, 2], [3, 9, 2, 0], [1, 4, 12, 3], [0, 0, 5, 7]]]
for table, weights in itertools.product(tables, credits):
    n, q = sum(map(sum, table)), len(table)
    credit = lambda i, j: credits[weights](i, j, q)
    shares = [[mpf(count) / n for count in row] for row in table]
    estimate = kappa_of(shares, credit)

    def moved(i, j, step):
        return kappa_of([[v + step * (k == i and l == j) for l, v in enumerate(row)] for k, row in enumerate(shares)], credit)

    step = mpf(10) ** -13
    slopes = [[(moved(i, j, step) - moved(i, j, -step)) / (2 * step) for j in range(q)] for i in range(q)]
    flat = [(p, g) for row, slope in zip(shares, slopes) for p, g in zip(row, slope)]
    error = sqrt((sum(p * g * g for p, g in flat) - sum(p * g for p, g in flat) ** 2) / n)
    options = {"table": table, "weights": weights, "confidence": 0.95}
    margin = z_of(0.975) * error
    add("cohensKappa", options, estimate=estimate, standardError=error, lower=max(mpf(-1), estimate - margin), upper=min(mpf(1), estimate + margin))

distances = {
    "nominal": lambda a, b, all: mpf(a != b),
    "interval": lambda a, b, all: mpf(a - b) ** 2,
    "ratio": lambda a, b, all: (mpf(a - b) / (a + b)) ** 2 if a != b else mpf(0),
    "ordinal": lambda a, b, all: (sum(min(a, b) <= v <= max(a, b) for v in all) - mpf(all.count(a) + all.count(b)) / 2) ** 2 if a != b else mpf(0),
}
published = zip(
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
)
random_ratings = [[draw.choice([1, 2, 3, 5, None]) for _ in range(3)] for _ in range(15)]
for ratings, scale in itertools.product([[list(row) for row in published], random_ratings], distances):
    units = [[v for v in row if v is not None] for row in ratings]
    units = [row for row in units if len(row) >= 2]
    together = [v for row in units for v in row]
    far = lambda a, b: distances[scale](a, b, together)
    observed = sum(sum(far(a, b) for a, b in itertools.permutations(row, 2)) / (len(row) - 1) for row in units) / len(together)
    chance = sum(far(a, b) for a, b in itertools.permutations(together, 2)) / (len(together) * (len(together) - 1))
    add("krippendorffsAlpha", {"ratings": ratings, "scale": scale, "resamples": 0}, estimate=1 - observed / chance, n=len(units))

# The same questions, of which only the attempts vary.

for counts in [
    [((3, 3), (3, 3))] * 26 + [((3, 3), (2, 3)), ((2, 3), (2, 3)), ((2, 3), (2, 3)), ((1, 3), (1, 3))],
    [((5, 5), (4, 5)), ((2, 4), (1, 5)), ((3, 4), (3, 3)), ((4, 5), (0, 5)), ((5, 5), (5, 5))],
]:
    sides = [[[mpf(1)] * passed + [mpf(0)] * (n - passed) for passed, n in (pair[side] for pair in counts)] for side in (0, 1)]
    size = len(counts)
    estimate = mean([mean(b) - mean(a) for a, b in zip(*sides)])
    terms = [(variance(v) / len(v) / size**2, len(v) - 1) for side in sides for v in side]
    seen = sum(part for part, _ in terms)
    freedom = seen**2 / sum(part**2 / df for part, df in terms)
    total = seen + sum(mpf(1) / 4 / min(len(v) for v in side) for side in sides) / size**2
    margin = t_of(mpf("0.95"), freedom) * sqrt(total)
    moments = lambda v: {"n": len(v), "mean": float(mean(v)), "variance": float(variance(v))}
    options = {"pairs": [[moments(a), moments(b)] for a, b in zip(*sides)]}
    add("fixedQuestionBounds", options, estimate=estimate, variance=total, degreesOfFreedom=freedom, lower=estimate - margin, upper=estimate + margin)

# Judges.

for positives, negatives in [([0.9, 0.8, 0.8, 0.4], [0.7, 0.4, 0.2, 0.1]), (scores(12, 40), scores(9, 0, 70))]:
    wins = [[mpf(x > y) + mpf(x == y) / 2 for y in negatives] for x in positives]
    rows, columns = [mean(row) for row in wins], [mean(list(column)) for column in zip(*wins)]
    error = sqrt(variance(rows) / len(rows) + variance(columns) / len(columns))
    options = {"scores": positives + negatives, "truth": [True] * len(positives) + [False] * len(negatives)}
    add("rocAuc", options, estimate=mean(rows), standardError=error, lower=mean(rows) - z_of(0.975) * error, upper=min(mpf(1), mean(rows) + z_of(0.975) * error))

for passes, n, tp, fn, fp, tn in [(739, 1000, 138, 12, 9, 41), (400, 1000, 180, 20, 60, 140), (410, 500, 45, 5, 12, 38), (33, 60, 15, 4, 2, 11)]:
    z = z_of(0.975)

    def corrected(p, sensitivity, specificity):
        return (p + specificity - 1) / (sensitivity + specificity - 1)

    def spread(at, sizes):
        step = mpf(10) ** -13
        parts = []
        for k, size in enumerate(sizes):
            up, down = [v + step * (i == k) for i, v in enumerate(at)], [v - step * (i == k) for i, v in enumerate(at)]
            slope = (corrected(*up) - corrected(*down)) / (2 * step)
            parts.append(slope**2 * at[k] * (1 - at[k]) / size)
        return sqrt(sum(parts))

    raw, sizes = [mpf(passes) / n, mpf(tp) / (tp + fn), mpf(tn) / (tn + fp)], [n, tp + fn, tn + fp]
    near = [(passes + z**2 / 2) / (n + z**2), mpf(tp + 1) / (tp + fn + 2), mpf(tn + 1) / (tn + fp + 2)]
    larger = [n + z**2, tp + fn + 2, tn + fp + 2]
    centre = corrected(*near)
    shift = 2 * z**2 * (centre * near[1] * (1 - near[1]) / larger[1] - (1 - centre) * near[2] * (1 - near[2]) / larger[2])
    margin = z * spread(near, larger)
    labels = {"truePositives": tp, "falseNegatives": fn, "falsePositives": fp, "trueNegatives": tn}
    ends = {"lower": max(mpf(0), centre + shift - margin), "upper": min(mpf(1), centre + shift + margin)}
    add("roganGladen", {"passes": passes, "n": n, "labels": labels}, estimate=corrected(*raw), standardError=spread(raw, sizes), **ends)

for m, others, level in [(20, 50, 0.95), (35, 70, 0.9)]:
    given = scores(m + others)
    labels, judged, rest = [min(100, max(0, round(100 * v) + draw.randint(-20, 30))) / 100 for v in given[:m]], given[:m], given[m:]
    y, f, u = exact(labels), exact(judged), exact(rest)

    def error_at(weight):
        left = [a - weight * b for a, b in zip(y, f)]
        return sqrt(weight**2 * variance(u) * (others - 1) / mpf(others) ** 2 + variance(left) * (m - 1) / mpf(m) ** 2)

    weight = sum((a - mean(y)) * (b - mean(f)) for a, b in zip(y, f)) / m / ((1 + mpf(m) / others) * variance(f + u))
    weight = min(mpf(1), max(mpf(0), weight))
    estimate = weight * mean(u) + mean(y) - weight * mean(f)
    margin = z_of((1 + mpf(level)) / 2) * error_at(weight)
    options = {"labels": labels, "scores": judged, "otherScores": rest, "limits": "normal", "confidence": level}
    add("ppiMean", options, estimate=estimate, **{"lambda": weight}, standardError=error_at(weight), lower=estimate - margin, upper=estimate + margin)


# Shares of the answers of a run, drawn without replacement: by enumeration of whole numbers.
def limits_in_run(x, n, size, tail=Fraction(25, 1000)):
    def chance(k, low, high):
        ways = sum(math.comb(k, i) * math.comb(size - k, n - i) for i in range(max(0, low), min(n, high) + 1))
        return Fraction(ways, math.comb(size, n))

    least = min(k for k in range(size + 1) if chance(k, x, n) > tail)
    most = max(k for k in range(size + 1) if chance(k, 0, x) > tail)
    return least, most


for x, n, size in [(9, 40, 80), (60, 60, 60), (7, 60, 180), (7, 60, 1000), (0, 50, 180)]:
    least, most = limits_in_run(x, n, size)
    options = {"successes": x, "sampled": n, "size": size}
    add("shareInRun", options, estimate=mpf(x) / n, lower=mpf(least) / size, upper=mpf(most) / size, least=least, most=most)

for parts in [[(9, 40, 80), (1, 40, 320)], [(9, 40, 80), (0, 40, 320)], [(3, 20, 50), (2, 30, 90), (11, 25, 25)]]:
    total = sum(size for _, _, size in parts)
    estimate = sum(mpf(size) / total * x / n for x, n, size in parts)
    ends, spread = [mpf(0), mpf(0)], mpf(0)
    for x, n, size in parts:
        limits = limits_in_run(x, n, size)
        ends = [end + (mpf(size) / total * (mpf(limit) / size - mpf(x) / n)) ** 2 for end, limit in zip(ends, limits)]
        share = mpf(x) / n
        spread += (mpf(size) / total) ** 2 * share * (1 - share) / (n - 1) * (1 - mpf(n) / size)
    strata = [{"successes": x, "sampled": n, "size": size} for x, n, size in parts]
    add("stratifiedShare", {"strata": strata}, estimate=estimate, standardError=sqrt(spread), lower=estimate - sqrt(ends[0]), upper=estimate + sqrt(ends[1]))

for counts in [[(3, 3), (3, 3), (2, 3), (1, 3)] + [(0, 3)] * 16, [(1, 2), (2, 2), (0, 1), (3, 4), (1, 1), (0, 3)]]:
    shares, answers, z = [mpf(x) / n for x, n in counts], sum(n for _, n in counts), z_of(0.975)
    theta, error = mean(shares), sqrt(variance(shares) / len(shares))
    effective = min(mpf(answers), theta * (1 - theta) / error**2)
    # Wilson: the shares whose normal test does not reject the estimate.
    gap = lambda p: (theta - p) ** 2 - z**2 * p * (1 - p) / effective
    cases = [{"successes": x, "answers": n} for x, n in counts]
    add("shareOfCases", {"cases": cases}, estimate=theta, standardError=error, designEffect=error**2 * answers / (theta * (1 - theta)), effectiveAnswers=effective, lower=solve(gap, 0, theta), upper=solve(gap, theta, 1))

for once, twice in [(0, 0), (1, 1), (2, 1), (3, 2), (5, 3)]:
    for n in [20, 50, 100]:
        esty = mpf(once) / n + z_of(0.95) * sqrt(mpf(once) * (1 - mpf(once) / n) / n**2 + mpf(2 * twice) / n**2)
        upper = solve(lambda p: betainc(once + 2, n - once - 1, 0, p, regularized=True) - mpf(95) / 100, 0, 1)
        add("unseenShare", {"failures": n, "once": once, "twice": twice}, estimate=mpf(once) / n, upper=max(esty, upper))

# Two versions at thirty fixed questions, three attempts each; and at unequal weights.
passes = [([3] * 27 + [2, 2, 1], [3] * 26 + [2, 2, 2, 1], None), ([3, 2, 3, 1], [3, 3, 1, 2], [1, 2, 1, 4])]
for before, now, weights in passes:
    share = [mpf(w) / sum(weights or [1] * len(before)) for w in (weights or [1] * len(before))]
    moments = lambda x: {"n": 3, "mean": x / 3, "variance": x * (3 - x) / 6}
    parts = [(w**2 * mpf(x * (3 - x)) / 18) for w, a, b in zip(share, before, now) for x in (a, b)]
    noise, total = sum(parts), sum(parts) + max(share) ** 2 * (mpf(1) / 12 + mpf(1) / 12)
    df = noise**2 / sum(part**2 / 2 for part in parts)
    d, margin = sum(w * mpf(b - a) / 3 for w, a, b in zip(share, before, now)), t_of(mpf(95) / 100, df) * sqrt(total)
    options = {"pairs": [[moments(a), moments(b)] for a, b in zip(before, now)]} | ({"weights": weights} if weights else {})
    add("fixedQuestionBounds", options, estimate=d, variance=total, degreesOfFreedom=df, lower=d - margin, upper=d + margin)

# Failure modes of two runs, and where one is frequent: paired questions, exact tests of two groups, corrected together.
b, c, n = 12, 4, 100
two = min(Fraction(1), 2 * sum((Fraction(math.comb(b + c, k), 2 ** (b + c)) for k in range(c + 1)), Fraction(0)))
mid = two - Fraction(math.comb(b + c, c), 2 ** (b + c))
add("mcnemar", {"aOnly": b, "bOnly": c}, exactPValue=two, midPValue=mid)
counts = {"both": 40, "aOnly": b, "bOnly": c, "neither": n - 40 - b - c}
add("tangoInterval", {**counts, "confidence": 0.95}, estimate=Fraction(b - c, n), **tango_limits(b, c, n, z_of(mpf(975) / 1000)))
found = [(9, 20), (2, 25), (1, 15), (3, 20)]
exact = []
for x, m in found:
    others, of = sum(y for y, _ in found) - x, sum(k for _, k in found) - m
    ways = lambda k: math.comb(m, k) * math.comb(of, x + others - k)
    possible = range(max(0, x + others - of), min(m, x + others) + 1)
    exact.append(Fraction(sum(ways(k) for k in possible if ways(k) <= ways(x)), sum(map(ways, possible))))
    add("fisherExact", {"successes": x, "trials": m, "otherSuccesses": others, "otherTrials": of}, pValue=exact[-1])
for p in [[0.0042, 0.019, 0.031, 0.21, 0.74], [float(each) for each in exact]]:
    add("holm", {"pValues": p}, adjusted=[max(min(1.0, (len(p) - j) * p[j]) for j in range(i + 1)) for i in range(len(p))])

path = pathlib.Path(__file__).parent / "reference-values.jsonl"
path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
