-- Patrols: a plan with points, its rounds of each day, and the points that were reached.

create table patrol_plan (
  id bigint generated always as identity primary key,
  school_id bigint not null references school (id),
  name varchar(64) not null check (name <> ''),
  weekdays integer not null default 127 check (weekdays between 1 and 127),
  from_min integer not null check (from_min between 0 and 1439),
  to_min integer not null check (to_min between 0 and 1440),
  rounds integer not null check (rounds between 1 and 24),
  enabled boolean not null default true,
  remark varchar(200),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
comment on table patrol_plan is '巡查路线';
create index patrol_plan_school on patrol_plan (school_id);

create table patrol_point (
  id bigint generated always as identity primary key,
  plan_id bigint not null references patrol_plan (id) on delete cascade,
  school_id bigint not null references school (id),
  seq integer not null,
  name varchar(64) not null check (name <> ''),
  place_id bigint references place (id) on delete set null,
  key_part boolean not null default false,
  code varchar(16) not null unique
);
comment on table patrol_point is '巡查点';
create index patrol_point_plan on patrol_point (plan_id, seq);
create index patrol_point_place on patrol_point (place_id) where place_id is not null;

create table patrol_run (
  id bigint generated always as identity primary key,
  plan_id bigint not null references patrol_plan (id) on delete cascade,
  school_id bigint not null references school (id),
  day date not null,
  round integer not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  state varchar(10) not null default 'PLANNED' check (state in ('PLANNED', 'RUNNING', 'DONE', 'MISSED')),
  unique (plan_id, day, round),
  check (to_at > from_at)
);
comment on table patrol_run is '巡查轮次';
create index patrol_run_open on patrol_run (to_at) where state in ('PLANNED', 'RUNNING');
create index patrol_run_school on patrol_run (school_id, day);

create table patrol_scan (
  id bigint generated always as identity primary key,
  run_id bigint not null references patrol_run (id),
  point_id bigint references patrol_point (id) on delete set null,
  school_id bigint not null references school (id),
  point_name varchar(64) not null,
  user_id bigint not null references users (id),
  step_key uuid not null unique,
  scanned_at timestamptz not null,
  received_at timestamptz not null default now(),
  is_odd boolean not null default false,
  note text check (char_length(note) <= 500),
  -- A point is reached once in a round, however often its scan arrives.
  unique (run_id, point_id)
);
comment on table patrol_scan is '巡查记录';
create index patrol_scan_user on patrol_scan (user_id);
