-- An event is written twice, when it happens and when it gets its number, and each index with it: that was a quarter of
-- what the database did for a press. Numbers are looked up only where there is one, times only to forget old events.
alter table event drop constraint event_seq_key;
create unique index event_seq_key on event (seq) where seq is not null;
drop index event_at;
create index event_at on event using brin (at);
