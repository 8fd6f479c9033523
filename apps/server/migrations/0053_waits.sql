-- A wait of a rule is named by the signal it began with, so that each zone and each fault of a device has its own.
alter table timer alter column step type varchar(60);
-- What waits at this moment goes on, for the whole device.
update timer set step = timer.step || '.~' || heard.event_id
from (
  select distinct on (t.subject_id, t.step, t.epoch) t.subject_id, t.step, t.epoch, s.event_id
  from timer t
    join warn_rule r on t.step = 'R' || r.id
    join signal s on s.device_id = t.subject_id and s.code = any(r.match_codes)
      and s.mode = (array['LIVE', 'TEST', 'DRILL'])[t.epoch] and not starts_with(s.event_id, t.step || '.')
  where t.kind = 'rule' and t.done_at is null
  order by t.subject_id, t.step, t.epoch, s.received_at desc, s.id desc
) as heard
where timer.kind = 'rule' and timer.done_at is null and timer.subject_id = heard.subject_id
  and timer.step = heard.step and timer.epoch = heard.epoch;
