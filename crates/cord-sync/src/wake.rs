//! Who is woken.

/// Who wants to know when a call is settled, or a replica idle.
pub trait Wake: std::fmt::Debug + Send + Sync {
    /// It is; `token` is what was given at registration. Runs on the dispatcher's
    /// thread, and must not look at tickets.
    fn wake(&self, token: u64);
}
