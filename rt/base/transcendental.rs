//! Transcendental functions, computed in double-double arithmetic and rounded once at the end.
//!
//! A result is the sum of two reals that is right to 2^-64 or better, so that its rounding is the nearest real but for
//! some arguments in 10^4. Every target calls this code, and nothing here depends on a machine: results are the same
//! everywhere. The shape is that of table-driven methods (P. T. P. Tang, "Table-driven implementation of the
//! exponential function", 1989, and of the logarithm, 1990): an argument is split into a point of a table and a small
//! rest, whose polynomial needs the double precision in its first terms only. The tables are computed by the compiler,
//! in the arithmetic of `wide` (T. J. Dekker, "A floating-point technique for extending the available precision",
//! 1971). Inverse functions are a step of Newton's method from an approximation. Needs round-to-nearest.

use crate::base::double_double::{ONE, Wide, exact_product, quick_sum, sum};

/// A Taylor series with the factors 1/n!, of every `step`-th power from `first` on.
const fn series(x: Wide, first: u32, step: u32, sign: f64, terms: u32) -> Wide {
    let mut term = ONE;
    let mut n = 1;
    while n <= first {
        term = term.times(x).over(Wide(n as f64, 0.0));
        n += 1;
    }
    let (mut total, mut left) = (term, terms);
    while left > 0 {
        let mut k = 0;
        while k < step {
            term = term.times(x).over(Wide(n as f64, 0.0));
            n += 1;
            k += 1;
        }
        term = term.scaled(sign);
        total = total.add(term);
        left -= 1;
    }
    total
}

/// 2 · artanh(1/n) = ln((n + 1) / (n - 1)).
const fn twice_artanh(n: f64) -> Wide {
    let x = ONE.over(Wide(n, 0.0));
    let square = x.times(x);
    let (mut power, mut total, mut k) = (x, x, 3);
    while k < 120 {
        power = power.times(square);
        total = total.add(power.over(Wide(k as f64, 0.0)));
        k += 2;
    }
    total.scaled(2.0)
}

const LN2: Wide = twice_artanh(3.0);
/// ln 10 = 3 ln 2 + ln (5/4).
const LN10: Wide = LN2.scaled(3.0).add(twice_artanh(9.0));
const LOG10_E: Wide = ONE.over(LN10);

/// Steps of the table of 2^(j/64).
const STEPS: usize = 64;
const STEP: Wide = LN2.scaled(1.0 / STEPS as f64);
static POWERS: [Wide; STEPS] = powers();

const fn powers() -> [Wide; STEPS] {
    let mut table = [ONE; STEPS];
    let mut j = 1;
    while j < STEPS {
        table[j] = series(STEP.scaled(j as f64), 0, 1, 1.0, 26);
        j += 1;
    }
    table
}

/// ln 2 / 64 in three parts; multiples of the first two are exact.
const STEP_1: f64 = top(STEP.0);
const STEP_2: f64 = top((STEP.0 - STEP_1) + STEP.1);
const STEP_3: f64 = ((STEP.0 - STEP_1) - STEP_2) + STEP.1;

/// The upper 36 bits.
const fn top(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 17) - 1))
}

/// The nearest whole number, as both types, for |x| < 2^31: the sum has no bits after the point.
fn nearest(x: f64) -> (f64, i32) {
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let shifted = x + WHOLE;
    (shifted - WHOLE, shifted.to_bits() as i32)
}

/// e^x as a sum and a power of two, for |x| < 800.
fn exp_parts(x: Wide) -> (Wide, i32) {
    let (n, k) = nearest(x.0 * (1.0 / STEP.0));
    let r = sum(x.0 - n * STEP_1, -(n * STEP_2));
    let r = quick_sum(r.0, r.1 + (x.1 - n * STEP_3));
    let power = POWERS[(k & (STEPS as i32 - 1)) as usize];
    // e^r - 1 - r
    let square = r.0 * r.0;
    let tail =
        square * ((0.5 + r.0 * (1.0 / 6.0)) + square * ((1.0 / 24.0 + r.0 * (1.0 / 120.0)) + square * (1.0 / 720.0)));
    let grown = quick_sum(r.0, r.1 + tail);
    let high = exact_product(power.0, grown.0);
    let low = high.1 + (power.0 * grown.1 + power.1 * grown.0) + power.1;
    let first = quick_sum(power.0, high.0);
    (quick_sum(first.0, first.1 + low), k >> 6)
}

