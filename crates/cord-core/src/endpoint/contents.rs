//! The content that a replica keeps, and the calls that wait for some.

use std::sync::Arc;

use super::shared::State;
use cord_wire::buffer::Buffer;
use cord_wire::message::Item;
use cord_wire::resident::{Content, Resident, Store};

/// What a replica keeps. A call that has come holds its content by itself, so that it is there
/// whatever makes room meanwhile.
pub type Contents = Store<Arc<Content>>;

/// Fills in the content that came by its name alone, and keeps what came whole; false if some is
/// neither here nor among `others`.
pub fn complete(contents: &mut Contents, buffers: &mut [Buffer], others: &[Buffer]) -> bool {
    let mut is_whole = true;
    for buffer in buffers {
        let Buffer::Resident(resident) = buffer else {
            continue;
        };
        let came = || resident.content.clone().or_else(|| find(others, resident));
        let Some(content) = contents.get(&resident.key).or_else(came) else {
            is_whole = false;
            continue;
        };
        contents.insert(resident.key, resident.len, Arc::clone(&content));
        resident.content = Some(content);
    }
    is_whole
}

fn find(buffers: &[Buffer], wanted: &Resident) -> Option<Arc<Content>> {
    buffers.iter().find_map(|buffer| match buffer {
        Buffer::Resident(one) if one.key == wanted.key => one.content.clone(),
        _ => None,
    })
}

impl State {
    /// Content has come for a call that lacked it. The call may have left meanwhile; and if nobody
    /// waits for it any more, nothing comes, and it leaves now.
    pub fn take_content(&mut self, mut item: Item) {
        if let Some(shortage) = item.shortage {
            if self.queue.remove(item.call).is_some() {
                self.refuse(item.call, *shortage);
            }
            return;
        }
        complete(&mut self.contents, &mut item.payload.buffers, &[]);
        if item.payload.buffers.is_empty() {
            self.queue.remove(item.call);
            return;
        }
        let Some(waiting) = self.queue.waits_for_content(item.call) else {
            return;
        };
        if complete(
            &mut self.contents,
            &mut waiting.payload.buffers,
            &item.payload.buffers,
        ) {
            self.queue.has_content(item.call);
        } else {
            self.lacking.push(item.call);
        }
    }
}
