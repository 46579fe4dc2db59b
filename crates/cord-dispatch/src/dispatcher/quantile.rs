//! A quantile of numbers that come one by one, of which none is kept.
//!
//! R. Jain, I. Chlamtac: "The P² algorithm for dynamic calculation of quantiles and histograms without
//! storing observations", Communications of the ACM 28 (10), 1985: five markers, whose heights are moved
//! along parabolas as observations push their positions from where they should be.

const MARKERS: usize = 5;

/// One quantile.
#[derive(Debug, Clone)]
pub struct Quantile {
    /// From 0 to 1.
    part: f64,
    count: usize,
    heights: [f64; MARKERS],
    positions: [f64; MARKERS],
}

impl Quantile {
    pub fn new(part: f64) -> Quantile {
        Quantile {
            part,
            count: 0,
            heights: [0.0; MARKERS],
            positions: [1.0, 2.0, 3.0, 4.0, 5.0],
        }
    }

    /// How many numbers have come.
    pub fn count(&self) -> usize {
        self.count
    }

    /// About the quantile of those; right where they are five or fewer.
    pub fn value(&self) -> f64 {
        if self.count <= MARKERS {
            let mut known = self.heights[..self.count].to_vec();
            known.sort_by(f64::total_cmp);
            let at = (self.part * self.count as f64) as usize;
            return known.get(at).or(known.last()).copied().unwrap_or(0.0);
        }
        self.heights[2]
    }

    /// Another number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        if self.count <= MARKERS {
            self.heights[self.count - 1] = number;
            if self.count == MARKERS {
                self.heights.sort_by(f64::total_cmp);
            }
            return;
        }
        let above = self.make_room(number);
        for position in &mut self.positions[above..] {
            *position += 1.0;
        }
        for marker in 1..MARKERS - 1 {
            self.adjust(marker);
        }
    }

    /// The first marker that stands above a number; the outermost ones follow it.
    fn make_room(&mut self, number: f64) -> usize {
        self.heights[0] = self.heights[0].min(number);
        self.heights[MARKERS - 1] = self.heights[MARKERS - 1].max(number);
        let above = self.heights.iter().position(|height| number < *height);
        above.unwrap_or(MARKERS - 1).max(1)
    }

    /// Where a marker should stand.
    fn wanted(&self, marker: usize) -> f64 {
        let parts = [
            0.0,
            self.part / 2.0,
            self.part,
            (1.0 + self.part) / 2.0,
            1.0,
        ];
        1.0 + (self.count - 1) as f64 * parts[marker]
    }

    fn adjust(&mut self, marker: usize) {
        let (at, positions) = (self.positions[marker], &self.positions);
        let off = self.wanted(marker) - at;
        let up = off >= 1.0 && positions[marker + 1] - at > 1.0;
        let down = off <= -1.0 && positions[marker - 1] - at < -1.0;
        if !up && !down {
            return;
        }
        let step = off.signum();
        let curved = self.parabolic(marker, step);
        let fits = self.heights[marker - 1] < curved && curved < self.heights[marker + 1];
        self.heights[marker] = if fits {
            curved
        } else {
            self.linear(marker, step)
        };
        self.positions[marker] += step;
    }

    fn parabolic(&self, marker: usize, step: f64) -> f64 {
        let [below, here, above] = [marker - 1, marker, marker + 1].map(|at| self.positions[at]);
        let [low, height, high] = [marker - 1, marker, marker + 1].map(|at| self.heights[at]);
        let right = (here - below + step) * (high - height) / (above - here);
        let left = (above - here - step) * (height - low) / (here - below);
        height + step / (above - below) * (right + left)
    }

    fn linear(&self, marker: usize, step: f64) -> f64 {
        let other = if step > 0.0 { marker + 1 } else { marker - 1 };
        let slope = (self.heights[other] - self.heights[marker])
            / (self.positions[other] - self.positions[marker]);
        self.heights[marker] + step * slope
    }
}

#[cfg(test)]
mod tests {
    use super::super::dice::Dice;
    use super::*;

    #[test]
    fn the_example_of_the_paper() {
        let numbers = [
            0.02, 0.15, 0.74, 3.39, 0.83, 22.37, 10.15, 15.43, 38.62, 15.92, 34.60, 10.28, 1.47,
            0.40, 0.05, 11.39, 0.27, 0.42, 0.09, 11.37,
        ];
        let mut median = Quantile::new(0.5);
        numbers.iter().for_each(|number| median.add(*number));
        assert!((median.value() - 4.44).abs() < 0.01, "{}", median.value());
        assert_eq!(median.count(), 20);
    }

    #[test]
    fn it_comes_close_to_the_sorted_list() {
        for (seed, part) in [(1, 0.5), (2, 0.9), (3, 0.95), (4, 0.99)] {
            let mut dice = Dice(seed);
            let mut quantile = Quantile::new(part);
            let mut numbers: Vec<f64> = Vec::new();
            for _ in 0..20_000 {
                let number = (dice.below(1000) * dice.below(1000)) as f64;
                numbers.push(number);
                quantile.add(number);
            }
            numbers.sort_by(f64::total_cmp);
            let rank = numbers.partition_point(|number| *number < quantile.value());
            let found = rank as f64 / numbers.len() as f64;
            assert!((found - part).abs() < 0.01, "{found} for {part}");
        }
    }

    #[test]
    fn of_few_numbers_it_is_one_of_them() {
        let mut quantile = Quantile::new(0.95);
        assert_eq!(quantile.value(), 0.0);
        [3.0, 1.0, 2.0]
            .iter()
            .for_each(|number| quantile.add(*number));
        assert_eq!(quantile.value(), 3.0);
    }

    #[test]
    fn equal_numbers_do_no_harm() {
        let mut quantile = Quantile::new(0.9);
        (0..100).for_each(|_| quantile.add(7.0));
        assert_eq!(quantile.value(), 7.0);
    }
}