/// A sum times a power of two, rounded once.
fn scale(value: Wide, power: i32) -> f64 {
    let direct = |power: i32| f64::from_bits(((1023 + power) as u64) << 52);
    if power > 1022 {
        return value.rounded() * direct(1022) * direct(power - 1022);
    }
    if power > -1022 {
        return value.rounded() * direct(power);
    }
    // Numbers below the smallest normal one have fewer bits: the value as an integer, of which some bits are dropped.
    const POINT: u32 = 60;
    let unit = direct(POINT as i32);
    let low = value.1 * unit;
    let whole = libm::floor(low);
    let bits = (value.0 * unit) as i64 + whole as i64;
    let dropped = POINT as i32 - (power + 1074);
    let (kept, rest) = (bits >> dropped, bits & ((1 << dropped) - 1));
    let half = 1 << (dropped - 1);
    let more = low != whole;
    let up = rest > half || (rest == half && (more || kept & 1 == 1));
    f64::from_bits((kept + i64::from(up)) as u64)
}

pub fn exp(x: f64) -> f64 {
    if !(-745.14..=709.79).contains(&x) {
        return libm::exp(x);
    }
    if x.abs() < 1e-17 {
        return 1.0 + x;
    }
    let (value, power) = exp_parts(Wide(x, 0.0));
    scale(value, power)
}

/// Intervals of the table of logarithms, and the bits of a mantissa that name one.
const PARTS: usize = 128;
const PART_BITS: u32 = 7;
/// The interval that begins with 1.
const MIDDLE: usize = 64;
static LOGARITHMS: [(f64, Wide); PARTS] = logarithms();

/// For each interval of [0.75, 1.5) a short number near the inverse of its middle, and the logarithm of that, negated.
const fn logarithms() -> [(f64, Wide); PARTS] {
    let mut table = [(1.0, Wide(0.0, 0.0)); PARTS];
    let mut j = 0;
    while j < PARTS {
        let low = (0x3fe8 << 48) + ((j as u64) << (52 - PART_BITS));
        let middle = f64::from_bits(low + (1 << (51 - PART_BITS)));
        // Ten bits, so that the product with a mantissa is exact. Around 1 it is 1, for nothing may be lost there.
        let factor = ((512.0 / middle + 0.5) as i64) as f64 / 512.0;
        if j != MIDDLE && j + 1 != MIDDLE {
            // ln f = 2 artanh((f - 1) / (f + 1))
            let x = Wide(factor - 1.0, 0.0).over(Wide(factor + 1.0, 0.0));
            let square = x.times(x);
            let (mut power, mut total, mut k) = (x, x, 3);
            while k < 60 {
                power = power.times(square);
                total = total.add(power.over(Wide(k as f64, 0.0)));
                k += 2;
            }
            table[j] = (factor, total.scaled(-2.0));
        }
        j += 1;
    }
    table
}

/// ln 2 in parts; multiples of the first by an exponent are exact.
const LN2_1: f64 = top(LN2.0);
const LN2_2: f64 = (LN2.0 - LN2_1) + LN2.1;

/// ln x for a positive number that is finite.
fn ln_parts(x: f64) -> Wide {
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * 18_014_398_509_481_984.0, -54) } else { (x, 0) };
    // The mantissa lies in [0.75, 1.5).
    let from_start = x.to_bits().wrapping_sub(0x3fe8 << 48) as i64;
    let exponent = (from_start >> 52) as f64 + f64::from(shift);
    let part = (from_start >> (52 - PART_BITS)) as usize & (PARTS - 1);
    let mantissa = f64::from_bits((from_start & ((1 << 52) - 1)) as u64 + (0x3fe8 << 48));
    let (factor, logarithm) = LOGARITHMS[part];
    let scaled = exact_product(mantissa, factor);
    let r = quick_sum(scaled.0 - 1.0, scaled.1);
    // ln (1 + r) - r
    let square = exact_product(r.0, r.0);
    let (a, b) = (r.0, square.0);
    let tail = a
        * b
        * ((1.0 / 3.0 - a * 0.25) + b * ((0.2 - a * (1.0 / 6.0)) + b * ((1.0 / 7.0 - a * 0.125) + b * (1.0 / 9.0))));
    let grown = quick_sum(-0.5 * square.0, tail - 0.5 * square.1 - r.0 * r.1);
    let whole = sum(exponent * LN2_1, logarithm.0);
    let first = sum(whole.0, r.0);
    let second = sum(first.0, grown.0);
    let low = whole.1 + first.1 + second.1 + (exponent * LN2_2 + logarithm.1 + r.1 + grown.1);
    quick_sum(second.0, low)
}

fn is_ordinary(x: f64) -> bool {
    x > 0.0 && x < f64::INFINITY
}

pub fn ln(x: f64) -> f64 {
    if is_ordinary(x) { ln_parts(x).rounded() } else { libm::log(x) }
}

pub fn log10(x: f64) -> f64 {
    if is_ordinary(x) { ln_parts(x).times(LOG10_E).rounded() } else { libm::log10(x) }
}

