-- Figures of alarms by local day, so that nobody counts millions of records for a page.
create table alarm_day (
  day date not null,
  dept_id bigint not null,
  school_id bigint,
  school_name varchar(64),
  alarms integer not null,
  false_alarms integer not null,
  resolved integer not null,
  level1 integer not null,
  level2 integer not null,
  level3 integer not null,
  level4 integer not null,
  -- One byte for each alarm, in no order: its class, its hour, and the bucket of each step that it reached.
  classes bytea not null,
  hours bytea not null,
  displayed bytea not null,
  claimed bytea not null,
  dispatched bytea not null,
  on_site bytea not null,
  -- One entry for each false alarm.
  causes text[] not null,
  constraint alarm_day_key unique nulls not distinct (dept_id, school_id, day)
);
comment on table alarm_day is '每校每日警情统计';
create index alarm_day_school on alarm_day (school_id, day);
create index alarm_day_day on alarm_day (day) include (dept_id, school_id, alarms, false_alarms);

-- The sum of a day over all schools, for users who see all of them. Element n of a list is the count of value n - 1.
create table alarm_day_total (
  day date primary key,
  alarms integer not null,
  false_alarms integer not null,
  resolved integer not null,
  level1 integer not null,
  level2 integer not null,
  level3 integer not null,
  level4 integer not null,
  classes integer[] not null,
  hours integer[] not null,
  displayed integer[] not null,
  claimed integer[] not null,
  dispatched integer[] not null,
  on_site integer[] not null,
  causes jsonb not null
);
comment on table alarm_day_total is '全市每日警情统计';

-- Days to count again. Rows are only added: a row that replaced another could be lost while the other is counted.
create table alarm_day_change (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  dept_id bigint not null,
  school_id bigint
);
comment on table alarm_day_change is '待重算的警情统计';

create table alarm_rollup_cursor (
  one boolean primary key default true check (one),
  zone varchar(64) not null,
  built_from date not null default '9999-12-31'
);
comment on table alarm_rollup_cursor is '警情统计进度';
comment on column alarm_rollup_cursor.built_from is '此日及以后已统计；更早的直接查询警情';
insert into alarm_rollup_cursor (zone) values ('');

create function note_alarm_day_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into alarm_day_change (at, dept_id, school_id) values (old.first_at, old.dept_id, old.school_id);
    if tg_op = 'DELETE' or (old.first_at, old.dept_id, old.school_id) is not distinct from
      (new.first_at, new.dept_id, new.school_id)
    then
      return null;
    end if;
  end if;
  insert into alarm_day_change (at, dept_id, school_id) values (new.first_at, new.dept_id, new.school_id);
  return null;
end $$;

create trigger warn_record_day_insert after insert on warn_record for each row
  when (new.mode = 'LIVE') execute function note_alarm_day_change();
create trigger warn_record_day_delete after delete on warn_record for each row
  when (old.mode = 'LIVE') execute function note_alarm_day_change();
create trigger warn_record_day_update after update on warn_record for each row
  when ((old.mode = 'LIVE' or new.mode = 'LIVE')
    and (old.first_at, old.dept_id, old.school_id, old.school_name, old.mode, old.occurrence_count > 0, old.level,
      old.class, old.disposition, old.cause_code, old.received_at, old.displayed_at, old.claimed_at, old.dispatched_at,
      old.on_site_at, old.resolved_at)
    is distinct from (new.first_at, new.dept_id, new.school_id, new.school_name, new.mode, new.occurrence_count > 0,
      new.level, new.class, new.disposition, new.cause_code, new.received_at, new.displayed_at, new.claimed_at,
      new.dispatched_at, new.on_site_at, new.resolved_at))
  execute function note_alarm_day_change();
