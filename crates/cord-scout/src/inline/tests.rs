//! The policy in situations that programs come to, with the times of calls made up.

use super::*;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

/// Calls at one place: what each costs shipped, how long it takes in a replica and in the client.
struct Site {
    policy: Inline,
    untimed: u32,
    span: u32,
    spent: u64,
}

impl Site {
    fn new() -> Self {
        Self::with(Inline::default())
    }

    /// In a run that follows.
    fn after(left: Left) -> Self {
        Self::with(Inline::after(left))
    }

    fn with(policy: Inline) -> Self {
        Self {
            policy,
            untimed: 0,
            span: 0,
            spent: 0,
        }
    }

    /// Makes a call; returns where it was made.
    fn call(&mut self, shipped: u64, service: u64, inlined: u64) -> Place {
        let time = Duration::from_nanos;
        if self.untimed > 0 {
            self.untimed -= 1;
            self.spent += inlined;
            return Place::Inlined;
        }
        if self.policy.is_curious() {
            self.policy.try_inlined();
        }
        let place = self.policy.place();
        if place == Place::Shipped {
            let cost = Cost {
                elapsed: time(shipped),
                ..Cost::default()
            };
            self.policy.shipped(cost, time(service));
            self.spent += shipped;
        } else {
            self.untimed = self.policy.inlined(self.span + 1, time(inlined));
            self.span = self.untimed;
            self.spent += inlined;
        }
        place
    }

    /// Makes so many; returns how many of them were shipped.
    fn calls(&mut self, count: u32, shipped: u64, service: u64, inlined: u64) -> u32 {
        let made = (0..count).map(|_| self.call(shipped, service, inlined));
        u32::try_from(made.filter(|place| *place == Place::Shipped).count()).unwrap()
    }
}

#[test]
fn calls_that_are_cheaper_to_make_than_to_ship_are_made_in_the_client_soon() {
    for work in [US / 2, 5 * US, 40 * US] {
        let mut site = Site::new();
        let shipped = site.calls(100, 60 * US, work, work);
        assert!(shipped < 30, "{shipped} of {work} ns");
    }
}

#[test]
fn over_a_long_run_trying_costs_next_to_nothing() {
    let mut site = Site::new();
    site.calls(480_000, 70 * US, 5 * US, 5 * US);
    let plain = 480_000 * 5 * US;
    assert!(site.spent < plain + plain / 50, "{} {plain}", site.spent);
}

#[test]
fn calls_that_overlap_stay_at_the_replicas() {
    let mut site = Site::new();
    assert_eq!(site.calls(1_000, 3 * MS, 20 * MS, 20 * MS), 1_000);
    // short ones are tried now and then
    let mut site = Site::new();
    let shipped = site.calls(10_000, 300 * US, MS, MS);
    assert!(shipped > 9_900, "{shipped}");
    let plain = 10_000 * 300 * US;
    assert!(site.spent < plain + plain / 20, "{}", site.spent);
}

#[test]
fn replicas_that_slow_one_another_down_do_not_hide_that_the_client_is_faster() {
    let mut site = Site::new();
    let shipped = site.calls(10_000, 500 * US, 2 * MS, 250 * US);
    assert!(shipped < 2_000, "{shipped}");
}

#[test]
fn long_calls_that_nothing_overlaps_are_not_tried_in_the_client_for_little() {
    let mut site = Site::new();
    assert_eq!(site.calls(200, 51 * MS, 50 * MS, 50 * MS), 200);
}

#[test]
fn long_calls_whose_arguments_take_longer_still_are_made_in_the_client() {
    let mut site = Site::new();
    let shipped = site.calls(100, 120 * MS, 30 * MS, 30 * MS);
    assert!(shipped < 30, "{shipped}");
}

#[test]
fn what_a_function_loads_at_first_is_not_loaded_in_the_client_too_soon() {
    let mut site = Site::new();
    site.call(3_000 * MS, 3_000 * MS, 0); // it loads a model
    assert_eq!(site.calls(2_000, 120 * US, 100 * US, 100 * US), 2_000);
}

#[test]
fn calls_that_become_longer_are_shipped_again_where_that_is_better() {
    let mut site = Site::new();
    site.calls(5_000, 60 * US, 5 * US, 5 * US);
    let shipped = site.calls(300, 600 * US, 2 * MS, 2 * MS);
    assert!(shipped > 250, "{shipped}");
}

#[test]
fn one_long_call_among_short_ones_does_not_change_much() {
    let mut site = Site::new();
    site.calls(5_000, 60 * US, 5 * US, 5 * US);
    site.call(0, 50 * MS, 50 * MS);
    let shipped = site.calls(1_000, 60 * US, 5 * US, 5 * US);
    assert!(shipped < 50, "{shipped}");
}

#[test]
fn calls_that_the_system_holds_up_change_nothing() {
    let mut site = Site::new();
    let shipped: u32 = (0..1_000)
        .map(|_| site.calls(50, 60 * US, 5 * US, 5 * US) + site.calls(1, 4 * MS, 4 * MS, 4 * MS))
        .sum();
    assert!(shipped < 500, "{shipped}");
}

#[test]
fn short_calls_are_inlined_soon_where_the_system_holds_up_replicas() {
    let mut site = Site::new();
    let shipped: u32 = (0..20)
        .map(|_| site.calls(1, 300 * US, 25 * MS, US) + site.calls(19, 300 * US, 2 * US, US))
        .sum();
    assert!(shipped < 60, "{shipped}");
}