pub fn pow(base: f64, exponent: f64) -> f64 {
    if exponent == 2.0 {
        // May lie exactly between two reals.
        return base * base;
    }
    let ordinary = is_ordinary(base.abs()) && is_ordinary(exponent.abs()) && base != 1.0;
    if !ordinary || (base < 0.0 && libm::trunc(exponent) != exponent) {
        return libm::pow(base, exponent);
    }
    let sign = if base < 0.0 && is_odd(exponent) { -1.0 } else { 1.0 };
    let logarithm = ln_parts(base.abs());
    let rough = logarithm.0 * exponent;
    // Beyond the range of reals by more than any error.
    if rough < -746.0 {
        return sign * 0.0;
    }
    if rough > 710.0 {
        return sign * f64::INFINITY;
    }
    if !(-745.14..=709.79).contains(&rough) {
        return libm::pow(base, exponent);
    }
    let power = logarithm.scaled(exponent);
    if power.0.abs() < 1e-17 {
        return sign * (1.0 + power.0);
    }
    let (value, shift) = exp_parts(power);
    sign * scale(value, shift)
}

fn is_odd(whole: f64) -> bool {
    whole.abs() < 9_007_199_254_740_992.0 && whole as i64 & 1 == 1
}

/// π = 16 arctan(1/5) - 4 arctan(1/239) (Machin).
const PI: Wide = arctan_of_inverse(5.0).scaled(16.0).add(arctan_of_inverse(239.0).scaled(-4.0));

const fn arctan_of_inverse(n: f64) -> Wide {
    let x = ONE.over(Wide(n, 0.0));
    let square = x.times(x).negated();
    let (mut power, mut total, mut k) = (x, x, 3);
    while k < 60 {
        power = power.times(square);
        total = total.add(power.over(Wide(k as f64, 0.0)));
        k += 2;
    }
    total
}

/// Steps of the table of sines: π/64.
const ARCS: i64 = 64;
const QUARTER: usize = ARCS as usize / 2;
const CIRCLE: usize = 4 * QUARTER;
/// Sines of all their multiples.
static SINES: [Wide; CIRCLE] = sines();

const fn sines() -> [Wide; CIRCLE] {
    let mut table = [Wide(0.0, 0.0); CIRCLE];
    table[QUARTER] = ONE;
    let mut j = 1;
    while j <= QUARTER / 2 {
        let arc = PI.scaled(j as f64 / ARCS as f64);
        table[j] = series(arc, 1, 2, -1.0, 14);
        table[QUARTER - j] = series(arc, 0, 2, -1.0, 14);
        j += 1;
    }
    let mut j = 1;
    while j <= QUARTER {
        table[2 * QUARTER - j] = table[j];
        table[2 * QUARTER + j] = table[j].negated();
        table[(4 * QUARTER - j) % CIRCLE] = table[j].negated();
        j += 1;
    }
    table
}

/// 64/π as a sum of three.
const TURNS: [f64; 3] = [
    f64::from_bits(0x4034_5f30_6dc9_c883),
    f64::from_bits(0xbcd6_b01e_c541_7056),
    f64::from_bits(0xb976_447e_493a_d4ce),
];
const ARC: Wide = PI.scaled(1.0 / ARCS as f64);

/// The same in three parts; multiples of the first two are exact below `NEAR`.
const ARC_1: f64 = short(ARC.0);
const ARC_2: f64 = short((ARC.0 - ARC_1) + ARC.1);
const ARC_3: f64 = ((ARC.0 - ARC_1) - ARC_2) + ARC.1;
const NEAR: f64 = 16384.0;

/// Below it two parts of the arc tell the rest, unless that is small.
const FAR: f64 = 67_108_864.0;

/// The upper 33 bits.
const fn short(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 20) - 1))
}

/// The largest argument whose quadrant the three parts tell.
const FARTHEST: f64 = 1e17;

/// Splits an argument into multiples of π/64, of which the last seven bits count, and a rest.
fn reduce(x: f64) -> (usize, Wide) {
    if x.abs() < ARC.0 / 2.0 {
        return (0, Wide(x, 0.0));
    }
    if x.abs() < NEAR {
        let (n, count) = nearest(x * TURNS[0]);
        let r = sum(x - n * ARC_1, -(n * ARC_2));
        return ((i64::from(count) & (2 * ARCS - 1)) as usize, quick_sum(r.0, r.1 - n * ARC_3));
    }
    if x.abs() < FAR {
        let (n, count) = nearest(x * TURNS[0]);
        let multiple = exact_product(n, ARC.0);
        // Exact: they differ by a few units in the last place of the larger one and half an arc.
        let r = sum(x - multiple.0, -multiple.1);
        // What is left out of the arc is below 2^-75 here, too much for a rest that is nearly nothing.
        if r.0.abs() > 1e-4 {
            return ((i64::from(count) & (2 * ARCS - 1)) as usize, quick_sum(r.0, r.1 - n * ARC.1));
        }
    }
    let (first, second) = (exact_product(x, TURNS[0]), exact_product(x, TURNS[1]));
    let whole = libm::rint(first.0);
    let middle = sum(first.1, second.0);
    let more = libm::rint(middle.0 + (first.0 - whole));
    // The difference is exact.
    let rest = sum((first.0 - whole) - more, middle.0);
    let rest = quick_sum(rest.0, rest.1 + (middle.1 + (second.1 + x * TURNS[2])));
    let count = (whole as i64).wrapping_add(more as i64) & (2 * ARCS - 1);
    (count as usize, rest.times(ARC))
}

