//! Calls that are made again, to compare what they give: only where replicas have nothing else to do.

use super::call::Issue;
use super::replica::Phase;
use super::{CallId, Dispatcher, Nanos, ReplicaId};
use crate::audit::Sample;

impl Dispatcher {
    /// Where a call may be made again now: a replica with nothing to do, another than had it if there is
    /// one, as long as all such calls take no more than their share.
    pub fn place_for(&self, now: Nanos, sample: &Sample) -> Option<ReplicaId> {
        let module = self.modules.get(sample.module as usize)?;
        let is_calm = module.queue.is_empty() && module.state_lost.is_none();
        if !is_calm
            || !module
                .again
                .allows(sample.service, self.idle_time(now, sample.module))
        {
            return None;
        }
        let mut idle = module.open.iter().take_while(|(load, _)| *load == 0);
        let other = idle.clone().find(|(_, id)| *id != sample.replica);
        let same = || idle.next().filter(|_| module.live == 1);
        other.or_else(same).map(|(_, id)| *id)
    }

    /// For how long the replicas of a module that live have had nothing to do.
    fn idle_time(&self, now: Nanos, index: u32) -> Nanos {
        let module = &self.modules[index as usize];
        let there = module.slots.iter().flatten();
        let there = there.filter_map(|id| self.replicas.get(id));
        let there = there.filter(|one| one.phase == Phase::Ready);
        let since = |time: Nanos| now.saturating_sub(time);
        let whole: Nanos = there.clone().map(|one| since(one.launched)).sum();
        let runs = there.filter(|one| one.line.first().is_some());
        let running: Nanos = runs.map(|one| since(one.head_since)).sum();
        whole.saturating_sub(running + module.busy.iter().sum::<Nanos>())
    }

    /// A call is made again at this replica.
    pub(super) fn make_again(&mut self, now: Nanos, issue: Issue, to: ReplicaId) {
        let (id, index) = (issue.call, issue.module as usize);
        self.modules[index].again.under_way = Some(id);
        self.enqueue(issue, None);
        self.unqueue(id);
        if let Some(call) = self.calls.get_mut(&id) {
            call.life.may_be_repeated(0);
        }
        self.send(now, to, vec![id], false);
    }

    /// A call was answered after so long: whether it was one that is made again.
    pub(super) fn note_again(&mut self, module: u32, id: CallId, service: Nanos) {
        let again = &mut self.modules[module as usize].again;
        if again.under_way == Some(id) {
            again.answered(service);
        }
    }
}
