-- The press that a button test expects has a record of its own, which ends with the window (decision 067).
alter table warn_record add column test_plan_id bigint references test_plan (id);
comment on column warn_record.test_plan_id is '预期此按键的按钮测试';
create index warn_record_test_plan on warn_record (test_plan_id) where test_plan_id is not null;

update warn_record set test_plan_id = plan.id
from test_plan as plan join test_result as result on result.plan_id = plan.id
where warn_record.mode = 'TEST' and warn_record.state <> 'CLOSED' and warn_record.device_id = result.device_id
  and plan.station_told_at is not null and warn_record.occurrence_count = 1
  and warn_record.received_at >= plan.window_from and warn_record.received_at < plan.window_to;

insert into timer (kind, subject_id, step, epoch, due_at)
select 'buttonTest', id, 'WINDOW_END', 1, greatest(window_to, now()) from test_plan where closed_at is null;