/// a · (1 + less) + b · (r + rest).
fn turned(a: Wide, b: Wide, r: f64, rest: f64, less: f64) -> Wide {
    let high = exact_product(b.0, r);
    let first = quick_sum(a.0, high.0);
    quick_sum(first.0, first.1 + (high.1 + (a.1 + (b.1 * r + (b.0 * rest + a.0 * less)))))
}

/// A rest r, with what its sine has beyond its first part, and what its cosine has beyond 1 - r²/2.
struct Rest {
    r: Wide,
    sine: f64,
    fourth: f64,
}

impl Rest {
    fn of(r: Wide) -> Rest {
        let s = r.0 * r.0;
        let cube = s * r.0 * (-1.0 / 6.0 + s * (1.0 / 120.0 + s * (-1.0 / 5040.0 + s * (1.0 / 362_880.0))));
        let fourth = s * s * (1.0 / 24.0 + s * (-1.0 / 720.0 + s * (1.0 / 40_320.0 - s * (1.0 / 3_628_800.0))));
        Rest { r, sine: r.1 + cube, fourth }
    }

    /// The sine of so many multiples of π/64 and the rest, without a branch: which quadrant it is nobody can predict.
    fn sine(&self, count: usize) -> Wide {
        let r = self.r;
        let less = self.fourth - 0.5 * (r.0 * r.0) - r.0 * r.1;
        let (a, b) = (SINES[count % CIRCLE], SINES[(count + QUARTER) % CIRCLE]);
        turned(a, b, r.0, self.sine, less)
    }
}

/// Sine and cosine of a real that is not too far from 0.
fn sine_and_cosine(x: f64) -> (Wide, Wide) {
    let (count, r) = reduce(x);
    let rest = Rest::of(r);
    (rest.sine(count), rest.sine(count + QUARTER))
}

/// Where the results of `sine_and_cosine` are what is wanted; below, the argument itself is nearly the sine.
fn is_near(x: f64) -> bool {
    x.abs() < FARTHEST && x.abs() > 1e-9
}

pub fn sin(x: f64) -> f64 {
    if is_near(x) {
        let (count, r) = reduce(x);
        Rest::of(r).sine(count).rounded()
    } else {
        libm::sin(x)
    }
}

pub fn cos(x: f64) -> f64 {
    if is_near(x) {
        let (count, r) = reduce(x);
        Rest::of(r).sine(count + QUARTER).rounded()
    } else {
        libm::cos(x)
    }
}

pub fn tan(x: f64) -> f64 {
    if !is_near(x) {
        return libm::tan(x);
    }
    let (sine, cosine) = sine_and_cosine(x);
    sine.over(cosine).rounded()
}

/// The difference of a real and a sum, rounded.
fn difference(x: f64, value: Wide) -> f64 {
    let difference = sum(x, -value.0);
    difference.0 + (difference.1 - value.1)
}

pub fn asin(x: f64) -> f64 {
    let near = libm::asin(x);
    // The other part of 1 needs no more: its rest is as small as the square of what is missing.
    if !(x.abs() > 1e-9 && x.abs() < 1.0) {
        return near;
    }
    let (sine, cosine) = sine_and_cosine(near);
    near + difference(x, sine) / cosine.0
}

pub fn acos(x: f64) -> f64 {
    let near = libm::acos(x);
    if x.is_nan() || x.abs() >= 1.0 {
        return near;
    }
    if x < 0.5 {
        let (sine, cosine) = sine_and_cosine(near);
        return near - difference(x, cosine) / sine.0;
    }
    // The square of the sine of the half is (1 - x) / 2, which is exact here.
    let (sine, cosine) = sine_and_cosine(0.5 * near);
    near + difference(0.5 * (1.0 - x), sine.times(sine)) / (sine.0 * cosine.0)
}

pub fn atan(x: f64) -> f64 {
    let near = libm::atan(x);
    if !(x.abs() > 1e-9 && x.abs() < 1e17) {
        return near;
    }
    let (sine, cosine) = sine_and_cosine(near);
    let left = cosine.scaled(x).add(sine.negated());
    near + left.rounded() / (cosine.0 + x * sine.0)
}
