-- Whether a button is reset is a fact about the button, not about one of its alarms (decision 063).
alter table device_state add column latched boolean, add column reset_at timestamptz;
comment on column device_state.latched is '按下后未复位；未知为空';
comment on column device_state.reset_at is '最近一次复位时间；按下后为空';

insert into device_state (device_id, latched, reset_at)
select distinct on (device_id) device_id, reset_at is null, reset_at
from warn_record where class = 'PANIC' and device_id is not null
order by device_id, last_at desc
on conflict (device_id) do update set latched = excluded.latched, reset_at = excluded.reset_at;
