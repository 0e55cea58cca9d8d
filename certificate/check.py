#!/usr/bin/env python3
"""check.py CERTIFICATE.json: proves, in exact integers, how much privacy a list of releases costs.

Nothing in the certificate is believed but its list of releases. Every release names a pair of distributions (P, Q): its output
with a record and without it ("remove"), or the reverse ("add"). This program proves an eps at delta for these pairs, in both
directions. That the pairs dominate the real mechanisms under the stated adjacency it cannot know: compare what it prints.

The theorem. For x = e^eps let f(x) = sup over events S of P(S) - x Q(S). f is convex, falls, f(0) = 1 and f(x) >= max(0, 1-x).
The guarantee holds if and only if f(e^eps) <= delta for both orders of the pair. A list of losses is a P-mass p_k at each loss
l_k and a P-mass w at loss +infinity; its curve is g(x) = w + sum p_k max(0, 1 - x e^-l_k).
  (T1) Under composition losses add and masses multiply. The f of a composition is an average, over the losses of the other
       releases, of one release's f at other points. So if g >= f at every x >= 0 for each release, the composed g is >= the
       composed f; the same with <=. It holds too if a release is chosen after seeing the outputs of earlier ones, as long as
       its pair is fixed in advance (Zhu, Dong, Wang 2022, Theorem 10).
  (T2) Raising a mass, or moving mass to a larger loss, raises g at every x.
Upper end: f is computed at the points e^(jh). The polygon through these points is the curve of a list of losses at multiples of
h, and a chord of a convex function lies above it. Lower end: events S give points (Q(S), P(S)); a path below them whose legs
have the slopes e^(offset+jh) is a list of losses whose curve lies below f. Both lists are rounded to integers in the unit
10^-digits, upward or downward, and composed by exact products, each rounded once in the same direction.
Trusted: Python's integers and strings; that the module decimal rounds + - * / sqrt exp ln correctly (its long products are
checked again, at a random point modulo a prime); this file. h, digits, cut, tests, offset and lower_direction are choices: a bad
choice makes the proved number worse or the check fail, never the proved number wrong.
Precision: 60 digits, so each operation errs by at most 1e-59 of its result. Every f, P(S) and Q(S) is off by less than PAD = 1e-43
before it is rounded: where normal distributions are involved FAR keeps x below e^25 < 1e11, so that an error of 1e-56 in Phi is at
most 1e-45 in x Q(S); the other kinds are closed forms, with x Q(S) <= P(S) <= 1 in every f.
Exit status: 0 the claim is proved, 1 it is not, 2 the file is no certificate, 3 this machine computed wrongly."""
import bisect, collections, functools, json, re, secrets, sys, time
from decimal import (Context, Decimal as D, DivisionByZero, Inexact, InvalidOperation, MAX_EMAX, MIN_EMIN, Overflow,
                     ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, setcontext)
TRAPS = [InvalidOperation, DivisionByZero, Overflow]
setcontext(Context(prec=60, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=TRAPS))
PAD = D("1e-43")
ONE = 10 ** 40                       # masses of one release are integers in the unit 1e-40
FAR, FAR_CLOSED = 25, 55             # largest |loss| of a lattice point of one release: with normal distributions, without
POINTS, SECONDS = 300_000, 600       # most lattice points, most processor time
GRAIN = D("1e-8")                    # eps is proved in these steps
BELIEVED = ("believed, not checked: each named pair dominates its release under the adjacency above (sensitivity, clipping, sampling, "
            "exact noise), and nothing else was released")