#[test]
fn a_first_call_that_loads_something_in_the_client_is_not_held_against_the_others() {
    let mut site = Site::new();
    while !site.policy.is_curious() {
        site.call(60 * US, 5 * US, 5 * US);
    }
    site.call(60 * US, 5 * US, 80 * MS);
    let shipped = site.calls(200, 60 * US, 5 * US, 5 * US);
    assert!(shipped < 60, "{shipped}");
}

#[test]
fn another_run_begins_where_one_has_ended() {
    let mut site = Site::new();
    site.calls(2_000, 60 * US, 5 * US, 5 * US);
    let left = site.policy.left().unwrap();
    let mut site = Site::after(left);
    assert_eq!(site.calls(500, 60 * US, 5 * US, 5 * US), 0);
    // and finds out what is otherwise now
    let shipped = site.calls(300, 600 * US, 2 * MS, 2 * MS);
    assert!(shipped > 250, "{shipped}");
}

#[test]
fn of_calls_that_are_shipped_nothing_is_left() {
    let mut site = Site::new();
    site.calls(100, 3 * MS, 20 * MS, 20 * MS);
    assert_eq!(site.policy.left(), None);
}

#[test]
fn a_place_whose_values_scouts_want_goes_back_to_replicas() {
    let mut site = Site::new();
    site.calls(100, 60 * US, 5 * US, 5 * US);
    assert_eq!(site.policy.place(), Place::Inlined);
    site.policy.ship();
    assert_eq!(site.policy.place(), Place::Shipped);
}

#[test]
fn what_shipping_has_cost_and_spared_is_told_of_the_whole_run() {
    let mut site = Site::new();
    site.calls(100, 60 * US, 5 * US, 5 * US);
    assert_eq!(site.policy.place(), Place::Inlined);
    let (lost, spared) = (site.policy.lost(), site.policy.spared());
    assert!(
        lost >= 10 * spared && !spared.is_zero(),
        "{lost:?} {spared:?}"
    );
    let mut site = Site::new();
    site.calls(100, 3 * MS, 20 * MS, 20 * MS);
    assert!(site.policy.lost().is_zero());
    assert_eq!(site.policy.spared(), Duration::from_millis(2_000));
}

#[test]
fn what_shipping_would_cost_again_is_told_to_the_next_run() {
    let mut site = Site::new();
    site.calls(80, 60 * MS, 5 * US, 5 * US);
    let next = Inline::after(site.policy.left().unwrap());
    assert!(next.lost() > Duration::from_secs(1), "{:?}", next.lost());
}

/// A run of some calls, the first of which waits for replicas to start; what the next begins with.
fn short_run(calls: u32, start: u64, service: u64) -> Option<Left> {
    let mut site = Site::new();
    site.call(start, service, service);
    site.calls(calls - 1, service + 50 * US, service, service);
    site.policy.left()
}

#[test]
fn a_run_that_waited_for_replicas_longer_than_its_calls_take_tells_the_next_one() {
    let left = short_run(4, 400 * MS, 10 * MS).unwrap();
    let mut site = Site::after(left);
    assert_eq!(site.calls(4, 400 * MS, 10 * MS, 10 * MS), 0);
    assert_eq!(site.policy.left().map(|left| left.2), Some(left.2));
}

#[test]
fn the_next_one_makes_no_more_calls_itself_than_was_lost() {
    let left = short_run(4, 400 * MS, 10 * MS).unwrap();
    let mut site = Site::after(left);
    let shipped = site.calls(100, 2 * MS, 10 * MS, 10 * MS);
    assert!((50..=62).contains(&shipped), "{shipped}");
    assert_eq!(site.policy.left(), None, "which was worth it");
}

#[test]
fn of_a_start_that_is_small_beside_the_calls_nothing_is_left() {
    assert_eq!(short_run(10, 500 * MS, 1_000 * MS), None);
}

#[test]
fn where_one_call_takes_longer_than_was_lost_it_is_shipped_again() {
    assert_eq!(short_run(1, 2_300 * MS, 2_000 * MS), None);
    // what an earlier version of the rule has left: the call took longer here than both together
    let mut site = Site::after((64, 2_000 * MS, 300 * MS, true));
    assert_eq!(site.calls(1, 2_300 * MS, 2_000 * MS, 6_000 * MS), 0);
    assert_eq!(site.policy.left(), None);
}

#[test]
fn what_copies_of_the_program_have_spared_it_counts() {
    let mut policy = Inline::default();
    let time = Duration::from_millis;
    let cost = |elapsed: u64| Cost {
        elapsed: time(elapsed),
        ..Cost::default()
    };
    policy.shipped(cost(400), time(100));
    policy.ahead(cost(1), time(100));
    assert!(policy.left().is_some());
    (0..9).for_each(|_| policy.ahead(cost(1), time(100)));
    assert_eq!(policy.left(), None);
}

#[test]
fn a_run_that_loses_again_leaves_the_next_one_more_time() {
    let (mut left, mut shipped) = (None, Vec::new());
    for _ in 0..9 {
        let mut site = left.map_or_else(Site::new, Site::after);
        shipped.push(site.calls(11, 30 * MS, 10 * MS, 10 * MS));
        left = site.policy.left();
    }
    assert_eq!(shipped[0], 11);
    assert!(shipped.is_sorted_by(|one, next| one >= next), "{shipped:?}");
    assert_eq!(shipped.last(), Some(&0), "{shipped:?}");
}

#[test]
fn replicas_that_get_in_each_others_way_do_not_pass_for_long_calls() {
    let left = short_run(4, 400 * MS, 40 * MS).unwrap();
    let mut site = Site::after(left);
    let shipped = site.calls(40, 60 * MS, 60 * MS, 40 * MS);
    assert!((25..35).contains(&shipped), "{shipped}");
    assert!(site.policy.left().is_some());
}
