//! Fits a grid of measurements into the time that there is: how many rounds, and what is left out.
//!
//! Spread needs rounds, so three are wanted before anything else; for their sake engines beyond those that matter are
//! left out first, then the slowest programs, then settings.

use std::time::{Duration, Instant};

/// The time of a section.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    end: Instant,
}

impl Budget {
    pub fn new(seconds: f64) -> Budget {
        Budget { end: Instant::now() + Duration::try_from_secs_f64(seconds).unwrap_or_default() }
    }

    pub fn left(&self) -> f64 {
        self.end.saturating_duration_since(Instant::now()).as_secs_f64()
    }

    /// True if nothing that takes so long fits any more.
    pub fn is_over(&self, seconds: f64) -> bool {
        self.left() <= seconds
    }
}

/// What things take, in seconds.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// One sample, by program, column and setting; 0 where nothing has to be measured.
    pub sample: Vec<Vec<Vec<f64>>>,
    /// One sample of the baseline, by program.
    pub baseline: Vec<f64>,
    pub settings: usize,
}

/// What is measured. Numbers of programs and columns, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    pub programs: Vec<usize>,
    pub columns: Vec<usize>,
    /// So many of the settings, from the first on.
    pub settings: usize,
    /// With those of warm-up.
    pub rounds: u32,
    pub warmup: u32,
}

/// Wanted before anything is left out: one of warm-up and two that count.
const WANTED_ROUNDS: u32 = 3;
const MOST_ROUNDS: u32 = 8;

impl Costs {
    fn of(&self, plan: &Plan, rounds: u32) -> f64 {
        let rounds = f64::from(rounds);
        let mut all = 0.0;
        for &program in &plan.programs {
            all += rounds * self.baseline.get(program).copied().unwrap_or(0.0);
            for &column in &plan.columns {
                all += rounds * self.column(program, column, plan.settings);
            }
        }
        all
    }

    /// One sample of each setting.
    fn column(&self, program: usize, column: usize, settings: usize) -> f64 {
        self.sample[program][column].iter().take(settings).sum()
    }

    fn slowest(&self, plan: &Plan) -> Option<usize> {
        let cost = |program: usize| {
            plan.columns.iter().map(|&column| self.column(program, column, plan.settings)).sum::<f64>()
        };
        (0..plan.programs.len()).max_by(|&a, &b| cost(plan.programs[a]).total_cmp(&cost(plan.programs[b])))
    }

    /// The plan for so many seconds. The first `important` columns are kept as long as half of the programs are.
    pub fn plan(&self, seconds: f64, important: usize) -> Plan {
        let programs: Vec<usize> = (0..self.sample.len()).collect();
        let columns: Vec<usize> = (0..self.sample.first().map_or(0, Vec::len)).collect();
        let half = programs.len().div_ceil(2);
        let mut plan = Plan { programs, columns, settings: self.settings, rounds: 1, warmup: 0 };
        while self.of(&plan, WANTED_ROUNDS) > seconds {
            if plan.columns.len() > important.max(1) {
                plan.columns.pop();
            } else if plan.programs.len() > half {
                let slowest = self.slowest(&plan).unwrap_or(0);
                plan.programs.remove(slowest);
            } else if plan.columns.len() > 1 {
                plan.columns.pop();
            } else if plan.programs.len() > 1 {
                let slowest = self.slowest(&plan).unwrap_or(0);
                plan.programs.remove(slowest);
            } else {
                break;
            }
        }
        while self.of(&plan, 1) > seconds && plan.settings > 2 {
            plan.settings -= 1;
        }
        plan.rounds = (1..=MOST_ROUNDS).rev().find(|&rounds| self.of(&plan, rounds) <= seconds).unwrap_or(1);
        plan.warmup = u32::from(plan.rounds >= WANTED_ROUNDS);
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> Costs {
        Costs {
            sample: [1.0, 4.0, 1.0].map(|seconds| vec![vec![seconds; 3]; 2]).to_vec(),
            baseline: vec![1.0; 3],
            settings: 3,
        }
    }

    #[test]
    fn plans_fit() {
        let costs = costs();
        for seconds in [1, 5, 10, 20, 40, 80, 160, 320] {
            let plan = costs.plan(f64::from(seconds), 2);
            let minimal = plan.programs.len() == 1 && plan.columns.len() == 1 && plan.settings == 2;
            assert!(minimal || costs.of(&plan, plan.rounds) <= f64::from(seconds), "{seconds} s: {plan:?}");
            assert!(plan.rounds > plan.warmup && !plan.programs.is_empty() && !plan.columns.is_empty());
        }
    }

    #[test]
    fn order_of_what_is_left_out() {
        let costs = costs();
        let all = costs.plan(1e6, 1);
        assert_eq!((all.rounds, all.warmup, all.programs.len(), all.columns.len()), (MOST_ROUNDS, 1, 3, 2));
        // 39 s per round.
        assert_eq!(costs.plan(117.5, 2).programs, [0, 1, 2]);
        assert_eq!(costs.plan(100.0, 1).columns, [0]);
        let slow = costs.plan(60.0, 2);
        assert_eq!((slow.programs, slow.columns), (vec![0, 2], vec![0, 1]));
    }

    #[test]
    fn what_is_known_costs_nothing() {
        let mut costs = costs();
        for program in &mut costs.sample {
            program[1][2] = 0.0;
        }
        assert_eq!(costs.plan(99.5, 2).programs, [0, 1, 2], "33 s per round");
    }
}