ROOT = (2 * D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")).sqrt()

class Stop(Exception): pass          # ends the check, with the exit status and the last line

def watch_time():
    if time.process_time() > SECONDS:
        raise Stop(1, "not proved: it takes too long; take a larger h")

def int_above(v, error=PAD):
    return int(((v + error) * ONE).to_integral_value(ROUND_CEILING))
def int_below(v, error=PAD):
    return int(((v - error) * ONE).to_integral_value(ROUND_FLOOR))

def phi(y):
    """Standard normal distribution function within 1e-56: 1/2 + density(y) (y + y^3/3 + y^5/(3*5) + ...), summed in 256-bit
    integers. Each of its N < 1000 terms is rounded down twice, in all less than 4 N^2 units are lost; the loop ends where a
    term is below one unit, and from there on each is less than half of the one before."""
    if y < 0 or y > 16:
        return 1 - phi(-y) if y < 0 else D(1)            # 1 - Phi(16) < 1e-57
    square, term, total, odd = int(y * y * 2 ** 256), 1 << 256, 0, 1
    while term:
        total, odd = total + term, odd + 2
        term = (term * square >> 256) // odd
    return D("0.5") + y * D(total) / 2 ** 256 * (-y * y / 2).exp() / ROOT

# ---- Pairs: for each kind f(x), and events S by threshold. Plain pairs read the same in both directions. -------------------
PLAIN = {"gaussian": ("sigma",), "laplace": ("eps",), "pure": ("eps",), "approx": ("eps", "delta"), "bounded_range": ("eps",)}
SAMPLED = {"sampled_" + k: ("q",) + (("z",) if k == "gaussian" else v) for k, v in PLAIN.items()}
TABLES = {"response": ("eps", "share"), "discrete_laplace": ("eps", "shift"), "discrete_gaussian": ("sigma", "shift"), "finite": ("within", "rest", "outcomes")}
UPPER_ONLY = ("bounded_range", "sampled_bounded_range", "fixed_batch_gaussian")    # the pair costs more than any mechanism that it dominates
SYMMETRIC = (*PLAIN, "replaced_gaussian", "fixed_batch_gaussian", "response", "discrete_laplace", "discrete_gaussian")
BY_EPS = ("laplace", "pure", "approx", "bounded_range", "sampled_laplace", "sampled_pure", "sampled_approx",
          "sampled_bounded_range", "response", "discrete_laplace")   # before sampling, the largest loss is eps, times shift
COMPLETE = ("finite",)               # tables that list every outcome if their rest is 0
KINDS = {**PLAIN, **SAMPLED, "replaced_gaussian": ("q", "z"), "fixed_batch_gaussian": ("q", "z"), **TABLES}
RANGES = {"sigma": ("0.3", "100000"), "z": ("0.3", "1000"), "eps": ("0.00001", "50"), "q": ("0.000001", "1"),
          "delta": ("0", "0.5"), "share": ("0.000001", "1"), "within": ("0", "1e-9"), "rest": ("0", "1e-9")}

def plain_test(r, x):
    """(P(S), Q(S)) of S = {P/Q > x}, x > 0. With S for an x that is off by e, P(S) - x Q(S) is off by at most e Q(S)."""
    if "scale" in r:                 # N(m, 1) against N(0, 1): ln P/Q = m y - m^2/2
        m = 1 / r["scale"]
        cut = x.ln() / m + m / 2
        return phi(m - cut), phi(-cut)
    e, d, big = r["eps"], r.get("delta", D(0)), r["eps"].exp()
    if x >= big or x * big < 1:      # beyond the largest finite loss, below the smallest
        return (d, D(0)) if x >= big else (D(1), 1 - d)
    if r["kind"].endswith("laplace"):                    # S = {noise < u scales}: there P/Q > e^(e - 2u)
        u = min(max((e - x.ln()) / 2, D(0)), e)
        return 1 - (-u).exp() / 2, (u - e).exp() / 2
    if r["kind"].endswith("bounded_range"):              # f = (sqrt(E) - sqrt(x))^2 / (E-1); Q(S) = -f', P(S) = f - x f'
        return max(D(0), big - (big * x).sqrt()) / (big - 1), max(D(0), (big / x).sqrt() - 1) / (big - 1)
    return d + (1 - d) * big / (1 + big), (1 - d) / (1 + big)        # pure, approx: randomized response says yes

def replaced_test(r, x):
    """P = (1-q) N(0,1) + q N(m,1) against Q = (1-q) N(0,1) + q N(-m,1). P/Q rises in y. P = x Q means, for u = e^(my) and
    k = q e^(-m^2/2), that k u^2 + b u - k x = 0 with b = (1-q)(1-x); the positive root is computed without cancellation."""
    q, m = r["q"], 1 / r["scale"]
    k, b = q * (-m * m / 2).exp(), (1 - q) * (1 - x)
    root = (b * b + 4 * k * k * x).sqrt()
    cut = (2 * k * x / (b + root) if b > 0 else (root - b) / (2 * k)).ln() / m
    centre = (1 - q) * phi(-cut)
    return centre + q * phi(m - cut), centre + q * phi(-m - cut)

def outcomes(r):
    """(P-mass, Q-mass) of each outcome."""
    if r["kind"] == "finite":
        return r["outcomes"]
    if r["kind"] == "response":      # with probability 1-share an answer that both data sets give alike
        e, s = r["eps"].exp(), r["share"]
        return [(s * e / (1 + e), s / (1 + e)), (1 - s, 1 - s), (s / (1 + e), s * e / (1 + e))]
    n = r["shift"]
    if r["kind"] == "discrete_laplace":                  # P(y) = a^|y| (1-a)/(1+a), a = e^-eps; Q(y) = P(y-n). One loss for
        a = (-r["eps"]).exp()                            # all y <= 0, one for all y >= n
        inner, ends = [a ** y * (1 - a) / (1 + a) for y in range(1, n)], (1 / (1 + a), a ** n / (1 + a))
        return [ends, *zip(inner, reversed(inner)), ends[::-1]]
    reach = int(15 * r["sigma"]) + 1                     # P(y) ~ e^(-y^2/(2 sigma^2)): less than 1e-47 lies beyond 15 sigma
    weights = [(-D(y * y) / (2 * r["sigma"] ** 2)).exp() for y in range(reach + n + 1)]
    total = 2 * sum(weights[:reach + 1]) - 1
    return [(weights[abs(y)] / total, weights[abs(y - n)] / total) for y in range(-reach, reach + n + 1)]

def ordered(r, way):
    """The outcomes that are possible; P and Q change places for "add"."""
    return [v[::1 if way == "remove" else -1] for v in outcomes(r) if any(v)]

def tabulate(r, way):
    """Keeps the outcomes by falling P/Q, as the sums of P and of Q up to each."""
    rows = sorted((-p / q if q else D("-Infinity"), p, q) for p, q in ordered(r, way))
    sums = [(D(0), D(0))]
    for _, p, q in rows:
        sums.append((sums[-1][0] + p, sums[-1][1] + q))
    r[way] = [row[0] for row in rows], sums

def test(r, way, x):
    """(P(S), Q(S)) of an event S that is best, or nearly, at x > 0."""
    if r["kind"] in TABLES:
        return r[way][1][bisect.bisect_left(r[way][0], -x)]
    if r["kind"] not in SAMPLED:
        return replaced_test(r, x) if r["kind"] == "replaced_gaussian" else plain_test(r, x)
    q = r["q"]                       # P' = (1-q) Q + q P against Q for remove, Q against P' for add. P' > x Q means P > inner Q,
    inner = (x - (1 - q)) / q if way == "remove" else q * x / (1 - (1 - q) * x) if (1 - q) * x < 1 else D(-1)
    if inner <= 0:                   # and Q > x P' means Q > inner P
        return (D(1), D(1)) if way == "remove" else (D(0), D(0))
    a, b = plain_test(r, inner)      # plain pairs read the same in both directions, so an S with Q(S) = a, P(S) = b exists too
    return ((1 - q) * b + q * a, b) if way == "remove" else (a, (1 - q) * a + q * b)

def curve(r, way, x):
    """f(x) within error(r), for x > 0. The maximum only repairs round-off: no outcome and every outcome are events too."""
    if r["kind"] == "fixed_batch_gaussian":              # q f0(y) with y = 1 + (x-1)/q for x >= 1, mirrored below: 1 - x + x f(1/x)
        y = 1 + (max(x, 1 / x) - 1) / r["q"]
        f = r["q"] * (plain_test(r, y)[0] - y * plain_test(r, y)[1])
        return max(f if x >= 1 else 1 - x + x * f, D(0), 1 - x)
    p, q = test(r, way, x)
    return max(p - x * q, D(0), 1 - x)

def error(r):
    """What f, P(S) and Q(S) may be off by. The masses of a finite pair are known up to a factor 1 +- within, and outcomes of
    mass at most rest, under P and under Q, are not listed. In f(x) a term p - x q counts where x q <= p."""
    return PAD + (3 * r["within"] + r["rest"] if r["kind"] == "finite" else 0)

# ---- One release on the lattice: masses m[i] at the losses off + (lo + i) h, and w at +infinity ------------------------------
Losses = collections.namedtuple("Losses", "lo m w off")

def window(r, way, h, cut):
    """Lattice indices between which most of the mass lies: a choice, as what lies outside is not neglected."""
    found, limit = [], int((FAR if "scale" in r else FAR_CLOSED) / h)
    for sign in (-1, 1):
        def excess(j):               # over the straight line that f is above the largest, and below the smallest, finite loss
            x = (sign * j * h).exp()
            return curve(r, way, x) if sign > 0 else (curve(r, way, x) - 1 + x) / x
        low, high, least = 0, limit, excess(limit) + cut + 2 * error(r)
        while high - low > 1:
            mid = (low + high) // 2
            low, high = (low, mid) if excess(mid) <= least else (mid, high)
        found.append(sign * high)
    if found[1] - found[0] > POINTS:
        raise Stop(1, f"not proved: a release needs more than {POINTS} lattice points; take a larger h")
    return found

def losses_above(r, way, h, cut):
    """A list with g >= f. From the top down, p_j is the least mass that lifts g to f at the next point below, e^((j-1)h). g is
    straight between lattice points and f is convex, so g >= f between them too; above the top g = w >= f(top) >= f; below the
    lowest point g is the chord to g(0) >= 1 = f(0)."""
    lo, hi = window(r, way, h, cut)
    x, m = (hi * h).exp(), []
    w = p_sum = int_above(curve(r, way, x), error(r))
    q_sum, drop = D(0), (1 - (-h).exp()) * (1 - PAD)     # q_sum >= sum p_k e^-l_k;  drop <= 1 - e^-h
    for j in range(hi - 1, lo - 1, -1):
        watch_time()
        below = (j * h).exp()
        g = p_sum - below * q_sum * (1 + PAD)            # at most the curve so far, as q_sum is not too small
        lack = int_above(curve(r, way, below), error(r)) - g
        p = max(0, int((lack / drop).to_integral_value(ROUND_CEILING)) + 1)      # p (1 - below/x) >= lack
        m.append(p)
        p_sum, q_sum, x = p_sum + p, (q_sum + p / x) * (1 + PAD), below
    m.append(max(0, ONE - p_sum))                        # so that g(0) >= 1
    return Losses(lo, m[::-1], w, D(0))

def corners(r, way, lo, hi, h, per_cell):
    """Points (>= Q(S), <= P(S)) that rise in both, from (0, P-mass where Q has none) to (1, 1). Any events will do."""
    sure, q = r.get("delta", D(0)), r.get("q", D(1))
    if r["kind"] in TABLES:
        points, sure = r[way][1], max(p for p, q in r[way][1] if q == 0)
    else:
        sure = sure * (q if way == "remove" else int(q == 1))
        xs = [(D(n) / per_cell * h).exp() for n in range(lo * per_cell, hi * per_cell + 1) if n % per_cell == 0 or abs(n) < 128 * per_cell]
        for l in (r["eps"] - GRAIN ** 4, GRAIN ** 4 - r["eps"], -GRAIN ** 4 - r["eps"]) if "eps" in r else ():   # beside its atoms
            xs.append(1 - q + q * l.exp() if way == "remove" else 1 / (1 - q + q * (-l).exp()))
        points = [watch_time() or test(r, way, x) for x in sorted(xs, reverse=True)]
    out = [(0, max(0, int_below(sure, error(r))))]
    for p, q in points:
        q, p = int_above(q, error(r)), int_below(p, error(r))
        if not (out[-1][0] < q < ONE and p > out[-1][1]):                # leaving an event out is allowed
            continue
        while len(out) > 1 and (out[-1][1] - out[-2][1]) * (q - out[-1][0]) <= (p - out[-1][1]) * (out[-1][0] - out[-2][0]):
            out.pop()                                    # below the line from the one before to this
        out.append((q, p))
    return out + [(ONE, ONE)]

def losses_below(v, lo, hi, h, off):
    """A list with g <= f: a path from v[0] with legs of the slopes e^(off+jh), j falling. A leg over the Q-mass b becomes the
    P-mass a >= b e^loss, so g(x) <= p - x q at the corner (q, p) of the path where the slopes pass x. Each corner is on or below
    an edge of v: q >= Q(S) and p <= P(S) for a random choice S between two events. Hence g(x) <= P(S) - x Q(S) <= f(x)."""
    (q, p), i, m = v[0], 1, [0] * (hi - lo + 1)
    for j in range(hi, lo - 1, -1):
        slope, first = int_above((off + j * h).exp()), i                 # slope >= e^loss
        rise = lambda b: -(-slope * b // ONE)            # P-mass over the Q-mass b, rounded up
        while i < len(v) and p + rise(v[i][0] - q) <= v[i][1]:
            i += 1                                       # the leg passes below v[i]
        if i == first:
            continue
        (q0, p0), step = v[i - 1], 0
        if i < len(v):                                   # on, as far as it stays below the edge from v[i-1] to v[i]
            dq, dp, high = v[i][0] - q0, v[i][1] - p0, v[i][0] - q0
            while high - step > 1:
                mid = (step + high) // 2
                step, high = (mid, high) if p + rise(q0 + mid - q) <= p0 + mid * dp // dq else (step, mid)
        m[j - lo] = rise(q0 + step - q)
        q, p = q0 + step, p + m[j - lo]
    return Losses(lo, m, v[0][1], off)

# ---- Composition ----------------------------------------------------------------------------------------------------------------
def divide(value, by, upward):
    return -(-value // by) if upward else value // by

def trim(a, cut, upward):
    """Shortens a list, by (T2): the thin top goes to +infinity (upward), or down into the highest cell kept; the thin bottom goes
    up into the lowest cell kept (upward), or is left out."""
    m, top, bottom, first = list(a.m), 0, 0, 0
    while len(m) > 1 and top + m[-1] <= cut:
        top += m.pop()
    while first < len(m) - 1 and bottom + m[first] <= cut:
        bottom, first = bottom + m[first], first + 1
    m = m[first:]
    m[0 if upward else -1] += bottom if upward else top
    if len(m) > POINTS:
        raise Stop(1, f"not proved: more than {POINTS} lattice points; take a larger h")
    return Losses(a.lo + first, m, a.w + (top if upward else 0), a.off)

def residue(m, x, prime):
    return functools.reduce(lambda value, mass: (value * x + mass) % prime, reversed(m), 0)

def compose(a, b, unit, upward):
    """All products of masses, added up by the sum of their losses, in one multiplication of two long numbers: each mass has a
    slot of decimal digits so wide that no sum spills over. Masses are multiples of 1/unit, hence the division."""
    watch_time()
    sa, sb, n = sum(a.m), sum(b.m), len(a.m) + len(b.m) - 1
    width = len(str(sa * sb)) + 1
    joined = lambda m: D("".join([f"{mass:0{width}d}" for mass in reversed(m)]))
    exact = Context(prec=(n + 2) * width, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=TRAPS + [Inexact])
    digits = format(exact.multiply(joined(a.m), joined(b.m)), "f").zfill(n * width)
    m = [int(digits[k:k + width]) for k in range((n - 1) * width, -1, -width)]
    prime, x = 2 ** 61 - 1, secrets.randbelow(2 ** 61 - 1)
    if len(digits) != n * width or residue(m, x, prime) != residue(a.m, x, prime) * residue(b.m, x, prime) % prime:
        raise Stop(3, "fault: a long product is wrong; nothing was proved or refuted")
    w = (sa + a.w) * (sb + b.w) - sa * sb                # pairs of which at least one is infinite
    return Losses(a.lo + b.lo, [divide(v, unit, upward) for v in m], divide(w, unit, upward), a.off + b.off)

def prove(c, way, upward):
    """The proved end for one order of the neighbours; None if there is none."""
    first = c["releases"][0]
    if c["delta"] == 0:
        return largest_loss(c, way, upward)
    if len(c["releases"]) == first["count"] == 1 and first["kind"] == "approx" and first["delta"] == c["delta"]:
        return on_grid(first["eps"], upward)             # f(x) = delta from x = e^eps on, and is larger below
    unit, h, whole = 10 ** c["digits"], c["h"], None
    cut = int(c["cut"] * unit)
    for r in c["releases"]:
        if r["kind"] in TABLES:
            tabulate(r, way)
        if upward:
            one = losses_above(r, way, h, c["cut"])
        else:
            lo, hi = window(r, way, h, c["cut"])
            one = losses_below(corners(r, way, lo, hi, h, c["tests"]), lo - 1, hi + 1, h, r["offset"])
        one = Losses(one.lo, [divide(v, ONE // unit, upward) for v in one.m], divide(one.w, ONE // unit, upward), one.off)
        power, count = trim(one, cut, upward), r["count"]
        while count:                                     # count copies, by squaring
            if count % 2:
                whole = power if whole is None else trim(compose(whole, power, unit, upward), cut, upward)
            count //= 2
            power = trim(compose(power, power, unit, upward), cut, upward) if count else None
    return solve(whole, unit, h, c["delta"], upward)

def solve(a, unit, h, target, upward):
    """Upper: the least eps on the grid with g(e^eps) <= target for certain. Lower: the greatest with g(e^eps) > target for
    certain. g was evaluated at the eps returned, and falls. None if there is no such eps."""
    n, sums, up_h = len(a.m), [(0, D(0))], h.exp()       # sums of the k highest masses, and of those times e^-loss
    top = a.off + (a.lo + n - 1) * h                     # sums of losses are exact: fewer than 60 digits
    weight, sign = (-top).exp(), 1 if upward else -1
    for mass in reversed(a.m):                           # 3e5 sums and products err by less than 1e-52 of the result
        sums.append((sums[-1][0] + mass, sums[-1][1] + mass * weight))
        weight *= up_h
    def exceeds(eps):
        k = min(max(int((top - eps) / h), 0), n)         # how many losses exceed eps; the quotient may be off by one
        while k < n and top - k * h > eps:
            k += 1
        while k > 0 and top - (k - 1) * h <= eps:
            k -= 1
        return (a.w + sums[k][0] - sums[k][1] * eps.exp() * (1 - sign * PAD)) / unit + sign * PAD > target
    low, high = -1, 10 ** 13
    if exceeds(high * GRAIN):
        return None
    while high - low > 1:
        mid = (low + high) // 2
        low, high = (mid, high) if exceeds(mid * GRAIN) else (low, mid)
    return high * GRAIN if upward else low * GRAIN if low >= 0 else None

def largest_of(r, way, upward):
    """The largest loss of one release, None if it is infinite or unknown. A kind with an eps may have P-mass at loss +infinity, so
    only kinds on BY_EPS and COMPLETE have one here; of the latter if no outcome is left out and each has Q-mass."""
    e, q = r.get("eps"), r.get("q")
    if r["kind"] in COMPLETE:
        rows, apart = ordered(r, way), (1 + r.get("within", D(0))) / (1 - r.get("within", D(0)))
        if r.get("rest") or not all(q for _, q in rows):
            return None
        return (max(p / q for p, q in rows) * (apart if upward else 1 / apart)).ln()
    if r["kind"] not in BY_EPS or r.get("delta"):
        return None
    if q is not None:
        return (1 - q + q * e.exp()).ln() if way == "remove" else -(1 - q + q * (-e).exp()).ln()
    return e * r.get("shift", 1)

def largest_loss(c, way, upward):
    """For delta = 0: the sum of the largest losses, exact unless a release is sampled or a complete table."""
    total, pad = D(0), D("1e-40") if any("q" in r or r["kind"] in COMPLETE for r in c["releases"]) else 0
    for r in c["releases"]:
        e = largest_of(r, way, upward)
        if e is None:
            raise Stop(1, f"not proved: {r['kind']} has no largest loss that this program knows; delta must be above 0")
        total += r["count"] * e
    return max(D(0), on_grid(total + (pad if upward else -pad), upward))

def on_grid(eps, upward):
    return (eps / GRAIN).to_integral_value(ROUND_CEILING if upward else ROUND_FLOOR) * GRAIN

# ---- The certificate ---------------------------------------------------------------------------------------------------------------
DECIMAL, WHOLE = re.compile(r"(0|[1-9][0-9]{0,7})(\.[0-9]{1,45})?(e-[1-9][0-9]?)?"), re.compile(r"0|[1-9][0-9]{0,7}")
ABOUT = ("scenario", "unit", "adjacency", "group", "rounds", "stack")
UNREADABLE, UNFIT = "not readable as JSON, or nested too deep", re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")
FIELDS = ("format", "about", "releases", "delta", "eps_upper", "eps_lower", "h", "digits", "cut", "tests", "lower_direction")

def need(condition, text):
    if not condition:
        raise Stop(2, "malformed: " + text)

class Object(list): pass             # the fields of a JSON object as they stand in the file, repeated ones too

def read_value(v, depth=0):
    """A value as dictionaries, lists and texts; every other one is refused, and a field that occurs twice."""
    need(depth <= 8, UNREADABLE)
    if not isinstance(v, Object):
        need(isinstance(v, (str, list)), "a value without quotation marks")
        return v if isinstance(v, str) else [read_value(w, depth + 1) for w in v]
    o = {}
    for name, w in v:
        need(name not in o, "a field occurs twice")
        o[name] = read_value(w, depth + 1)
    return o

def need_fields(o, names):
    need(isinstance(o, dict) and set(o) == set(names), f"must have the fields {', '.join(names)}, and no others")
    for name in names:
        need(isinstance(o[name], str) or name in ("about", "releases", "outcomes"), f"{name}: must be a text")

def read_number(text, name, low, high):
    digits = text[1:] if name == "offset" and text[:1] == "-" else text
    need(DECIMAL.fullmatch(digits), f"{name}: must be a plain decimal in quotation marks")
    value = D(text)
    need(D(low) <= value <= D(high) and value.as_tuple().exponent >= -45, f"{name}: must be from {low} to {high}, with at most 45 decimals")
    return value

def read_whole(text, name, low, high):
    need(WHOLE.fullmatch(text), f"{name}: must be a whole number in quotation marks")
    need(low <= int(text) <= high, f"{name}: must be from {low} to {high}")
    return int(text)

def need_shape(o):
    """Refuses what has other fields than a certificate, before any number is read."""
    need_fields(o, FIELDS)
    need_fields(o["about"], ABOUT)
    releases = o["releases"]
    need(isinstance(releases, list) and 1 <= len(releases) <= 50 and all(isinstance(r, dict) for r in releases), "releases: must be a list of 1 to 50")
    for r in releases:
        need(isinstance(r.get("kind"), str) and r["kind"] in KINDS, "kind: not one that this program knows")
        need_fields(r, ("kind", "count", "offset") + KINDS[r["kind"]])
        need("outcomes" not in r or isinstance(r["outcomes"], list) and all(isinstance(v, list) and len(v) == 2 and all(isinstance(m, str) for m in v)
                                                                            for v in r["outcomes"]), "outcomes: must be pairs of masses")

def read_release(o):
    kind, r = o["kind"], {"kind": o["kind"], "count": read_whole(o["count"], "count", 1, 10 ** 7), "offset": read_number(o["offset"], "offset", -1, 1)}
    for n in KINDS[kind]:
        if n in RANGES:
            r[n] = read_number(o[n], n, 0 if n == "eps" and "delta" in o else RANGES[n][0], RANGES[n][1])
        elif n == "shift":
            r[n] = read_whole(o[n], n, 1, 4096)
    r.update({"scale": r["sigma"]} if kind == "gaussian" else {"scale": r["z"]} if "z" in r else {})
    if "shift" in r:
        need(r.get("sigma", 0) <= 1000 and r.get("eps", 0) * r["shift"] <= 50, f"{kind}: too large")
    if kind == "finite":
        r["outcomes"] = [tuple(read_number(m, "mass", 0, 1) for m in v) for v in o["outcomes"]]
        for side in (0, 1):
            need(abs(1 - sum(v[side] for v in r["outcomes"])) <= r["within"] + r["rest"], "outcomes: the masses do not add up to 1")
    return r

def read_certificate(path):
    def refuse(text):
        raise ValueError
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read(10 ** 6 + 1)
    except (OSError, ValueError) as problem:
        need(isinstance(problem, ValueError), f"not readable: {problem}")
        text = " " * (10 ** 6 + 1)
    need(len(text) <= 10 ** 6, "not UTF-8, or longer than 1,000,000 characters")
    try:                             # a number has no quotation marks: None, which read_value refuses
        o = json.loads(text, parse_float=lambda _: None, parse_int=lambda _: None, parse_constant=refuse, object_pairs_hook=Object)
    except (ValueError, RecursionError):
        need(False, UNREADABLE)
    o = read_value(o)
    need_shape(o)
    need(all(len(v) <= 200 and not UNFIT.search(v) for v in o["about"].values()), "about: must be texts of at most 200 characters, without control characters")
    need(o["format"] == "epsilon-certificate-1", "format: must be epsilon-certificate-1")
    need(o["lower_direction"] in ("remove", "add"), "lower_direction: must be remove or add")
    c = {n: read_number(o[n], n, low, high) for n, low, high in (("delta", 0, "0.5"), ("cut", "1e-36", "1e-6"), ("h", "0.000001", 1),
                                                                 ("eps_upper", 0, 99999), ("eps_lower", 0, 99999))}
    c.update(digits=read_whole(o["digits"], "digits", 12, 38), tests=read_whole(o["tests"], "tests", 1, 16))
    need(not 0 < c["delta"] < D("1e-30"), "delta: must be 0 or at least 1e-30")
    need(c["eps_lower"] <= c["eps_upper"], "eps_lower: must be at most eps_upper")
    return {**o, **c, "releases": [read_release(r) for r in o["releases"]], "text": o}

def check(c):                        # returns the exit status and the last line
    plain, text = lambda v: format(v.normalize(), "f") if v else "0", c["text"]
    both, upper, lower = any(r["kind"] not in SYMMETRIC for r in c["releases"]), D(0), None
    for way in ("remove", "add") if both else ("remove",):           # a guarantee needs both
        e = prove(c, way, True)
        upper = None if e is None or upper is None else max(upper, e)
    proved = upper is not None and upper <= c["eps_upper"]
    loose = [r["kind"] for r in c["releases"] if r["kind"] in UPPER_ONLY]
    if (c["eps_lower"] > 0 or not proved) and not loose:
        lower = prove(c, c["lower_direction"], False)                # one direction is enough for a lower end
    if lower is not None and upper is not None and lower > upper:
        raise Stop(3, "fault: the lower end exceeds the upper end; nothing was proved or refuted")
    result = (f"ε ≤ {plain(upper)}" if upper is not None else "no finite ε") + f" at δ = {text['delta']}"
    result += f" and ε ≥ {plain(lower)}" if lower is not None else ""
    if proved and (c["eps_lower"] == 0 or lower is not None and lower >= c["eps_lower"]):
        return 0, f"proved: {result}"
    missed = f"ε ≤ {text['eps_upper']}" if not proved else f"ε ≥ {text['eps_lower']}"
    doubt = ", or the choices are too coarse for it"
    if lower is not None and lower > c["eps_upper"] or upper is not None and c["eps_lower"] > upper:
        doubt = ""
    why = f"cannot be proved, as {loose[0]} has no lower end" if proved and loose and doubt else "is false of the named pairs" + doubt
    return 1, f"not proved: the claim {missed} {why}; proved instead: {result}"

def main(arguments):
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        need(len(arguments) == 1, "usage: check.py CERTIFICATE.json")
        c = read_certificate(arguments[0])
        print(f"limits: {POINTS} lattice points, {SECONDS} s of processor time\nabout, as the certificate says:", c["about"])
        for r in c["releases"]:
            named = ", ".join(f"{n} {len(r[n]) if n == 'outcomes' else r[n]}" for n in KINDS[r["kind"]])
            print(f"release: {r['count']} x {r['kind']} ({named})", flush=True)
        print(BELIEVED, flush=True)
        status, last = check(c)
        print(f"{time.process_time():.1f} s of processor time")
    except Stop as stop:
        status, last = stop.args
    print(last, flush=True)
    return status

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
