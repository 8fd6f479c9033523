-- What a subject waits for is asked for with every signal of it; what ended stays for a month beside it.
create index timer_pending on timer (kind, subject_id) where done_at is null;
