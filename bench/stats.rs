//! Minimum, mean and spread of samples, and means of ratios.

/// What is reported of the samples of one measurement.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    pub count: usize,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    /// Standard deviation of the sample (divisor n - 1).
    pub sigma: f64,
}

impl Summary {
    pub fn of(samples: &[f64]) -> Summary {
        if samples.is_empty() {
            return Summary::default();
        }
        let count = samples.len();
        let mean = samples.iter().sum::<f64>() / count as f64;
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        Summary {
            count,
            min: samples.iter().copied().fold(f64::INFINITY, f64::min),
            max: samples.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean,
            sigma: if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 },
        }
    }
}

/// The geometric mean of ratios; they are positive.
pub fn geometric_mean(ratios: &[f64]) -> f64 {
    let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    if ratios.is_empty() { f64::NAN } else { (sum / ratios.len() as f64).exp() }
}

/// The value in the middle; with an even number of values the greater of the two.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// What so many of 100 values do not exceed.
pub fn percentile(values: &[f64], of_100: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (sorted.len() * of_100).div_ceil(100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or(f64::NAN)
}

/// The place of the largest ratio.
pub fn worst(ratios: &[f64]) -> Option<usize> {
    (0..ratios.len()).max_by(|&a, &b| ratios[a].total_cmp(&ratios[b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_of_samples() {
        let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!((summary.count, summary.min, summary.max, summary.mean), (8, 2.0, 9.0, 5.0));
        assert!((summary.sigma - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(Summary::of(&[3.0]).sigma, 0.0);
    }

    #[test]
    fn means_of_ratios() {
        assert!((geometric_mean(&[0.5, 2.0, 1.0]) - 1.0).abs() < 1e-12);
        assert_eq!(median(&[1.0, 3.0, 2.0]), 2.0);
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((percentile(&hundred, 99), percentile(&[2.0], 99)), (99.0, 2.0));
        assert_eq!(worst(&[1.0, 3.0, 2.0]), Some(1));
        assert_eq!(worst(&[]), None);
    }
}
