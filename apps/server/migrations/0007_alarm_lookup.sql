-- One way to the records of a key, whatever the statistics say: with partial indexes beside it the planner has walked
-- all open records instead, when it last counted few of them.
drop index warn_record_dedup;
create index warn_record_dedup on warn_record (dedup_key, mode, open desc, resolved_at desc nulls first);
