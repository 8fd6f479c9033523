-- What a report of an incident is: the first one, a further one, or the final one. Earlier reports have no kind.

alter table police_situation_log add column report_kind varchar(10)
  check (report_kind in ('FIRST', 'FOLLOW_UP', 'FINAL'));
