-- Positions of a phone during a task, shown to the desk and deleted after 30 days (decision 048).
create table assignment_position (
  id bigint generated always as identity primary key,
  assignment_id bigint not null references assignment (id) on delete cascade,
  by_user_id bigint not null references users (id) on delete cascade,
  lng double precision not null check (lng between -180 and 180),
  lat double precision not null check (lat between -90 and 90),
  accuracy_m integer not null check (accuracy_m between 0 and 100000),
  at timestamptz not null,
  received_at timestamptz not null default date_trunc('milliseconds', clock_timestamp())
);
comment on table assignment_position is '任务位置';
create index assignment_position_task on assignment_position (assignment_id, by_user_id, at);
create index assignment_position_user on assignment_position (by_user_id);
create index assignment_position_age on assignment_position (received_at);

-- When a reader of the tracks of an alarm was last written into the operation log: a screen reads them every 10 s.
create table track_view (
  record_id bigint not null references warn_record (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  audited_at timestamptz not null,
  primary key (record_id, user_id)
);
comment on table track_view is '轨迹查看';
create index track_view_user on track_view (user_id);
